def main():
    m = [[1, 2, 3], [4, 5, 6]]
    return [[r[i] for r in m] for i in range(3)], [x for r in m for x in r if x % 2], sum(sum(r) for r in m)
