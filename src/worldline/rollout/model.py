"""This file is what comes out of a rollout: a trace, why it ended, and how sure the model was."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from worldline.rollout.options import RolloutOptions
from worldline.trace.model import Trace


@dataclass(frozen=True, slots=True)
class Finished:
    """The model has come to the end of the entry."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """What the model wrote is no step."""

    why: str
    text: str  # what it wrote instead


@dataclass(frozen=True, slots=True)
class OutOfBudget:
    """A budget is used up: an outcome of its own, no mistake."""

    of: str  # tokens, steps, seconds, context


@dataclass(frozen=True, slots=True)
class Unsure:
    """The model was less sure of a step than was asked for."""

    probability: float
    why: str = ""  # if it can tell


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """The model could not be asked."""

    what: str
    hint: str


Stop = Finished | Unreadable | OutOfBudget | Unsure | NoAnswer


@dataclass(frozen=True, slots=True)
class Sureness:
    """How sure the model was of one step; None: it does not tell, or was not asked."""

    action: float | None = None
    state: float | None = None
    variables: Mapping[str, float] = field(default_factory=dict)
    illegal: float | None = None  # probability that it gave to what cannot come next; None: it was not asked
    is_asked: bool = False  # the real interpreter was asked instead

    @property
    def step(self) -> float | None:
        """Of the whole step."""
        parts = [part for part in (self.action, self.state) if part is not None]
        product = 1.0
        for part in parts:
            product *= part
        return product if parts else None


@dataclass(frozen=True, slots=True)
class Cost:
    """What a rollout has cost."""

    spent: int = 0  # tokens that the model wrote
    asks: int = 0  # requests
    peak: int = 0  # tokens of the longest prefix
    questions: int = 0  # steps for which the real interpreter was asked
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Rollout:
    """A predicted trace and how it came about."""

    trace: Trace
    stop: Stop
    sureness: tuple[Sureness, ...]  # one a step
    cost: Cost
    options: RolloutOptions
    model: str
    text: str = ""  # what the model wrote, in the format; empty where it was never one text
