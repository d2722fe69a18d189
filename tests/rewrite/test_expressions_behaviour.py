"""Tests of three-address form by running it: errors, scopes, truth, and programs that are deeply nested."""

import ast
import sys

import pytest

from worldline.rewrite.expressions import Fresh, is_flat, three_address


def flat(source):
    tree = ast.parse(source)
    return three_address(tree, Fresh.of(tree))


def text(source):
    return ast.unparse(flat(source).tree)


def result(source, name="r"):
    """What a program leaves in a name, first as it is and then rewritten."""
    found = []
    for version in (source, text(source)):
        space = {"__name__": "__main__"}
        exec(compile(version, "program", "exec", dont_inherit=True), space)
        found.append(space[name])
    assert found[0] == found[1]
    return found[1]


def error(source):
    """The error that a program ends with, first as it is and then rewritten."""
    found = []
    for version in (source, text(source)):
        with pytest.raises(Exception) as caught:  # noqa: PT011 - which one it is, is compared
            exec(compile(version, "program", "exec", dont_inherit=True), {"log": (log := [])})
        found.append((type(caught.value), str(caught.value), log))
    assert found[0] == found[1]
    return found[1]


DEEP = {
    "a sum": (" + ".join(["1"] * 2000), 2000),
    "calls": ("f(" * 190 + "7" + ")" * 190, 7),
    "a chain of attributes": ("(1)" + ".real" * 900, 1),
    "an and": (" and ".join(["f(1)"] * 999 + ["f(2)"]), 2),
    "comparisons": (" <= ".join(["f(1)"] * 500), True),
    "conditional expressions": (
        "".join(f"({i} if f(77) == {i} else " for i in range(150)) + "-1" + ")" * 150,
        77,
    ),
    "lists": ("[" * 90 + "1" + "][0]" * 90, 1),
    "comprehensions": ("[" * 17 + "1" + "".join(f" for x{i} in [1]][0]" for i in range(17)), 1),
    "nots": ("not " * 190 + "1", True),
}


@pytest.mark.parametrize("name", DEEP)
def test_deep_nesting_does_not_explode(name):
    expression, value = DEEP[name]
    source = f"f = lambda x: x\nr = {expression}"
    assert result(source) == value
    found = flat(source)
    statements = [node for node in ast.walk(found.tree) if isinstance(node, ast.stmt)]
    assert all(is_flat(statement) for statement in statements)
    assert len(statements) < len(expression)
    assert found.left == ()


def test_a_tree_deeper_than_python_can_read():
    tree = ast.parse("r = 1")
    value = tree.body[0].value
    for _ in range(3000):
        value = ast.BinOp(value, ast.Add(), ast.Constant(1))
    tree.body[0].value = value
    space = {}
    before = sys.getrecursionlimit()
    exec(ast.unparse(three_address(tree, Fresh([])).tree), space)
    assert space["r"] == 3001
    assert sys.getrecursionlimit() == before


@pytest.mark.parametrize("test", ["x == {}", "len('.' * x) == {}"])
def test_a_long_elif_chain(test):
    arms = "".join(f"    elif {test.format(i)}:\n        continue\n" for i in range(150))
    source = f"r = []\nfor x in range(-1, 152):\n    if x < 0:\n        pass\n{arms}    r.append(x)\n"
    assert result(source) == [-1, 150, 151]
    assert max(len(line) - len(line.lstrip()) for line in text(source).splitlines()) <= 16


def test_super_and_the_class_cell():
    source = """
class A:
    def m(self, x):
        return [x]
class B(A):
    def m(self, x):
        return super().m(x + 1) + [__class__.__name__.lower()] + [c for c in super().m(x + 2)]
    @classmethod
    def make(cls):
        return super().__new__(cls).m(len('ab'))
r = B.make()
"""
    assert result(source) == [3, "b", 4]


def test_private_names_stay_private():
    source = """
class A:
    def __init__(self):
        self.__x = [1, 2]
    def m(self):
        return [__y + len(self.__x) for __y in self.__x if (lambda __z: __z)(__y)]
r = A().m()
"""
    assert result(source) == [3, 4]


