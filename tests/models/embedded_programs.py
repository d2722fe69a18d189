"""This file is programs whose traces the embedded model's bookkeeping must come to, each with a call."""

PROGRAMS = {
    "strings": ("""
def f(text, n):
    out = []
    for i, c in enumerate(text):
        if c.isalpha() and i % n == 0:
            out.insert(0, c.upper())
    s = ','.join(out).replace('A', 'xy').strip().title()
    return s[::-1], s.find('x'), s.count('o'), text.startswith('he')
""", "f('hello big wide', 2)"),
    "lists": ("""
def f(nums):
    total = 0
    for x in nums:
        total += x * 2
    nums.sort(reverse=True)
    nums.remove(9)
    ys = [x * x for x in nums if x % 2]
    return total, max(nums) - min(nums), ys, list(zip(nums, ys)), any(y > 5 for y in ys), nums[1:3]
""", "f([3, 1, 4, 1, 5, 9])"),
    "dicts": ("""
def f(d):
    r = {}
    for k in d:
        r.setdefault(d[k], []).append(k)
    r.update({'z': 3})
    q = r.pop('z')
    return r, tuple(r), q, sorted(r.items(), key=lambda p: -p[0]), len(r)
""", "f({'a': 1, 'b': 2, 'c': 1})"),
    "shared": ("""
def grow(rows):
    for row in rows:
        row.append(len(rows))
    return rows

def f(n):
    one = [n]
    rows = [one, one, [0]]
    other = grow(rows)
    one.append(7)
    return rows, other, one
""", "f(4)"),
    "generators": ("""
def count(n):
    i = 0
    while i < n:
        yield i
        i += 1

def f(n):
    walk = count(n)
    first = next(walk)
    rest = []
    for x in walk:
        rest.append(x)
        if x == 2:
            break
    return first, rest
""", "f(5)"),
    "recursion": ("""
def g(n):
    if n < 2:
        return n
    return g(n - 1) + g(n - 2)

def f(n):
    a, b, c = 1, 2, n
    a, b, c = c, a, b
    return g(c), a, b
""", "f(6)"),
    "failures": ("""
def g(x):
    if x > 1:
        raise ValueError('big')
    return x

def f(xs):
    found = []
    for i in range(3):
        try:
            found.append(xs[i] // i)
        except IndexError:
            found.append(-1)
        except ZeroDivisionError as error:
            found.append(0)
    try:
        g(5)
    except (KeyError, ValueError):
        found.append(g(1))
    return found
""", "f([7, 8])"),
    "ranges": ("""
def f(n):
    seen = []
    walk = iter(range(n, 2, -3))
    for i in walk:
        seen.append(i)
        if i < 150:
            break
    seen.append(next(walk))
    for i in range(5, 2):
        seen.append(i)
    return seen, next(walk, 'none'), 7777 % 97, -123 // 45, -90 % 45, 321 * 654
""", "f(160)"),
    "names": ("""
LIMIT = 3

def f(words, least):
    keep = lambda word: len(word) >= least
    def shorten(word):
        return word[:LIMIT + least]
    found = [shorten(word) for word in words if keep(word)]
    same = [words[0] == found[-1], 'tree' in words]
    some, all = sum(1 for w in found if w == 'oak'), sum(1 for w in found if w)
    return sorted(found, key=len), same, some, all, [0, 5][same[1]]
""", "f(['linden', 'oak', 'tree', 'a'], 'ab'.count('a') + 1)"),
    "dropped": ("""
def f(rows):
    found = []
    for row in rows:
        found.append(any(x > 2 for x in row))
    walk = iter([9])
    for walk in ((x for x in row) for row in rows):
        found.append(next(walk))
    return found
""", "f([[3, 1], [1, 4, 5], [0]])"),
    "dropped later": ("""
def f(rows):
    least = 0
    found = []
    for row in rows:
        least += 1
        found.append(all(x > least for x in row))
    return found
""", "f([[1, 2], [0, 4], [5]])"),
    "printed": ("""
def f(words):
    for at, w in enumerate(words):
        print(at, w, sep=': ', end=';')
    print(*words, f'{len(words)} words')
    print()
    return words[-1]
""", "f(['oak', 'ash'])"),
    "described": ('''
def f(n):
    """What it does,

    and for whom.
    """
    total = 0
    # nothing

    while n:
        def half(k):
            return k // 2
        total += (
            n
        )
        n = half(n)
    return total
''', "f(20)"),
    "paper": ("""
def f(a, b):
    x = a * b
    x %= 997
    y = -a // b, a % -b, a // 17, (a ^ b) & 255 | 3
    z = b << 5, a >> 3, b ** 3
    return x, y, z, divmod(a, b)
""", "f(123456, 789)"),
    "loops left early": ("""
def f(rows):
    found = []
    for row in rows:
        for x in row:
            if x > 2:
                found.append(x)
                break
        try:
            for x in row:
                found.append(6 // x)
        except ZeroDivisionError:
            continue
        while True:
            for x in row:
                break
            found.append(x)
            break
    return found
""", "f([[1, 3, 4], [3, 0, 5], [3, 4]])"),
    "raised again": ("""
def f(x):
    try:
        try:
            y = x // 0
        except ZeroDivisionError:
            raise
    except ZeroDivisionError:
        y = 1
    try:
        y = y // 0
    except (KeyError, ZeroDivisionError):
        y += 1
    finally:
        y += 5
    return y
""", "f(3)"),
    "whose names": ("""
def walk(n, ask):
    def inner():
        return n
    if n == 0:
        return ask()
    return walk(n - 1, ask or inner)

def f(x):
    k = 1
    g = (each * k for each in [1, 2])
    k = 10
    if x:
        def h(a):
            return a + 1
    else:
        def h(a):
            return a + 2
    return walk(2, None), list(g), h(3)
""", "f(3)"),
    "keys that are true": ("""
def f(n):
    d = {0: 'even', 1: 'odd'}
    return d[n % 2 == 1], True in d, {True: 1, 1: 2}
""", "f(3)"),
    "equal lines": ("""
def g(a, b):
    for x in a:
        yield x
    for x in b:
        yield x

def f(a, b):
    return list(g(a, b)), any(x > 1 for x in g(a, b))
""", "f([1, 2], [2])"),
    "one tuple": ("""
def f(n):
    return (1, 2) in [(1, 2)], (1, 2) is (1, 2), (n, 2) is (n, 2)
""", "f(1)"),
    "names of the module": ("""
WAYS = [(0, 1), (1, 0), (-1, 0)]
TABLE = {'a': 1, 'b': [2, 3]}
N: int = 3
SEEN = set()
COUNT = 0

def add(x, memo={}, pair=(1, 2), n=N, *, by=COUNT):
    global COUNT
    COUNT += 1 + by
    if x in memo:
        return memo[x]
    memo[x] = x + n
    SEEN.add(x)
    return pair[0]

def f(WAY):
    global COUNT
    COUNT = 7
    total = 0
    for dx, dy in WAYS:
        total += dx - dy
    WAYS.append((total, total))
    TABLE['b'].append(WAYS[-1][0])
    return total, add(3), add(3), add(4), TABLE, len(WAYS), COUNT, sorted(SEEN)
""", "f(1)"),
    "said beside it": ("""
LIMIT = -1
WAYS: tuple = (1, -1)

def g(LIMIT):
    LIMIT += 1
    return LIMIT

def f(n):
    total: int = n + LIMIT
    assert total, 'nothing'
    try:
        assert total > n, 'less'
    except AssertionError:
        total += WAYS[1]
    return g(total)
""", "f(3)"),
    "codes": ("""
def f(text):
    return [ord(c) for c in text], chr(955), text == 'x'
""", "f('aé')"),
    "functions in a list": ("""
def f(n):
    fs = [lambda: 1 for _ in range(n)]
    return len(fs)
""", "f(2)"),
    "errors that leave handlers": ("""
def f(xs):
    try:
        try:
            xs[5]
        except IndexError as e:
            raise
    except IndexError:
        n = 1
    try:
        xs[7]
    except IndexError as first:
        try:
            xs[9]
        except KeyError as second:
            n = 2
        except IndexError as third:
            n = 3
        n = n + 1
    return n
""", "f([1])"),
    "names of inner functions": ("""
n = 1

def f(x):
    n = 5
    def inner():
        global n
        return n
    return inner(), n
""", "f(1)"),
    "functions with other names": ("""
def a():
    return 1

def b():
    return 2

def swap():
    global a
    a = b

def f(x):
    y = a()
    swap()
    return y, a()
""", "f(1)"),
    "raised again after another": ("""
def f(xs):
    try:
        try:
            xs[3]
        except IndexError:
            try:
                {}["k"]
            except KeyError:
                pass
            raise
    except LookupError as e:
        kind = 1
    return kind
""", "f([])"),
    "a generator that never begins": ("""
def g(n):
    yield n

def f(x):
    a = g(x)
    return 1
""", "f(1)"),
    "run as a script": ("""
ROWS = [[1], [2]]

def f(x):
    ROWS[0].append(x)
    return ROWS

if __name__ == "__main__":
    print(f(1))
""", "f(3)"),
    "names that are computed": ("""
SIZE = 3
NAMES = ["a", "b"]
TWICE = SIZE * 2

def f(x):
    return NAMES[0], SIZE
""", "f(3)"),
}  # fmt: skip
