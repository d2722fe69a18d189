"""This file is f-strings as microcode: each value as text, then all of them joined."""

import ast

from worldline.rewrite.calls import Calls
from worldline.rewrite.expressions.flat import is_simple
from worldline.rewrite.kinds import Kinds


def joined(stmt: ast.Assign, text: ast.JoinedStr, calls: Calls, kinds: Kinds) -> list[ast.stmt]:
    """An f-string: each value as text, then all of them joined."""
    before: list[ast.stmt] = []
    parts: list[ast.expr] = []
    for part in text.values:
        made = _part(part, stmt, calls, kinds)
        if made is None:
            return [stmt]
        if not is_simple(made):
            name = calls.fresh.name("t")
            before.append(ast.Assign([ast.Name(name, ast.Store())], made))
            made = ast.Name(name, ast.Load())
        parts.append(made)
    if len(parts) == 1 and before:
        stmt.value = before.pop().value  # type: ignore[attr-defined]
        return [stmt]
    joined = calls.use("str_join")
    if joined is None or not parts:
        return [stmt]
    name = calls.fresh.name("t")
    before.append(ast.Assign([ast.Name(name, ast.Store())], ast.List(parts, ast.Load())))
    stmt.value = ast.Call(ast.Name(joined, ast.Load()), [ast.Constant(""), ast.Name(name, ast.Load())], [])
    return [*before, stmt]


def _part(part: ast.expr, stmt: ast.stmt, calls: Calls, kinds: Kinds) -> ast.expr | None:
    match part:
        case ast.Constant():
            return part
        case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
            return value if kinds.of(value) == "str" else _function("text_format", [value], stmt, calls)
        case ast.FormattedValue(value=value, conversion=115, format_spec=None):
            return _function("builtin_str", [value], stmt, calls)
        case ast.FormattedValue(value=value, conversion=114, format_spec=None):
            return _function("builtin_repr", [value], stmt, calls)
        case ast.FormattedValue(
            value=value, conversion=-1, format_spec=ast.JoinedStr(values=[ast.Constant() as spec])
        ):
            return _function("format_value", [value, spec], stmt, calls)
    calls.leave(stmt, ast.unparse(ast.JoinedStr([part])), "there is no microcode for this format")
    return None


def _function(name: str, args: list[ast.expr], stmt: ast.stmt, calls: Calls) -> ast.expr | None:
    used = calls.use(name)
    if used is None:
        calls.leave(stmt, name, "the program gives a built-in name another meaning")
        return None
    return ast.Call(ast.Name(used, ast.Load()), args, [])
