"""This file is what derived calls hold: they parse, are new, repeat for a seed, and reach the corners."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldline.errors import UserError
from worldline.rewrite.call_text import parse, written
from worldline.rewrite.mutate import calls
from worldline.rewrite.simplify import simpler, weight

atoms = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
keys = st.integers() | st.text(max_size=4)
values = st.recursive(
    atoms,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(keys, inner, max_size=4)
        | st.sets(keys, max_size=4)
    ),
    max_leaves=12,
)


def arguments(call):
    return [ast.literal_eval(node) for node in ast.parse(call, mode="eval").body.args]


@given(values)
def test_a_value_is_written_as_a_literal_of_itself(value):
    again = ast.literal_eval(written(value))
    assert again == value
    assert repr(type(again)) == repr(type(value))


@given(st.lists(values, max_size=3), st.integers(1, 25), st.integers(0, 2**32))
def test_derived_calls_are_calls_of_the_same_shape(given_values, n, seed):
    call = f"f({', '.join(map(written, given_values))})"
    found = calls(call, n, seed)
    assert found[0] == call
    assert len(found) == len(set(found)) <= n
    assert all(len(arguments(one)) == len(given_values) for one in found)
    assert found == calls(call, n, seed)


@given(st.lists(values, min_size=1, max_size=3))
def test_simpler_calls_are_simpler_and_of_the_same_shape(given_values):
    call = f"f({', '.join(map(written, given_values))})"
    for one in simpler(call):
        assert weight(one) < weight(call)
        assert len(arguments(one)) == len(given_values)


def test_enough_calls_come_of_one_argument():
    for argument in ("1", "'ab'", "[1, 2]", "(1, 'a')", "{'a': 1}", "{1, 2}", "True", "1.5", "b'ab'"):
        assert len(calls(f"f({argument})", 20, 0)) == 20, argument


@pytest.mark.parametrize(
    ("call", "corner"),
    [
        ("f([1, 2], 'ab', k=3)", "f([], 'ab', k=3)"),
        ("f([1, 2], 'ab', k=3)", "f([1, 2], '', k=3)"),
        ("f([1, 2], 'ab', k=3)", "f([1, 2], 'ab', k=0)"),
        ("f([1, 2], 'ab', k=3)", "f([1, 2], 'ab', k=-1)"),
        ("f([1, 2], 'ab', k=3)", "f([2, 1], 'ab', k=3)"),
        ("f('ab')", "f('ba')"),
        ("f('ab')", "f('AB')"),
        ("f('ab')", "f('abab')"),
        ("f('ab')", "f(' ')"),
        ("f({'a': 1, 'b': 2})", "f({})"),
        ("f({'a': 1, 'b': 2})", "f({'b': 2, 'a': 1})"),
        ("f({1, 2})", "f(set())"),
        ("f((1, 2))", "f((1,))"),
    ],
)
def test_the_corners_are_among_twenty(call, corner):
    assert corner in calls(call, 20, 0)


def test_random_changes_reach_unicode_other_types_and_inner_items():
    found = calls("f('hello world', ['x', 'y'], 5)", 300, 0)
    texts = [arguments(call) for call in found]
    assert any(isinstance(text, str) and not text.isascii() for text, _, _ in texts)
    assert any(not isinstance(text, str) for text, _, _ in texts)
    assert any(text in ("x", "y") for text, _, _ in texts)
    assert any(
        isinstance(items, list) and len(items) == 2 and items[0] not in ("x", "y") for _, items, _ in texts
    )
    assert any(number == len("hello world") for _, _, number in texts)
    assert any(type(number) is bool for _, _, number in texts)


def test_another_seed_gives_others():
    assert calls("f('abc', 3)", 20, 0) != calls("f('abc', 3)", 20, 1)


def test_what_is_no_literal_stays():
    for call in calls("a.f(g(1), [1, 2], *rest, key=len, **more)", 20, 0)[1:]:
        assert call.startswith("a.f(g(1), ")
        assert call.endswith(", *rest, key=len, **more)")


def test_nothing_is_derived_from_an_expression_without_literal_arguments():
    for call in ("f()", " f(x) ", "f(1)[0]", "x"):
        assert calls(call, 20, 0) == (call.strip(),)


def test_the_order_of_a_set_does_not_hang_on_hashes():
    assert written({"b", "a", "c"}) == "{'a', 'b', 'c'}"


@pytest.mark.parametrize("call", ["f(", "x = 1", "", "f(1) f(2)", "f(\0)"])
def test_what_is_no_expression_is_the_users_mistake(call):
    with pytest.raises(UserError, match="is not an expression"):
        parse(call)


def test_a_number_of_inputs_below_one_is_refused():
    with pytest.raises(UserError, match="0 inputs"):
        calls("f(1)", 0, 0)
