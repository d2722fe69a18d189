"""This file is the nouns of a benchmark: a problem, how it is asked, and what came of it."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from math import inf
from typing import Any

from worldline.errors import UserError
from worldline.models.model import Failed, Model
from worldline.rewrite import Level, check_level
from worldline.rollout.model import Rollout
from worldline.rollout.options import RolloutOptions
from worldline.trace.model import Program, Trace

Label = str | int


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to ask a model."""

    id: str  # within its benchmark
    program: Program | None  # None: it cannot be run, and counts as wrong
    labels: Mapping[str, Label] = field(default_factory=dict)  # what results are told apart by
    expected: str | None = None  # the answer, by the data set
    facts: Mapping[str, Any] = field(default_factory=dict)  # what only the benchmark's own scoring reads
    flaw: str = ""  # why it cannot be run

    @property
    def asked(self) -> str:
        """What tells this problem from others: a hash of all that is asked and expected."""
        program = None if self.program is None else asdict(self.program)
        told = json.dumps([self.id, program, self.expected, dict(self.facts)], sort_keys=True)
        return sha256(told.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Mode:
    """How problems are asked: the knobs of the rollout, and how programs are rewritten before."""

    options: RolloutOptions = field(default_factory=RolloutOptions)
    rewrite: Level | None = None

    @property
    def name(self) -> str:
        """Short, and only what differs from a free rollout."""
        states = {0: "", 1: "forced states"}.get(self.options.states, f"states forced:{self.options.states}")
        plain = RolloutOptions()
        parts = [
            self.options.actions,
            states,
            self.options.context if self.options.context != plain.context else "",
            f"reveal {self.options.reveal}" if self.options.reveal != plain.reveal else "",
            self.rewrite or "",
            f"temperature {self.options.temperature:g}" if self.options.temperature else "",
        ]
        return ", ".join(filter(None, parts))


@dataclass(frozen=True, slots=True)
class Item:
    """One problem in one mode with one seed: what is done once and kept."""

    problem: Problem
    mode: Mode
    seed: int

    @property
    def key(self) -> str:
        """Under which its score is kept."""
        return f"{self.problem.id} | {self.mode.name} | {self.seed}"


@dataclass(frozen=True, slots=True)
class Score:
    """What came of one item. Everything in it goes through JSON."""

    id: str  # of the problem
    mode: str
    seed: int
    labels: Mapping[str, Label]
    is_right: bool  # the outcome: the answer is the value that Python gives
    is_exact: bool  # the process: every step is right
    verdict: str = ""  # exact, diverged, cut, unreadable; empty: it was not asked for a trace
    kind: str = ""  # of the first divergence
    cause: str = ""
    why: str = ""  # the evidence for the cause
    line: int | None = None  # of the original program, where it first goes wrong
    steps: int = 0  # of the real trace
    steps_right: int = 0  # before the first divergence
    given: str | None = None  # the model's answer
    real: str | None = None  # what Python gives
    expected: str | None = None  # by the data set
    is_right_by_reference: bool | None = None  # by the benchmark's own published scoring; None: it has none
    spent: int = 0  # tokens that the model wrote
    asks: int = 0
    peak: int = 0  # tokens of the longest prefix
    questions: int = 0  # steps for which the real interpreter was asked
    seconds: float = 0.0  # its share of the time in which it was asked together with others
    stop: str = ""
    flaw: str = ""  # why it could not be asked; it counts as wrong
    isolation: str = ""  # of the box that recorded the truth
    table9: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # part and whole of each metric
    sureness: Sequence[Sequence[float]] = ()  # see diagnose/calibration.py: `Sums`, one a bin
    facts: Mapping[str, Any] = field(default_factory=dict)  # of the benchmark's own scoring
    asked: str = ""  # hash of the problem: what tells two of the same id apart


@dataclass(frozen=True, slots=True)
class Table:
    """What a benchmark has to say beyond what all say."""

    title: str
    rows: tuple[tuple[str, ...], ...]  # the head first


Judge = Callable[[Score, Problem], bool]
Rescore = Callable[[Score, Problem, Rollout, Trace], Score]
"""From the score so far, the problem, the rollout, and what really happens (as far as it is revealed)."""


Talk = Callable[[Sequence[Item], Model, str], Iterator[Score | Failed]]
"""Ask a model about items in its own way, with this isolation for what has to be run; in their order."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A set of problems and how it is scored."""

    name: str
    about: str  # one sentence
    settings: type  # a frozen dataclass with defaults: what `--set NAME=VALUE` may change
    problems: Callable[
        [Any, int, str], Sequence[Problem]
    ]  # (settings, seed, isolation of what has to be run)
    by: tuple[str, ...] = ()  # labels that tables and plots group by, the main one first
    judge: Judge | None = None  # whether an answer is right by the benchmark's own published scoring
    rescore: Rescore | None = None  # its own scoring, on top of the one that all have
    talk: Talk | None = None  # for problems without a program, which are asked in words
    table: Callable[[Sequence[Score]], Table | None] | None = None
    max_steps: int = 50_000  # that are recorded and asked for at most
    has_endless: bool = False  # programs that never end are part of it; elsewhere they are flaws
    is_dense: bool = False  # all variables have to be shown


def settings_of(benchmark: Benchmark, chosen: Sequence[str]) -> Any:
    """The settings of a benchmark with `NAME=VALUE` changes."""
    return changed(benchmark.name, benchmark.settings(), chosen)


def changed(of: str, settings: Any, chosen: Sequence[str]) -> Any:
    """Settings with `NAME=VALUE` changes; `of`: whose they are."""
    names = list(asdict(settings))
    for each in chosen:
        name, mark, text = each.partition("=")
        if not mark or name not in names:
            raise UserError(f"{of} has no setting {each!r}", f"there are: {', '.join(names)}")
        settings = replace(settings, **{name: _value(getattr(settings, name), name, text)})
    return settings


_TRUE, _FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off"}


def _value(before: Any, name: str, text: str) -> Any:
    """A setting's text as the type that it has: a number, a text, or several of them with commas."""
    if isinstance(before, tuple):
        kind = type(before[0])
        parts = tuple(_value(kind(), name, part) for part in text.split(",") if part)
        if not parts:
            raise UserError(f"the setting {name} is empty", f"write it like {name}={before[0]}")
        return parts
    if isinstance(before, bool):
        if text.lower() not in _TRUE | _FALSE:
            raise UserError(
                f"the setting {name} is neither yes nor no: {text!r}", f"write it like {name}=yes"
            )
        return text.lower() in _TRUE
    try:
        value = type(before)(text)
        if isinstance(value, str):
            return value
        lowest = -inf if before < 0 else 0  # what is not negative by itself is a count, or a size
        if not lowest <= value < inf or value == -inf:
            raise ValueError
        return value
    except ValueError:
        hint = f"write it like {name}={before or 8}"
        wanted = "number" if before < 0 else "number from 0 on"
        raise UserError(f"the setting {name} is no {wanted}: {text!r}", hint) from None


def mode_of(options: RolloutOptions, rewrite: str) -> Mode:
    """A mode by the name of its level."""
    return Mode(options, check_level(rewrite) if rewrite else None)
