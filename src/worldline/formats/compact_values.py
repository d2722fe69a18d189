"""This file is the ways to write one value in the format `compact`: as it is, by a name, as just returned.

Writer and reader look names up in the same scope: the running state, or the caller's for a call's arguments.
"""

import re
from collections.abc import Mapping

from worldline.formats.compact_text import (
    UnreadableError,
    is_bare_name,
    loose,
    quoted,
    unquoted,
    without_spaces,
    written,
)

ESCAPE = "~"
REFERENCE_FROM = 5  # characters of a written value from which on a name that has it is written instead
RETURNED_FROM = 4  # likewise for "the value just returned"

_RAISED = re.compile(r"\(<class '(?P<kind>[^']+)'>, (?P<shown>.*), <traceback object>\)", re.DOTALL)
_SHORT = re.compile(r"(?P<kind>[A-Za-z_][^\s'\"(),;]*+)\(")


def plain_value(text: str, tight: str | None, scope: Mapping[str, str]) -> str:
    """A value as it is, or quoted where that could not be read back."""
    if tight is None or (tight in scope and is_bare_name(tight)):
        return ESCAPE + quoted(text)
    return tight


def reference(text: str, tight: str | None, scope: Mapping[str, str]) -> str:
    """A variable that has this value, if its name is the shorter text; else nothing.

    Not for objects: two generators look alike, and a name in their place would say that they are one.
    """
    size = len(text) if tight is None else len(tight)
    if size < REFERENCE_FROM or text[0] == "<":
        return ""
    for name, value in scope.items():
        if value == text and len(name) < size and is_bare_name(name):
            return name
    return ""


def read_value(shown: str, scope: Mapping[str, str], returned: str | None) -> tuple[str, str | None]:
    """The value text that was written, and how it is written without spaces."""
    if not shown:
        if returned is None:
            raise UnreadableError("an empty value stands for the one just returned, but nothing was")
        return returned, written(returned)
    if shown[0] == ESCAPE:
        text = unquoted(shown[1:])
        return text, written(text)
    if shown in scope and is_bare_name(shown):
        return scope[shown], written(scope[shown])
    tight = without_spaces(shown)
    return loose(tight), tight


def exception_value(text: str, scope: Mapping[str, str]) -> str:
    """What was raised: `KeyError('x')` for `(<class 'KeyError'>, KeyError('x'), <traceback object>)`."""
    short = _short(text)
    for candidate in (short, text):
        tight = written(candidate) if candidate else None
        if tight is not None and read_exception(tight, scope) == text:
            return tight
    return ESCAPE + quoted(text)


def _short(text: str) -> str:
    match = _RAISED.fullmatch(text)
    if match is None:
        return ""
    kind = match["kind"]
    name = kind.rpartition(".")[2]
    return kind + match["shown"][len(name) :] if match["shown"].startswith(f"{name}(") else ""


def read_exception(shown: str, scope: Mapping[str, str]) -> str:
    """The text of an exception step's value."""
    match = _SHORT.match(shown)
    if match is None or not shown.endswith(")"):
        return read_value(shown, scope, None)[0]
    kind = match["kind"]
    arguments = loose(without_spaces(shown[match.end() - 1 :]))
    return f"(<class '{kind}'>, {kind.rpartition('.')[2]}{arguments}, <traceback object>)"
