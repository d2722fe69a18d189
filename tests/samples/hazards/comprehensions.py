"""Comprehensions: nested, conditional, raising, over several lines, in functions, class bodies and the module."""

squares = [n * n for n in range(3)]
table = {
    key: [inner for inner in range(key)]
    for key in squares
    if key
}


class Body:
    limit = 2
    items = [n for n in range(2)]
    spread = {
        n
        for n in items
        if n
    }
    after = limit + 1


def raising(values):
    try:
        return [1 // value for value in values]
    except ZeroDivisionError:
        return "zero"


def closures():
    makers = [lambda: n for n in range(3)]
    n = 5
    return [make() for make in makers], n


def shadows(n):
    pairs = [(n, m) for n in range(2) for m in range(n + 1)]
    return n, pairs


def mutating():
    seen = []
    kept = [item for item in (1, 2, 3)
            if not seen.append(item)]
    grown = [len(seen) for _ in range(2) if seen.append(0) is None]
    return seen, kept, grown


def generated(n):
    return sum(x * y for x in range(n) for y in range(x))


def walrus():
    found = [last := n for n in range(3)]
    return found, last


def main():
    nested = [[column * row for column in range(row)] for row in range(4)]
    flat = {cell for row in nested for cell in row}
    mapping = {str(n): {n: (n,)} for n in flat}
    one = [n for n in range(6) if n % 2 if n > 1]
    bad = raising([1, 0])
    good = raising([1, 2])
    return flat, mapping, one, bad, good, closures(), shadows(9), mutating(), generated(4), walrus(), Body.after
