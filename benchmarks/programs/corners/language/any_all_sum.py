def main():
    return any([]), all([]), any(x > 2 for x in [1, 2, 3]), all(x > 0 for x in [1, 0]), sum([1, 2], 10), sum(x * x for x in range(4))
