"""This file is the law of `str` in microcode: each function does what CPython does, in small steps."""

import string
import sys
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from microcode_laws import EXAMPLES, microcode, outcome
from str_arguments import ARGUMENTS, OPERATORS, SPEC, STRANGE, TEXT, VALUE

from worldline.rewrite.microcode.library import library, sources

STR_FILES = tuple(file for file in sources() if file.startswith(("str", "slicing")))
FUNCTIONS = sorted(name for name in library() if name.startswith("str_"))
CASES = ("capitalize", "casefold", "lower", "swapcase", "title", "upper", "repr", "istitle")
KINDS = tuple(name for name in dir(str) if name.startswith("is"))
WRITTEN_ANEW = ("format", "format_map", "mod", "join")  # whether this is the old object is an accident
COMMON = 0x2500  # the letters, marks and signs that most scripts use, and all special ones of case


def law(test):
    """A law for the generated arguments."""
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large]
    return settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=checks)(test)


def real(name):
    """What CPython has for a function."""
    return OPERATORS.get(name) or getattr(str, name)


def test_every_method_of_str_is_there():
    methods = {f"str_{name}" for name in dir(str) if not name.startswith("_")}
    assert methods - set(FUNCTIONS) == set()


def test_every_function_has_a_generator():
    assert {name.removeprefix("str_") for name in FUNCTIONS} == set(ARGUMENTS)


@pytest.mark.parametrize("name", sorted(ARGUMENTS))
def test_equals_cpython(name):
    function = microcode(*STR_FILES)[f"str_{name}"]

    @law
    @given(ARGUMENTS[name])
    def equal(arguments):
        ours, theirs = outcome(function, *arguments), outcome(real(name), *arguments)
        if name in WRITTEN_ANEW:
            ours, theirs = replace(ours, is_receiver=False), replace(theirs, is_receiver=False)
        assert ours == theirs

    equal()


@law
@given(VALUE, st.one_of(SPEC, st.sampled_from([None, 1])))
def test_one_value_is_formatted_as_by_format(value, spec):
    assert outcome(microcode(*STR_FILES)["format_value"], value, spec) == outcome(format, value, spec)


@law
@given(
    st.one_of(st.none(), st.integers(-9, 9)),
    st.one_of(st.none(), st.integers(-9, 9)),
    st.integers(-4, 4).filter(bool),
    st.integers(0, 6),
)
def test_bounds_equal_those_of_slice(start, stop, step, size):
    functions = microcode(*STR_FILES)
    bounds = (functions["slice_start"](start, step, size), functions["slice_stop"](stop, step, size))
    assert bounds == slice(start, stop, step).indices(size)[:2]


@pytest.mark.parametrize("name", [*CASES, *KINDS])
def test_characters_equal_cpython(name):
    """Every character alone, and between others, which is where the case of some depends on."""
    function = microcode()[f"str_{name}"]
    for code in range(COMMON):
        for text in (chr(code), f"a{chr(code)}b", f"{chr(code)}B"):
            assert function(text) == real(name)(text), ascii(text)


def test_a_generator_is_joined_once():
    def items():
        yield "a"
        yield 1

    with pytest.raises(TypeError, match="sequence item 1: expected str instance, int found"):
        microcode()["str_join"](",", items())
    assert microcode()["str_join"](", ", (c for c in "abc")) == "a, b, c"


def test_an_error_of_an_iterator_is_not_taken_for_no_iterator():
    def items():
        yield "a"
        raise TypeError("mine")

    with pytest.raises(TypeError, match="mine"):
        microcode()["str_join"](",", items())


def test_values_are_shown_once_and_in_order():
    asked = []

    class Asked:
        def __init__(self, name):
            self.name = name

        def __str__(self):
            asked.append(self.name)
            return self.name

    functions = microcode()
    values = (Asked("a"), Asked("b"))
    assert functions["str_format"]("{1}{0}{1}", *values) == "bab"
    assert functions["str_mod"]("%s%5s%.1f", (*values, 1.25)) == "a    b1.2"
    with pytest.raises(IndexError):
        functions["str_format"]("{}{}{}", *values)
    with pytest.raises(TypeError):
        functions["str_mod"]("%s%s%s", values)
    expected = "bab" + "ab" + "ab" + "ab"
    assert "".join(asked) == expected


@pytest.mark.parametrize(
    "name", ["find", "count", "split", "replace", "lower", "strip", "join", "eq", "title"]
)
def test_ascii_needs_no_fallback(name):
    """What a program usually does with text is done in steps to the end: no real method is called."""
    texts = ("", "a", "Hello, World", "  x  y ", string.printable)
    rest = {"replace": ("o", "0"), "join": (["a", "b"],), "lower": (), "title": (), "strip": ()}.get(
        name, ("o",)
    )
    calls = []

    def watch(frame, event, argument):
        if event == "c_call":
            calls.append(argument.__qualname__)

    function = microcode()[f"str_{name}"]
    sys.setprofile(watch)
    try:
        for text in texts:
            function(text, *rest)
    finally:
        sys.setprofile(None)
    atoms = {"len", "type", "ord", "chr", "list.append", "setprofile"}
    assert set(calls) <= atoms
    assert calls


@law
@given(TEXT.filter(lambda text: set(text) & set(STRANGE)), TEXT)
def test_orders_follow_from_less(text, other):
    less = microcode()["str_lt"]
    assert (less(text, other), less(other, text)) == (text < other, text > other)
