"""This file spells out stars: `[*a, b]`, `{**a}`, `a, *b = values`, as loops over what they walk through."""

import ast
from collections.abc import Collection, Sequence

from worldline.rewrite.calls import Calls


def without_stars(stmt: ast.Assign, calls: Calls, shadowed: Collection[str]) -> list[ast.stmt] | None:
    """What stands for an assignment with stars; None: it has none, or there is no microcode that works."""
    made: list[ast.stmt] | None = None
    match stmt:
        case ast.Assign(targets=[ast.Tuple(elts=[*parts]) | ast.List(elts=[*parts])]) if _has_star(parts):
            made = _unpacked(parts, stmt.value, calls)
        case ast.Assign(value=ast.List(elts=[*parts])) if _has_star(parts):
            made = _listed(parts, stmt.targets, calls)
        case ast.Assign(value=ast.Tuple(elts=[*parts])) if _has_star(parts):
            made = None if "tuple" in shadowed else _listed(parts, stmt.targets, calls, "tuple")
        case ast.Assign(value=ast.Dict(keys=[*keys], values=values)) if None in keys:
            made = _merged(keys, values, stmt.targets, calls)
        case ast.Assign(value=ast.Set(elts=[*parts])) if _has_star(parts):
            calls.leave(stmt, ast.unparse(stmt.value), "there is no microcode for it")
            return None
        case _:
            return None
    if made is None:
        calls.leave(stmt, ast.unparse(stmt), "the program gives a built-in name another meaning")
    return made


def _has_star(parts: Sequence[ast.expr]) -> bool:
    return any(isinstance(part, ast.Starred) for part in parts)


def _unpacked(names: Sequence[ast.expr], value: ast.expr, calls: Calls) -> list[ast.stmt] | None:
    if (used := calls.use("star_unpacked")) is None:
        return None
    (at,) = (at for at, name in enumerate(names) if isinstance(name, ast.Starred))
    counts = (ast.Constant(at), ast.Constant(len(names) - at - 1))
    taken = calls.fresh.name("t")
    plain = [name.value if isinstance(name, ast.Starred) else name for name in names]
    return [
        _assigned(taken, ast.Call(ast.Name(used, ast.Load()), [value, *counts], [])),
        ast.Assign([ast.Tuple(plain, ast.Store())], ast.Name(taken, ast.Load())),
    ]


def _listed(
    parts: Sequence[ast.expr], targets: list[ast.expr], calls: Calls, made: str = ""
) -> list[ast.stmt] | None:
    star, extend = calls.use("star_items"), calls.use("list_extend")
    if star is None or extend is None:
        return None
    items = calls.fresh.name("t")
    found: list[ast.stmt] = [_assigned(items, ast.List([], ast.Load()))]
    for part in parts:
        if isinstance(part, ast.Starred):
            found += _walked(star, part.value, extend, items, calls)
        else:
            append = ast.Attribute(ast.Name(items, ast.Load()), "append", ast.Load())
            found.append(ast.Expr(ast.Call(append, [part], [])))
    whole: ast.expr = ast.Name(items, ast.Load())
    return [*found, ast.Assign(targets, ast.Call(ast.Name(made, ast.Load()), [whole], []) if made else whole)]


def _merged(
    keys: Sequence[ast.expr | None], values: Sequence[ast.expr], targets: list[ast.expr], calls: Calls
) -> list[ast.stmt] | None:
    star, update = calls.use("star_table"), calls.use("update_from_dict")
    if star is None or update is None:
        return None
    table = calls.fresh.name("t")
    found: list[ast.stmt] = [_assigned(table, ast.Dict([], []))]
    for key, value in zip(keys, values, strict=True):
        if key is None:
            found += _walked(star, value, update, table, calls)
        else:
            found.append(ast.Assign([ast.Subscript(ast.Name(table, ast.Load()), key, ast.Store())], value))
    return [*found, ast.Assign(targets, ast.Name(table, ast.Load()))]


def _walked(star: str, part: ast.expr, put: str, into: str, calls: Calls) -> list[ast.stmt]:
    """What a star gives, put into what is made."""
    given = calls.fresh.name("t")
    operands: list[ast.expr] = [ast.Name(into, ast.Load()), ast.Name(given, ast.Load())]
    return [
        _assigned(given, ast.Call(ast.Name(star, ast.Load()), [part], [])),
        ast.Expr(ast.Call(ast.Name(put, ast.Load()), operands, [])),
    ]


def _assigned(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)
