def kadane(xs):
    best = cur = xs[0]
    for x in xs[1:]:
        cur = max(x, cur + x)
        best = max(best, cur)
    return best


def main():
    return kadane([-2, 1, -3, 4, -1, 2, 1, -5, 4])
