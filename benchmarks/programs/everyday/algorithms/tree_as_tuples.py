def depth(tree):
    if tree is None:
        return 0
    left, value, right = tree
    return 1 + max(depth(left), depth(right))


def main():
    return depth(((None, 1, None), 2, ((None, 3, None), 4, None)))
