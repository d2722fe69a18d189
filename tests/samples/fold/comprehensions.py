def double(n):
    return n * 2


def plain(xs):
    a = [x for x in xs]
    b = {x: double(x) for x in xs if x > 1}
    c = {
        (x, y)
        for x in xs
        for y in a
        if x != y
    }
    return len(a) + len(b) + len(c)


def nested(rows):
    flat = [
        [double(cell) for cell in row]
        for row in rows
    ]
    x = "outer"
    seen = [x for x in flat]
    return x, seen


def raising(xs):
    try:
        return [1 // x for x in xs]
    except ZeroDivisionError as error:
        return str(error)


def deep(xs):
    try:
        return [
            double(
                1 // x
            )
            for x in xs
        ]
    except ZeroDivisionError:
        pass
    return sum([x for x in xs]) + sum(x for x in xs)


class Table:
    sizes = [n for n in range(3)]
    names = {str(n): n for n in sizes}


def closure(xs):
    adders = [lambda y: x + y for x in xs]
    last = [x for x in xs if x]
    return [add(1) for add in adders], last


def main():
    results = [plain([1, 2, 3]), nested([[1, 2], [3]]), raising([1, 0]), deep([2, 0])]
    class Local:
        both = [k for k in range(2)]
    return results, Table.names, Local.both, closure([1, 2])
