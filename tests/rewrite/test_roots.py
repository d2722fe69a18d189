"""This file is the law of roots: the search among whole numbers finds what CPython's float says."""

import math

import pytest
from container_arguments import came_of
from hypothesis import given, settings
from hypothesis import strategies as st
from microcode_laws import EXAMPLES

from worldline.rewrite import rewrite
from worldline.rewrite.microcode.atoms import hidden
from worldline.rewrite.microcode.library import library
from worldline.trace.model import Entry, Program

SOURCE = "def f(n):\n    return int(n ** 0.5)\n"
SQUARES = st.integers(0, 2**26).map(lambda root: root * root)
NEAR = st.tuples(SQUARES, st.integers(-2, 2)).map(sum)
NUMBERS = st.one_of(NEAR, st.integers(-(10**3), 10**15), st.integers(), st.booleans(), st.floats())
VALUES = st.one_of(NUMBERS, NUMBERS, st.sampled_from(["a", None, [4], 3 + 4j]))


def written(source):
    return rewrite(Program(source, Entry("call", "f(1)")), "atomic").program.source


def function(source):
    names = {}
    exec(source, names)
    return names["f"]


PLAIN, REWRITTEN = function(SOURCE), function(written(SOURCE))


@settings(max_examples=20 * EXAMPLES, deadline=None)
@given(VALUES)
def test_it_is_what_cpython_does(value):
    assert came_of(REWRITTEN, (value,)) == came_of(PLAIN, (value,))


@given(st.integers(0, 10**12 - 1))
def test_it_is_the_root(number):
    assert REWRITTEN(number) == math.isqrt(number)


@pytest.mark.parametrize("name", ["whole_root", "has_exact_root"])
def test_hides_nothing(name):
    assert hidden(library()[name].node) == []


@pytest.mark.parametrize(
    ("source", "is_search"),
    [
        (SOURCE, True),
        ("def f(n):\n    for i in range(2, int(abs(n) ** 0.5) + 1):\n        pass\n    return i\n", True),
        ("def f(n):\n    root = n ** 0.5\n    return int(root) == root\n", False),  # the float is used again
        ("def f(n):\n    root = n ** 0.5\n    return int(root)\n", False),  # the program's own name
        ("def f(n):\n    global r\n    r = n ** 0.5\n    k = int(r)\n    return k\n", False),
        ("type = 3\ndef f(n):\n    return int(n ** 0.5)\n", False),  # microcode needs it
        ("def f(n):\n    return int(n ** 0.25)\n", False),
        ("def f(n):\n    return int(2 ** 0.5, n)\n", False),
        ("def f(n, int=round):\n    return int(n ** 0.5)\n", False),
        ("def f(n):\n    return [int(a ** 0.5) for a in n]\n", True),
    ],
)
def test_where_there_is_a_search(source, is_search):
    assert ("whole_root(" in written(source)) == is_search
