"""This file is what laws of containers, functions and operators share: arguments, and what came of a call.

Arguments that a call can use up or change are recipes, made anew for each of the two calls that are compared.
"""

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import GeneratorType
from typing import Any

from hypothesis import strategies as st
from microcode_laws import TooMuch

NAN = float("nan")
MOST = 300  # items taken from a walk that might not end


class Loose:
    """Equal to all with the same remainder, as some objects are to others."""

    def __init__(self, n: int) -> None:
        self.n = n

    def __eq__(self, other: object) -> Any:
        return self.n % 3 == other.n % 3 if isinstance(other, Loose) else NotImplemented

    def __lt__(self, other: object) -> Any:
        return self.n < other.n if isinstance(other, Loose) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.n % 3)

    def __repr__(self) -> str:
        return f"Loose({self.n})"


class Touchy(Loose):
    """Cannot be compared."""

    def __eq__(self, other: object) -> Any:
        raise ValueError(f"{self!r} is not to be compared")

    __lt__ = __eq__
    __hash__ = Loose.__hash__


class Eager:
    """Answers every operator, from the left and from the right, in its own way."""

    def __repr__(self) -> str:
        return "Eager()"

    def __eq__(self, other: object) -> Any:
        return []

    def __ne__(self, other: object) -> Any:
        return ["not", type(other).__name__]

    def __hash__(self) -> int:
        return 3

    def __bool__(self) -> bool:
        return False

    def __contains__(self, item: object) -> bool:
        return True


def _answer(name: str) -> Callable[[Any, Any], str]:
    return lambda self, other: f"{name} {type(other).__name__}"


for _name in (
    "lt",
    "le",
    "gt",
    "ge",
    "add",
    "radd",
    "iadd",
    "mul",
    "rmul",
    "mod",
    "rmod",
    "or",
    "ror",
    "and",
):
    setattr(Eager, f"__{_name}__", _answer(_name))
for _name in ("rand", "sub", "rsub", "xor", "rxor", "pow", "rpow", "ior", "rdivmod", "divmod"):
    setattr(Eager, f"__{_name}__", _answer(_name))


class Position:
    """An index that is no int."""

    def __index__(self) -> int:
        return 2

    def __repr__(self) -> str:
        return "Position()"


class MyList(list):
    """A list of another type."""

    def __radd__(self, other: object) -> str:
        return "radd"


class MyInt(int):
    """An int of another type."""


class MyText(str):
    """A text of another type."""


class MyTuple(tuple):
    """A tuple of another type."""


class MyDict(dict):
    """A dict of another type."""

    def __getitem__(self, key: object) -> str:
        return "mine"


class MySet(set):
    """A set of another type that hides its keys."""

    def __iter__(self) -> Iterator[Any]:
        return iter(())


class Mapping:
    """Something with keys that is no dict."""

    def keys(self) -> list[str]:
        return ["a", "b"]

    def __getitem__(self, key: str) -> str:
        return key * 2

    def __iter__(self) -> Iterator[Any]:
        return iter([(1, 2)])

    def __repr__(self) -> str:
        return "Mapping()"


@dataclass(frozen=True)
class History:
    """A set by how it came about, which decides its order."""

    steps: tuple[tuple[bool, Any], ...]
    kind: type = set

    def make(self) -> Any:
        keys: set[Any] = set()
        for is_in, key in self.steps:
            (keys.add if is_in else keys.discard)(key)
        return keys if self.kind is set else self.kind(keys)


@dataclass(frozen=True)
class Walk:
    """A generator over some items, with or without an error at the end."""

    items: tuple[Any, ...]
    fails: bool = False

    def make(self) -> Iterator[Any]:
        yield from self.items
        if self.fails:
            raise ZeroDivisionError("the walk fails")


@dataclass(frozen=True)
class Itself:
    """The first argument once more; if it is the first, an empty list."""


class Keywords(dict):
    """Keyword arguments, as the last argument."""


