"""This file is three-address form: every statement of a program computes one thing from names and constants.

Kept exactly: the order of evaluation, what is evaluated only under a condition or later, scopes, and
exceptions with their messages. Not kept:
- how long an object lives (a fresh name holds it until it is bound again), and the frames and line numbers
  of tracebacks;
- what `python -O` removes;
- how often `bool` and `iter` are asked of classes that are not the program's own, where that can be seen;
- when the keys of a dictionary or set of more than 15 items are hashed: Python does so in groups.
"""

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from worldline.rewrite.expressions.definitions import class_body
from worldline.rewrite.expressions.facts import Facts, facts_of
from worldline.rewrite.expressions.flat import is_flat
from worldline.rewrite.expressions.kinds import kinds_in
from worldline.rewrite.expressions.lowerings import TABLES
from worldline.rewrite.expressions.names import Fresh
from worldline.rewrite.expressions.scopes import Scope, peeks
from worldline.rewrite.expressions.writer import Writer
from worldline.rewrite.model import Left

DEEP = 200_000  # frames: a sum of thousands of terms is as many levels deep
AT_TOP = "the program lists its global names, and a fresh name would be one"


@dataclass(frozen=True)
class Flat:
    """A program in three-address form."""

    tree: ast.Module  # each statement has the line of the original statement it comes from
    left: tuple[Left, ...]  # what was left as it was


def three_address(tree: ast.Module, fresh: Fresh) -> Flat:
    """Rewrite a program so that each statement computes one thing; `tree` itself is not changed."""
    with _deep_recursion():
        facts = facts_of(tree)
        rebound = facts.anywhere | facts.globals
        kinds = kinds_in(tree.body, facts.globals, rebound)
        scope = Scope(local=frozenset(), safe=facts.ready, kinds={} if facts.is_dynamic else kinds)
        w = Writer(facts, fresh, TABLES, scope)
        if _lists_globals(tree, facts):
            w.out = class_body(w, tree.body, "", AT_TOP)
        else:
            w.statements(tree.body)
        body = [*w.out]
        body[_start(body) : _start(body)] = _imports(w)
        module = ast.Module(body, tree.type_ignores)
        _fill_locations(module)
    return Flat(module, tuple(sorted(w.left, key=lambda left: left.line)))


def _lists_globals(tree: ast.Module, facts: Facts) -> bool:
    """Whether the program can see all of its global names."""
    if "globals" not in facts.anywhere and any(
        isinstance(node, ast.Name) and node.id == "globals" for node in ast.walk(tree)
    ):
        return True
    return peeks(tree.body, facts.anywhere) not in ("", "eval", "exec")


def _start(body: list[ast.stmt]) -> int:
    """Where the first statement may go: after the docstring and what `__future__` needs."""
    place = 0
    for stmt in body:
        is_text = isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Constant) and place == 0
        if not is_text and not (isinstance(stmt, ast.ImportFrom) and stmt.module == "__future__"):
            break
        place += 1
    return place


def _imports(w: Writer) -> list[ast.stmt]:
    """Built-in functions whose names the program uses for something else."""
    names = [ast.alias(name, other) for name, other in sorted(w.imports.items())]
    made = ast.ImportFrom("builtins", names, 0)
    made.lineno = made.end_lineno = 1
    made.col_offset = made.end_col_offset = 0
    return [made] if names else []


def _fill_locations(module: ast.Module) -> None:
    """Give what was made new the place of the statement it is in."""
    stack: list[tuple[ast.AST, int]] = [(module, 1)]
    while stack:
        node, line = stack.pop()
        if isinstance(
            node, ast.expr | ast.stmt | ast.excepthandler | ast.pattern | ast.keyword | ast.arg | ast.alias
        ):
            if getattr(node, "lineno", None) is None:
                node.lineno = node.end_lineno = line
                node.col_offset = node.end_col_offset = 0
            line = node.lineno
        stack.extend((child, line) for child in ast.iter_child_nodes(node))


@contextmanager
def _deep_recursion() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, DEEP))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


__all__ = ["Flat", "Fresh", "Left", "is_flat", "three_address"]
