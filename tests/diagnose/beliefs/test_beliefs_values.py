"""Value texts are read back: what the recorder writes becomes the same value, and nothing is run for it."""

from collections import Counter, OrderedDict, defaultdict, deque, namedtuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldline.diagnose.beliefs.values import Opaque, Touched, Unreadable, value_of
from worldline.record.values import text

Point = namedtuple("Point", "x y")


class Plain:
    def __init__(self, n):
        self.n = n
        raise AssertionError("no code of the program is run")


class OwnError(Exception):
    def __init__(self, *args):
        raise AssertionError("no code of the program is run")


NAMES = {"Point": Point, "Plain": Plain, "OwnError": OwnError, "named": len}

atoms = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.complex_numbers()
)
keys = st.integers() | st.text()


def larger(values):
    few = st.lists(values, max_size=4)
    return st.one_of(
        few,
        few.map(tuple),
        few.map(deque),
        st.dictionaries(keys, values, max_size=4),
        st.dictionaries(keys, values, max_size=4).map(OrderedDict),
        st.dictionaries(keys, values, max_size=4).map(lambda pairs: defaultdict(list, pairs)),
        st.lists(keys, max_size=4).map(Counter),
        st.lists(st.integers(0, 5), max_size=4).map(set),
        st.lists(st.integers(0, 5), max_size=4).map(frozenset),
        st.builds(range, st.integers(), st.integers()),
        st.tuples(values, values).map(lambda pair: Point(*pair)),
        few.map(lambda items: ValueError(*items)),
        st.binary().map(bytearray),
    )


@given(st.recursive(atoms, larger, max_leaves=8))
def test_what_is_written_is_read_back(value):
    shown = text(value)
    try:
        found = value_of(shown, NAMES)
    except Unreadable:
        assert "j" in shown  # a complex number with an infinite or negative part has no literal
        return
    assert text(found) == shown
    assert type(found) is type(value)


@pytest.mark.parametrize("shown", ["<Plain n=1>", "OwnError(1, 2)", "<Plain n=[<Plain n='>'>]>"])
def test_objects_are_made_without_their_own_code(shown):
    assert text(value_of(shown, NAMES)) == shown


@pytest.mark.parametrize("shown", ["<class 'int'>", "<built-in function len>", "[<class 'ValueError'>]"])
def test_named_things_are_found(shown):
    assert text(value_of(shown, NAMES)) == shown


@pytest.mark.parametrize(
    "shown",
    [
        *(
            "",
            "x",
            "[1, 2",
            "1 2",
            "{1, 2: 3}",
            "<list_iterator object>",
            "__import__('os')",
            "open('x')",
            "(1)x",
        ),
        *("[0, 1…<list of 9>", "Plain(1)", "<Missing x=1>", "f(1)", "[" * 100_000, "{[]: 1}", "range('a')"),
    ],
)
def test_what_says_too_little_is_refused(shown):
    with pytest.raises(Unreadable):
        value_of(shown, NAMES)


@pytest.mark.parametrize(
    "use",
    [len, str, iter, bool, hash, lambda it: it + 1, lambda it: it.x, lambda it: it == it, lambda it: [][it]],
)
def test_an_unknown_value_says_so_when_it_is_used(use):
    with pytest.raises(Touched):
        use(Opaque("<thing>"))
