"""This file is how an execution ends, read off its steps and its text: of a prediction nothing else is known.

The entry's last step is not always the last of all: generators that wait are closed after it.
"""

import ast
from collections.abc import Sequence

from worldline.trace.model import Ending, Step
from worldline.trace.value import raised


def ending_of(steps: Sequence[Step], source: str = "") -> Ending:
    """What the entry returns, or what is raised out of it: None is then returned, too.

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
    passing = _passing(_of_entry(steps[:at]), last, source) if last.value == "None" else None
    return (
        Ending("returned", last.value) if passing is None else Ending("raised", raised(passing.value or ""))
    )


def _last_of_entry(steps: Sequence[Step]) -> int:
    """Where the activation of the first step ends; the last step, if it does not."""
    entry = steps[0].frame
    last = next(at for at in range(len(steps) - 1, -1, -1) if steps[at].frame == entry)
    return last if steps[last].event in ("return", "exception") else len(steps) - 1


def _of_entry(steps: Sequence[Step]) -> list[Step]:
    return [each for each in steps if each.frame == steps[0].frame]


def _passing(before: Sequence[Step], last: Step, source: str) -> Step | None:
    """The exception that passes out of the entry with its last step, if one does."""
    if not before:
        return None
    if (before[-1].event, before[-1].line) == ("exception", last.line):
        return before[-1]
    found = [each for each in before if each.event == "exception"]
    tree = _parsed(source) if found and before[-1].line == last.line else None
    if tree is None:
        return None
    statement = _statement(tree, last.line)
    if isinstance(statement, ast.ExceptHandler):  # it did not take it; else a line of its body would follow
        return found[-1] if statement.body[0].lineno != last.line else None
    is_again = isinstance(statement, ast.Raise) and statement.exc is None
    is_out = is_again or (not isinstance(statement, ast.Return) and _is_cleaning_up(tree, before, last.line))
    return found[-1] if is_out else None


def _is_cleaning_up(tree: ast.AST, before: Sequence[Step], line: int) -> bool:
    """Whether the last steps are those of a `finally` that was come to by an exception."""
    for each in ast.walk(tree):
        if isinstance(each, ast.Try | ast.TryStar) and each.finalbody:
            first, end = each.finalbody[0].lineno, each.finalbody[-1].end_lineno or line
            if first <= line <= end:
                others = [step for step in before if not (step.event == "line" and first <= step.line <= end)]
                return bool(others) and others[-1].event == "exception"
    return False


def _statement(tree: ast.AST, line: int) -> ast.AST | None:
    """The statement or the handler that begins on a line."""
    found = (each for each in ast.walk(tree) if isinstance(each, ast.stmt | ast.ExceptHandler))
    return next((each for each in found if each.lineno == line), None)


def _parsed(source: str) -> ast.AST | None:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
