"""This file is the oracle with faults: wrong in known ways, at known steps, the same way for the same seed.

`faulty:stale=0.1,off-by-one=0.05,seed=3` makes each of these faults at a step with that probability, where it
fits; `faulty:stale@7` makes one at step 7 alone. The faults are those of `models/faults.py`. Its
log-probabilities tell how sure it is: less where it is wrong, the more so the larger `blur` is (0 to 1).

`faulty:hidden=0.1,length=0.001` is wrong about a step with probability 1 - (1-hidden)^h (1-length)^c for h
operations that the line hides (`rewrite/hidden.py`) and c characters of the texts that it changed; once it is
wrong, so is what the entry returns. With a temperature, other seeds of the asks give other faults.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from worldline.errors import UserError
from worldline.formats.cwm_tokens import ACTION, ARGUMENT, END_OF_TEXT, FRAME
from worldline.models.faults import FAULTS, Fault
from worldline.models.model import Ask, Can, Completion, Failed, Token
from worldline.models.oracle import CERTAIN, NEVER, Oracle, pieces
from worldline.rewrite.hidden import hidden_by_line
from worldline.tokens import tokenizer
from worldline.trace.model import Step, Trace, before_of
from worldline.trace.value import type_of

SURE, UNSURE = 0.99, 0.6
SEEDS = 1_000_003  # so that the seeds of asks and of models do not meet
TRIES = 20  # to find another value that the entry might return
EFFORT = ("missing", "wrong-return", "wrong-element", "stale", "off-by-one", "dropped-character")
"""The faults that effort makes; of those that fit a step, the last."""


@dataclass(frozen=True)
class Plan:
    """Which faults are made."""

    rates: tuple[tuple[str, float], ...] = ()  # of each fault, at every step
    fixed: tuple[tuple[str, int], ...] = ()  # faults at a certain step
    seed: int = 0
    hidden: float = 0.0  # for each operation that the line hides
    length: float = 0.0  # for each character of a text that has changed

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
        return found | self._by_effort(trace)

    def probability(self, trace: Trace, at: int) -> float:
        """Of a fault at a step, by what there is to be done in it."""
        step, before = trace.steps[at], before_of(trace.steps, at)
        if before is None or not (self.hidden or self.length):
            return 0.0
        ran = hidden_by_line(trace.program.source).get(before.line, 0)
        changed = [value for name, value in step.locals.items() if before.locals.get(name) != value]
        characters = sum(len(value) - 2 for value in changed if type_of(value) == "str")
        return 1.0 - (1.0 - self.hidden) ** ran * (1.0 - self.length) ** characters

    def _by_effort(self, trace: Trace) -> dict[int, tuple[Step, Fault]]:
        """Faults that come of hidden operations and long texts; the last return is wrong with them."""
        dice = Random(f"{self.seed} effort {trace.program.source} {trace.program.entry.text}")
        found: dict[int, tuple[Step, Fault]] = {}
        for at in range(len(trace.steps)):
            if dice.random() < self.probability(trace, at):
                made = [FAULTS[name](trace, at, dice) for name in EFFORT]
                fitting = [one for one in made if one is not None]
                found |= {at: fitting[-1]} if fitting else {}
        last = len(trace.steps) - 1
        for _ in range(TRIES if found and last not in found else 0):
            wrong = FAULTS["wrong-return"](trace, last, dice)
            if wrong is not None:
                return found | {last: wrong}
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
    numbers = {"seed": 0.0, "blur": 0.5, "hidden": 0.0, "length": 0.0}
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
    seed, effort = int(numbers["seed"]), (numbers["hidden"], numbers["length"])
    plan = Plan(tuple(rates.items()), tuple(fixed), seed, *effort)
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
        parts += [f"{name}={rate:g}" for name in ("hidden", "length") if (rate := getattr(self.plan, name))]
        return "faulty:" + ",".join([*parts, f"seed={self.plan.seed}", f"blur={self.blur:g}"])

    def complete(self, asks: Sequence[Ask]) -> list[Completion | Failed]:
        """Go on with each text, wrongly where that is planned."""
        picked = iter(self.score([ask for ask in asks if ask.choices]))
        wrong = [self._wrong(ask).complete([ask])[0] for ask in asks]
        answers = zip(asks, wrong, self.right.complete(asks), strict=True)
        return [
            self._picked(ask, next(picked)) if ask.choices else self._sure(wrong, right)
            for ask, wrong, right in answers
        ]

    def score(self, asks: Sequence[Ask]) -> list[tuple[float, ...] | Failed]:
        """Most likely is what it would write, then the truth."""
        found: list[tuple[float, ...] | Failed] = []
        wrongly = [self._wrong(ask).score([ask])[0] for ask in asks]
        for wrong, right in zip(wrongly, self.right.score(asks), strict=True):
            if isinstance(wrong, Failed) or isinstance(right, Failed):
                found.append(wrong if isinstance(wrong, Failed) else right)
            else:
                found.append(tuple(map(self._mixed, wrong, right)))
        return found

    def count(self, text: str) -> int:
        """Tokens of a text."""
        return self.right.count(text)

    def _wrong(self, ask: Ask) -> Oracle:
        """The wrong truth: with a temperature, another one for every seed."""
        if ask.temperature <= 0 or ask.seed == 0:
            return self.wrong
        return replace(self.wrong, change=replace(self.plan, seed=self.plan.seed + SEEDS * ask.seed))

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
        truth = [pieces(frame) for frame in right.text.split(FRAME)]
        tokens: list[Token] = []
        for at, frame in enumerate(wrong.text.split(FRAME)):
            true = truth[at] if at < len(truth) else []
            tokens += [Token(FRAME, CERTAIN)] if at else []
            for place, piece in enumerate(pieces(frame)):
                sure = SURE if place < len(true) and true[place] == piece else self._doubt()
                is_mark = piece in (ACTION, ARGUMENT, END_OF_TEXT)
                tokens.append(Token(piece, CERTAIN if is_mark else math.log(sure)))
        return replace(wrong, tokens=tuple(tokens))


def faults_of(model: Faulty, trace: Trace) -> Mapping[int, Fault]:
    """The faults that a model makes in the trace of a program, by step."""
    return {at: fault for at, (_, fault) in model.plan.faults_in(trace).items()}
