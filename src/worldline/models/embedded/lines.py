"""This file is the question which line comes next, which the network is asked where actions are free.

The function is shown as a container of its lines, each by its kind and its indentation, before its position:
where the lines of a branch end is for the network to find out. (With grounded actions nobody asks: which
lines may follow is known, and the answer to the statement says which of them it is.)
"""

import ast
from collections.abc import Sequence
from functools import lru_cache

from worldline.models.embedded.outcomes import Outcome, Stopped, Value
from worldline.models.embedded.program import Source
from worldline.models.embedded.prompts import UnclearError, position
from worldline.models.embedded.questions import STOP, Question, asked_about
from worldline.models.embedded.vocabulary import D0, END, FALSE, IDS, LAST, MOST, P0, TRUE

AT = IDS["at"]
INDENT = 4
KINDS: dict[type[ast.AST], str] = {
    ast.If: "if",
    ast.While: "while",
    ast.For: "for",
    ast.Return: "return",
    ast.Break: "break",
    ast.Continue: "continue",
    ast.Raise: "raise",
}


def next_line(source: Source, function: str, number: int, branch: bool | None) -> Question:
    """Which line of a function follows one; `branch` is which way a test went."""
    first, shown = _shown(source, function)
    way = [] if branch is None else [TRUE if branch else FALSE]

    def right() -> list[int]:
        following = source.following(number, function)
        if branch is not None:
            begin = source.nodes[number].body[0].lineno  # type: ignore[union-attr]
            following = [begin] if branch else [line for line in following if line != begin]
        if not following:
            return [STOP, END]
        if len(following) > 1:
            raise UnclearError("several lines may follow")
        return [position(following[0] - first), END]

    def read(told: Sequence[int]) -> Outcome:
        if list(told) == [STOP]:
            return Stopped()
        if len(told) != 1 or not P0 <= told[0] < P0 + MOST:
            raise UnclearError("no line")
        return Value(first + told[0] - P0)

    return asked_about("line", [AT, position(number - first), *way], right, read, shown)


@lru_cache(maxsize=1024)
def _shown_text(lines: tuple[tuple[str, int], ...]) -> list[int]:
    found = [IDS["function"]]
    for index, (kind, depth) in enumerate(lines):
        found += (IDS[kind], D0 + depth, position(index))
    return [*found, LAST, position(len(lines))]


def _shown(source: Source, function: str) -> tuple[int, list[int]]:
    definition = source.functions.get(function)
    if definition is None or definition.end_lineno is None:
        raise UnclearError("a function that is not in the program")
    first = definition.lineno
    lines = tuple(_line(source, number) for number in range(first, definition.end_lineno + 1))
    margin = lines[0][1]
    if max(depth for _, depth in lines) - margin > 9:
        raise UnclearError("lines too deep")
    return first, _shown_text(tuple((kind, depth - margin) for kind, depth in lines))


def _line(source: Source, number: int) -> tuple[str, int]:
    """The kind and the indentation of a line."""
    text = source.line(number)
    depth = (len(text) - len(text.lstrip(" "))) // INDENT
    words = text.split(maxsplit=1)
    word = words[0].rstrip(":") if words else ""
    if word in ("else", "elif"):
        return word, depth
    if word in ("try", "except", "finally", "with"):
        raise UnclearError("lines that are guarded")
    node = source.nodes.get(number)
    return ("statement" if node is None else KINDS.get(type(node), "statement")), depth
