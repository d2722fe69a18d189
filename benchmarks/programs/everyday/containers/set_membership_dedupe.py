def dedupe(xs):
    seen = set()
    out = []
    for x in xs:
        if x not in seen:
            seen.add(x)
            out.append(x)
    return out


def main():
    return dedupe([1, 2, 1, 3, 2, -1, -1])
