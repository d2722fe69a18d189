def main():
    s = frozenset([1, 2])
    return 1 in s, len(s), s == {2, 1}
