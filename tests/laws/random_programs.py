"""This file makes random programs that try to change values behind the recorder's back."""

from hypothesis import strategies as st

PRELUDE = """
import heapq
from collections import deque

class Box:
    def __init__(self, items):
        self.items = items
    def put(self, item):
        self.items.append(item)
        return self
    def __iadd__(self, item):
        self.items.append(item)
        return self
    def __getattr__(self, name):
        self.items.append(name)
        return len(self.items)

def push(xs, n):
    xs.append(n)
    return xs

def rename(d, n):
    for key in list(d):
        d[key] = [d[key], n]
        n += 1
    return n

def numbers(xs):
    for n in range(3):
        xs.append(n)
        yield n

KEPT = []

def keep(generator):
    KEPT.append(generator)  # when one is dropped, and its end recorded, is seen later under the twin
    return generator

def pure(n, m):
    total = n * 2
    while total > 10:
        total -= 3
    return total + m

def fail(xs):
    xs.append("failing")
    raise ValueError(len(xs))
"""

START = """\
    a, b, s, xs, ys, d, w, t = 1, 2, 's', [1], ['y'], {'k': 1}, {1}, ()
    h, q, box, raw, cyclic, wide = [3, 1, 2], deque([1, 2]), Box([]), b'', [], [0]
    g, f, nonlocal_list, fuel = iter(()), (lambda: []), [0], 20
    def inner():
        nonlocal_list[0] += 1
        nonlocal_list.append(a)
"""

NUMBERS = [
    "0",
    "1",
    "-7",
    "3.5",
    "-0.0",
    "0.0",
    "True",
    "10**30",
    "len(s)",
    "a",
    "b",
    "a % 5",
    "len(xs)",
    "float('nan')",
]
STRINGS = [
    "'x'",
    "s + 'y'",
    "s[:3]",
    "'é\\n'",
    "str(a)",
    "s * 2 if len(s) < 20 else ''",
    "repr(xs)[:30]",
    '"it\'s"',
]
LISTS = [
    "[]",
    "[a, s]",
    "xs",
    "ys",
    "xs[:]",
    "[xs, ys]",
    "[n for n in range(3)]",
    "list(d)",
    "[[1], [2]]",
    "xs + [1]",
]
LINES = [
    "a = {number}",
    "b = {number}",
    "a += 1",
    "b -= a",
    "a, b = b, a",
    "s = {string}",
    "s += 'z'",
    "xs = {list}",
    "ys = {list}",
    "xs.append({number})",
    "xs.append({string})",
    "ys.append(xs)",
    "xs += [{number}]",
    "xs[:] = ys[:4]",
    "xs.sort(key=str)",
    "xs.reverse()",
    "del xs[:1]",
    "xs[len(xs) // 2:] = [a]",
    "d[{string}] = {number}",
    "d[a] = xs",
    "d.pop(a, None)",
    "d = dict(d)",
    "d |= {{'k': b}}",
    "rename(d, 3)",
    "w = {{1, 2, a}}",
    "w.add({string})",
    "w ^= {{1, 2}}",
    "t = (xs, a)",
    "t = (a, s, None)",
    "deep = [[xs], {{'d': d}}]",
    "push(xs, b)",
    "push(t[0] if t and isinstance(t[0], list) else ys, 9)",
    "list(map(xs.append, [a, b]))",
    "heapq.heapify(h)",
    "heapq.heappush(h, len(h))",
    "q.rotate(1)",
    "q.append(a)",
    "box.put(b)",
    "box += a",
    "box.thing",
    "box.items = xs",
    "box = Box(ys)",
    "g = keep(numbers(xs))",
    "a = next(g, 5)",
    "g.close()",
    "a = pure(7, 2)",
    "inner()",
    "n = nonlocal_list[0]",
    "b = [x + 1 for x in range(2)]",
    "u = {{x: str(x) for x in range(2)}}",
    "f = lambda: xs",
    "f().append(1)",
    "a = f() is xs",
    "del a; a = 2",
    "xs, ys = ys, xs",
    "setattr(box, 'new', a)",
    "raw += b'q'",
    "raw = bytes(raw) if len(raw) > 3 else raw",
    "cyclic.append(cyclic) if len(cyclic) < 3 else cyclic.clear()",
    "locals()['xs'].append('from locals')",
    "print(a)",
    "a = ys == xs",
    "a = len(xs) > 2 and 1 or 0",
    "wide = [0] * 50",
    "wide[a if isinstance(a, int) and 0 <= a < 50 else 0] = s",
    "assert True",
    "pass",
]
BLOCKS = [
    "for a in range({small}):",
    "for item in list(xs)[:3]:",
    "for c in s[:3]:",
    "for item in keep(numbers(ys)):",
    "if a:",
    "while len(xs) < {small} and (fuel := fuel - 1) > 0:",
    "with open('/dev/null'):",
    "for n, c in enumerate(s[:2]):",
    "for k, v in list(d.items()):",
]


@st.composite
def _lines(draw, depth: int) -> list[str]:
    lines = []
    for _ in range(draw(st.integers(1, 6))):
        if depth < 3 and draw(st.integers(0, 4)) == 0:
            head = draw(st.sampled_from([*BLOCKS, "try:"])).format(small=draw(st.integers(0, 4)))
            body = draw(_lines(depth + 1))
            lines += [head, *("    " + line for line in body)]
            if head == "try:":
                lines += ["    fail(xs)", "except Exception as error:", "    a = 4", "finally:", "    b = 5"]
        else:
            line = draw(st.sampled_from(LINES))
            lines.append(
                line.format(
                    number=draw(st.sampled_from(NUMBERS)),
                    string=draw(st.sampled_from(STRINGS)),
                    list=draw(st.sampled_from(LISTS)),
                )
            )
    return lines


@st.composite
def mutating_programs(draw) -> str:
    """A program with a `main()`: whatever it raises, its trace is what counts."""
    body = "\n".join("    " + line for line in draw(_lines(0)))
    return f"{PRELUDE}\ndef main():\n{START}{body}\n    return a, b, s, xs, ys, d\n"
