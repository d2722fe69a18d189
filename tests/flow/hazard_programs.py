"""This file is programs whose control flow is easy to get wrong, by name."""

HAZARDS = {
    "branches": """\
def sign(n):
    "A docstring is no line."
    if n > 0:
        return 1
    elif n == 0: return 0
    else:
        return -1
[sign(n) for n in (1, 0, -1)]
x = 1 if sign(1) else 2
y = 0 < sign(1) < 2 < 3
assert y and x
assert not (x and
            y
            and None), (x,
                        y)
""",
    "loops": """\
def first(xs, wanted):
    for x in xs:
        if x != wanted:
            continue
        break
    else:
        x = None
    n = 3
    while n:
        n -= 1
        if n == wanted: break
    else:
        return x
    for i in range(2): n += i
    while n < 3: n += 1
    while True:
        for i in xs:
            n += i
            if n > 10: return x
first([1, 2], 2)
first([], 5)
first([1, 2], 7)
""",
    "exceptions": """\
import contextlib
class Swallow:
    def __enter__(self):
        return self
    def __exit__(self, kind, error, tb):
        return kind is KeyError
def raising(kind):
    with Swallow() as one, \\
            Swallow():
        try:
            raise kind
        except (ValueError,
                TypeError) as error:
            del kind
            raise RuntimeError from error
        except OSError:
            raise
        except ZeroDivisionError:
            return 1
        else:
            kind = 2
        finally:
            kind = 3
    return kind
for kind in (ValueError, TypeError, OSError, ZeroDivisionError, KeyError, IndexError, None):
    try:
        raising(kind)
    except Exception as error:
        caught = error
with contextlib.suppress(ZeroDivisionError):
    1 / 0
def finish(n):
    while n:
        n -= 1
        try:
            if n == 3: continue
            if n == 2: break
            if n == 1: return n
        finally:
            n += 0
for n in range(5):
    finish(n)
def unbound():
    if not n:
        late = 1
    return late
with contextlib.suppress(NameError):
    unbound()
""",
    "groups": """\
def group(errors):
    try:
        raise ExceptionGroup("all", errors)
    except* ValueError as found:
        kept = found
    except* (TypeError, KeyError):
        raise
    except* OSError as found:
        raise RuntimeError
    return kept
for errors in ([ValueError()], [TypeError()], [OSError(), ValueError()], [KeyError(), IndexError()]):
    try:
        group(errors)
    except BaseException:
        pass
""",
    "classes": """\
import enum
import functools
def trace(kind):
    def wrap(function):
        @functools.wraps(function)
        def call(*args):
            return function(*args)
        return call
    return wrap
class Meta(type):
    def __new__(meta, name, bases, names):
        return super().__new__(meta, name, bases, names)
class Thing(metaclass=Meta):
    "documented"
    size: int = 1
    sizes = [i for i in range(3)]
    def __init__(self, n):
        self.n = n
    @property
    def twice(self):
        return 2 * self.n
    @trace(
        "kind"
    )
    @trace(1)
    def add(self,
            m=0):
        return Thing(self.n + m)
    def __add__(self, other): return self.add(other.n)
    def __eq__(self, other):
        return self.n == other.n
    def __hash__(self): return self.n
    def __bool__(self): return self.n > 1
    def __del__(self):
        n = self.n
class Color(enum.Enum):
    def _generate_next_value_(name, *args):
        return name
    RED = enum.auto()
    BLUE = 3
a = Thing(1)
b = a + Thing(2)
a = b.add(1).twice
if b: c = {b, Thing(3)}
del b
c = None
sorted([3, 1, 2], key=lambda n:
       -n)
""",
    "several lines": """\
def f(a, b=None, *c, **d):
    return (a +
            b)
x = f(
    1,
    f(2,
      3)
)
xs = [
    (i,
     j)
    for i in range(2)
    for j in range(
        2)
    if i
]
ys = {i: i for i in range(2)}; zs = {
    i
    for i in ys}
for (i,
     j) in [
        (1,
         2),
        (3, 4)]:
    x = (i
         if j > 2
         else
         j)
s = '''
a''' 'b'
for i in range(2): f(i,
                     1)
for i in [j for j in range(2)]: f(
    i, 2)
with open(
        "/dev/null") as n, open(
        "/dev/null"):
    pass
lambdas = [lambda: 1, lambda: 2]
[g() for g in lambdas]
""",
    "matching": """\
class Point:
    __match_args__ = ("x", "y")
    def __init__(self, x, y):
        self.x, self.y = x, y
def what(value):
    match value:
        case 0:
            return "zero"
        case [x, *rest] if x > 1:
            return rest
        case [_, _]:
            found = "pair"
        case {"a": a, **others}:
            found = a
        case Point(x=0, y=y) | Point(y, 0):
            found = y
        case str() as found:
            pass
        case _: return None
    return found
for value in (0, [2, 3], [1, 2], {"a": 1}, Point(0, 2), Point(3, 0), Point(1, 1), "s", 5.0):
    what(value)
""",
    "scopes": """\
total = 0
def make(n):
    calls = 0
    def step(m):
        nonlocal calls
        global total
        calls += 1
        total += m
        if m:
            return step(m - 1)
        return (lambda k: k + calls)(n)
    return step
make(3)(2)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
fib(4)
if (n := fib(3)) > 1: pass
del n
pass
""",
    "one line": """\
class Guard:
    def __enter__(self): return self
    def __exit__(self, *raised): return True
def fail(*args):
    raise ValueError
def calm(*args): return 1
def f(n):
    # far
    with Guard(): fail(
        n)
    with Guard(): [][n]
    try: fail(n,
              calm())
    except ValueError: n += 1
    x = calm() if n > 9 else calm(n)
    y = calm() and calm(
        n) or fail()
    for i in range(2): x = calm() if i else calm(
        i)
    while n < 5 and calm(): n += 1
    z = [calm() if j else
         fail for j in range(2)]; return z
f(1)
""",
}
