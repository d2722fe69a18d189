"""del: of variables, items, attributes, slices, loop variables, and names that are bound again."""


class Holder:
    pass


def main():
    a = 1
    b = [1, 2, 3, 4]
    c = b
    del a
    a = 2
    del b[0]
    del b[1:2]
    d = {"x": 1, "y": 2}
    del d["x"]
    del b
    b = c
    e = Holder()
    e.f = 1
    del e.f
    for g in range(2):
        h = g
        del g
    try:
        g
    except UnboundLocalError as error:
        i = type(error).__name__
    del a, c
    c, a = 1, b
    del d, e
    try:
        raise ValueError("v")
    except ValueError as d:
        pass
    del a; a = [5]
    return a, b, c, h, i
