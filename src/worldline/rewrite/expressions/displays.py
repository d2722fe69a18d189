"""This file is displays: lists, tuples, sets and dictionaries written out, stars in their order."""

import ast
from collections.abc import Sequence

from worldline.rewrite.expressions.writer import Writer


def elements(w: Writer, nodes: Sequence[ast.expr], later: Sequence[ast.expr] = ()) -> list[ast.expr]:
    """Elements of a list, a tuple or a call; a starred one is taken apart before later ones are computed."""
    everything = [*nodes, *later]
    last = w.last_active(everything)
    found: list[ast.expr] = []
    for place, node in enumerate(nodes):
        if not isinstance(node, ast.Starred):
            value = w.operand(node)
            if isinstance(value, ast.Name) and place < last:
                value = w.held(value, everything[place + 1 : last + 1])
            found.append(value)
            continue
        value = w.operand(node.value)
        if place < last:
            value = w.keep(ast.List([ast.Starred(value, ast.Load())], ast.Load()))
        found.append(ast.Starred(value, ast.Load()))
    return found


def lower_list(w: Writer, node: ast.List) -> ast.expr:
    """`[a, b]`."""
    return ast.List(elements(w, node.elts), ast.Load())


def lower_tuple(w: Writer, node: ast.Tuple) -> ast.expr:
    """`(a, b)`."""
    return ast.Tuple(elements(w, node.elts), ast.Load())


def lower_set(w: Writer, node: ast.Set) -> ast.expr:
    """`{a, b}`; from the first star on, each element is hashed before the next is computed."""
    last = w.last_active(node.elts)
    if last < 0 or not any(isinstance(part, ast.Starred) for part in node.elts):
        return ast.Set(elements(w, node.elts))
    parts: list[ast.expr] = []
    has_star = False
    for place, part in enumerate(node.elts):
        after = node.elts[place + 1 : last + 1]
        if isinstance(part, ast.Starred):
            if parts and not has_star and place <= last:
                parts = _so_far(w, parts)
            has_star = True
            parts.append(ast.Starred(w.operand(part.value), ast.Load()))
        else:
            parts.append(w.held(w.operand(part), after))
        if has_star and place < last:
            parts = _so_far(w, parts)
    return ast.Set(parts)


def _so_far(w: Writer, parts: list[ast.expr]) -> list[ast.expr]:
    return [ast.Starred(w.keep(ast.Set(parts), "set"), ast.Load())]


def lower_dict(w: Writer, node: ast.Dict) -> ast.expr:
    """`{a: b}`; a mapping after `**` is read before later items are computed."""
    flat = [part for pair in zip(node.keys, node.values, strict=True) for part in pair if part is not None]
    last = w.last_active(flat)
    splits = last >= 0 and None in node.keys
    keys: list[ast.expr | None] = []
    values: list[ast.expr] = []
    place = 0
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None and splits and keys and place <= last:
            keys, values = _read(w, keys, values)
        if key is not None:
            keys.append(w.held(w.operand(key), flat[place + 1 : last + 1]))
            place += 1
        else:
            keys.append(None)
        operand = w.operand(value)
        values.append(operand if key is None and splits else w.held(operand, flat[place + 1 : last + 1]))
        place += 1
        if key is None and splits and place <= last:
            keys, values = _read(w, keys, values)
    return ast.Dict(keys, values)


def _read(
    w: Writer, keys: list[ast.expr | None], values: list[ast.expr]
) -> tuple[list[ast.expr | None], list[ast.expr]]:
    """What stands in the dictionary up to here."""
    return [None], [w.keep(ast.Dict(keys, values), "dict")]
