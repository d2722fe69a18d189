def pick(d, k, default=None):
    return d[k] if k in d else default


def main():
    d = {"x": None, 3: "three", (1, 2): [4]}
    return pick(d, "x"), pick(d, 3), pick(d, (1, 2)), pick(d, "q", -1)
