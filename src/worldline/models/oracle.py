"""This file is the model that is never wrong: the real interpreter, answering in the format `cwm`.

It reads nothing but the text it is given: which program, after how many steps, what of the next frame is
there already. So it can be asked in every mode, and served like any other model.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from worldline.errors import UserError
from worldline.formats.cwm import frames
from worldline.formats.cwm_prompt import asked
from worldline.formats.cwm_tokens import ACTION, ARGUMENT, END_OF_TEXT, EVENT_TOKENS, FRAME
from worldline.formats.reveal import revealed
from worldline.models.model import Ask, Can, Completion, Failed, Finish, Token
from worldline.record import Limits, Options, record
from worldline.record.entry import call_entry, find_entry
from worldline.tokens import Tokenizer, tokenizer
from worldline.trace.model import Program, Trace

CERTAIN, NEVER = 0.0, -1e9  # log-probabilities
SESSION = ">>> "  # what begins a line of an interactive session
RECORDED = (2_000, 20_000, 200_000, 1_000_000)  # steps, at first and when more are asked for
_SPECIAL = re.compile(r"(<\|[a-z_]+\|>)")


def oracle(argument: str = "") -> "Oracle":
    """The oracle; the argument is the tokenizer it counts with, `bytes` unless it says something else."""
    return Oracle(tokenizer(argument or "bytes"))


def _unchanged(trace: Trace) -> Trace:
    return trace


@dataclass(frozen=True)
class Oracle:
    """Answers from the recorded truth."""

    tokens: Tokenizer
    isolation: str = "process"
    name: str = "oracle"
    change: Callable[[Trace], Trace] = _unchanged  # what a model with faults makes of the truth
    can = Can(logprobs=True, scoring=True, choices=True, seeds=True)

    def complete(self, asks: Sequence[Ask]) -> list[Completion | Failed]:
        """Go on with each text as Python would."""
        return [self._answer(ask) for ask in asks]

    def score(self, asks: Sequence[Ask]) -> list[tuple[float, ...] | Failed]:
        """Certainty for the choice that is true."""
        found: list[tuple[float, ...] | Failed] = []
        for ask in asks:
            rest = self._rest(ask)
            if isinstance(rest, Failed):
                found.append(rest)
            else:
                stop = ask.stops[0] if ask.stops else ""
                found.append(tuple(CERTAIN if rest(choice + stop) else NEVER for choice in ask.choices))
        return found

    def count(self, text: str) -> int:
        """Tokens of a text."""
        return self.tokens.count(text)

    def _answer(self, ask: Ask) -> Completion | Failed:
        if ask.prefix.startswith(SESSION):
            return self._shown(ask)
        rest = self._rest(ask)
        if isinstance(rest, Failed):
            return rest
        if ask.choices:
            told = next((choice for choice in ask.choices if rest(choice)), ask.choices[0])
            return self._completion(ask, told, "")
        text, stop = rest.until(ask.stops)
        return self._completion(ask, text, stop)

    def _shown(self, ask: Ask) -> Completion | Failed:
        """What an interactive session shows next."""
        if self.change is not _unchanged:
            return Failed("faults are made in traces, not in sessions", "ask the oracle, or a model of yours")
        try:
            return self._completion(ask, _shown(ask.prefix, self.isolation), "\n")
        except UserError as error:
            return Failed(error.what, error.hint)

    def _completion(self, ask: Ask, text: str, stop: str) -> Completion:
        spent = self.count(text)
        asked_for = self.count(ask.prefix)
        if spent > ask.max_tokens:
            cut = self.tokens.decode(self.tokens.encode(text)[: ask.max_tokens])
            return Completion(cut, "length", "", _certain(cut), asked_for, ask.max_tokens)
        finish: Finish = "stop" if stop or ask.choices else "end"
        text = text.removesuffix(END_OF_TEXT) if finish == "end" else text
        return Completion(text, finish, stop, _certain(text), asked_for, spent)

    def _rest(self, ask: Ask) -> "_Rest | Failed":
        prefix = ask.prefix
        try:
            about = asked(prefix)
            body = prefix[about.end :]
            index = about.steps + body.count(FRAME)
            texts = _frames(
                about.source, about.reveal, self.isolation, self.change, _most(index + ask.max_tokens // 8)
            )
        except UserError as error:
            return Failed(error.what, error.hint)
        return _Rest(texts, index, body[body.rfind(FRAME) + len(FRAME) :] if FRAME in body else body)


def pieces(text: str) -> list[str]:
    """The fields of a trace's text, and the special tokens between them."""
    return [piece for piece in _SPECIAL.split(text) if piece]


