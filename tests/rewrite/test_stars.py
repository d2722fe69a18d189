"""This file is the law of stars: displays and unpackings without them do what CPython does with them."""

import ast

import container_arguments as of
import pytest
from container_arguments import came_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from microcode_laws import EXAMPLES

from worldline.rewrite import rewrite
from worldline.rewrite.microcode.atoms import hidden
from worldline.rewrite.microcode.library import library
from worldline.trace.model import Entry, Program

FORMS = {
    "a list": "made = [a, *b, c]",
    "a list of stars": "made = [*a, *b, *a]",
    "a tuple": "made = (*a, b, *c)",
    "a tuple of one star": "made = (*a,)",
    "a dict": "made = {'k': a, **b, c: 1}",
    "a dict of stars": "made = {**a, **b}",
    "the rest": "first, *rest = a\n    made = first, rest",
    "the beginning": "*rest, last = a\n    made = rest, last",
    "the middle": "first, second, *rest, last = a\n    made = first, second, rest, last",
    "nothing else": "[*made] = a",
    "a loop": "made = []\n    for one, *more in a:\n        made.append((one, more))",
}
ITEMS = st.one_of(
    of.LIST, of.TUPLE, of.TEXT, of.DICT, of.SET, of.FROZEN, of.WALK, st.just(range(4)), of.THING
)
TABLES = st.one_of(of.DICT, of.DICT, of.THING)
ROWS = st.lists(st.one_of(of.LIST, of.TUPLE, of.TEXT), max_size=3)


def arguments(form):
    if "**" in FORMS[form]:
        return st.tuples(TABLES, TABLES, of.HASHABLE)
    return st.tuples(ROWS if form == "a loop" else ITEMS, ITEMS, ITEMS)


def made_of(form):
    """The function as it is, and rewritten; and the text of the latter."""
    source = f"def f(a, b, c):\n    {FORMS[form]}\n    return made\n"
    text = rewrite(Program(source, Entry("call", "f(1, 2, 3)")), "atomic").program.source
    plain, spelled = {}, {}
    exec(source, plain)
    exec(text, spelled)
    return plain["f"], spelled["f"], text


@pytest.mark.parametrize("form", FORMS)
def test_it_is_what_cpython_does(form):
    plain, spelled, _ = made_of(form)

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(arguments(form))
    def law(given):
        assert came_of(spelled, given) == came_of(plain, given)

    law()


@pytest.mark.parametrize("form", FORMS)
def test_no_star_is_left(form):
    own = next(node for node in ast.parse(made_of(form)[2]).body if getattr(node, "name", "") == "f")
    assert not [node for node in ast.walk(own) if isinstance(node, ast.Starred)]
    assert not [node for node in ast.walk(own) if isinstance(node, ast.Dict) and None in node.keys]


@pytest.mark.parametrize("name", [name for name, one in library().items() if one.file == "stars.py"])
def test_hides_nothing(name):
    assert hidden(library()[name].node) == []


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("def f(tuple, a):\n    made = (*a, 1)\n    return made\n", "(*a, 1)"),
        ("type = 3\ndef f(b, a):\n    [*made] = a\n    return made\n", "[*made]"),
        ("def f(b, a):\n    made = {*a, 1}\n    return made\n", "{*a, 1}"),
    ],
)
def test_what_keeps_its_stars_is_named(source, kept):
    rewritten = rewrite(Program(source, Entry("call", "f(1, [2])")), "atomic")
    assert kept in rewritten.program.source
    assert [kept in left.what for left in rewritten.left] == [True]
