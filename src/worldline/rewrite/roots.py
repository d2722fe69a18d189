"""This file is `int(n ** 0.5)` as a search among whole numbers: the float between is never in view."""

import ast
from collections.abc import Sequence

from worldline.rewrite.calls import Calls
from worldline.rewrite.expressions.flat import is_simple
from worldline.rewrite.uses import Uses


def rooted(block: Sequence[ast.stmt], calls: Calls, uses: Uses) -> list[ast.stmt]:
    """The statements of a block, with such a search where a root is taken for its whole part alone.

    A root that the program itself gives a name stays: it is for the reader, and others may read it.
    """
    found: list[ast.stmt] = []
    for stmt in block:
        match found[-1:], stmt:
            case [ast.Assign(targets=[ast.Name(id=name)], value=power)], ast.Assign(
                value=ast.Call(func=ast.Name(id="int"), args=[ast.Name(id=read)])
            ) if name == read and name in uses.whole & calls.fresh.given and (used := _used(power, calls)):
                assert isinstance(power, ast.BinOp)
                call = ast.Call(ast.Name(used, ast.Load()), [power.left], [])
                found[-1:] = [ast.copy_location(ast.Assign(stmt.targets, call), stmt)]
            case _:
                found.append(stmt)
    return found


def _used(value: ast.expr, calls: Calls) -> str | None:
    """The name of the search, if a value is a root and there may be one."""
    match value:
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=0.5)) if is_simple(left):
            return calls.use("whole_root")
    return None
