from collections import Counter


def main():
    c = Counter("mississippi")
    return c.most_common(2)
