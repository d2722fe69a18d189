"""This file is the question which line comes next, which the network is asked where actions are free.

The function is shown as a container of its lines, each by its kind and its indentation, before its position:
where the lines of a branch end is for the network to find out. (With grounded actions nobody asks: which
lines may follow is known, and the answer to the statement says which of them it is.)
"""

import ast
from collections.abc import Sequence
from functools import lru_cache

from worldline.models.embedded.outcomes import Outcome, Stopped, Value
from worldline.models.embedded.program import Node, Source, source
from worldline.models.embedded.prompts import UnclearError, position
from worldline.models.embedded.questions import STOP, Question, asked_about
from worldline.models.embedded.vocabulary import D0, END, FALSE, IDS, LAST, MOST, P0, TRUE

AT = IDS["at"]
INDENT = 4
LONGEST = 90  # lines of a function
DEEPEST = 8
KINDS: dict[type[ast.AST], str] = {
    ast.If: "if",
    ast.While: "while",
    ast.For: "for",
    ast.Return: "return",
    ast.Break: "break",
    ast.Continue: "continue",
    ast.Raise: "raise",
    ast.FunctionDef: "function",
}
NOTHING = ("none", 0)  # a line without a statement: blank, a comment, a docstring


def next_line(read: Source, function: str, number: int, branch: bool | None) -> Question:
    """Which line of a function follows one; `branch` is which way a test went."""
    first, shown = _shown(read.text, function)
    way = [] if branch is None else [TRUE if branch else FALSE]

    def right() -> list[int]:
        following = read.following(number, function)
        if branch is not None:
            begin = read.nodes[number].body[0].lineno  # type: ignore[union-attr]
            following = [begin] if branch else [line for line in following if line != begin]
        if not following:
            return [STOP, END]
        if len(following) > 1:
            raise UnclearError("several lines may follow")
        return [position(following[0] - first), END]

    def line_of(told: Sequence[int]) -> Outcome:
        if list(told) == [STOP]:
            return Stopped()
        if len(told) != 1 or not P0 <= told[0] < P0 + MOST:
            raise UnclearError("no line")
        return Value(first + told[0] - P0)

    return asked_about("line", [AT, position(number - first), *way], right, line_of, shown)


@lru_cache(maxsize=1024)
def _shown(text: str, function: str) -> tuple[int, list[int]]:
    """The line that a function begins with, and the tokens of its lines."""
    read = source(text)
    definition = read.functions.get(function)
    if definition is None or definition.end_lineno is None:
        raise UnclearError("a function that is not in the program")
    first, last = definition.lineno, definition.end_lineno
    texts = {line for node in read.nodes.values() if _is_text(node) for line in _span(node)}
    lines = [NOTHING if number in texts else _line(read, number) for number in range(first, last + 1)]
    if len(lines) > LONGEST:
        raise UnclearError("a function of many lines")
    margin = lines[0][1]
    if max(depth for _, depth in lines) - margin > DEEPEST:
        raise UnclearError("lines too deep")
    found = [IDS["function"]]
    for index, (kind, depth) in enumerate(lines):
        found += (IDS[kind], D0 + max(0, depth - margin), position(index))
    return first, [*found, LAST, position(len(lines))]


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _span(node: Node) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _line(read: Source, number: int) -> tuple[str, int]:
    """The kind and the indentation of a line."""
    text = read.line(number)
    depth = (len(text) - len(text.lstrip(" "))) // INDENT
    node = read.nodes.get(number)
    if text.lstrip().startswith("else:"):
        return "else", depth
    if text.strip() in ("try:", "finally:") or isinstance(node, ast.Try | ast.ExceptHandler | ast.With):
        raise UnclearError("lines that are guarded")
    if node is None:
        return NOTHING
    if not hasattr(node, "body") and node.end_lineno != node.lineno:
        raise UnclearError("a statement of several lines")
    if isinstance(node, ast.If) and text.lstrip().startswith("elif"):
        return "elif", depth
    return KINDS.get(type(node), "statement"), depth
