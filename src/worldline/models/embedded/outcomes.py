"""This file is what an answer says about a statement."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Value:
    """What is computed: assigned, returned, or decides about a branch."""

    value: Any


@dataclass(frozen=True, slots=True)
class Values:
    """What several names are bound to, in their order."""

    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Made:
    """A new container of these items."""

    kind: str
    items: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Edited:
    """One place of a container is other than before; at its end: one more item."""

    position: int
    value: Any
    key: Any = None  # of a dict or a set


@dataclass(frozen=True, slots=True)
class Removed:
    """One place of a container is gone; -1: none is. `value` is what was there, if it was asked for."""

    position: int
    value: Any = None


@dataclass(frozen=True, slots=True)
class Raised:
    """The statement fails."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """There is no next item."""


Outcome = Value | Values | Made | Edited | Removed | Raised | Stopped


@dataclass(frozen=True, slots=True)
class Answer:
    """What the network said, and how sure it was of it."""

    outcome: Outcome
    probability: float
