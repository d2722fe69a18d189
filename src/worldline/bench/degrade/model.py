"""This file is the nouns of degrading: a task with its inputs, and what became of a program's answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["state", "string", "action", "truncation"]
KINDS: tuple[Kind, ...] = ("state", "string", "action", "truncation")


@dataclass(frozen=True, slots=True)
class Task:
    """A right program and inputs; wrong candidates are made of it."""

    name: str
    source: str
    calls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Degraded:
    """One program on one input with errors of one kind at one rate: all seeds. It goes through JSON.

    A prediction is right if it is what this program really gives, and a hit if it is what the task wants; of
    a row's own program the two are the same. With an empty `flaw` there is one of each for every seed.
    """

    task: str  # its name, or the id of a row
    candidate: int  # 0: the right program; others are mutants of it
    change: str  # what was changed in a mutant
    call: str
    kind: str
    rate: float  # for each place; of truncation the budget of lines
    places: int = 0  # where an error could happen in the real run; of truncation its lines
    real: str = ""  # the real answer
    is_hit: bool = False  # it is what the task wants
    right: Sequence[bool] = ()
    hits: Sequence[bool] = ()
    errors: Sequence[int] = ()  # made in each run
    stops: Mapping[str, int] = field(default_factory=dict)  # runs without an answer, by reason
    isolation: str = ""
    flaw: str = ""  # why it could not be degraded: then nothing is counted
