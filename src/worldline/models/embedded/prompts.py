"""This file is values as tokens: atoms, handles, blocks of a container's items, numbers digit by digit.

What is looked up stands before what it is looked up by: an item before its position, a value before its key,
a digit before its place. Answers name the position (the key, the place) first. So a token that looks for the
same token finds beside it what it needs; the other way round was learnt much later, or not at all.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from random import Random
from types import FunctionType, GeneratorType
from typing import Any, Literal

from worldline.models.embedded.vocabulary import (
    CHARACTERS,
    D0,
    DIGITS,
    E0,
    EMPTY,
    FALSE,
    H0,
    I0,
    IDS,
    K0,
    KEYS,
    LAST,
    MORE,
    MOST,
    NONE,
    P0,
    S0,
    TRUE,
    TYPES,
)

View = Literal["whole", "tail", "head"]
PLUS, MINUS, PAIR, NUMBER = (IDS[name] for name in ("plus", "minus", "pair", "number"))


class UnclearError(Exception):
    """A question that cannot be asked, or an answer that means nothing: the model is not sure."""


@dataclass(slots=True)
class Handles:
    """Which token stands for which value in one question. With dice, the tokens are drawn at random."""

    dice: Random | None = None
    _numbers: dict[Hashable, int] = field(default_factory=dict)
    _values: dict[int, Any] = field(default_factory=dict)
    _free: dict[int, list[int]] = field(default_factory=dict)  # first token -> numbers still to be given

    def atom(self, value: Any) -> int:
        """The one token that a value is inside another."""
        found = atom(value)
        return self.one_of_many(value) if found is None else found

    def one_of_many(self, value: Any) -> int:
        """The token of a value of which it only counts whether it is the same as another."""
        return self._handle(H0, MOST, _identity(value), value)

    def key(self, value: Any) -> int:
        """The token of a key; True and 1 are the same one."""
        return self._handle(K0, KEYS, ("key", value), value)

    def value(self, token: int) -> Any:
        """What a token stands for."""
        if token in self._values:
            return self._values[token]
        return plain(token)

    def _handle(self, first: int, most: int, name: Hashable, value: Any) -> int:
        if name not in self._numbers:
            if first not in self._free:
                numbers = list(range(most))
                if self.dice is not None:
                    self.dice.shuffle(numbers)
                self._free[first] = numbers[::-1]
            if not self._free[first]:
                raise UnclearError("too many values")
            self._numbers[name] = first + self._free[first].pop()
            self._values[self._numbers[name]] = value
        return self._numbers[name]


def _identity(value: Any) -> Hashable:
    """Numbers and characters are who they are by value, as far as one can see; all else by identity."""
    if type(value) in (int, float) or (type(value) is str and len(value) == 1):
        return (type(value), value)
    return id(value)


def atom(value: Any) -> int | None:
    """The token of a value that fits into one."""
    if value is True:
        return TRUE
    if value is False:
        return FALSE
    if value is None:
        return NONE
    kind = type(value)
    if kind is int:
        return I0 + int(value) if 0 <= value < 10 else None
    if kind is str:
        if not value:
            return EMPTY
        return S0 + ord(value) if len(value) == 1 and ord(value) < len(CHARACTERS) else None
    if kind is type and value.__name__ in TYPES:
        return IDS[value.__name__]
    return None


KINDS: dict[str, Any] = {
    each.__name__: each
    for each in (
        int,
        str,
        bool,
        list,
        tuple,
        dict,
        set,
        frozenset,
        float,
        type(None),
        bytes,
        range,
        type,
        object,
        FunctionType,
        GeneratorType,
    )
}


def plain(token: int) -> Any:
    """The value of an atom."""
    if token in (TRUE, FALSE):
        return token == TRUE
    if token == NONE:
        return None
    if token == EMPTY:
        return ""
    if I0 <= token < I0 + 10:
        return token - I0
    if S0 <= token < S0 + len(CHARACTERS):
        return chr(token - S0)
    name = next((name for name in KINDS if IDS[name] == token), None)
    if name is None:
        raise UnclearError("no value")
    return KINDS[name]


def type_token(value: Any) -> int:
    """The token of a value's type."""
    name = getattr(type(value), "shown_as", type(value).__name__)
    return IDS.get(name, IDS["object"]) if name in TYPES else IDS["object"]


def position(index: int) -> int:
    """The token of a place."""
    if not 0 <= index < MOST:
        raise UnclearError("too long")
    return P0 + index


def is_hashed(container: Any) -> bool:
    """Whether the order of items hangs on hashes, which nobody sees."""
    is_set = isinstance(container, set | frozenset)
    return is_set and not all(type(each) is int for each in container)


def in_order(container: Any) -> list[Any]:
    """The keys of a dict or a set. An order that nobody sees is one of ours, the same in every process."""
    return sorted(container, key=repr) if is_hashed(container) else list(container)


def block(value: Any, handles: Handles, view: View = "whole") -> list[int]:
    """A container as tokens: each item before its position, and `last` before the position after them."""
    kind = type_token(value)
    try:
        size = len(value)
    except OverflowError:  # a range of more than CPython counts
        raise UnclearError("too long") from None
    if view == "tail":
        position(size)
        chosen = list(_items(value, handles, max(0, size - 1), size))
        return [kind, *([MORE] if size > 1 else []), *chosen, LAST, position(size)]
    if view == "head":
        shown = list(_items(value, handles, 0, min(size, 1)))
        return [kind, *shown, *([LAST, P0] if size == 0 else [MORE])]
    return [kind, *_items(value, handles, 0, size), LAST, position(size)]


def _items(value: Any, handles: Handles, begin: int, end: int) -> Sequence[int]:
    found: list[int] = []
    if isinstance(value, dict):
        pairs = list(value.items())[begin:end]
        for index, (key, item) in enumerate(pairs, begin):
            found += (handles.atom(item), handles.key(key), position(index))
    elif isinstance(value, set | frozenset):
        for index, key in enumerate(in_order(value)[begin:end], begin):
            found += (handles.key(key), position(index))
    else:
        for index, item in enumerate(value[begin:end], begin):
            found += (handles.atom(item), position(index))
    return found


def digits(number: int) -> list[int]:
    """The digits of a number without its sign, the least one first."""
    found = [int(each) for each in reversed(str(abs(number)))]
    if len(found) > DIGITS:
        raise UnclearError("too many digits")
    return found


def sign(number: int) -> int:
    """The token of a number's sign."""
    return MINUS if number < 0 else PLUS


def pair(left: int, right: int) -> list[int]:
    """Two numbers, digit beside digit."""
    ones, others = digits(left), digits(right)
    width = max(len(ones), len(others))
    ones += [0] * (width - len(ones))
    others += [0] * (width - len(others))
    found = [PAIR, sign(left), sign(right)]
    for index in range(width):
        found += (D0 + ones[index], D0 + others[index], E0 + index)
    return [*found, LAST, E0 + width]


def number(value: int) -> list[int]:
    """One number."""
    found = [NUMBER, sign(value)]
    for index, digit in enumerate(digits(value)):
        found += (D0 + digit, E0 + index)
    return [*found, LAST]
