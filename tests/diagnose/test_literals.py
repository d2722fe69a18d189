import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldline.diagnose.literals import NotAValueError, is_value, same_value, value_of

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary()
    | st.complex_numbers(allow_nan=False)
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text() | st.integers(), inner, max_size=4)
        | st.frozensets(st.text() | st.integers(), max_size=4)
    ),
    max_leaves=12,
)


@given(values)
def test_what_repr_writes_is_read_back(value):
    assert value_of(repr(value)) == value


@given(values, values)
def test_texts_are_the_same_value_exactly_if_the_values_are_equal(one, other):
    assert same_value(repr(one), repr(one))
    assert same_value(repr(one), repr(other)) == same_value(repr(other), repr(one)) == (one == other)


@given(st.text())
def test_any_text_is_answered(text):
    assert same_value(text, text)
    assert is_value(text) in (True, False)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("'\\u0421A'", "'СA'"),
        ('"it"', "'it'"),
        ("[ 'a' ]", "['a']"),
        ("1", "True"),
        ("2", "2.0"),
        ("{'a': 1, 'b': 2}", "{'b': 2, 'a': 1}"),
        ("{1, 2}", "{2, 1}"),
        ("set()", "frozenset()"),
        ("(1, 2)", "1, 2"),
        ("[nan, 1]", "[nan,1]"),
        ("float('inf')", "inf"),
        ("Counter({'a': 1})", "{'a': 1}"),
        ("defaultdict(<class 'int'>, {'a': 1})", "{'a': 1}"),
        ("OrderedDict([('a', 1)])", "OrderedDict({'a': 1})"),
        ("datetime.date(2020, 1, 2)", "datetime.date(2020,1,2)"),
        ("Point(x=1)", "Point(x = 1)"),
        ("2.0/3.0", "0.6666666666666666"),
        ("'ab' * 3", "'ababab'"),
        ("-1j", "-1j"),
        ("<f at 0x7f1>", "<f at 0x7f2>"),
        ("[<str_ascii_iterator object>]", "[<str_iterator object>]"),
    ],
)
def test_same(one, other):
    assert same_value(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("'a'", "a"),
        ("'1'", "1"),
        ("[1]", "(1,)"),
        ("0.1 + 0.2", "0.3"),
        ("Point(x=1)", "Point(x=2)"),
        ("Point(x=1)", "Place(x=1)"),
        ("x]", "[(0, 1)]"),
        ("deque([1])", "[1]"),
        ("'a b'", "'a  b'"),
        ("<map object>", "[1]"),
    ],
)
def test_not_same(one, other):
    assert not same_value(one, other)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x]",
        "0:",
        "a: return True",
        "__import__('os')",
        "x",
        "[x for x in (1,)]",
        "'ab",
        "??",
        "{**{}}",
        "f(*[1])",
        "f(**{})",
        "lambda: 0",
        "'a' * 10**9",
        "[[0] * 1000] * 1000",
        "9**9**9",
        "list(range(10**12))",
        "bytearray(10**12)",
        "~1",
        "1 if 1 else 2",
        "set([[]])",
        "(" * 10_000,
        "-" * 10_000 + "1",
        "1 / 0",
        "9" * 10_000,
    ],
)
def test_what_is_no_value_is_not_run(text):
    if text == "__import__('os')":
        assert not callable(getattr(value_of(text), "system", None))  # a name with an argument, no module
        return
    with pytest.raises(NotAValueError):
        value_of(text)


def test_a_bad_escape_makes_no_noise():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert same_value("'\\d'", "'\\\\d'")
