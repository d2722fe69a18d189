"""This file is the embedded model behind the protocol of all models: `--model embedded`."""

import json
import math
import os
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from worldline.errors import UserError
from worldline.formats.cwm_tokens import ACTION, ARGUMENT, END_OF_TEXT, EVENT_TOKENS, FRAME
from worldline.models.embedded.outcomes import Answer
from worldline.models.embedded.program import Source
from worldline.models.embedded.prompt_state import split, state_in
from worldline.models.embedded.prompts import UnclearError
from worldline.models.embedded.questions import Question
from worldline.models.embedded.simulate import step
from worldline.models.embedded.state import shown, written
from worldline.models.embedded.steps import UNSURE, Next, Steps
from worldline.models.model import Ask, Can, Completion, Failed, Token

NEVER = -1e9
REMEMBERED = 4096  # steps, as each is asked for in several parts
FREE = Failed(
    "the embedded model writes whole steps where actions are free", "leave --states out, or use grounded"
)

Answers = Callable[[Sequence[Question]], list[tuple[list[int], float]]]
"""The network: for each question an answer without its end, and its probability."""


class _Base(NamedTuple):
    """What decides about the next step."""

    text: str
    is_free: bool


@dataclass(frozen=True, slots=True)
class Told:
    """A step as text."""

    event: str  # its token
    state: tuple[Token, ...]  # joined: the variables as JSON
    line: str
    value: str  # as JSON
    note: str
    probability: float  # of the answer
    is_action: bool  # whether that decides about the line, and not about a value
    asked: int
    spent: int
    number: int = 0  # of the line
    why: str = ""  # it is not sure

    @property
    def text(self) -> str:
        """The whole frame."""
        state = "".join(token.text for token in self.state)
        return f"{self.event}{state}{ACTION}{self.line}\n" + ("" if self.state else ARGUMENT + self.value)


def embedded(argument: str = "") -> "Embedded":
    """The model that ships with worldline; the argument is a file of other weights."""
    # Before numpy is loaded: the matrices are small, so that threads only wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from worldline.models.embedded.network import load

    network = load(argument)
    return Embedded(network.answers, f"embedded{argument and ':'}{argument}@{network.about['hash']}")


@dataclass
class Embedded:
    """Asks the network about one statement after the other."""

    answers: Answers
    name: str = "embedded"
    can: Can = field(default_factory=lambda: Can(logprobs=True, scoring=True, choices=True, seeds=True))
    _told: "OrderedDict[_Base, Told | Failed]" = field(default_factory=OrderedDict)

    def complete(self, asks: Sequence[Ask]) -> list[Completion | Failed]:
        """Go on with each text."""
        return [self._completion(ask, told) for ask, told in zip(asks, self._steps(asks), strict=True)]

    def score(self, asks: Sequence[Ask]) -> list[tuple[float, ...] | Failed]:
        """How likely each choice is: the one that the network decided for, and the others alike."""
        found: list[tuple[float, ...] | Failed] = []
        for ask, told in zip(asks, self._steps(asks), strict=True):
            if isinstance(told, Failed):
                found.append(told)
                continue
            is_line = ACTION in ask.prefix[ask.prefix.rfind(FRAME) :]
            wanted = told.line + "\n" if is_line else told.event or END_OF_TEXT
            sure = told.probability if told.is_action else 1.0
            found.append(_scores(ask.choices, wanted, sure))
        return found

    def count(self, text: str) -> int:
        """Characters: the network itself reads typed tokens of one question, whatever is around it."""
        return len(text)

    def _completion(self, ask: Ask, told: Told | Failed) -> Completion | Failed:
        if isinstance(told, Failed):
            return told
        if ask.choices:
            scores = self.score([ask])[0]
            assert isinstance(scores, tuple)
            best = ask.choices[scores.index(max(scores))]
            return Completion(best, "end", "", (Token(best, max(scores)),), told.asked, told.spent)
        partial = split(ask.prefix).partial
        if not partial:
            return _frame(ask, told)
        if ARGUMENT in partial:
            sure = 0.0 if told.is_action else math.log(max(told.probability, 1e-12))
            tokens = (Token(told.value, sure),)
            return _completed(told.value, FRAME, tokens, told)
        if ACTION in partial:
            line = told.line + "\n"
            return replace(_completed(line, FRAME, (Token(line, 0.0),), told), line=0)
        state = told.state or (Token("{}", math.log(UNSURE)),)  # none: another event was wanted
        text = "".join(token.text for token in state)
        return _completed(text, ACTION, state, told)

    def _steps(self, asks: Sequence[Ask]) -> list[Told | Failed]:
        """The next step of each, those of all programs together."""
        bases = [_Base(split(ask.prefix).base, _is_free(ask)) for ask in asks]
        missing = [base for base in dict.fromkeys(bases) if base not in self._told]
        for base, told in zip(missing, _all_steps(missing, self.answers), strict=True):
            self._told[base] = told
        found = [self._told[base] for base in bases]
        while len(self._told) > REMEMBERED:
            self._told.popitem(last=False)
        return found


