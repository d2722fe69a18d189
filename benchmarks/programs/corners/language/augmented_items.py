def main():
    x = [1, 2]
    x[0] += 5
    d = {'k': [1]}
    d['k'] += [2]
    d['n'] = d.get('n', 0) + 1
    return x, d
