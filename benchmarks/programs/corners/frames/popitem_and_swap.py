def main():
    d = {'a': 1}
    d['a'], d['b'] = 5, d['a']
    x = d.popitem()
    return d, x
