"""This file is the law of the built-in functions in microcode: each does what CPython's does, as lazily."""

import container_arguments as of
import pytest
from container_arguments import call, calls, came_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from microcode_laws import EXAMPLES, microcode

from worldline.rewrite.microcode.atoms import hidden
from worldline.rewrite.microcode.library import library

FILES = tuple(sorted({one.file for one in library().values() if one.file.startswith("functions")}))
WATCHED = tuple(file for file in FILES if file != "functions.py")  # `sum` adds whatever it gets
FUNCTIONS = sorted(name for name in library() if name.startswith("builtin_") or name == "range_list")

NUMBER = st.one_of(of.SMALL, of.SMALL, st.integers(), of.NUMBER, of.ODD, of.NO_INT)
WALKS = st.one_of(of.LIST, of.LIST, of.TUPLE, of.TEXT, of.SET, of.DICT, of.WALK, of.NO_ITERABLE)
COMPARED = st.one_of(of.SORTABLE, of.SORTABLE, of.SORTABLE.map(lambda items: of.Walk(tuple(items))), of.TEXT)
EXTREME = st.one_of(
    call(st.one_of(COMPARED, of.NO_ITERABLE), of.keywords(key=of.KEY, default=of.THING)),
    call(of.THING, of.THING, of.keywords(key=of.KEY, default=of.THING)),
    call(of.NUMBER, of.NUMBER, of.NUMBER, of.keywords(key=of.KEY)),
    call(of.keywords(key=of.KEY)),
)
FLOATS = st.lists(st.one_of(st.floats(), of.NUMBER), max_size=8)
SUMMED = st.one_of(
    *(FLOATS, FLOATS.map(lambda items: of.Walk(tuple(items))), st.lists(st.integers(), max_size=5), of.LIST),
    *(st.lists(of.LIST, max_size=4), st.lists(of.TUPLE, max_size=4), of.ITERABLE),
)
DIGITS = st.one_of(
    st.integers().map(str),
    st.text("0123456789", max_size=4),
    st.text("0127 -+_xXbBoaAfFzZ.\n\t٣²é\x00", max_size=5),
    st.text(max_size=3),
    st.sampled_from(
        ["", " ", "-", "+-1", "1" * 700, "9" * 5000, "0x1f", "0b10", "  -12  ", "1_000", "x" * 300]
    ),
)
BASE = st.one_of(st.sampled_from([2, 8, 10, 16, 36]), st.integers(-1, 40), of.NO_INT)
PAIRS = st.one_of(
    *(st.lists(st.tuples(of.HASHABLE, of.VALUE), max_size=4), st.lists(of.THING, max_size=2), of.DICT, WALKS),
    *(st.just(of.Mapping()), st.just(of.MyDict(a=1))),
    st.lists(st.tuples(of.HASHABLE, of.VALUE), max_size=4).map(lambda pairs: of.Walk(tuple(pairs))),
)
ROWS = st.lists(WALKS, max_size=3)
ARGUMENTS = {
    "abs": call(NUMBER),
    "all": call(of.ITERABLE),
    "any": call(of.ITERABLE),
    "bin": call(NUMBER),
    "bool": calls(of.THING, least=0),
    "dict": calls(PAIRS, least=0),
    "divmod": call(NUMBER, NUMBER),
    "enumerate": calls(WALKS, st.one_of(of.SMALL, of.INDEX), least=1),
    "filter": call(st.one_of(of.FUNCTION, st.none()), WALKS),
    "frozenset": calls(of.KEYED, least=0),
    "hex": call(NUMBER),
    "int": st.one_of(calls(DIGITS, BASE, least=0), calls(NUMBER, BASE, least=1)),
    "list": calls(WALKS, least=0),
    "map": st.tuples(of.FUNCTION, ROWS).map(lambda both: (both[0], *both[1])),
    "max": EXTREME,
    "min": EXTREME,
    "oct": call(NUMBER),
    "pow": calls(NUMBER, st.one_of(st.integers(-2, 70), of.ODD), st.one_of(of.SMALL, of.NO_INT), least=2),
    "repr": call(of.THING),
    "reversed": call(st.one_of(of.ITERABLE, of.THING)),
    "round": calls(NUMBER, st.one_of(of.SMALL, of.NO_INT), least=1),
    "set": calls(of.KEYED, least=0),
    "sorted": call(st.one_of(COMPARED, of.ITERABLE), of.keywords(key=of.KEY, reverse=of.REVERSE)),
    "str": calls(of.THING, least=0),
    "sum": calls(SUMMED, st.one_of(of.NUMBER, of.LIST, of.TUPLE, of.THING), least=1),
    "tuple": calls(WALKS, least=0),
    "zip": st.tuples(ROWS, of.keywords(strict=st.booleans())).map(lambda both: (*both[0], both[1])),
}
RANGE = st.one_of(of.SMALL, st.integers(-30, 30), of.NO_INT)


def law(test):
    """A law for the generated arguments."""
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large]
    return settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=checks)(test)


def real(name):
    """What CPython has for a function."""
    return __builtins__[name] if isinstance(__builtins__, dict) else getattr(__builtins__, name)


def test_every_function_has_a_generator():
    assert {f"builtin_{name}" for name in ARGUMENTS} | {"range_list"} == set(FUNCTIONS)


@pytest.mark.parametrize("name", sorted(name for name, one in library().items() if one.file in FILES))
def test_hides_nothing(name):
    assert hidden(library()[name].node) == []


@pytest.mark.parametrize("name", sorted(ARGUMENTS))
def test_equals_cpython(name):
    function = microcode(*WATCHED)[f"builtin_{name}"]

    @law
    @given(ARGUMENTS[name])
    def equal(arguments):
        assert came_of(function, arguments) == came_of(real(name), arguments)

    equal()


@law
@given(call(RANGE, RANGE, RANGE))
def test_a_range_is_listed_as_cpython_does(arguments):
    expected = came_of(lambda *bounds: list(range(*bounds)), arguments)
    assert came_of(microcode()["range_list"], arguments) == expected


@pytest.mark.parametrize("name", ["enumerate", "filter", "map", "zip"])
def test_lazy_functions_take_one_item_at_a_time(name):
    taken = []
    function = microcode()[f"builtin_{name}"]
    walk = (taken.append(i) or i for i in range(1, 5))
    lazy = function(*([bool, walk] if name in ("filter", "map") else [walk]))
    assert taken == []
    next(lazy)
    assert taken == [1]


@pytest.mark.parametrize("name", ["enumerate", "filter", "map", "zip", "reversed"])
def test_lazy_functions_check_at_once(name):
    arguments = [bool, 5] if name in ("filter", "map") else [5]
    assert came_of(microcode()[f"builtin_{name}"], tuple(arguments)) == came_of(real(name), tuple(arguments))


def test_a_sum_of_floats_is_that_of_this_python():
    values = [0.1] * 10 + [1e100, 1.0, -1e100]
    for items in (values, [1, *values], [2**70, *values]):
        assert microcode()["builtin_sum"](iter(items)) == sum(items)


@pytest.mark.parametrize("text", ["0\x1f", "\x1c3", " 3\x1d", "3\x85", "\u0663\x1f", "\x0b-7\x0c"])
@pytest.mark.parametrize("base", [(), (10,), (16,)])
def test_separators_are_space_for_texts_but_not_for_numbers(text, base):
    arguments = (text, *base)
    assert came_of(microcode()["builtin_int"], arguments) == came_of(int, arguments)
