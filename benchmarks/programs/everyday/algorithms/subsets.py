def subsets(xs):
    out = [[]]
    for x in xs:
        out += [s + [x] for s in out]
    return out


def main():
    return subsets(["a", "b", "c"])
