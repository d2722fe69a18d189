def main():
    xs = [(2, 'b'), (1, 'z'), (2, 'a'), (1, 'a')]
    xs.sort()
    ys = sorted(xs, key=lambda t: t[1])
    return xs, ys
