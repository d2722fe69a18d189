def main():
    xs = [[]] * 3
    xs[0].append(1)
    xs[1] = [9]
    xs[2].append(2)
    return xs