def _is_free(ask: Ask) -> bool:
    """Whether a whole step is asked for."""
    return not ask.choices and not split(ask.prefix).partial


def _frame(ask: Ask, told: Told) -> Completion | Failed:
    """A whole step, or the end of the trace."""
    if FRAME not in ask.stops:
        return FREE
    if not told.event:
        return Completion("", "end", "", (), told.asked, told.spent)
    sure = math.log(max(told.probability, 1e-12))
    tokens = (Token(told.text, sure),)
    return _completed(told.text, FRAME, tokens, told)


def _completed(text: str, stop: str, tokens: tuple[Token, ...], told: Told) -> Completion:
    return Completion(text, "stop", stop, tokens, told.asked, told.spent, told.note, told.number, told.why)


def _scores(choices: Sequence[str], wanted: str, sure: float) -> tuple[float, ...]:
    if wanted not in choices:
        return tuple(math.log(UNSURE / len(choices)) for _ in choices)
    rest = (1.0 - sure) / max(len(choices) - 1, 1)
    return tuple(
        math.log(sure) if choice == wanted and sure > 0 else math.log(rest) if rest > 0 else NEVER
        for choice in choices
    )


@dataclass(slots=True)
class _Running:
    """A step that waits for an answer."""

    steps: Steps
    program: Source | None = None
    question: Question | None = None
    asked: int = 0
    spent: int = 0
    before: dict[str, str] = field(default_factory=dict)
    result: Told | Failed | None = None

    def go_on(self, answer: Answer | None) -> None:
        try:
            self.question = next(self.steps) if answer is None else self.steps.send(answer)
        except StopIteration as stop:
            self.question = None
            self.result = _told(stop.value, self)


def _all_steps(bases: Sequence[_Base], answers: Answers) -> list[Told | Failed]:
    running = [_begun(base) for base in bases]
    while True:
        waiting = [each for each in running if each.question is not None]
        if not waiting:
            return [each.result or Failed("no step") for each in running]
        told = answers([each.question for each in waiting if each.question is not None])
        for each, (tokens, probability) in zip(waiting, told, strict=True):
            assert each.question is not None
            each.asked += len(each.question.prompt)
            each.spent += len(tokens) + 1
            try:
                outcome = each.question.read(tokens)
            except UnclearError as unclear:
                _throw(each, unclear)
                continue
            each.go_on(Answer(outcome, probability))


def _throw(running: _Running, unclear: UnclearError) -> None:
    try:
        running.question = running.steps.throw(unclear)
    except StopIteration as stop:
        running.question = None
        running.result = _told(stop.value, running)


def _begun(base: _Base) -> _Running:
    try:
        state, program = state_in(base.text)
    except UserError as error:
        return _Running(_nothing(), result=Failed(error.what, error.hint))
    except UnclearError as unclear:
        return _Running(_nothing(), result=_unsure(str(unclear)))
    before = shown(state.frames[-1].locals) if state.frames else {}
    if state.event == "return" and not state.frames and not state.closing:
        return _Running(_nothing(), result=Told("", (), "", "", "", 1.0, False, 0, 1))
    running = _Running(step(state, program, base.is_free), program, before=before)
    running.go_on(None)
    return running


def _unsure(why: str) -> Told:
    """A step that nothing is known about."""
    sure = math.log(UNSURE)
    state = (Token("{}", sure),)
    return Told(EVENT_TOKENS["line"], state, "", json.dumps("None"), "", UNSURE, False, 0, 1, why=why)


def _nothing() -> Steps:
    """No step at all."""
    raise UnclearError("no step")
    yield


def _told(found: Next, running: _Running) -> Told:
    assert running.program is not None
    state: tuple[Token, ...] = ()
    is_action = True
    sure = math.log(max(found.probability, 1e-12))
    if found.event in ("call", "line"):
        now = shown(found.state.frames[-1].locals) if found.state.frames else {}
        changed = {name for name, text in now.items() if running.before.get(name) != text}
        is_action = found.event == "call" or (not changed and not found.why)
        state = _as_json(now, changed if not is_action else set(), sure)
        if found.why:
            state = (Token("".join(token.text for token in state), sure),)
    elif found.event == "return":
        is_action = False
    return Told(
        EVENT_TOKENS[found.event],
        state,
        running.program.line(found.line),
        json.dumps("None" if found.value is None else found.value),
        written(found.state),
        found.probability,
        is_action,
        running.asked,
        running.spent,
        found.line,
        found.why,
    )


def _as_json(values: Mapping[str, str], changed: set[str], sure: float) -> tuple[Token, ...]:
    """The variables, each a token that is as sure as the answer if it was asked for."""
    found, share = [Token("{", 0.0)], sure / max(len(changed), 1)
    for number, (name, text) in enumerate(values.items()):
        found.append(Token(f"{', ' if number else ''}{json.dumps(name)}: ", 0.0))
        found.append(Token(json.dumps(text), share if name in changed else 0.0))
    return (*found, Token("}", 0.0))
