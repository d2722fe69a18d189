def main():
    a, *b, c = [1, 2, 3, 4]
    (d, e), f = (5, 6), 7
    *g, h = 'xy'
    return a, b, c, d, e, f, g, h