def came_of(call: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """What came of a call with fresh arguments: value or error, the arguments then, if it gave the first."""
    memo: dict[int, Any] = {}
    given: list[Any] = []
    for argument in arguments:
        if isinstance(argument, Itself):
            given.append(given[0] if given else [])
        elif isinstance(argument, History | Walk):
            given.append(argument.make())
        else:
            given.append(copy.deepcopy(argument, memo))
    keywords = given.pop() if given and isinstance(given[-1], Keywords) else {}
    try:
        value = call(*given, **keywords)
    except TooMuch:
        raise
    except Exception as error:  # noqa: BLE001 - all that matters is which
        return (type(error).__name__, str(error), exact(error.args)), exact(given), None
    is_first = bool(given) and type(value) in (list, dict, set) and value is given[0]
    return exact(value), exact(given), is_first


def exact(value: Any, outer: tuple[Any, ...] = ()) -> Any:
    """A value as something to compare: equal only if types, order and contents are; walks are walked."""
    if any(value is container for container in outer):
        return "again"
    inside = (*outer, value)
    if isinstance(value, dict):
        return (type(value), [(exact(key, inside), exact(item, inside)) for key, item in dict.items(value)])
    if isinstance(value, list | tuple):
        return (type(value), [exact(item, inside) for item in value])
    if isinstance(value, set | frozenset):
        return (type(value), [exact(item, inside) for item in type(value).__mro__[-2].__iter__(value)])
    if isinstance(value, Iterator):
        return _walked(value)
    if type(value) is int:
        return (int, hex(value))  # there is a limit to decimal digits
    return (type(value), repr(value))


def _walked(walk: Iterator[Any]) -> Any:
    items = []
    try:
        for item in walk:
            items.append(exact(item))
            if len(items) == MOST:
                return ("walk", items, "and on")
    except Exception as error:  # noqa: BLE001 - all that matters is which
        return ("walk", items, type(error).__name__, str(error))
    assert not isinstance(walk, GeneratorType) or walk.gi_frame is None
    return ("walk", items)


SMALL = st.integers(-3, 6)
TEXT = st.text("ab'\\\n", max_size=3)
NUMBER = st.one_of(
    SMALL, SMALL, st.booleans(), st.sampled_from([0.5, 1.0, -0.0, 2.5, float("inf"), NAN, 2**70])
)
HASHABLE = st.one_of(
    st.integers(0, 70),
    st.text("abcd", max_size=2),
    NUMBER,
    st.none(),
    st.tuples(SMALL, TEXT),
    st.builds(Loose, st.integers(0, 5)),
)
PLAIN = st.one_of(SMALL, SMALL, NUMBER, TEXT, st.none(), st.builds(Loose, st.integers(0, 5)))
VALUE = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.one_of(SMALL, TEXT), inner, max_size=3),
        st.sets(st.one_of(SMALL, TEXT), max_size=4),
    ),
    max_leaves=5,
)
ODD = st.sampled_from(
    [Eager(), Touchy(1), MyInt(2), MyText("ab"), MyTuple((1, 2)), frozenset({1, 2}), b"ab", 1j]
)
THING = st.one_of(VALUE, VALUE, VALUE, ODD)
LIST = st.one_of(st.lists(SMALL, max_size=7), st.lists(VALUE, max_size=5), st.lists(THING, max_size=3))
TUPLE = LIST.map(tuple)
DICT = st.dictionaries(HASHABLE, VALUE, max_size=5)
KEYS = st.one_of(st.integers(0, 70), st.integers(0, 9), st.text("abcd", max_size=2), HASHABLE)
STEPS = st.lists(st.tuples(st.sampled_from([True, True, True, False]), KEYS), max_size=14).map(tuple)
SET = st.builds(History, STEPS)
FROZEN = st.builds(History, STEPS, st.just(frozenset))
ANY_SET = st.one_of(SET, SET, SET, FROZEN, st.just(MySet([1, 2, 3])))
WALK = st.builds(Walk, LIST.map(tuple), st.booleans())
NO_ITERABLE = st.sampled_from([5, None, 1.5, Eager(), len])
ITERABLE = st.one_of(
    LIST, LIST, TUPLE, TEXT, DICT, SET, WALK, st.just(Itself()), st.just(MyList([1, 2])), NO_ITERABLE
)
KEY_LIST = st.lists(KEYS, max_size=8)
KEYED = st.one_of(
    *(ANY_SET, ANY_SET, KEY_LIST, KEY_LIST.map(tuple), st.builds(Walk, KEY_LIST.map(tuple), st.booleans())),
    *(st.dictionaries(KEYS, SMALL, max_size=5), TEXT, st.just(Itself()), NO_ITERABLE, st.just([1, [2], 3])),
)
NO_INT = st.sampled_from([None, True, "a", 1.5, Position(), MyInt(2), MyInt(-1), [1]])
INDEX = st.one_of(
    st.integers(-8, 8), st.integers(-8, 8), st.sampled_from([2**63, -(2**63) - 1, 2**63 - 1]), NO_INT
)
BOUND = st.one_of(
    st.none(), st.integers(-8, 8), st.integers(-8, 8), st.sampled_from([2**70, -(2**70)]), NO_INT
)
STEP = st.one_of(st.none(), st.integers(-3, 3), st.sampled_from([1, -1, 2**70, -(2**70)]), NO_INT)


def negative(value: Any) -> Any:
    """A key function that some values have no answer to."""
    return -value


def remainder(value: Any) -> Any:
    """A key function with few answers, so that order among equals shows."""
    return value % 3


def loose(value: Any) -> Loose:
    """A key function whose answers are objects of another type."""
    return Loose(value)


def same(value: Any) -> Any:
    """A key function that changes nothing."""
    return value


def stop(value: Any) -> Any:
    """A function that ends the walk it is called from."""
    if value == 1:
        raise StopIteration
    return value


FUNCTION = st.sampled_from([negative, remainder, same, str, len, bool, stop])
KEY = st.sampled_from([None, None, negative, remainder, loose, same, str, len])
SORTABLE = st.one_of(
    st.lists(SMALL, max_size=12),
    st.lists(st.integers(-50, 50), min_size=60, max_size=100),
    st.lists(NUMBER, max_size=8),
    st.lists(st.text("ab", max_size=3), max_size=8),
    st.lists(st.tuples(SMALL, TEXT), max_size=6),
    st.lists(st.lists(SMALL, max_size=2), max_size=6),
    st.lists(st.one_of(SMALL, TEXT, st.none()), max_size=6),
    st.lists(st.builds(Loose, st.integers(0, 9)), max_size=6),
    st.lists(st.sets(SMALL, max_size=2), max_size=5),
    st.lists(THING, max_size=3),
)
REVERSE = st.sampled_from([True, False, False, 1, 0, "a", None, 2**70])


def keywords(**options: st.SearchStrategy[Any]) -> st.SearchStrategy[Keywords]:
    """Some of these keyword arguments."""
    return st.fixed_dictionaries({}, optional=options).map(Keywords)


def call(*arguments: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    """The arguments of a call, all of them."""
    return st.tuples(*arguments)


def calls(*arguments: st.SearchStrategy[Any], least: int) -> st.SearchStrategy[tuple[Any, ...]]:
    """The arguments of a call, the last ones only at times."""
    return st.one_of(*(st.tuples(*arguments[:count]) for count in range(least, len(arguments) + 1)))
