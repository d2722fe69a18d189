"""This file is the laws of value texts: `repr` for built-in types, type told, bounded, always the same."""

import collections
import enum
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from laws.value_strategies import cyclic, strings, values
from worldline.record.values import MAX_DEPTH, MAX_INT_BITS, text
from worldline.trace.value import CUT, is_cut, type_of

SOURCE = Path(__file__).parents[2] / "src"


@given(values)
@example([-0.0, float("nan"), float("inf"), complex(-0.0, float("nan"))])
@example({(): frozenset(), "": b"", None: set(), False: {}})
@settings(max_examples=250, deadline=None)
def test_the_text_of_a_built_in_value_is_its_repr(value):
    assert text(value) == repr(value)


@given(values)
@settings(max_examples=250, deadline=None)
def test_the_text_tells_the_type(value):
    assert type_of(text(value)) == type(value).__name__


@given(values, st.integers(0, 60))
@settings(max_examples=250, deadline=None)
def test_a_cut_text_is_a_marked_prefix_of_the_repr(value, limit):
    shown, whole = text(value, limit), repr(value)
    if len(whole) <= limit:
        assert shown == whole
        return
    mark = CUT.search(shown)
    assert mark is not None
    assert shown[: mark.start()] == whole[:limit]
    assert type_of(shown) == type(value).__name__


@given(strings | strings.map(lambda it: it.encode("utf-8", "surrogatepass")), st.integers(0, 8))
def test_where_a_string_is_cut_its_quotes_are_those_of_the_whole(value, limit):
    shown = text(value, limit)
    assert (shown if len(repr(value)) <= limit else shown[: CUT.search(shown).start()]) == repr(value)[:limit]


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ("abc" * 99, 297),
        (b"abc" * 99, 297),
        (bytearray(99), 99),
        ([0] * 99, 99),
        ((0,) * 99, 99),
        (dict.fromkeys(range(99)), 99),
        (dict.fromkeys(range(99)).keys(), 99),
        (set(range(99)), 99),
        (collections.deque(range(99)), 99),
        (collections.Counter(range(99)), 99),
        (2**999, 1000),
    ],
    ids=lambda value: type(value).__name__,
)
def test_the_mark_of_a_cut_tells_the_size(value, size):
    assert text(value, 20).endswith(f"…<{type(value).__name__} of {size}>")


@given(values)
@settings(deadline=None)
def test_a_whole_text_is_not_taken_for_a_cut_one(value):
    assert not is_cut(text(value))


@pytest.mark.parametrize("value", cyclic(), ids=lambda value: repr(value)[:60])
def test_cycles_are_shown_as_repr_shows_them(value):
    assert text(value) == repr(value)


def test_integers_that_python_itself_refuses_to_print():
    for value in (1 << MAX_INT_BITS, -(1 << 10**6), 10**4300):
        assert text(value) == f"…<int of {value.bit_length()}>"
        assert text([1, value]) == "[1, …<list of 2>"
    assert text((1 << MAX_INT_BITS) - 1) == repr((1 << MAX_INT_BITS) - 1)


def test_a_lower_limit_on_digits_is_met_as_a_cut():
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        assert text(10**700) == f"…<int of {(10**700).bit_length()}>"
    finally:
        sys.set_int_max_str_digits(before)


@pytest.mark.parametrize("wrap", [lambda it: [it], lambda it: (it,), lambda it: {0: it}, lambda it: Held(it)])
def test_depth_is_bounded(wrap):
    value: object = 0
    for _ in range(100_000):
        value = wrap(value)
    shown = text(value)
    assert is_cut(shown)
    assert type_of(shown) == type(value).__name__
    assert len(shown) < 20 * MAX_DEPTH
    while type(value) is not int:  # taken apart by hand, as freeing it at once could be too deep for C
        value = value.it if type(value) is Held else value[0]


def test_a_wide_value_costs_no_more_than_its_limit():
    value: object = [0]
    for _ in range(50):
        value = [value, value]  # its repr has 2**50 characters
    assert len(text(value, 1000)) < 1030
    held = Held(0)
    for _ in range(50):
        held = Held({held, Held(held)})
    assert len(text(held, 1000)) < 1030


