"""This file is a rewritten tree as text, with the line of the original for each of its lines."""

import ast
from collections.abc import Iterator, Sequence

from worldline.errors import UserError
from worldline.record.entry import MARKER

FUTURE = "__future__"


def emit(tree: ast.Module, library: str, marked: str | None) -> tuple[str, tuple[int, ...]]:
    """The text of a program and the original line of each line; 0: a line of the library.

    Args:
        tree: each of its statements has the line of the original that it comes from.
        library: functions that are put before the program (behind its docstring and `__future__` imports).
        marked: the function whose `def` line carries the marker of its entry.
    """
    ast.fix_missing_locations(tree)
    try:
        text = ast.unparse(tree) + "\n"
    except ValueError as error:
        raise UserError(
            f"the program cannot be written out: {error}", "leave it as it is: --rewrite none"
        ) from None
    again = ast.parse(text)
    lines = [0] * text.count("\n")
    for old, new in zip(_statements(tree), _statements(again), strict=True):
        for line in range(_first_line(new), header_end(new) + 1):
            lines[line - 1] = old.lineno
    for at in range(1, len(lines)):  # `else:` and the like belong to what stands before them
        lines[at] = lines[at] or lines[at - 1]
    if marked is not None:
        text = _with_marker(text, again, marked)
    at = _opening(again.body)
    place = (again.body[at - 1].end_lineno or 0) if at else 0
    written = text.split("\n")
    added = library.split("\n") if library else []
    text = "\n".join([*written[:place], *added, *written[place:]])
    return text, (*lines[:place], *[0] * len(added), *lines[place:])


def _opening(body: Sequence[ast.stmt]) -> int:
    """How many statements have to stay at the top."""
    at = 0
    for stmt in body:
        is_text = at == 0 and isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Constant)
        if not is_text and not (isinstance(stmt, ast.ImportFrom) and stmt.module == FUTURE):
            break
        at += 1
    return at


def _statements(tree: ast.AST) -> Iterator[ast.stmt]:
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            yield node


def _first_line(stmt: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(stmt, "decorator_list", [])
    return min([stmt.lineno, *(decorator.lineno for decorator in decorators)])


def header_end(stmt: ast.stmt) -> int:
    """The last line of a statement without its blocks."""
    inside = [child.lineno for child in ast.iter_child_nodes(stmt) if isinstance(child, ast.stmt)]
    end = stmt.end_lineno or stmt.lineno
    return max(stmt.lineno, min(inside) - 1) if inside else end


def _with_marker(text: str, tree: ast.Module, name: str) -> str:
    lines = text.split("\n")
    for stmt in tree.body:
        if isinstance(stmt, ast.FunctionDef) and stmt.name == name:
            lines[stmt.lineno - 1] += f" {MARKER}"
            break
    return "\n".join(lines)
