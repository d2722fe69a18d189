"""This file is the oracle with faults: wrong in known ways, at known steps, the same way for the same seed.

`faulty:stale=0.1,off-by-one=0.05,seed=3` makes each of these faults at a step with that probability, where it
fits; `faulty:stale@7` makes one at step 7 alone. The faults are those of `models/faults.py`. Its
log-probabilities tell how sure it is: less where it is wrong, the more so the larger `blur` is (0 to 1).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from worldline.errors import UserError
from worldline.models.faults import FAULTS, Fault
from worldline.models.model import Ask, Can, Completion, Failed, Token
from worldline.models.oracle import NEVER, Oracle
from worldline.tokens import tokenizer
from worldline.trace.model import Step, Trace

SURE, UNSURE = 0.99, 0.6


@dataclass(frozen=True)
class Plan:
    """Which faults are made."""

    rates: tuple[tuple[str, float], ...] = ()  # of each fault, at every step
    fixed: tuple[tuple[str, int], ...] = ()  # faults at a certain step
    seed: int = 0

    def faults_in(self, trace: Trace) -> dict[int, tuple[Step, Fault]]:
        """The faults of a trace: for each step that has one, the step with it."""
        found: dict[int, tuple[Step, Fault]] = {}
        wanted = [(name, at) for name, at in self.fixed if at < len(trace.steps)]
        dice = Random(f"{self.seed} {trace.program.source}")
        for at in range(len(trace.steps)):
            wanted += [(name, at) for name, rate in self.rates if dice.random() < rate]
        for name, at in wanted:
            made = FAULTS[name](trace, at, dice)
            if made is not None:
                found[at] = made
        return found

    def __call__(self, trace: Trace) -> Trace:
        """The trace with all its faults."""
        steps = list(trace.steps)
        for at, (changed, _) in self.faults_in(trace).items():
            steps[at] = changed
        return replace(trace, steps=tuple(steps))


def faulty(argument: str = "") -> "Faulty":
    """The oracle with faults; see the head of this file for the argument."""
    rates: dict[str, float] = {}
    fixed: list[tuple[str, int]] = []
    numbers = {"seed": 0.0, "blur": 0.5}
    for part in filter(None, argument.split(",")):
        name, mark, number = part.partition("@") if "@" in part else part.partition("=")
        try:
            if name in numbers:
                numbers[name] = float(number)
            elif name not in FAULTS:
                raise UserError(f"there is no fault {name!r}", f"there are: {', '.join(FAULTS)}")
            elif mark == "@":
                fixed.append((name, int(number)))
            else:
                rates[name] = float(number)
        except ValueError:
            raise UserError(f"faulty: {part!r} is no number", "write it like stale=0.1 or stale@7") from None
    plan = Plan(tuple(rates.items()), tuple(fixed), int(numbers["seed"]))
    return Faulty(Oracle(tokenizer("bytes"), change=plan), Oracle(tokenizer("bytes")), plan, numbers["blur"])


@dataclass(frozen=True)
class Faulty:
    """Answers from a truth that has been tampered with."""

    wrong: Oracle
    right: Oracle
    plan: Plan
    blur: float = 0.5
    can = Can(logprobs=True, scoring=True, choices=True, seeds=True)

    @property
    def name(self) -> str:
        """With all that makes its faults."""
        parts = [f"{name}={rate:g}" for name, rate in self.plan.rates]
        parts += [f"{name}@{at}" for name, at in self.plan.fixed]
        return "faulty:" + ",".join([*parts, f"seed={self.plan.seed}", f"blur={self.blur:g}"])

    def complete(self, asks: Sequence[Ask]) -> list[Completion | Failed]:
        """Go on with each text, wrongly where that is planned."""
        picked = iter(self.score([ask for ask in asks if ask.choices]))
        answers = zip(asks, self.wrong.complete(asks), self.right.complete(asks), strict=True)
        return [
            self._picked(ask, next(picked)) if ask.choices else self._sure(wrong, right)
            for ask, wrong, right in answers
        ]

    def score(self, asks: Sequence[Ask]) -> list[tuple[float, ...] | Failed]:
        """Most likely is what it would write, then the truth."""
        found: list[tuple[float, ...] | Failed] = []
        for wrong, right in zip(self.wrong.score(asks), self.right.score(asks), strict=True):
            if isinstance(wrong, Failed) or isinstance(right, Failed):
                found.append(wrong if isinstance(wrong, Failed) else right)
            else:
                found.append(tuple(map(self._mixed, wrong, right)))
        return found

    def count(self, text: str) -> int:
        """Tokens of a text."""
        return self.right.count(text)

    def _mixed(self, wrong: float, right: float) -> float:
        """The log-probability of a choice."""
        if wrong == right:
            return math.log(SURE) if right != NEVER else NEVER
        doubt = self._doubt()
        return math.log(doubt if wrong != NEVER else 1.0 - doubt)

    def _doubt(self) -> float:
        """The probability of what it writes where that is wrong."""
        return SURE - self.blur * (SURE - UNSURE)

    def _picked(self, ask: Ask, scores: tuple[float, ...] | Failed) -> Completion | Failed:
        if isinstance(scores, Failed):
            return scores
        best = scores.index(max(scores))
        text = ask.choices[best]
        tokens = (Token(text, scores[best]),)
        return Completion(text, "stop", "", tokens, self.count(ask.prefix), self.count(text))

    def _sure(self, wrong: Completion | Failed, right: Completion | Failed) -> Completion | Failed:
        """An answer with how sure it is of it."""
        if isinstance(wrong, Failed) or isinstance(right, Failed):
            return wrong
        probability = SURE if wrong.text == right.text else self._doubt()
        return replace(wrong, tokens=(Token(wrong.text, math.log(probability)),))


def faults_of(model: Faulty, trace: Trace) -> Mapping[int, Fault]:
    """The faults that a model makes in the trace of a program, by step."""
    return {at: fault for at, (_, fault) in model.plan.faults_in(trace).items()}
