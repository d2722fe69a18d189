"""This file is the nouns of a diagnosis: where a prediction leaves reality, how it goes on, and why."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from worldline.trace.model import Trace

Verdict = Literal[
    "exact",  # every step of the real trace is there and right
    "diverged",  # a step is wrong
    "cut",  # all is right until the text just ends
    "unreadable",  # all is right until something comes that is no step
]
Kind = Literal["state", "action", "value", "format", "budget"]
Fault = Literal["model", "budget", "extraction", "dataset", "nobody"]

CAUSES: Mapping[str, str] = {
    "hallucinated-line": "the predicted line cannot follow the line before it",
    "wrong-branch": "the predicted line may follow, but the program went elsewhere",
    "lost-iteration": "a loop was left too early or too late, or an item was skipped or taken twice",
    "stale": "a variable is said to be unchanged though the line changed it",
    "string-value": "a string came out wrong",
    "container-value": "an element of a container is wrong, missing or too much",
    "arithmetic": "a number came out wrong",
    "method-semantics": "the result of one method or function was misjudged",
    "hidden-return": "several operations are hidden in one return expression",
    "hidden-composition": "several operations are hidden in one line",
    "scope": "the variables are those of another place: invented, left out or swapped",
    "format": "the text is not in the format",
    "budget": "the text ends before the trace does",
    "extraction": "the trace is right; the answer was read off it wrongly",
    "dataset": "the expected answer is not what Python gives",
}
"""Every cause that a diagnosis may name, in one sentence."""


@dataclass(frozen=True, slots=True)
class WrongVariable:
    """One variable that is not as it should be at the divergence."""

    name: str
    expected: str | None  # value text; None: there is no such variable
    predicted: str | None  # value text; None: it is left out
    type: str  # of the real value, or of the predicted one where there is no real one
    before: str | None = None  # the real value one step earlier in the same frame


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first step at which a prediction differs from reality."""

    frame: int  # index of the real step
    at: int  # index of the predicted step; for a cut or unreadable text the number of steps that were read
    kind: Kind
    line: int | None  # of the real step
    variables: tuple[WrongVariable, ...] = ()
    expected: str | None = None  # the value, the source line, or the first wrong variable's value
    predicted: str | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """A real and a predicted step that stand for each other; one of the two may be missing."""

    real: int | None  # index; None: the model made this step up
    predicted: int | None  # index; None: the model left this step out
    is_right: bool  # same line, same state, same value
    is_own: bool | None = (
        None  # wrong, and it does not follow from what the model said before; None: not judged
    )


@dataclass(frozen=True, slots=True)
class Recovery:
    """A stretch on which the model is right again."""

    start: int  # index of its first pair
    length: int  # in pairs


@dataclass(frozen=True)
class Alignment:
    """How two traces lie side by side, from beginning to end."""

    pairs: tuple[Pair, ...]

    @cached_property
    def first_wrong(self) -> int | None:
        """Index of the first pair that is not right."""
        return next((index for index, pair in enumerate(self.pairs) if not pair.is_right), None)

    @cached_property
    def recoveries(self) -> tuple[Recovery, ...]:
        """Where the model comes back to the true path, and for how long."""
        found: list[Recovery] = []
        start = None
        for index in range(self.first_wrong or 0, len(self.pairs) + 1):
            is_right = index < len(self.pairs) and self.pairs[index].is_right and self.first_wrong is not None
            if is_right and start is None:
                start = index
            elif not is_right and start is not None:
                found.append(Recovery(start, index - start))
                start = None
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Cause:
    """What explains a divergence."""

    name: str  # one of CAUSES
    why: str  # the evidence, in one sentence
    weight: float = 1.0  # all causes of a diagnosis together have 1


@dataclass(frozen=True, slots=True)
class Answer:
    """What the program gives, and what was taken for the model's answer."""

    real: str | None
    given: str | None
    correct: bool | None  # None: no answer was given
    expected: str | None = None  # by the data set, if that says something


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All that is known about one prediction."""

    id: str
    real: Trace
    predicted: Trace
    verdict: Verdict
    divergence: Divergence | None
    alignment: Alignment
    causes: tuple[Cause, ...]  # the first is the one to name
    answer: Answer
    fault: Fault  # whose it is that this counts as a failure; "nobody": it does not
    tokens: int | None = None  # that the model spent, in the Llama-3 vocabulary; None: not counted
    labels: Mapping[str, str] = field(default_factory=dict)  # what others said, such as `paper_cause`

    @property
    def cause(self) -> Cause | None:
        """The cause to name."""
        return self.causes[0] if self.causes else None

    @property
    def steps_right(self) -> int:
        """How many steps the model is on the true path."""
        return len(self.real.steps) if self.divergence is None else self.divergence.frame