class Held:
    def __init__(self, it):
        self.it = it


class Colour(enum.Enum):
    RED = 1


class Access(enum.Flag):
    READ = 1
    WRITE = 2


Point = collections.namedtuple("Point", "x y")


class Labelled(Point):
    def label(self):
        return self.x


def fields(self):
    return self


NODE = Held(1)
NODE.itself = NODE
NODE.among = {NODE}


@pytest.mark.parametrize(
    ("value", "shown", "kind"),
    [
        (Held([1]), "<Held it=[1]>", "Held"),
        (NODE, "<Held it=1, itself=<Held ...>, among={<Held ...>}>", "Held"),
        (Colour.RED, "<Colour.RED: 1>", "Colour"),
        (Access.READ, "<Access.READ: 1>", "Access"),
        (Access.READ | Access.WRITE, "<Access.READ|WRITE: 3>", "Access"),
        (Access(0), "<Access: 0>", "Access"),
        (Point(1, "a"), "Point(x=1, y='a')", "Point"),
        (Labelled(1, 2), "Labelled(x=1, y=2)", "Labelled"),
        (fields, "<function fields>", "function"),
        (Held(1).__init__, "<bound method Held.__init__ of <Held it=1>>", "method"),
        (len, "<built-in function len>", "builtin_function_or_method"),
        ([].append, "<built-in method append of list object>", "builtin_function_or_method"),
        (os, "<module 'os'>", "module"),
        ((it for it in ()), "<generator object <genexpr>>", "generator"),
        (iter([1]), "<list_iterator object>", "list_iterator"),
        (enumerate([]), "<enumerate object>", "enumerate"),
        (object(), "<object object>", "object"),
        (Held, "<class 'test_values.Held'>", "type"),
        ({Held(2), Held(1), 3}, "{3, <Held it=1>, <Held it=2>}", "set"),
        ({Held(1): 2}, "{<Held it=1>: 2}", "dict"),
        (collections.ChainMap({1: 2}), "<ChainMap maps=[{1: 2}]>", "ChainMap"),
        (type("Sub", (list,), {})([1]), "<Sub [1]>", "Sub"),
        (type("Sub", (dict,), {})(a=1), "<Sub {'a': 1}>", "Sub"),
        (type("Sub", (int,), {"__slots__": ()})(7), "<Sub 7>", "Sub"),
        (type("Sub", (Exception,), {})("x", 1), "Sub('x', 1)", "Sub"),
        (type("Slots", (), {"__slots__": ("a", "b")})(), "<Slots>", "Slots"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_other_objects_are_shown_by_class_and_attributes(value, shown, kind):
    assert text(value) == shown
    assert type_of(shown) == kind


PROGRAM = """
import collections, decimal, functools, sys
from worldline.record.values import text
class A:
    def __init__(self, n): self.n, self.s = n, {self, n}
class Slot:
    __slots__ = ("a",)
things = [A(n) for n in range(20)]
waste = [object() for _ in range(int(sys.argv[1]))]
values = [
    set(things), frozenset(things), {A, Slot, int, str, len}, {float("nan"), 1.0, 2.0},
    set(map(str, range(99))),
    {(1, thing) for thing in things}, {lambda: 1, print, A(1).__init__}, A, things[0].__init__, object(),
    functools.partial(print), iter([]), Slot(), {iter([]), iter(())}, (x for x in ()), sys,
    RuntimeError(A(1)),
]
print("\\n".join(ascii(text(value)) for value in values))
"""


def run(program: str, seed: str, waste: str) -> str:
    env = os.environ | {"PYTHONPATH": str(SOURCE), "PYTHONHASHSEED": seed}
    ran = subprocess.run(
        [sys.executable, "-c", program, waste], env=env, capture_output=True, text=True, check=True
    )
    return ran.stdout


def test_the_same_text_in_every_process():
    first = run(PROGRAM, "0", "0")
    assert "0x" not in first
    assert run(PROGRAM, "0", "1") == first
    assert run(PROGRAM, "0", "31337") == first


def test_objects_have_the_same_text_whatever_the_hash_seed():
    objects = PROGRAM.replace("set(map(str, range(99))),", "")
    assert run(objects, "1", "7") == run(objects, "2", "0")
