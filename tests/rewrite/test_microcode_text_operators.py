"""This file is the law of the operators at the level `strings`: for all operands, what CPython does."""

import operator

import container_arguments as of
import pytest
from container_arguments import call, came_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from microcode_laws import EXAMPLES, microcode
from test_microcode_operators import ANY, BOTH, FILLED, REPEATED, SEQUENCE, SLICE, op_in, op_not_in

from worldline.rewrite.microcode.library import library

FUNCTIONS = sorted(name for name, one in library().items() if one.file == "text_operators.py")
TEXTS = st.tuples(of.TEXT, of.TEXT)
PAIRS = st.one_of(TEXTS, BOTH)
ARGUMENTS = {
    **dict.fromkeys([name for name in FUNCTIONS if name.startswith("text_")], PAIRS),
    **dict.fromkeys(("text_mul", "text_imul"), REPEATED),
    **dict.fromkeys(("text_mod", "text_imod"), FILLED),
    "text_slice": call(SEQUENCE, *SLICE),
    "text_format": call(ANY),
    "as_index": call(st.one_of(of.SMALL, st.booleans(), of.TEXT, st.none(), st.floats())),
    "are_texts": PAIRS,
}
REAL = {
    **{f"text_{name}": getattr(operator, name) for name in ("add", "iadd", "mul", "imul", "mod", "imod")},
    **{f"text_{name}": getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")},
    "text_in": op_in,
    "text_not_in": op_not_in,
    "text_slice": lambda items, start, stop, step: items[start:stop:step],
    "text_format": lambda value: f"{value}",
    "as_index": lambda value: range(value).stop,
    "are_texts": lambda left, right: type(left) is str and type(right) is str,
}


@pytest.mark.parametrize("name", FUNCTIONS)
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_an_operator_does_what_cpython_does(name, data):
    arguments = data.draw(ARGUMENTS[name])
    assert came_of(microcode()[name], arguments) == came_of(REAL[name], arguments)


@pytest.mark.parametrize("left", [{}, set(), None, 2, True, 2.0, (), [1], "ab", b"x"])
@pytest.mark.parametrize("right", ["", "ab", 2, None])
def test_multiplying_in_place_fails_as_cpython_does(left, right):
    """CPython looks at the right side only if the left one is no container of any kind."""
    arguments = (left, right)
    assert came_of(microcode()["text_imul"], arguments) == came_of(operator.imul, arguments)
