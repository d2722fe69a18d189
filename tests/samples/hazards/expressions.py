"""Walrus, lambda, star-arguments, unpacking, conditional and multi-line expressions, one-line loops."""


def gather(first, /, second=2, *rest, key=None, **others):
    rest = list(rest)
    rest.append(first)
    return first, second, rest, key, others


def one_line(n):
    total = 0
    for i in range(n): total += i
    while total > 3: total -= 1; n += 1
    if total: n = [n]; n.append(total)
    return n


def multi(a,
          b=2):
    c = [
        a,
        b,
    ]
    d = (c.append(a) or
         c.append(b) or
         c)
    e = gather(
        d,
        *c,
        key=[
            a
        ],
        **{"x": b},
    )
    return (
        d,
        e,
    )


def unpacking(values):
    first, *middle, last = values
    (a, b), [c, *d] = (1, [2]), "xyz"
    b.append(first)
    [*copied] = middle
    return [*middle, last, *d], {**{"a": a}, "c": c}, copied


def chained(x):
    return 0 < x < 10 != 5, x and [] or "default", not x


def main():
    while (n := len(str(one_line(4)))) < 3:
        n += 1
    double = lambda value, by=2: value * by
    pick = (lambda: [n], lambda: double)[0]
    swap = [1, 2]
    swap[0], swap[1] = swap[1], swap[0]
    x = y = []
    x.append(1)
    x += [2]
    x = x + [3]
    return n, double(3), double([1]), pick(), multi(1), unpacking([1, 2, 3, 4]), chained(3), swap, x, y
