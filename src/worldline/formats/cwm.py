"""This file is the format `cwm`: the frames that Meta's Code World Model reads and writes.

A step is a frame; SOURCE is its line of the program, line end included:

    <|call_sep|>LOCALS<|action_sep|>SOURCE<|frame_sep|>
    <|line_sep|>LOCALS<|action_sep|>SOURCE<|frame_sep|>
    <|return_sep|><|action_sep|>SOURCE<|arg_sep|>VALUE<|frame_sep|>
    <|exception_sep|><|action_sep|>SOURCE<|arg_sep|>VALUE<|frame_sep|>

and `<|end_of_text|>` follows the last one. LOCALS is a JSON object (Python's separators, ASCII only) of names
and value texts, VALUE one value text as a JSON string. A value that is as in the frame before is written
`..`, but after a call and after a return, which change the scope, all values are shown in full. An exception
changes no scope: the first line of its handler may write `..`.

What it cannot hold (`holds` drops it; `decode` derives it where that is said):
  * line numbers are derived: from the flow of the program, what comes after, and the nearest equal line
    (`cwm_walk.py`). Where equal lines lead to equal lines, as in two functions of one text, one is taken;
  * the locals of `return` and `exception` steps, so what the last line of a function did to them;
  * frame, depth and function are derived from calls and returns: right for one thread whose generators can be
    told apart by their values (`cwm_stack.py`). Threads, output and shared names are lost;
  * a value whose text is `..` reads as unchanged, a cut surrogate pair as the one character it makes;
  * without the special tokens, a function that returns what `sys.exc_info()` gives reads as raising it.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from json.encoder import encode_basestring_ascii as quoted

from worldline.formats import Cut, Decoded, Malformed, Span
from worldline.formats.cwm_frames import (
    Frame,
    NotAFrameError,
    first_frame,
    has_tokens,
    read_with_tokens,
    read_without_tokens,
)
from worldline.formats.cwm_lines import SourceText
from worldline.formats.cwm_stack import Content, stacked
from worldline.formats.cwm_tokens import (
    ACTION,
    ARGUMENT,
    BEGIN_OF_TEXT,
    CONTEXT,
    END_OF_TEXT,
    EVENT_TOKENS,
    FRAME,
    SPECIAL_TOKENS,
    UNCHANGED,
)
from worldline.formats.cwm_walk import Seen, Walk
from worldline.record.entry import as_marked, with_marker
from worldline.trace.model import Entry, Program, Step, Trace
from worldline.trace.value import type_of

__all__ = ["CWM", "SPECIAL_TOKENS", "Cwm", "as_marked", "frames", "line_text", "stripped"]


@dataclass(frozen=True, slots=True)
class Cwm:
    """The format `cwm`; see `worldline.formats.Format` for what each of these does."""

    name: str = "cwm"

    def prompt(self, program: Program) -> str:
        """The program with its entry marked, as the model expects it.

        A call such as `f(1)` is put into a marked `main`: a trace to compare must be recorded of
        `as_marked(program)`, where that `main` really runs. A script has no entry that could be marked.
        """
        return f"{BEGIN_OF_TEXT}{CONTEXT}{with_marker(as_marked(program))}{FRAME}"

    def encode(self, trace: Trace) -> str:
        """All frames; the token of the end only where the program itself came to an end."""
        end = END_OF_TEXT if trace.ending.is_complete else ""
        return "".join(frames(trace)) + end

    def decode(self, text: str, program: Program) -> Decoded:
        """The steps of a text with or without its special tokens.

        A source line that is not in the program gives a step on line 0; `line_text` finds what was written.
        """
        return _Reader(text, program).decoded()

    def parts(self, trace: Trace) -> Iterator[tuple[str, str]]:
        """The text of `encode` in parts; `..` is of the kind "value:unchanged"."""
        source = SourceText(trace.program)
        for step, shown in _shown(trace.steps):
            yield "special", EVENT_TOKENS[step.event]
            yield from _locals_parts(shown) if shown is not None else ()
            yield "special", ACTION
            yield "source", source.line(step.file, step.line) + "\n"
            if shown is None:
                value = _value(step)
                yield "special", ARGUMENT
                yield "syntax", '"'
                yield f"value:{type_of(value)}", quoted(value)[1:-1]
                yield "syntax", '"'
            yield "special", FRAME
        if trace.ending.is_complete:
            yield "special", END_OF_TEXT

    def holds(self, trace: Trace) -> Trace:
        """The trace as it is after a round trip."""
        source = SourceText(trace.program)
        walk = Walk(trace.program, source)
        contents: list[Content] = []
        before: Mapping[str, str] = {}
        for step, shown in _shown(trace.steps):
            value = None if shown is not None else _value(step)
            walk.take((step.event,), Seen(source.line(step.file, step.line), shown, value))
            if shown is None:
                before = before if step.event == "exception" else {}
                contents.append(({}, _paired(_value(step))))
            else:
                told = {_paired(name): _paired(value) for name, value in shown.items()}
                before = _filled(told, {} if step.event == "call" else before)
                contents.append((before, None))
        return replace(trace, steps=tuple(stacked(walk.visits(), contents)))


CWM = Cwm()


def frames(trace: Trace) -> Iterator[str]:
    """The text of each step, with the special tokens."""
    source = SourceText(trace.program)
    for step, shown in _shown(trace.steps):
        opening, line = EVENT_TOKENS[step.event], source.line(step.file, step.line)
        if shown is not None:
            yield f"{opening}{json.dumps(shown)}{ACTION}{line}\n{FRAME}"
        else:
            yield f"{opening}{ACTION}{line}\n{ARGUMENT}{json.dumps(_value(step))}{FRAME}"


def stripped(text: str, program: Program | None = None) -> str:
    """The text without its special tokens, as published transcripts have it.

    Args:
        text: frames with their tokens, after their prompt if it is there; what follows the last frame that
            can be read stays as it is.
        program: needed only if its lines hold names of the tokens.
    """
    source = None if program is None else SourceText(program)
    pieces, at = [], 0
    prompt = text.find(FRAME + EVENT_TOKENS["call"]) if text.startswith(BEGIN_OF_TEXT + CONTEXT) else -1
    if prompt >= 0:
        pieces.append(text[len(BEGIN_OF_TEXT + CONTEXT) : prompt])
        at = prompt + len(FRAME)
    while True:
        try:
            frame = read_with_tokens(text, at, source)
        except NotAFrameError:
            break
        opening = at + len(EVENT_TOKENS[frame.events[0]])
        pieces.append(text[opening : frame.source[0] - len(ACTION)])
        pieces.append(text[slice(*frame.source)] + "\n" + text[slice(*frame.argument)])
        at = frame.end
    return "".join(pieces) + text[at:].removeprefix(END_OF_TEXT)


def line_text(frame: str) -> str:
    """The source line in the text of one frame, as written."""
    nothing = SourceText(Program("", Entry("script")))
    found = (read_with_tokens if has_tokens(frame) else read_without_tokens)(frame, 0, nothing)
    return frame[slice(*found.source)]


def _entry(program: Program) -> str:
    """The name of the function that a trace begins with; empty for a script."""
    entry = as_marked(program).entry
    return "" if entry.kind == "script" else re.split(r"[\[(]", entry.text.rpartition("::")[2])[0].strip()


class _Reader:
    """Reads one text."""

    def __init__(self, text: str, program: Program) -> None:
        self._text = text
        self._source = SourceText(program)
        self._walk = Walk(program, self._source)
        self._start = first_frame(text, self._source, _entry(program))
        self._read = read_with_tokens if has_tokens(text[self._start :]) else read_without_tokens
        self._spans: list[Span] = []
        self._contents: list[Content] = []
        self._before: Mapping[str, str] = {}

    def decoded(self) -> Decoded:
        """All that can be read."""
        at = self._start
        try:
            while True:
                at = self._past_blank_lines(at)
                frame = self._read(self._text, at, self._source)
                if self._is_rest(frame):
                    break
                self._take(frame)
                at = frame.end
        except NotAFrameError as error:
            return self._ended(at, error.why)
        return self._ended(at, "no frame begins here")

    def _past_blank_lines(self, at: int) -> int:
        """The next place that is no line end, if there are steps before it and after it."""
        after = at
        while self._spans and not self._walk.is_over and self._text.startswith("\n", after):
            after += 1
        return after if after < len(self._text) else at

    def _is_rest(self, frame: Frame) -> bool:
        """Whether what looks like a frame is prose and a quotation after the end of a trace."""
        return bool(
            self._spans
            and self._read is read_without_tokens
            and self._walk.is_over
            and frame.locals is None
            and not self._source.places(self._text[slice(*frame.source)])
        )

    def _take(self, frame: Frame) -> None:
        seen = Seen(self._text[slice(*frame.source)], frame.locals, frame.value)
        self._walk.take(frame.events, seen)
        self._spans.append((frame.start, frame.end))
        if frame.locals is not None:
            self._before = _filled(frame.locals, {} if frame.events == ("call",) else self._before)
            self._contents.append((self._before, None))
        else:
            if frame.events == ("return",):
                self._before = {}
            self._contents.append(({}, frame.value))

    def _ended(self, at: int, why: str) -> Decoded:
        """What was read up to `at`, where no whole frame is; `why` is empty if the text just ends there."""
        steps = tuple(stacked(self._walk.visits(), self._contents))
        spans = tuple(self._spans)
        rest = self._text[at:]
        if self._read is read_with_tokens and rest.startswith(END_OF_TEXT):
            return Decoded(steps, spans, None, rest.removeprefix(END_OF_TEXT))
        if steps and self._walk.is_over:
            return Decoded(steps, spans, None, rest)
        problem = Malformed(at, len(steps), why) if why else Cut(at, len(steps))
        return Decoded(steps, spans, problem, rest)


def _shown(steps: Iterable[Step]) -> Iterator[tuple[Step, Mapping[str, str] | None]]:
    """Each step with the locals that its frame shows; None: it shows none."""
    before: Mapping[str, str] = {}
    for step in steps:
        if step.event in ("return", "exception"):
            before = {} if step.event == "return" else before
            yield step, None
        elif step.event == "call":
            before = step.locals
            yield step, dict(before)
        else:
            last, before = before, step.locals
            items = step.locals.items()
            yield step, {name: UNCHANGED if value == last.get(name) else value for name, value in items}


def _value(step: Step) -> str:
    return "None" if step.value is None else step.value


def _filled(shown: Mapping[str, str], before: Mapping[str, str]) -> Mapping[str, str]:
    """The state that a frame shows; a `..` that stands for nothing stays."""
    if UNCHANGED not in shown.values():
        return shown
    return {name: before.get(name, value) if value == UNCHANGED else value for name, value in shown.items()}


def _locals_parts(shown: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield "syntax", "{"
    for index, (name, value) in enumerate(shown.items()):
        kind = "unchanged" if value == UNCHANGED else type_of(value)
        yield "syntax", ', "' if index else '"'
        yield "name", quoted(name)[1:-1]
        yield "syntax", '": "'
        yield f"value:{kind}", quoted(value)[1:-1]
        yield "syntax", '"'
    yield "syntax", "}"


def _paired(text: str) -> str:
    """The text as JSON gives it back: two surrogates that make one character are that character."""
    return text if text.isascii() else json.loads(json.dumps(text))
