"""This file is `for i in range(n)` as a loop with its counter and its end in view."""

import ast
from collections.abc import Sequence

from worldline.rewrite.calls import Calls
from worldline.rewrite.expressions.flat import is_simple
from worldline.rewrite.kinds import Kinds
from worldline.rewrite.uses import Uses


def counted(block: Sequence[ast.stmt], calls: Calls, kinds: Kinds, uses: Uses) -> list[ast.stmt]:
    """The statements of a block, with such loops instead of those over a range that nothing else uses."""
    if calls.use("as_index") is None:
        return list(block)
    found: list[ast.stmt] = []
    for stmt in block:
        match found[-1:], stmt:
            case [ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call)], ast.For(
                target=ast.Name(), iter=ast.Name(id=walked)
            ) if name == walked and name in uses.walked and _is_range(call, kinds):
                found[-1:] = _counting(stmt, call, calls, kinds)
            case _:
                found.append(stmt)
    return found


def _is_range(call: ast.Call, kinds: Kinds) -> bool:
    """Whether a call makes a range whose direction is known."""
    if not (isinstance(call.func, ast.Name) and call.func.id == "range" and "range" not in kinds.shadowed):
        return False
    is_plain = 1 <= len(call.args) <= 3 and not call.keywords and all(map(is_simple, call.args))
    return is_plain and (len(call.args) < 3 or _number(call.args[2]) not in (None, 0))


def _counting(loop: ast.For, call: ast.Call, calls: Calls, kinds: Kinds) -> list[ast.stmt]:
    args: list[ast.expr] = [ast.Constant(0), *call.args] if len(call.args) == 1 else list(call.args)
    step = _number(args[2]) if len(args) == 3 else 1
    assert step is not None
    assert isinstance(loop.target, ast.Name)
    counter = calls.fresh.name(f"next_{loop.target.id}")
    kinds.names[counter] = "int"
    end, before = args[1], [ast.Assign([ast.Name(counter, ast.Store())], _index(args[0], calls, kinds))]
    if not isinstance(end, ast.Constant) or type(end.value) is not int:
        name = calls.fresh.name(f"end_{loop.target.id}")
        before.append(ast.Assign([ast.Name(name, ast.Store())], _index(end, calls, kinds)))
        kinds.names[name] = "int"
        end = ast.Name(name, ast.Load())
    read = ast.Name(counter, ast.Load())
    sign: ast.operator = ast.Add() if step > 0 else ast.Sub()
    on = ast.Assign([ast.Name(counter, ast.Store())], ast.BinOp(read, sign, ast.Constant(abs(step))))
    take = ast.Assign([loop.target], read)
    test = ast.Compare(read, [ast.Lt() if step > 0 else ast.Gt()], [end])
    for new in (*before, take, on):
        ast.copy_location(new, loop)
    return [*before, ast.copy_location(ast.While(test, [take, on, *loop.body], loop.orelse), loop)]


def _index(value: ast.expr, calls: Calls, kinds: Kinds) -> ast.expr:
    used = None if kinds.of(value) == "int" else calls.use("as_index")
    return value if used is None else ast.Call(ast.Name(used, ast.Load()), [value], [])


def _number(value: ast.expr) -> int | None:
    """The int that an operand is, if it is one."""
    match value:
        case ast.Constant(value=int(number)) if type(number) is int:
            return number
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))) if type(number) is int:
            return -number
    return None
