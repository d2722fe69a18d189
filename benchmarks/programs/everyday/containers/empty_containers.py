def main():
    xs, d, s, t = [], {}, set(), ()
    out = []
    for x in xs:
        out.append(x)
    if not d and not s and not t:
        out.append("empty")
    return out, len(d), sum(xs), max(xs, default=None), "".join(xs), [] == xs
