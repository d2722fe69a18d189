"""This file is the laws of edits: they give the new value, are not longer than it, and any is answered."""

from contextlib import suppress

from hypothesis import example, given
from hypothesis import strategies as st

from worldline.formats.compact_text import UnreadableError, loose, written
from worldline.formats.edits import apply, edits

atoms = st.one_of(
    st.integers(-99, 9999),
    st.text(max_size=8),
    st.text(st.sampled_from("ab'\"\\\n,:;[]"), max_size=8),
    st.binary(max_size=4),
    st.none(),
    st.floats(allow_nan=False),
)
keys = st.one_of(
    st.integers(0, 5), st.text(st.sampled_from("ab'\",:"), max_size=2), st.tuples(st.integers(0, 2))
)
values = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.lists(inner, max_size=6),
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(keys, inner, max_size=5),
        st.sets(keys, max_size=5),
    ),
    max_leaves=12,
)
marks = st.text(st.sampled_from("[](){}<>,:;='\"\\ab01 .~"), max_size=24)


@st.composite
def changed(draw: st.DrawFn) -> tuple[object, object]:
    """A value and what a program may have made of it."""
    before = draw(values)
    after = mutated(before, draw)
    return before, after


def mutated(value: object, draw: st.DrawFn) -> object:
    """The value after a change such as programs make; another one if it has nothing to change."""
    if isinstance(value, list) and value:
        return _mutated_list(list(value), draw)
    if isinstance(value, dict) and value:
        key = draw(st.sampled_from(list(value)))
        other = dict(value)
        if draw(st.booleans()):
            other[key] = mutated(value[key], draw)
        else:
            del other[key]
        other.update(draw(st.dictionaries(keys, atoms, max_size=1)))
        return other
    if isinstance(value, str) and value:
        cut = draw(st.integers(0, len(value)))
        return draw(
            st.sampled_from([value[cut:], value[:cut], value + "x", value[:cut] + "yz" + value[cut:]])
        )
    return draw(values)


def _mutated_list(value: list[object], draw: st.DrawFn) -> list[object]:
    at = draw(st.integers(0, len(value) - 1))
    kind = draw(st.sampled_from(["set", "insert", "delete", "append", "swap"]))
    if kind == "set":
        value[at] = mutated(value[at], draw)
    elif kind == "insert":
        value.insert(at, draw(atoms))
    elif kind == "delete":
        del value[at]
    elif kind == "append":
        value += draw(st.lists(atoms, min_size=1, max_size=2))
    else:
        value[at], value[0] = value[0], value[at]
    return value


def applied(name: str, before: str, changes: list[str]) -> str:
    for change in changes:
        assert change.startswith(name)
        before = apply(before, change[len(name) :])
    return before


def check(before: str, after: str) -> None:
    changes = edits("x", before, after)
    if changes:
        assert applied("x", before, changes) == after
        assert len(";".join(changes)) <= len("x=") + len(after)


@given(changed())
def test_the_edits_of_a_changed_value_give_the_new_one(pair):
    before, after = (written(repr(value)) for value in pair)
    if before is not None and after is not None:
        check(before, after)


@given(values, values)
def test_the_edits_between_any_two_values_give_the_second(one, other):
    before, after = written(repr(one)), written(repr(other))
    if before is not None and after is not None:
        check(before, after)


@given(st.one_of(st.text(), marks), st.one_of(st.text(), marks))
@example("[]", "[")
@example("{", "{}")
@example("<a >", "<a b=1>")
@example("f(,)", "f(,,)")
@example("'a", "'ab'")
def test_the_edits_between_any_two_texts_give_the_second(before, after):
    check(before, after)


@given(st.one_of(values.map(repr), marks), st.one_of(st.text(), marks, st.sampled_from(["[0", "-[", "["])))
@example("[1]", "[0]" * 4000 + "=1")
def test_any_edit_is_answered(value, edit):
    with suppress(UnreadableError):
        assert isinstance(apply(written(value) or value, edit), str)


@given(st.one_of(values.map(repr), st.text(), marks))
@example("(1,)")
@example("{'a, b': (1,)}")
@example("12:30")
@example("a,  b")
def test_a_written_value_comes_back(text):
    tight = written(text)
    assert tight is None or loose(tight) == text


@given(values.map(repr))
def test_a_value_of_a_built_in_type_needs_no_quotes_around_it(text):
    assert written(text) is not None
