def main():
    a, b, c, d, e, f = 1, 2, 3, 4, 5, 6
    return [a, b, c, d, e, f]
