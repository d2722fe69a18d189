"""This file is where the items of a written value stand: of lists, dicts, sets, tuples and objects.

Texts are as `compact_text.written` gives them: no space after `,` and `:`.
"""

import re
from dataclasses import dataclass
from typing import Literal

from worldline.formats.compact_text import STRING, has_simple_strings

Kind = Literal["list", "map", "set", "tuple", "object"]

_BRACKETS = re.compile(r"[\[\](){}<>]")
_FLAT_ITEM = re.compile(rf"""(?:[^,'"]++|{STRING})++""", re.DOTALL)
_STRUCTURE = re.compile(rf"{STRING}|[\[({{<]|[\])}}>]|[,:]", re.DOTALL)
_OBJECT = re.compile(r"<[A-Za-z_][A-Za-z0-9_.]*+ ")
_WRAPPER = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*+\(")


@dataclass(frozen=True, slots=True)
class Body:
    """The inside of a container: what stands before its first item, the items, what stands after the last."""

    kind: Kind
    before: str
    inner: str
    after: str

    def filled(self, inner: str) -> str:
        """The same container with other items."""
        return f"{self.before}{inner}{self.after}"


def body_of(value: str) -> Body | None:
    """The body of a container, or of the first container that a call such as `deque([1,2])` shows."""
    ends = value[:1] + value[-1:]
    if ends == "[]":
        return Body("list", "[", value[1:-1], "]")
    if ends == "{}":
        return _braced(value, 0, len(value))
    if ends == "()":
        return Body("tuple", "(", value[1:-1], ")")
    if ends == "<>":
        match = _OBJECT.match(value)
        return Body("object", match[0], value[match.end() : -1], ">") if match else None
    match = _WRAPPER.match(value)
    return _wrapped(value, match.end()) if match and value[-1] == ")" else None


def _braced(value: str, start: int, end: int) -> Body:
    inner = value[start + 1 : end - 1]
    kind: Kind = "map" if not inner or colon_of(inner) >= 0 else "set"
    return Body(kind, value[: start + 1], inner, value[end - 1 :])


def _wrapped(value: str, start: int) -> Body | None:
    """The first list or dict among the arguments of `Name(...)`; without one, its named arguments."""
    arguments = split(value[start:-1])
    if arguments is None:
        return None
    at = start
    for argument in arguments:
        end = at + len(argument)
        ends = argument[:1] + argument[-1:]
        if ends == "[]":
            return Body("list", value[: at + 1], value[at + 1 : end - 1], value[end - 1 :])
        if ends == "{}":
            return _braced(value, at, end)
        at = end + 1
    return Body("object", value[:start], value[start:-1], ")")


def split(inner: str) -> list[str] | None:
    """The items between commas that are in no string and no bracket; None: the brackets do not match."""
    if not inner:
        return []
    if not _BRACKETS.search(inner):
        found = inner.split(",") if has_simple_strings(inner) else _FLAT_ITEM.findall(inner)
    else:
        found = _nested_items(inner)
    return found if all(found) and ",".join(found) == inner else None


def _nested_items(inner: str) -> list[str]:
    found, depth, start = [], 0, 0
    for match in _STRUCTURE.finditer(inner):
        mark = match[0]
        if mark in "[({<":
            depth += 1
        elif mark in "])}>":
            depth -= 1
            if depth < 0:
                return []
        elif mark == "," and depth == 0:
            found.append(inner[start : match.start()])
            start = match.end()
    return [] if depth else [*found, inner[start:]]


def colon_of(item: str) -> int:
    """Where the colon after a dict's first key stands; -1: there is none, as in a set."""
    depth = 0
    for match in _STRUCTURE.finditer(item):
        mark = match[0]
        if mark in "[({<":
            depth += 1
        elif mark in "])}>":
            depth -= 1
        elif depth == 0 and mark in ",:":
            return match.start() if mark == ":" else -1
    return -1


def closing(edit: str) -> int:
    """Where the bracket that `edit` begins with is closed; -1: nowhere."""
    depth = 0
    for match in _STRUCTURE.finditer(edit):
        mark = match[0]
        if mark in "[({<":
            depth += 1
        elif mark in "])}>":
            depth -= 1
            if depth == 0:
                return match.start() if mark == "]" else -1
    return -1
