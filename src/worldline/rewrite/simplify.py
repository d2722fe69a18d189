"""This file is what a failing call is made smaller with: the calls that are simpler by one small step."""

from collections.abc import Iterator
from typing import Any

from worldline.rewrite.call_text import parse
from worldline.rewrite.mutate import in_order

_PLACES = 12  # items of a container that are left out or made simpler one by one
_DEPTH = 4


def weight(call: str) -> tuple[int, str]:
    """What `simpler` makes less: the length of the text, then its characters."""
    return len(call), call


def simpler(call: str) -> list[str]:
    """The calls that are simpler than this one by one step, the simplest first."""
    given = parse(call)
    values = [argument.value for argument in given.arguments if argument.is_literal]
    here = given.with_values(values)
    found = set()
    for at, value in enumerate(values):
        for smaller in _smaller(value, _DEPTH):
            found.add(given.with_values([*values[:at], smaller, *values[at + 1 :]]))
    return sorted((text for text in found if weight(text) < weight(here)), key=weight)


def _smaller(value: Any, depth: int) -> Iterator[Any]:
    kind = type(value)
    if kind is int:
        yield from (0, 1, -1, abs(value), value // 2, -(-value // 2), value - 1, value + 1)
    elif kind is float:
        yield from (0.0, 1.0, 0.5, abs(value))
        if abs(value) < 1e15:
            yield float(int(value))
    elif kind is str:
        yield from _parts(value)
        yield from (value[:at] + "a" + value[at + 1 :] for at in range(min(len(value), _PLACES)))
    elif kind is bytes or kind is bytearray:
        yield from _parts(value)
    elif kind in (list, tuple, set, dict):
        yield from _smaller_container(value, depth)


def _smaller_container(value: Any, depth: int) -> Iterator[Any]:
    kind = type(value)
    items = list(value.items()) if kind is dict else in_order(value) if kind is set else list(value)
    for part in _parts(items):
        yield kind(part)
    for at, item in enumerate(items[:_PLACES] if depth else ()):
        if kind is dict:
            key, held = item
            smaller_items = [(key, smaller) for smaller in _smaller(held, depth - 1)]
            smaller_items += [(smaller, held) for smaller in _smaller(key, depth - 1)]
        else:
            smaller_items = list(_smaller(item, depth - 1))
        for smaller in smaller_items:
            yield kind([*items[:at], smaller, *items[at + 1 :]])


def _parts(items: Any) -> Iterator[Any]:
    """Nothing, either half, and all but one."""
    half = len(items) // 2
    yield items[:0]
    yield items[:half]
    yield items[half:]
    for at in range(min(len(items), _PLACES)):
        yield items[:at] + items[at + 1 :]
    yield items[:-1]
