"""This file is values of built-in types, nested in every way, for the laws of value texts to draw from."""

import array
import collections
import datetime
import re
import types
from pathlib import PurePosixPath

from hypothesis import strategies as st

zones = st.none() | st.timedeltas(datetime.timedelta(hours=-23), datetime.timedelta(hours=23)).map(
    datetime.timezone
)
library = st.one_of(
    st.decimals(allow_nan=False),
    st.fractions(),
    st.dates(),
    st.times(timezones=zones),
    st.datetimes(timezones=zones, allow_imaginary=True),
    st.timedeltas(),
    st.sampled_from([datetime.UTC, datetime.timezone(datetime.timedelta(hours=1), "an hour")]),
    st.uuids(),
    st.text(max_size=5).map(PurePosixPath),
    st.sampled_from([re.compile("a'b"), re.compile(b"x", re.IGNORECASE)]),
)
strings = st.text() | st.text("'\"\\\n a") | st.text(st.characters(exclude_categories=()), max_size=4)
"""Every character there is, and those that decide about quotes and escapes more often."""

steady = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-(10**400), 10**4000),
    st.floats(allow_nan=False),
    st.complex_numbers(allow_nan=False),
    strings,
    st.binary() | st.lists(st.sampled_from([b"'", b'"', b"\\"])).map(b"".join),
    st.just(...),
    st.builds(range, st.integers(), st.integers(), st.integers(1)),
    library,
)
"""Values whose hash does not hang on an address, so that `repr` of a set of them is the same in every run."""

hashable = st.recursive(
    steady,
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.frozensets(inner, max_size=3),
    max_leaves=4,
)
atoms = st.one_of(
    hashable,
    st.sampled_from([NotImplemented, int, ValueError, collections.OrderedDict]),
    st.just(re.compile('"' * 300)),  # no key of a dict: `repr` leaves out its last quote
    st.floats(),
    st.complex_numbers(),
    st.binary().map(bytearray),
    st.lists(st.integers(-5, 5), max_size=3).map(lambda items: array.array("i", items)),
    st.text(min_size=1).map(lambda text: re.search("(?s).+", text)),
)
counts = st.integers() | st.floats(allow_nan=False) | st.booleans() | st.text(max_size=2) | st.none()


def _containers(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    dicts = st.dictionaries(hashable, inner, max_size=3)
    ordered = dicts.map(collections.OrderedDict)
    return st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=3).map(tuple),
        dicts,
        st.sets(hashable, max_size=4),
        st.builds(collections.deque, st.lists(inner, max_size=3), st.none() | st.integers(0, 3)),
        ordered,
        st.builds(collections.defaultdict, st.sampled_from([None, int, list]), dicts),
        st.dictionaries(hashable, counts, max_size=4).map(collections.Counter),
        dicts.map(dict.keys) | dicts.map(dict.values) | dicts.map(dict.items),
        ordered.map(lambda held: held.keys()) | ordered.map(lambda held: held.values()),
        ordered.map(lambda held: held.items()),
        st.builds(slice, inner, inner, inner),
        st.dictionaries(st.sampled_from("abc"), inner).map(lambda held: types.SimpleNamespace(**held)),
        st.lists(inner, max_size=2).map(lambda args: ValueError(*args)),
    )


values = st.recursive(atoms, _containers, max_leaves=8)


def cyclic() -> list[object]:
    """Containers that hold themselves, one way each."""
    found: list[object] = []
    for make in (list, collections.deque, lambda: collections.deque(maxlen=3)):
        found.append(make())
        found[-1].append(found[-1])
        found.append(make())
        found[-1].append((found[-1], [found[-1]]))
    for make in (dict, collections.OrderedDict, collections.defaultdict):
        for wrap in (lambda it: it, lambda it: [it], lambda it: it.values(), lambda it: it.items()):
            found.append(make())
            found[-1]["k"] = wrap(found[-1])
            found.append(found[-1]["k"])
    holder: list[object] = []
    holder.append(slice(holder))
    space = types.SimpleNamespace(a=1)
    space.b = [space]
    return [*found, holder, holder[0], space]
