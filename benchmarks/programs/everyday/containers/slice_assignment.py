def main():
    xs = [1, 2, 3, 4, 5]
    xs[1:3] = [9]
    del xs[-1]
    xs[:0] = [7, 8]
    return xs