def _certain(text: str) -> tuple[Token, ...]:
    return tuple(Token(piece, CERTAIN) for piece in pieces(text))


@dataclass(frozen=True, slots=True)
class _Rest:
    """What is still to come, from the middle of a frame on."""

    frames: Sequence[str]
    index: int
    partial: str  # what is there of frame `index`

    def __call__(self, text: str) -> bool:
        """Whether a text is what comes next."""
        return self._next().startswith(text)

    def until(self, stops: Sequence[str]) -> tuple[str, str]:
        """The text up to the first stop, and that stop; up to the end of all if none comes."""
        reach = max(map(len, stops), default=1) - 1  # a stop may begin in the frame before
        parts, before, tail = [], 0, ""
        for at in range(self.index, max(len(self.frames), self.index + 1)):
            frame = self._next() if at == self.index else self.frames[at]
            recent = tail + frame
            found = [(recent.find(stop), stop) for stop in stops if stop in recent]
            parts.append(frame)
            if found:
                place, stop = min(found)
                return "".join(parts)[: before - len(tail) + place], stop
            before += len(frame)
            tail = recent[len(recent) - reach :] if reach else ""
        return "".join(parts), ""

    def _next(self) -> str:
        """The rest of the frame, after the fields that are given, right or wrong."""
        if self.index >= len(self.frames) - 1:
            return END_OF_TEXT
        frame = self.frames[self.index]
        for token in (ARGUMENT, ACTION):
            if token in self.partial:
                return frame[frame.find(token) + len(token) :] if token in frame else FRAME
        given = next((token for token in EVENT_TOKENS.values() if self.partial.startswith(token)), "")
        own = next(token for token in EVENT_TOKENS.values() if frame.startswith(token))
        return frame[len(own) :] if given else frame


def _most(steps: int) -> int:
    """How many steps to record so that these are there: a program may never end."""
    return next((most for most in RECORDED if most > steps), RECORDED[-1])


@lru_cache(maxsize=64)
def _shown(text: str, isolation: str) -> str:
    """The value of the last line of a session, after the lines before it."""
    lines = [line.removeprefix(SESSION) for line in text.splitlines() if line.startswith(SESSION)]
    body = "".join(f"    {line}\n" for line in lines[:-1])
    source = f"def main():\n{body}    return {lines[-1]}\n"
    program = Program(source, call_entry(source, "session", "main()"))
    ending = record(program, Options(max_value=None, engine="none"), Limits(seconds=60.0), isolation).ending
    if ending.kind != "returned" or ending.value is None:
        raise UserError(f"the session ends with {ending.kind}: {ending.value}", "ask about one that runs")
    return str(ending.value)


@lru_cache(maxsize=64)
def _frames(
    source: str, reveal: str, isolation: str, change: Callable[[Trace], Trace], most: int
) -> tuple[str, ...]:
    """The text of every step, and of the end."""
    trace = change(_truth(source, isolation, most))
    return (*frames(revealed(trace, reveal)), END_OF_TEXT)


@lru_cache(maxsize=64)
def _truth(source: str, isolation: str, most: int) -> Trace:
    program = Program(source, find_entry(source, "program.py"))
    options = Options(max_value=None, user_repr=True, max_steps=most)
    trace: Trace = record(program, options, Limits(seconds=60.0), isolation).trace
    if not trace.steps:
        raise UserError(
            f"the program took no step: {trace.ending.detail}", "try: worldline record PROGRAM.py"
        )
    return trace
