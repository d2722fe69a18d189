"""This file is what a model is: something that goes on with a text.

Texts name the special tokens of the trace formats (`<|frame_sep|>`) as they are; a model that reads token ids
turns each such name into its one id. A program that has such a name in its own text cannot be asked about.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Finish = Literal[
    "stop",  # one of the stops came
    "length",  # the tokens that were asked for are used up
    "end",  # the model has ended its text, or chosen one of the choices
]


@dataclass(frozen=True, slots=True)
class Can:
    """What a model can do. A rollout that needs more is refused, never guessed."""

    special_tokens: bool = True  # reads and writes the special tokens of the trace formats as such
    logprobs: bool = False  # tells how likely each token was
    scoring: bool = False  # tells how likely a given text is as the next
    choices: bool = False  # can be held to one of several texts
    seeds: bool = False  # the same seed gives the same text
    context: int | None = None  # tokens that fit, prompt and answer together; None: not known, or no bound


@dataclass(frozen=True, slots=True)
class Ask:
    """One request: go on from `prefix`."""

    prefix: str
    stops: tuple[str, ...] = ()  # the answer ends before the first of these: special tokens, or any text
    max_tokens: int = 4096
    choices: tuple[str, ...] = ()  # the answer must be one of these; empty: it is free
    temperature: float = 0.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Token:
    """One token of an answer."""

    text: str
    logprob: float | None = None  # natural logarithm


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer."""

    text: str  # without the stop
    finish: Finish
    stop: str = ""  # the stop that came
    tokens: tuple[Token, ...] = ()  # of the text, joined they are it; empty: not told
    asked: int = 0  # tokens of the prefix
    spent: int = 0  # tokens of the answer
    note: str = ""  # one line that the model wants to be shown again with the state; see cwm_prompt.py
    line: int = 0  # the number of the line it means, where it knows: a text may be on several
    why: str = ""  # it is not sure, if it can tell


@dataclass(frozen=True, slots=True)
class Failed:
    """No answer, after all that could be tried; others of the same batch may have one."""

    what: str
    hint: str = ""


class Model(Protocol):
    """A model. Answers come in the order of the requests, and each is as if it had been asked alone."""

    @property
    def name(self) -> str:
        """How it is named in results: enough to have it again."""

    @property
    def can(self) -> Can:
        """What it can do."""

    def complete(self, asks: Sequence[Ask]) -> list[Completion | Failed]:
        """Go on with each text."""

    def score(self, asks: Sequence[Ask]) -> list[tuple[float, ...] | Failed]:
        """The log-probability of each of an ask's choices as the next text, its stop (if any) included."""

    def count(self, text: str) -> int:
        """How many tokens a text has for this model."""
