"""Stretches without a call next to ones that change things: what a skipping recorder may get wrong."""

import collections
import functools
from functools import update_wrapper


class Sly:
    def __init__(self, target):
        self.target = target

    def __eq__(self, other):
        self.target.append("eq")
        return False

    def __bool__(self):
        self.target.append("bool")
        return True

    def __iter__(self):
        self.target.append("iter")
        yield 1
        self.target.append("more")
        yield 2

    def __iadd__(self, other):
        self.target.append("iadd")
        return self

    def __index__(self):
        self.target.append("index")
        return 0

    def __format__(self, spec):
        self.target.append("format")
        return "sly"

    def __getitem__(self, key):
        self.target.append("getitem")
        return self

    def __setitem__(self, key, value):
        self.target.append("setitem")

    def __delitem__(self, key):
        self.target.append("delitem")

    def __contains__(self, item):
        self.target.append("contains")
        return True

    def __neg__(self):
        self.target.append("neg")
        return 1

    def __radd__(self, other):
        self.target.append("radd")
        return other


def reading(big, n):
    total = 0
    for i in range(n):
        total += big[i]
        if big[i] in big:
            total ^= 1
    return total


def sly_ways():
    held = [0]
    sly = Sly(held)
    x = 0
    x = sly == 1
    x = 1 if sly else 2
    for x in sly:
        y = x
    sly += 1
    x = [5][sly]
    x = f"{sly}"
    x = sly[0]
    sly[0] = 1
    del sly[0]
    x = 1 in sly
    x = -sly
    x = 1 + sly
    x = None
    for x in [sly]:
        x = 0
    first, second = sly
    sly = 5
    x = 6
    return held


def pure_then_not():
    a = [1]
    b = [a, [2]]
    c = {"k": (3,)}
    i = 0
    while i < 3:
        i += 1
        d = b[1][0] + i
        e = c["k"]
        if a[0] == 1 and i in (1, 2):
            f = a
    f += [i]
    g = b[0]
    g += [9]
    a = None
    f = None
    g.append(8)
    return b


def on_the_stack():
    held = [1]
    count = [held,
             held.append(2),
             held,
             held.append(3)]
    x = 1
    y = (held
         + [x
            for x in (1, 2)]
         + held)
    held = (held,
            held.append(4))[0]
    return held, count, y


def keeper(held):
    while True:
        got = yield held[-1]
        x = got
        y = x


def resumed():
    held = [0]
    gen = keeper(held)
    next(gen)
    z = gen.send(1); held.append(5); z = gen.send(2)
    held.append(6)
    z = gen.send(3)
    return z, held


def caller_and_callee():
    outer = [1]
    inner = outer

    def pure(n):
        m = n + 1
        return m

    def impure(n):
        m = n
        outer.append(n)
        return m

    a = pure(1)
    b = impure(2)
    c = pure(a) + impure(b)
    inner = None
    d = pure(c)
    return outer, d


def reused_addresses():
    a = [1, 2, 3]
    for i in range(3):
        b = [i, i]
        c = b
        b = None
        c = None
        a = [1, 2, 3]
        a = [1, 2, i]
        d = (i, i)
        d = (i, i)
    return a, d


def built_in_surprises():
    held = []
    lazy = map(held.append, [1, 2])
    x = None in lazy
    two = map(held.append, [3, 4])
    x, y = two
    default = collections.defaultdict(list)
    x = default["new"]
    y = default["newer"]
    queue = collections.deque([1])
    queue += [2]
    thing = Sly(held)
    x = 1
    update_wrapper(thing, keeper, ("__name__",), ())
    y = 2
    later = functools.partial(held.append, 5)
    later()
    x = y
    return held, x, y


def one_liners():
    grid = [[1], [2]]
    for row in grid: row += [9]
    a = [1, 2]; b = 5
    a = None; a = [1, 3]
    a = None; a = [2, 3]
    a = 0; a = [2, 4]
    b = (1, 2)
    b = None; b = (1, 3)
    c = {}
    c = 0; c = {1: 2}
    for i in range(3): a = None; a = [i, i]
    return grid, a, b, c


def loops(data):
    best = None
    for row in data:
        for cell in row:
            if best is None or cell > best:
                best = cell
    keys = {}
    for row in data:
        keys[best] = row
    for key in keys:
        value = keys[key]
    for key, value in keys.items():
        best = key
    for i, row in enumerate(data):
        row[0] = i
    for left, right in zip(data, data):
        left[0] = right
        right[0] = 0
    return keys


def in_place():
    a = (1,)
    b = a
    a += (2,)
    c = "x"
    c += "y"
    d = [1]
    e = d
    d += "ab"
    d *= 2
    f = {1}
    g = f
    f |= {2}
    f &= {2, 3}
    h = {"a": 1}
    i = h
    h |= {"b": 2}
    j = bytearray(b"a")
    k = j
    j += b"b"
    return b, c, e, g, i, k


def main():
    return (
        reading([3, 4, 5, 6], 4),
        sly_ways(),
        pure_then_not(),
        on_the_stack(),
        resumed(),
        caller_and_callee(),
        reused_addresses(),
        built_in_surprises(),
        one_liners(),
        loops([[1, 2], [3]]),
        in_place(),
    )
