def main():
    d = {'x': 1}
    k = d.keys()
    d['y'] = 2
    return list(k), len(k), 'y' in k
