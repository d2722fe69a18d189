"""This file is the reading of single `cwm` frames, with the special tokens or without them.

Nothing is guessed here: a frame without its tokens may be one of several events, and the one that fits the
program is found in `cwm_walk.py`. Without tokens a frame reads

    {"name": "value"}source line          a call or a line
    source line                           a return, or an exception if the value looks like one
    "value"

and the next one follows directly: after the line end, or after the closing quote of the value.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from worldline.formats import Span
from worldline.formats.cwm_lines import SourceText
from worldline.formats.cwm_tokens import (
    ACTION,
    ARGUMENT,
    BEGIN_OF_TEXT,
    END_OF_TEXT,
    EVENT_TOKENS,
    FRAME,
    UNCHANGED,
)
from worldline.trace.model import Event
from worldline.trace.value import raised

_CHARACTERS = r'(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+'
_STRING = rf'"{_CHARACTERS}"'
_CUT_STRING = rf'"{_CHARACTERS}(?:\\(?:u[0-9a-fA-F]{{0,3}})?)?'
_BLANK = r"[ \t\n\r]*+"
_CUT_VALUE: Final = re.compile(_CUT_STRING)
_PAIRS: Final = re.compile(rf"\{{{_BLANK}(?:{_STRING}{_BLANK}:{_BLANK}{_STRING}{_BLANK},{_BLANK})*+")
_CUT_PAIR: Final = re.compile(
    rf"(?:{_STRING}{_BLANK}:{_BLANK}{_STRING}{_BLANK}"
    rf"|{_STRING}{_BLANK}(?::{_BLANK}(?:{_CUT_STRING})?)?"
    rf"|{_CUT_STRING})?"
)
_OPENING: Final = re.compile(rf"^\{{|{re.escape(EVENT_TOKENS['call'])}", re.MULTILINE)
_TORN: Final = re.compile(r'[^"\n]{0,60}": "')
"""What follows a value that has lost its closing quote, and took the next frame's first one for it."""
_OPENINGS: Final = (*EVENT_TOKENS.values(), END_OF_TEXT)


_TWICE: Final[dict[str, Any]] = {}
"""In place of an object that has two values for a name."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else _TWICE


_JSON: Final = json.JSONDecoder(object_pairs_hook=_object)


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame as it is written."""

    start: int
    end: int
    events: tuple[Event, ...]  # what it may be
    source: Span  # the source line, without its end
    locals: Mapping[str, str] | None  # as written, `..` and all; None where a frame has none
    value: str | None
    argument: Span = (0, 0)  # the value as JSON


