def perms(xs):
    if not xs:
        return [[]]
    out = []
    for i in range(len(xs)):
        for rest in perms(xs[:i] + xs[i + 1 :]):
            out.append([xs[i]] + rest)
    return out


def main():
    return perms([1, 2, 3])
