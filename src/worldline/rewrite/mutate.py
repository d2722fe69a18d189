"""This file is inputs derived from a given call: its literal arguments, changed as their types suggest.

The corners that programs stumble over (empty, one item, negative, reversed, Unicode) come first, argument by
argument, and random changes in between. Arguments that are no literals stay as they are.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import Any

from worldline.errors import UserError
from worldline.rewrite.call_text import Call, parse, written

MAX_SIZE = 400  # characters or items that a value may grow to
_TRIES = 30  # for each call that is wanted, before giving up on new ones
_OTHERS: tuple[object, ...] = (None, 0, 1, -1, 1.5, True, "", "a", [], [1], (), {}, set())
_LETTERS = (
    "a",
    "b",
    "Z",
    "0",
    "7",
    " ",
    "\n",
    "\t",
    "-",
    ".",
    ",",
    "_",
    "é",
    "ß",
    "İ",
    "٣",
    "字",
    "🙂",
    "\u0301",
)
_WHOLE = ("", " ", "a", "A", "0", "aa", "ab ", "é", "ß", "\n", "a b", "12", "-")


def calls(call: str, n: int, seed: int) -> tuple[str, ...]:
    """At most `n` different calls, the given one first; the same ones for the same seed."""
    if n < 1:
        raise UserError(f"{n} inputs were asked for", "ask for one at least")
    given = parse(call)
    values = [argument.value for argument in given.arguments if argument.is_literal]
    found = {given.with_values(values): call.strip()}  # by their own text, whatever the user's spaces
    if not values:
        return (call.strip(),)
    source = _Source(random.Random(seed), values)
    corners = _corner_calls(given, values)
    for attempt in range(_TRIES * n):
        if len(found) >= n:
            break
        text = next(corners, "") if attempt % 2 == 0 else given.with_values(source.changed(values))
        if text:
            found.setdefault(text, text)
    return tuple(found.values())


def _corner_calls(given: Call, values: Sequence[object]) -> Iterator[str]:
    """The first corner of each argument, then the second of each, and so on."""
    columns = [[(at, corner) for corner in corners_of(value)] for at, value in enumerate(values)]
    for at, corner in filter(None, chain.from_iterable(zip_longest(*columns))):
        yield given.with_values([corner if number == at else value for number, value in enumerate(values)])


def corners_of(value: Any) -> list[Any]:
    """The values near this one that programs most often forget."""
    kind = type(value)
    if kind is bool:
        return [not value, int(value), None]
    if kind is int:
        near = [0, -1, 1, value + 1, value - 1, -value, 2 * value, 2, True]
        return near if abs(value) > 100 else [*near, 10 * value + 3]
    if kind is float:
        return [
            0.0,
            -value,
            value + 0.5,
            float(round(value)) if abs(value) < 1e300 else 1.0,
            int(value > 0),
            -0.0,
        ]
    if kind is str or kind is bytes:
        return _string_corners(value)
    if kind is list or kind is tuple:
        return _sequence_corners(value)
    if kind is dict:
        pairs = list(value.items())
        return [{}, dict(pairs[:1]), dict(pairs[::-1]), dict(pairs[1:])]
    if kind is set:
        items = in_order(value)
        return [set(), set(items[:1]), set(items[1:])]
    return [0, "", []]


def _string_corners(value: Any) -> list[Any]:
    empty = value[:0]
    found = [empty, value[:1], value[::-1], value[1:], value[:-1], value * 2, value.upper(), value.lower()]
    if type(value) is str:
        found += [
            " ",
            f" {value} ",
            value + "é",
            value.swapcase(),
            value.replace(" ", ""),
            "\n".join((value, value)),
        ]
    return [one for one in found if len(one) <= MAX_SIZE]


def _sequence_corners(value: Any) -> list[Any]:
    found = [value[:0], value[:1], value[::-1], value[1:], value[:-1], value + value, value + value[:1]]
    if len({type(item) for item in value}) == 1 and type(value[0]) in (int, str, float):
        found.append(type(value)(sorted(value)))
    return [one for one in found if len(one) <= MAX_SIZE]


def in_order(items: set[Any]) -> list[Any]:
    """The items of a set, in an order that does not hang on hashes."""
    return sorted(items, key=written)


class _Source:
    """Random changes: a generator of chances, and all the values that the given call holds."""

    def __init__(self, chance: random.Random, values: Sequence[object]) -> None:
        self._chance = chance
        self._pool: dict[type, list[Any]] = {}
        for value in values:
            self._remember(value, 0)
        self._changes: dict[type, Callable[[Any], Any]] = {
            bool: lambda value: not value,
            int: self._integer,
            float: self._float,
            str: self._string,
            bytes: lambda value: self._string(value.decode("latin-1")).encode("utf-8"),
            list: self._sequence,
            tuple: lambda value: tuple(self._sequence(list(value))),
            set: self._set,
            dict: self._dict,
        }

    def changed(self, values: Sequence[object]) -> list[object]:
        """The values of a call with one of them changed, or a few."""
        result = list(values)
        while True:
            at = self._chance.randrange(len(result))
            result[at] = self._value(result[at])
            if self._chance.random() < 0.6:
                return result

    def _remember(self, value: Any, depth: int) -> None:
        self._pool.setdefault(type(value), []).append(value)
        if type(value) in (list, tuple, set, dict) and depth < 5:
            self._pool.setdefault(int, []).extend((len(value), len(value) - 1))
            items = in_order(value) if type(value) is set else list(value)
            for item in [*items, *(value.values() if type(value) is dict else ())][:MAX_SIZE]:
                self._remember(item, depth + 1)
        elif type(value) is str:
            self._pool.setdefault(int, []).extend((len(value), len(value) - 1))

    def _value(self, value: Any) -> Any:
        chance = self._chance.random()
        if chance < 0.06:
            return self._chance.choice(_OTHERS)
        if chance < 0.2 and type(value) in self._pool:
            return self._chance.choice(self._pool[type(value)])
        if chance < 0.35:
            return self._chance.choice(corners_of(value))
        change = self._changes.get(type(value))
        return self._chance.choice(_OTHERS) if change is None else change(value)

    def _integer(self, value: int) -> int:
        near = value + self._chance.choice((-3, -2, -1, 1, 2, 3, 7))
        return self._chance.choice(
            (near, near, self._chance.randrange(-12, 30), -value, value // 2, value ^ 1)
        )

    def _float(self, value: float) -> float:
        if not abs(value) < 1e300:
            return 0.5
        return self._chance.choice(
            (value + 0.1, value / 3, value * 1.5, -value, float(int(value)), 2.5, 1e-7)
        )

    def _letter(self) -> str:
        """A letter of one of the strings, or any."""
        if self._chance.random() < 0.6:
            letters = "".join(self._pool.get(str, ()))
            if letters:
                return self._chance.choice(letters)
        return self._chance.choice(_LETTERS)

    def _string(self, value: str) -> str:
        at = self._chance.randrange(len(value) + 1)
        other = self._chance.choice(self._pool.get(str) or ["ab"])
        ways = (
            value[:at] + self._letter() + value[at:],
            value[:at] + self._letter() + value[at + 1 :],
            value[:at] + value[at + 1 :],
            value[:at] + other + value[at:],
            value[:at],
            value[at:],
            value[:at].upper() + value[at:],
            "".join(self._letter() for _ in range(self._chance.randrange(1, 9))),
            self._chance.choice(_WHOLE),
        )
        return self._chance.choice(ways)[:MAX_SIZE]

    def _item(self, items: Sequence[Any]) -> Any:
        """One more item, of the kind that is there."""
        if items:
            return self._value(self._chance.choice(items))
        fitting = [value for kind in (int, str) for value in self._pool.get(kind, ())]
        return self._chance.choice(fitting or [0, "a"])

    def _sequence(self, items: list[Any]) -> list[Any]:
        at = self._chance.randrange(len(items) + 1)
        way = self._chance.randrange(7)
        if way < 3 and items:
            at = min(at, len(items) - 1)
            return [*items[:at], self._value(items[at]), *items[at + 1 :]]
        if way == 3:
            return self._chance.sample(items, len(items))
        if way == 4:
            return items[:at]
        if way == 5 and items:
            return [*items, items[at - 1]][:MAX_SIZE]
        return [*items[:at], self._item(items), *items[at:]][:MAX_SIZE]

    def _set(self, items: set[Any]) -> set[Any]:
        return {item for item in self._sequence(in_order(items)) if _is_hashable(item)}

    def _dict(self, table: dict[Any, Any]) -> dict[Any, Any]:
        pairs = list(table.items())
        way = self._chance.randrange(4)
        at = self._chance.randrange(len(pairs) + 1)
        if way == 0 and pairs:
            return dict(pairs[:at] + pairs[at + 1 :])
        if way == 1:
            return dict(self._chance.sample(pairs, len(pairs)))
        if way == 2 and pairs:
            key, value = pairs[min(at, len(pairs) - 1)]
            return {**table, key: self._value(value)}
        key = self._item(list(table))
        value = self._item(list(table.values()))
        return {**table, key: value} if _is_hashable(key) else {**table, "a": value}


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True
