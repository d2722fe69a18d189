from collections import defaultdict


def main():
    d = defaultdict(list)
    for i, w in enumerate(["a", "b", "a"]):
        d[w].append(i)
    return dict(d)