class NotAFrameError(Exception):
    """There is no frame here.

    Args:
        why: what is wrong; empty if the text is a good beginning and just ends.
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def has_tokens(text: str) -> bool:
    """Whether a text is written with the special tokens; one that ends within its first token is."""
    return any(text.startswith(token) or token.startswith(text) for token in _OPENINGS)


def first_frame(text: str, source: SourceText, entry: str) -> int:
    """Where the first frame begins: after blanks, a repeated prompt, or prose that some models begin with.

    Args:
        text: what a model wrote.
        source: the lines of the program.
        entry: the name of the function that the trace begins with; where no frame calls it, the text is taken
            as it is.
    """
    start = len(text) - len(text.lstrip())
    if text.startswith(BEGIN_OF_TEXT, start):
        end = text.find(FRAME, start)
        return end + len(FRAME) if end >= 0 else start
    if start == len(text) or has_tokens(text[start:]) or text.startswith("{", start) or not entry:
        return start
    definition = re.compile(rf"\s*(?:async\s+)?def\s+{re.escape(entry)}\b")
    for found in _OPENING.finditer(text):
        try:
            read = read_with_tokens if found[0] == EVENT_TOKENS["call"] else read_without_tokens
            frame = read(text, found.start(), source)
        except NotAFrameError:
            continue
        if "call" in frame.events and definition.match(text, frame.source[0]):
            return found.start()
    return start


def read_with_tokens(text: str, start: int, source: SourceText | None = None) -> Frame:
    """The frame at `start`. Without the program, a line that holds the name of a token is misread."""
    event = next((event for event, token in EVENT_TOKENS.items() if text.startswith(token, start)), None)
    if event is None:
        raise NotAFrameError("" if _is_cut(text, start, *_OPENINGS) else "no frame begins here")
    at = start + len(EVENT_TOKENS[event])
    has_state = event in ("call", "line")
    shown, at = _locals(text, at) if has_state else (None, at)
    at = _token(text, at, ACTION)
    line = at, _line_with_tokens(text, at, FRAME if has_state else ARGUMENT, source)
    at = line[1] + text.startswith("\n", line[1])
    if has_state:
        return Frame(start, _token(text, at, FRAME), (event,), line, shown, None)
    first = _token(text, at, ARGUMENT)
    value, at = _value(text, first)
    return Frame(start, _token(text, at, FRAME), (event,), line, None, value, (first, at))


def read_without_tokens(text: str, start: int, source: SourceText) -> Frame:
    """The frame at `start`. What is known to be a line of the program is read as such."""
    end = text.find("\n", start)
    is_object = text.startswith("{", start)
    if is_object and not (text.startswith('"', end + 1) and source.places(text[start:end])):
        shown, at = _locals(text, start)
        if text.startswith("}", at):
            raise NotAFrameError("the locals are not a JSON object")
        end = text.find("\n", at)
        if end < 0:
            raise NotAFrameError("")
        states: tuple[Event, ...] = ("line",) if UNCHANGED in shown.values() else ("line", "call")
        return Frame(start, end + 1, states, (at, end), shown, None)
    if end < 0:
        raise NotAFrameError("" if source.is_beginning(text, start) else "no frame begins here")
    if end + 1 == len(text) and source.places(text[start:end]):
        raise NotAFrameError("")
    if not text.startswith('"', end + 1):
        raise NotAFrameError("no frame begins here")
    value, at = _value(text, end + 1)
    if value.endswith("{") and _TORN.match(text, at):
        raise NotAFrameError("the value is not a JSON string")
    event: Event = "return" if raised(value) is value else "exception"
    return Frame(start, at, (event,), (start, end), None, value, (end + 1, at))


def _token(text: str, at: int, token: str) -> int:
    """The place after a token that must be there."""
    if text.startswith(token, at):
        return at + len(token)
    raise NotAFrameError("" if _is_cut(text, at, token) else f"{token} is missing")


def _is_cut(text: str, at: int, *tokens: str) -> bool:
    """Whether the text ends within one of these."""
    left = len(text) - at
    return any(left < len(token) and token.startswith(text[at:]) for token in tokens)


def _line_with_tokens(text: str, at: int, closing: str, source: SourceText | None) -> int:
    """Where the source line ends.

    It ends with its line end. A line may hold the name of a token in a string, so a token before that counts
    only if the whole is no line of the program.
    """
    end = text.find("\n", at)
    if end >= 0 and source is not None and source.places(text[at:end]):
        return end
    stop = text.find(closing, at, end if end >= 0 else len(text))
    if end < 0 and (stop < 0 or (source is not None and source.is_beginning(text, at))):
        raise NotAFrameError("")
    return stop if stop >= 0 else end


def _locals(text: str, at: int) -> tuple[Mapping[str, str], int]:
    if text.startswith("{", at):
        shown, end = _json(text, at)
        if shown is not None:
            if shown is _TWICE:
                raise NotAFrameError("a name is there twice")
            wrong = [name for name, value in shown.items() if not isinstance(value, str)]
            if wrong:
                raise NotAFrameError(f"the value of {wrong[0]!r} is not a JSON string")
            return shown, end
    pairs = _PAIRS.match(text, at)
    is_cut = at == len(text) or (pairs is not None and _CUT_PAIR.fullmatch(text, pairs.end()))
    raise NotAFrameError("" if is_cut else "the locals are not a JSON object")


def _value(text: str, at: int) -> tuple[str, int]:
    if text.startswith('"', at):
        value, end = _json(text, at)
        if value is not None:
            return value, end
    is_cut = at == len(text) or (_CUT_VALUE.fullmatch(text, at) and FRAME not in text[at:])
    raise NotAFrameError("" if is_cut else "the value is not a JSON string")


def _json(text: str, at: int) -> tuple[Any, int]:
    """What is written at `at` and where it ends; None if that is no JSON."""
    try:
        return _JSON.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None, at
