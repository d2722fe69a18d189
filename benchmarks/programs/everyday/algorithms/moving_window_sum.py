def windows(xs, k):
    s = sum(xs[:k])
    out = [s]
    for i in range(k, len(xs)):
        s += xs[i] - xs[i - k]
        out.append(s)
    return out


def main():
    return windows([1500, -200, 33, 4096, 17], 3)
