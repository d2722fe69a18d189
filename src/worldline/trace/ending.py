"""This file is how an execution ends, read off its steps and its text: of a prediction nothing else is known.

The entry's last step is not always the last of all: generators that wait are closed after it. It returns None
also when an exception passes out of it, so the exception is followed from where it comes up: to the handler
that takes it, through every `finally` and `with` on its way.

What steps do not tell: whether a `with` and its body on one line, or a handler on one line for an exception
that is not Python's own, has taken it. The first is taken for no, the second for yes. Jumps out of several
`finally` blocks in each other are not all followed (7 of 1,000 programs made of little else).
"""

import ast
import builtins
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from worldline.trace.model import Ending, Step
from worldline.trace.value import raised


def ending_of(steps: Sequence[Step], source: str = "") -> Ending:
    """What the entry returns, or what is raised out of it.

    Args:
        steps: of the whole execution.
        source: the program's text. Without it an exception is seen only if nothing looked at it on its way.
    """
    if not steps:
        return Ending("returned")
    at = _last_of_entry(steps)
    last = steps[at]
    if last.event == "exception":
        return Ending("raised", raised(last.value or ""))
    passing = None
    if last.value == "None":
        entry = [each for each in steps[: at + 1] if each.frame == steps[0].frame]
        passing = _passing(entry, source)
    return Ending("returned", last.value) if passing is None else Ending("raised", _text(passing))


def _last_of_entry(steps: Sequence[Step]) -> int:
    entry = steps[0].frame
    last = next(at for at in range(len(steps) - 1, -1, -1) if steps[at].frame == entry)
    return last if steps[last].event in ("return", "exception") else len(steps) - 1


def _text(exception: Step) -> str:
    return raised(exception.value or "")


def _passing(entry: Sequence[Step], source: str) -> Step | None:
    """The exception that is on its way when the entry ends, if one is."""
    if not any(each.event == "exception" for each in entry):
        return None
    tree = _parsed(source)
    if tree is None:
        before, last = entry[-2], entry[-1]
        return before if (before.event, before.line) == ("exception", last.line) else None
    way = _Way(_Text(tree))
    for before, step in pairwise(entry):
        way.take(before, step)
    return way.out(entry[-2], entry[-1].line)


Held = tuple[Step, int, int]
"""An exception, and the lines where it is held: of a handler that has taken it, of a `finally`."""


@dataclass(slots=True)
class _Way:
    """The exceptions of one function on their way."""

    text: "_Text"
    flying: Step | None = None
    suspended: list[Held] = field(default_factory=list)  # by a `finally`, at whose end they go on
    handled: list[Held] = field(default_factory=list)  # by a handler, which may raise them again
    last: ast.stmt | None = None  # the end of a `with` is none

    def take(self, before: Step, step: Step) -> None:
        """One step further."""
        found = self.text.statements.get(step.line)
        if step.event == "exception":
            is_end = isinstance(found, ast.For) and "StopIteration" in _text(step)
            self.flying = None if is_end else step
        elif step.event == "line":
            if isinstance(self.last, ast.Return) and self.flying is None:
                self.suspended.clear()
            self.leave(step.line)
            if self.flying is not None:
                self.land(self.flying, before.line, step.line)
            if not self.text.is_end_of_with(step.line, before.line):
                self.last = found
            if isinstance(found, ast.Raise) and found.exc is None and self.handled:
                self.flying = self.handled[-1][0]

    def leave(self, line: int) -> None:
        """A line outside of a `finally`: what it held goes on, unless a jump has ended that."""
        self.handled = [each for each in self.handled if each[1] <= line <= each[2]]
        while self.suspended and not self.suspended[-1][1] <= line <= self.suspended[-1][2]:
            held = self.suspended.pop()[0]
            if self.flying is None and not isinstance(self.last, _JUMPS):
                self.flying = held

    def land(self, flying: Step, before: int, line: int) -> None:
        """Where an exception comes to: a handler looks at it or takes it, a `finally` runs, a `with` ends.

        A line that is none of these is of the cleaning up, unless a `with` has taken the exception.
        """
        if self.text.is_looked_at(flying, line) or self.text.is_end_of_with(line, flying.line):
            return
        inside = [each for each in self.text.blocks if each.first <= line <= each.last]
        others = [each for each in inside if not each.first <= flying.line <= each.last]
        if others:
            block = min(others, key=lambda each: each.last - each.first)
            (self.suspended if block.is_final else self.handled).append((flying, block.first, block.last))
        if others or self.text.is_end_of_with(before, flying.line):
            self.flying = None

    def out(self, before: Step, line: int) -> Step | None:
        """What passes out of the function, whose last step was this, and which is left from this line."""
        if self.flying is not None:
            is_after_with = self.text.is_end_of_with(before.line, self.flying.line)
            if not is_after_with or before.line != line:  # else it was taken: it is left from where that was
                return self.flying
        return self.suspended[-1][0] if self.suspended and not isinstance(self.last, _JUMPS) else None


_JUMPS = (ast.Break, ast.Continue, ast.Return)


class _Block(NamedTuple):
    """Lines of a handler, or of a `finally`."""

    first: int
    last: int
    is_final: bool


class _Text:
    """A program's text: what begins on a line, its handlers, its blocks."""

    def __init__(self, tree: ast.Module) -> None:
        self.statements: dict[int, ast.stmt] = {}
        self.handlers: list[ast.ExceptHandler] = []
        self.blocks: list[_Block] = []
        for node in ast.walk(tree):
            if isinstance(node, ast.stmt):
                self.statements.setdefault(node.lineno, node)
            if isinstance(node, ast.ExceptHandler):
                self.handlers.append(node)
                self._add(node.body, False)
            if isinstance(node, ast.Try | ast.TryStar) and node.finalbody:
                self._add(node.finalbody, True)

    def _add(self, body: list[ast.stmt], is_final: bool) -> None:
        self.blocks.append(_Block(body[0].lineno, body[-1].end_lineno or body[-1].lineno, is_final))

    def is_end_of_with(self, line: int, before: int) -> bool:
        """Whether a line is that of a `with` that another line is inside of."""
        found = self.statements.get(line)
        if not isinstance(found, ast.With | ast.AsyncWith) or found.body[0].lineno == line:
            return False
        return found.body[0].lineno <= before <= (found.end_lineno or before)

    def is_looked_at(self, flying: Step, line: int) -> bool:
        """Whether a line is that of a handler, which does not take the exception there."""
        for each in self.handlers:
            body = each.body[0].lineno
            if each.lineno <= line < body or (each.lineno == line == body and not _may_take(each, flying)):
                return True
        return False


def _may_take(handler: ast.ExceptHandler, flying: Step) -> bool:
    """Whether a handler takes an exception, by their names among Python's own; yes if that is not known."""
    kind = getattr(builtins, _text(flying).partition("(")[0], None)
    named = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    kinds = [getattr(builtins, each.id, None) if isinstance(each, ast.Name) else None for each in named]
    known = [each for each in kinds if isinstance(each, type)]
    if not isinstance(kind, type) or len(known) < len(kinds):
        return True
    return issubclass(kind, tuple(known))


def _parsed(source: str) -> ast.Module | None:
    try:
        return ast.parse(source) if source else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
