def main():
    a, b, c = 1, 2, 3
    a, b, c = c, a, b
    x = [5, 6]
    x[0], x[1] = x[1], x[0]
    i = 0
    i, x[i] = 1, 9
    return a, b, c, x, i
