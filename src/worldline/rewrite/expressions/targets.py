"""This file is storing a value: into a name, an attribute, an item, or several of them at once."""

import ast
from collections.abc import Sequence

from worldline.rewrite.expressions.flat import is_simple
from worldline.rewrite.expressions.operands import item
from worldline.rewrite.expressions.scopes import parts_of
from worldline.rewrite.expressions.writer import Writer

Several = ast.Tuple | ast.List


def store(w: Writer, target: ast.expr, value: ast.expr) -> None:
    """Store an operand; what the target computes, it computes now."""
    if isinstance(target, ast.Name):
        name = w.renames.get(target.id, target.id)
        w.emit(ast.Assign([ast.Name(name, ast.Store())], value))
        w.bind(target.id)
    elif isinstance(target, ast.Tuple | ast.List):
        _unpack(w, target, value)
    else:
        w.emit(ast.Assign([place(w, target, ast.Store())], value))


def place(w: Writer, target: ast.expr, context: ast.Store | ast.Del) -> ast.expr:
    """An attribute or an item on operands."""
    if isinstance(target, ast.Subscript):
        value, index = item(w, target)
        return ast.Subscript(value, index, context)
    assert isinstance(target, ast.Attribute)
    return ast.Attribute(w.operand(target.value), target.attr, context)


def _unpack(w: Writer, target: Several, value: ast.expr) -> None:
    """Take a value apart; parts that are no names, and those after them, are stored one after the other."""
    parts: list[ast.expr] = []
    waiting: list[tuple[ast.expr, str]] = []
    for part in target.elts:
        inner = part.value if isinstance(part, ast.Starred) else part
        if isinstance(inner, ast.Name) and not waiting:
            name = w.renames.get(inner.id, inner.id)
            w.bind(inner.id)
        else:
            name = w.fresh.name()
            waiting.append((inner, name))
        made: ast.expr = ast.Name(name, ast.Store())
        parts.append(ast.Starred(made, ast.Store()) if isinstance(part, ast.Starred) else made)
    kind = ast.Tuple if parts else type(target)
    w.emit(ast.Assign([kind(parts, ast.Store())], value))
    for inner, name in waiting:
        store(w, inner, ast.Name(name, ast.Load()))


def assign(w: Writer, targets: Sequence[ast.expr], value: ast.expr) -> None:
    """An assignment, perhaps to several targets."""
    if len(targets) == 1 and isinstance(targets[0], ast.Name):
        w.into(targets[0].id, value)
        return
    if len(targets) == 1 and _is_matched(targets[0], value):
        assert isinstance(targets[0], Several)
        assert isinstance(value, Several)
        _assign_each(w, targets[0].elts, value.elts)
        return
    operand = w.operand(value)
    if isinstance(operand, ast.Name) and _may_change(w, operand.id, targets):
        operand = w.keep(operand)
    for target in targets:
        store(w, target, operand)


def _may_change(w: Writer, name: str, targets: Sequence[ast.expr]) -> bool:
    """Whether storing into the targets could change a name before the last of them is reached."""
    parts = [part for target in targets for part in parts_of(target)]
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    rebinds = any(name in w.facts.rebinds.get(id(part), ()) for part in parts)
    only_one = len(targets) == 1
    if only_one and isinstance(targets[0], ast.Tuple | ast.List):
        return False  # taken apart at once
    active = any(not isinstance(part, ast.Name) for part in parts)
    if only_one:
        return rebinds or (active and (w.is_volatile(name) or not w.is_bound(name)) and _computes(targets[0]))
    return name in names or rebinds or (active and w.is_volatile(name)) or not w.is_bound(name)


def _computes(target: ast.expr) -> bool:
    """Whether a place needs statements before something can be stored there."""
    if isinstance(target, ast.Attribute):
        return not is_simple(target.value)
    return isinstance(target, ast.Subscript) and not (is_simple(target.value) and is_simple(target.slice))


def _is_matched(target: ast.expr, value: ast.expr) -> bool:
    """Whether both sides of an assignment are written out, part by part."""
    if not (isinstance(target, Several) and isinstance(value, Several)):
        return False
    parts = (*target.elts, *value.elts)
    return len(target.elts) == len(value.elts) > 0 and not any(
        isinstance(part, ast.Starred) for part in parts
    )


def _assign_each(w: Writer, targets: Sequence[ast.expr], values: Sequence[ast.expr]) -> None:
    """`a, b = b, a`: all values first, then one store after the other."""
    operands: list[ast.expr] = []
    for at, value in enumerate(values):
        operand = w.held(w.operand(value), values[at + 1 :])
        if isinstance(operand, ast.Name) and _overtaken(w, operand.id, targets[: at + 1], values[at + 1 :]):
            operand = w.keep(operand)
        operands.append(operand)
    for target, operand in zip(targets, operands, strict=True):
        store(w, target, operand)


def _overtaken(w: Writer, name: str, targets: Sequence[ast.expr], later: Sequence[ast.expr]) -> bool:
    """Whether the stores before the last one, its own, could change a name or come before its NameError."""
    if name in w.fresh.given:
        return False
    before = targets if _computes(targets[-1]) else targets[:-1]
    parts = [part for target in before for part in parts_of(target)]
    if any(isinstance(part, ast.Name) and part.id == name for part in parts):
        return True
    if not w.is_bound(name):
        return bool(before or later)
    active = any(not isinstance(part, ast.Name) for part in parts) or any(
        isinstance(target, ast.Tuple | ast.List) for target in before
    )
    rebinds = any(name in w.facts.rebinds.get(id(part), ()) for part in parts)
    return rebinds or (active and w.is_volatile(name))
