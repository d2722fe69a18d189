"""This file is `int(n ** 0.5)` as a search among whole numbers: the float between is never in view."""

import ast
from collections.abc import Sequence

from worldline.rewrite.calls import Calls
from worldline.rewrite.expressions.flat import is_simple
from worldline.rewrite.uses import Uses


def rooted(block: Sequence[ast.stmt], calls: Calls, uses: Uses) -> list[ast.stmt]:
    """The statements of a block, with such a search where a root is taken for its whole part alone."""
    found: list[ast.stmt] = []
    for stmt in block:
        match found[-1:], stmt:
            case [ast.Assign(targets=[ast.Name(id=name)], value=power)], ast.Assign(
                value=ast.Call(func=ast.Name(id="int"), args=[ast.Name(id=read)])
            ) if name == read and name in uses.whole and _is_root(power):
                used = calls.use("whole_root")
                if used is None:
                    found.append(stmt)
                    continue
                assert isinstance(power, ast.BinOp)
                call = ast.Call(ast.Name(used, ast.Load()), [power.left], [])
                found[-1:] = [ast.copy_location(ast.Assign(stmt.targets, call), stmt)]
            case _:
                found.append(stmt)
    return found


def _is_root(value: ast.expr) -> bool:
    match value:
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=0.5)):
            return is_simple(left)
    return False
