def main():
    a, b = {1, 2, 3}, {3, 4}
    return sorted(a | b), sorted(a & b), sorted(a - b), sorted(a ^ b), a <= b, {3} < a, a.isdisjoint({9}), len(a.union(b))
