"""This file is values -> values that are wrong in a small way, as a world model's are.

A wrong value has the type of the right one and never equals it; it is always a new object, the right one
stays as it is. Only values of exactly these types can be wrong: None, objects of the program's own classes,
iterators and functions cannot. It is loaded inside the box too, and so imports nothing of ours.
"""

from collections.abc import Callable, Hashable
from math import isfinite
from random import Random
from typing import Any

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def can_be_wrong(value: object) -> bool:
    """Whether there is a mistake for values of this type."""
    return type(value) in _MISTAKES


def wrong(value: Any, dice: Random) -> Any:
    """A wrong value in place of this one."""
    return _MISTAKES[type(value)](value, dice)


def _integer(value: int, dice: Random) -> int:
    return value + dice.choice((-1, 1))


def _float(value: float, dice: Random) -> float:
    if not isfinite(value):
        return 0.0
    near = value + dice.choice((-1.0, 1.0))
    return near if near != value else value / 2


def _boolean(value: bool, _: Random) -> bool:
    return not value


def wrong_text(value: str, dice: Random) -> str:
    """One character is dropped, doubled or changed; an empty text gets one."""
    if not value:
        return dice.choice(LETTERS)
    at = dice.randrange(len(value))
    before, letter, after = value[:at], value[at], value[at + 1 :]
    other = dice.choice([one for one in LETTERS if one != letter])
    return before + dice.choice(("", letter * 2, other)) + after


def _list(value: list[Any], dice: Random) -> list[Any]:
    """One element is wrong, or there is one less; an empty one gets one."""
    if not value:
        return [0]
    at = dice.randrange(len(value))
    is_dropped = dice.random() < 1 / 3
    if is_dropped or not can_be_wrong(value[at]):
        return value[:at] + value[at + 1 :]
    return [*value[:at], wrong(value[at], dice), *value[at + 1 :]]


def _tuple(value: tuple[Any, ...], dice: Random) -> tuple[Any, ...]:
    return tuple(_list(list(value), dice))


def _dict(value: dict[Hashable, Any], dice: Random) -> dict[Hashable, Any]:
    """The value of one key is wrong, or there is one key less; an empty one gets one."""
    if not value:
        return {0: 0}
    place = dice.randrange(len(value))
    pairs = list(value.items())
    key, old = pairs[place]
    is_dropped = dice.random() < 1 / 3
    if is_dropped or not can_be_wrong(old):
        return dict(pairs[:place] + pairs[place + 1 :])
    return {**value, key: wrong(old, dice)}


def _set(value: set[Any], dice: Random) -> set[Any]:
    """There is one element less; an empty one gets one. Which one hangs on its order, which is fixed."""
    if not value:
        return {0}
    items = list(value)
    del items[dice.randrange(len(items))]
    return set(items)


_MISTAKES: dict[type, Callable[[Any, Random], Any]] = {
    int: _integer,
    float: _float,
    bool: _boolean,
    str: wrong_text,
    list: _list,
    tuple: _tuple,
    dict: _dict,
    set: _set,
}
