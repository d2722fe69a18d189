"""This file is the law of the operators in microcode: for operands of all types, what CPython's do."""

import operator

import container_arguments as of
import pytest
from container_arguments import call, came_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from microcode_laws import EXAMPLES, microcode

from worldline.rewrite.microcode.atoms import hidden
from worldline.rewrite.microcode.library import library

FILES = tuple(sorted({one.file for one in library().values() if one.file.startswith("operators")}))
SLICES = ("get_slice", "set_slice", "del_slice", "del_item")
FUNCTIONS = sorted(name for name in library() if name.startswith("op_") or name in {"equal", *SLICES})

ANY = st.one_of(of.VALUE, of.THING, of.LIST, of.TUPLE, of.DICT, of.SET, of.FROZEN, of.NUMBER, of.TEXT)
LIKE = st.one_of(
    *(st.tuples(kind, kind) for kind in (of.LIST, of.TUPLE, of.DICT, of.SET, of.TEXT, of.NUMBER))
)
TWICE = of.VALUE.map(lambda value: (value, of.Itself()))
BOTH = st.one_of(LIKE, LIKE, TWICE, st.tuples(ANY, ANY))
REPEATED = st.one_of(BOTH, st.tuples(ANY, of.SMALL), st.tuples(of.SMALL, ANY), st.tuples(of.LIST, of.INDEX))
GROWN = st.one_of(BOTH, st.tuples(of.LIST, of.ITERABLE), st.tuples(of.DICT, of.ITERABLE))


def is_modest(operands):
    """Whether a power can be computed at all: not of two large numbers."""
    left, right = operands
    right = left if isinstance(right, of.Itself) else right
    return not (isinstance(left, int) and isinstance(right, int) and (abs(left) > 9 or right > 99))


POWERS = st.one_of(st.tuples(of.SMALL, st.integers(-2, 70)), BOTH.filter(is_modest))
FILLED = st.one_of(st.tuples(st.sampled_from(["%s", "%d", "%5.2f %%", "a", "%", "%(a)s"]), ANY), BOTH)
IN = st.one_of(st.tuples(ANY, ANY), st.tuples(of.SMALL, of.LIST), st.tuples(of.SMALL, of.SET), LIKE)
SEQUENCE = st.one_of(of.LIST, of.TUPLE, of.TEXT, ANY)
SLICE = (of.BOUND, of.BOUND, of.STEP)
ARGUMENTS = {
    **dict.fromkeys(("op_eq", "op_ne", "op_lt", "op_le", "op_gt", "op_ge", "equal"), BOTH),
    **dict.fromkeys(("op_or", "op_and", "op_xor", "op_sub", "op_ior", "op_iand", "op_ixor", "op_isub"), BOTH),
    **dict.fromkeys(("op_in", "op_not_in"), IN),
    **dict.fromkeys(("op_mul", "op_imul"), REPEATED),
    **dict.fromkeys(("op_add", "op_iadd"), GROWN),
    "op_pow": POWERS,
    "op_mod": FILLED,
    "get_slice": call(SEQUENCE, *SLICE),
    "set_slice": call(SEQUENCE, *SLICE, of.ITERABLE),
    "del_slice": call(SEQUENCE, *SLICE),
    "del_item": call(SEQUENCE, st.one_of(of.INDEX, of.HASHABLE)),
}


def get_slice(items, start, stop, step):
    return items[start:stop:step]


def set_slice(items, start, stop, step, values):
    items[start:stop:step] = values


def del_slice(items, start, stop, step):
    del items[start:stop:step]


def del_item(items, index):
    del items[index]


def equal(left, right):
    return operator.countOf([left], right) == 1  # which asks as containers do


def op_in(item, container):
    return item in container


def op_not_in(item, container):
    return item not in container


def power(left, right):
    return left**right


REAL = {
    **{
        "get_slice": get_slice,
        "set_slice": set_slice,
        "del_slice": del_slice,
        "del_item": del_item,
        "equal": equal,
    },
    **{
        "op_in": op_in,
        "op_not_in": op_not_in,
        "op_pow": power,
        "op_or": operator.or_,
        "op_and": operator.and_,
    },
}


def law(test):
    """A law for the generated arguments."""
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large]
    return settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=checks)(test)


def real(name):
    """What CPython has for a function."""
    return REAL.get(name) or getattr(operator, name.removeprefix("op_"))


def test_every_function_has_a_generator():
    assert set(FUNCTIONS) == set(ARGUMENTS)


@pytest.mark.parametrize("name", sorted(name for name, one in library().items() if one.file in FILES))
def test_hides_nothing(name):
    assert hidden(library()[name].node) == []


@pytest.mark.parametrize("name", sorted(ARGUMENTS))
def test_equals_cpython(name):
    function = microcode()[name]
    if name == "equal":
        function = _as_bool(function)

    @law
    @given(ARGUMENTS[name])
    def law_of_operator(arguments):
        assert came_of(function, arguments) == came_of(real(name), arguments)

    law_of_operator()


def _as_bool(function):
    """`equal` answers what `==` does, and is only asked whether that is true."""
    return lambda left, right: bool(function(left, right))
