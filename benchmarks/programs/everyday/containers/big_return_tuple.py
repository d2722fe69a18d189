def stats(xs):
    s = sorted(xs)
    n = len(s)
    return {"min": s[0], "max": s[-1], "sum": sum(s), "n": n, "median": s[n // 2], "range": s[-1] - s[0]}


def main():
    return stats([12, 5, 99, 42, 7])
