"""This file is the last frame of a `cwm` text that breaks off: what can be read of it."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from worldline.formats.cwm_tokens import EVENT_TOKENS, SPECIAL_TOKENS

_BLANK = r"[ \t\n\r]*"
_STRING = r'"((?:[^"\\]|\\.)*)"'
_PAIR = re.compile(rf"{_BLANK},?{_BLANK}{_STRING}{_BLANK}:{_BLANK}{_STRING}")
_BROKEN_PAIR = re.compile(rf"{_BLANK},?{_BLANK}{_STRING}{_BLANK}:{_BLANK}\"(.*)\Z", re.DOTALL)
_BROKEN_NAME = re.compile(rf"{_BLANK},?{_BLANK}\"(.*?)(?:\"{_BLANK}:?{_BLANK})?\Z", re.DOTALL)
_TOKEN = re.compile(r"<\|\w+\|>")


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A frame as far as it goes."""

    locals: Mapping[str, str] | None  # the whole pairs; None: it shows no state
    is_complete: bool  # the state is there as a whole
    name: str | None = None  # of the pair that breaks off; as in JSON if it breaks off itself
    value: str | None = None  # what there is of its value, as in JSON
    source: str = ""  # what follows the state: the line, or a part of it; a line end and the value as in JSON
    event: str | None = None  # if a special token tells it


def read_unfinished(text: str) -> Unfinished:
    """What there is of a frame, with or without its special tokens."""
    event = None
    if text.startswith("<"):
        event = next((name for name, token in EVENT_TOKENS.items() if text.startswith(token)), None)
        text = _TOKEN.sub("", _without_part(text))
    if not text.startswith("{"):
        return Unfinished(None, True, source=text, event=event)
    return replace(_with_state(text), event=event)


def _without_part(text: str) -> str:
    """The text without a token at its end that is not whole."""
    parts = (token[:size] for token in SPECIAL_TOKENS for size in range(len(token) - 1, 0, -1))
    found = max((part for part in parts if text.endswith(part)), key=len, default="")
    return text[: len(text) - len(found)]


def _with_state(text: str) -> Unfinished:
    found: dict[str, str] = {}
    at = 1
    while pair := _PAIR.match(text, at):
        found[_text(pair[1])] = _text(pair[2])
        at = pair.end()
    rest = text[at:]
    if rest.lstrip().startswith("}"):
        return Unfinished(found, True, source=rest.lstrip()[1:])
    if pair := _BROKEN_PAIR.match(rest):
        return Unfinished(found, False, _text(pair[1]), pair[2])
    if name := _BROKEN_NAME.match(rest):
        return Unfinished(found, False, name[1])
    return Unfinished(found, False)


def _text(inside: str) -> str:
    try:
        return str(json.loads(f'"{inside}"', strict=False))
    except ValueError:
        return inside
