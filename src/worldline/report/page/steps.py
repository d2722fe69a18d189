"""This file is a diagnosis' steps and pairs in few bytes: what the page decodes when a trace is opened."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from worldline.diagnose.model import Alignment, Pair
from worldline.trace.delta import Delta, deltas
from worldline.trace.model import EVENTS, Step

RIGHT, RECOVERED, OWN, CARRIED, UNJUDGED, MISSING, MADE_UP = "rgocuma"
"""What a pair can be, one letter each; `assets/data.js` has the same letters with their words."""


class Table:
    """Values that get a number when they are first seen."""

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}

    def number(self, value: Any) -> int:
        """The number of a value."""
        return self._numbers.setdefault(value, len(self._numbers))

    def values(self) -> list[Any]:
        """All values, in the order of their numbers."""
        return list(self._numbers)


def packed(steps: Iterable[Step], texts: Table, changes: Table) -> list[int]:
    """The steps as numbers of changes; loops and a prediction that is right repeat them.

    A change is `(event, line, set, gone, value, frame, depth, function, file, output)`; texts stand for
    themselves by number, -1 for "none" or "as before", and what is -1 or empty at the end is left off.
    """
    return [changes.number(_change(delta, texts)) for delta in deltas(steps)]


def _change(delta: Delta, texts: Table) -> tuple[Any, ...]:
    new = tuple(texts.number(text) for item in delta.set.items() for text in item)
    change: tuple[Any, ...] = (
        EVENTS.index(delta.event),
        delta.line,
        new,
        tuple(texts.number(name) for name in delta.gone),
        _number(delta.value, texts),
        -1 if delta.frame is None else delta.frame,
        -1 if delta.depth is None else delta.depth,
        _number(delta.function, texts),
        -1 if delta.file is None else delta.file,
        _number(delta.output or None, texts),
    )
    while change[-1] in (-1, ()):
        change = change[:-1]
    return change


def _number(text: str | None, texts: Table) -> int:
    return -1 if text is None else texts.number(text)


def runs(pairs: Sequence[Pair]) -> list[tuple[int, int, int]]:
    """The pairs as `(how many, first real step, first predicted step)`; -1 where one side is missing."""
    found: list[tuple[int, int, int]] = []
    for pair in pairs:
        real = -1 if pair.real is None else pair.real
        predicted = -1 if pair.predicted is None else pair.predicted
        if found and _goes_on(found[-1], real, predicted):
            found[-1] = (found[-1][0] + 1, *found[-1][1:])
        else:
            found.append((1, real, predicted))
    return found


def _goes_on(run: tuple[int, int, int], real: int, predicted: int) -> bool:
    count = run[0]
    wanted = tuple(-1 if start < 0 else start + count for start in run[1:])
    return (real, predicted) == wanted


def status(pair: Pair, is_later: bool) -> str:
    """The letter of a pair; `is_later`: it comes after the divergence."""
    if pair.is_right:
        return RECOVERED if is_later else RIGHT
    if pair.predicted is None:
        return MISSING
    if pair.real is None:
        return MADE_UP
    return {True: OWN, False: CARRIED, None: UNJUDGED}[pair.is_own]


def status_runs(alignment: Alignment) -> str:
    """The letters of all pairs as `40r1o12c`."""
    first = alignment.first_wrong
    letters = (
        status(pair, first is not None and index > first) for index, pair in enumerate(alignment.pairs)
    )
    return "".join(f"{sum(1 for _ in group)}{letter}" for letter, group in groupby(letters))
