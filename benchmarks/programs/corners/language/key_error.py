def main():
    d = {'a': 1}
    try:
        d['b'] += 1
    except KeyError:
        d['b'] = 1
    return d