def test_the_head_of_a_module_keeps_its_place():
    source = (
        '"""About."""\nfrom __future__ import annotations\nset = list\nr = {x for x in (__doc__, __name__)}\n'
    )
    assert result(source) == {"About.", "__main__"}
    assert text(source).splitlines()[:2] == ['"""About."""', "from __future__ import annotations"]
    assert result("def f():\n    'doc'\n    return f.__doc__.upper()[0]\nr = f()") == "D"


def test_main_is_still_main():
    assert result("r = []\nif __name__ == '__main__':\n    r.append(len('ab') + __debug__)") == [3]


def test_an_else_of_a_while_may_leave_the_loop_around_it():
    source = """
r = []
for i in range(5):
    n = i
    while len('.' * n) > 1:
        n -= 1
        r.append((i, n))
        if n == 2:
            break
    else:
        if i == 1:
            continue
        r.append(i)
        if i == 2:
            break
"""
    assert result(source) == [0, (2, 1), 2]


@pytest.mark.parametrize(
    "source",
    [
        "log.append(missing(log.append(1)))",
        "def f():\n    return x + log.append(1)\n    x = 1\nf()",
        "def f(x):\n    del x\n    return g(x, log.append(1))\ndef g(*a): pass\nf(1)",
        "def f(a):\n    def g():\n        return b(log.append(1))\n    g()\n    b = 1\nf(1)",
        "def f():\n    return g(log.append(1))\nf()\ndef g(x): pass",
        "(1).missing(log.append(1))",
        "[].append(log.append(1), log.append(2))",
        "a, b = log.append(1), log.append(2), log.append(3)",
        "(lambda x: x + 1 + 2)(1, 2)",
        "def f():\n    return (lambda x, *, y: x + y + 1)(1)\nf()",
        "class A:\n    def m(self):\n        return [(lambda x: 1)(z) for z in self.m(1)]\nA().m()",
        "def f():\n    return [(lambda: z)(z) for z in [1]]\nf()",
        "[x for x in 5]",
        "list(x for x in 5)",
        "[y for x in [1] for y in y]",
        "def f():\n    [y for x in [1]]\n    y = 1\nf()",
        "print(*5, *[log.append(1)])",
        "print(*5, end=log.append(1))",
        "{**5, log.append(1): 2}",
        "{[]: 1, 2: log.append(1)}",
        "{*[[]], log.append(1)}",
        "assert [], [log.append(1), 2]",
        "raise ValueError([1][0]) from KeyError(log.append(2))",
        "with log.append(1): pass",
        "def f(x): f(x)[log.append(1)] += log.append(2)\ntry:\n    f(1)\nexcept RecursionError: 1 + None",
        "x = (1).real, *5",
        "f'{1:{[]}}'",
        "def f():\n    yield 1\n    return [next(iter(x)) for x in [[]]]\nlist(f())",
        "list(next(iter([])) for x in [1])",
    ],
)
def test_errors_come_in_their_turn_with_their_message(source):
    error(source)


def test_truth_is_asked_as_often_as_before():
    source = """
class T:
    def __init__(self, name, truth):
        self.name = name
        self.truth = truth
    def __bool__(self):
        r.append(self.name)
        return self.truth
r = []
for truths in range(8):
    a, b, c = (T('abc'[i], truths >> i & 1 == 1) for i in range(3))
    if a and b or c:
        r.append('yes')
    while not (a and (b or c)):
        break
    x = a and b and c, a or b, (a if b else c) and a, not (a or b)
    assert (a or not a) and not (c and not c)
"""
    assert len(result(source)) > 80


def test_iterators_are_asked_as_often_as_before():
    source = """
class Items:
    def __iter__(self):
        r.append('iter')
        return self
    def __next__(self):
        r.append('next')
        if len(r) > 9:
            raise StopIteration
        return len(r)
r = []
x = (n + 1 for n in Items())
r.append('made')
r.extend(x)
"""
    assert result(source)[:3] == ["iter", "made", "next"]
