def main():
    a = [[1, 2], [3, 4]]
    b = [[0, 1], [1, 0]]
    return [[sum(x * y for x, y in zip(r, c)) for c in zip(*b)] for r in a]
