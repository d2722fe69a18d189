"""This file is programs in which nobody knows what `f(3)` finds under some name unless the module is run.

The embedded model's bookkeeping must not guess.
"""

UNKNOWN = {
    "a name without a value": """
x = 5

def f(n):
    y = x
    x = 1
    return y
""",
    "a sum without a value": """
count = 5

def f(n):
    count += 1
    return count
""",
    "a branch that binds nothing": """
total = 5

def f(n):
    if n > 5:
        total = 1
    return total
""",
    "a name that is gone": """
v = 5

def f(n):
    v = n
    del v
    return v
""",
    "a function that is not made yet": """
def h():
    return 1

def f(n):
    x = h()
    def h():
        return 2
    return x
""",
    "a function that is gone": """
def h():
    return 1

del h

def f(n):
    return h()
""",
    "one of two functions": """
FAST = True

if FAST:
    def h():
        return 1
else:
    def h():
        return 2

def f(n):
    return h()
""",
    "what a method took": """
A = [1, 2]
B = A.pop()

def f(n):
    return A
""",
    "what a function put": """
T = {}

def put(k):
    T[k] = k
    return k

ONE = put(1)

def f(n):
    return T
""",
    "what a typed name took": """
A = [1, 2]
B: int = A.pop()

def f(n):
    return A
""",
    "what a class body did": """
A = []

class C:
    A.append(1)

def f(n):
    return A
""",
    "a default that has grown": """
def g(x, seen=[]):
    seen.append(x)
    return seen

FIRST = g(0)

def f(n):
    return g(n)
""",
    "what a call rebinds": """
N = 1

def setup():
    global N
    N = 5

setup()

def f(n):
    return N
""",
    "what a call gives and rebinds": """
N = 1

def bump():
    global N
    N = N + 1
    return N

FIRST = bump()

def f(n):
    return N
""",
    "a parameter that is not there": """
def g(x, y=1):
    return x

def f(n):
    return g(1, z=5)
""",
    "a parameter that is given twice": """
def g(x, y=1):
    return x

def f(n):
    return g(1, x=5)
""",
    "a parameter without its name": """
def g(x, /, y=1):
    return x

def f(n):
    return g(x=1)
""",
    "a call of None": """
def h():
    return 1

def use(h=None):
    return h()

def f(n):
    return use()
""",
    "nothing to raise again": """
def f(n):
    try:
        [][0]
    except IndexError:
        pass
    raise
""",
    "an error of its own": """
class KeyError(Exception):
    pass

def f(n):
    try:
        {}['a']
    except KeyError:
        return 1
    except LookupError:
        return 2
""",
    "an error of its own that is raised": """
class KeyError(Exception):
    pass

def f(n):
    raise KeyError(1)
""",
    "too deep": """
def g(n):
    return g(n)

def f(n):
    return g(n)
""",
    "a decorator that changes the module": """
SEEN = []

def noted(g):
    SEEN.append(g)
    return g

@noted
def h(n):
    return n

def f(n):
    return len(SEEN)
""",
    "a base that changes the module": """
SEEN = []

class Base:
    def __init_subclass__(cls):
        SEEN.append(cls)

class Other(Base):
    pass

def f(n):
    return len(SEEN)
""",
    "a base that is not Python's": """
SEEN = []

class object:
    def __init_subclass__(cls):
        SEEN.append(1)

class Other(object):
    pass

def f(n):
    return len(SEEN)
""",
    "a list that is none": """
def f(list):
    return list()
""",
    "an imported name": """
from operator import length_hint as len

def f(n):
    return len([n])
""",
}  # fmt: skip
