"""This file is what an answer does to the state: names are bound, containers edited, branches taken."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from worldline.models.embedded.objects import Walk
from worldline.models.embedded.outcomes import (
    Edited,
    Made,
    Outcome,
    Raised,
    Removed,
    Stopped,
    Value,
    Values,
)
from worldline.models.embedded.prompts import KINDS, UnclearError
from worldline.models.embedded.words import MISSING, literal


@dataclass(frozen=True, slots=True)
class Effect:
    """What a statement has done, besides editing containers in place."""

    bound: Mapping[str, Any] = field(default_factory=dict)  # names, with their new values
    value: Any = MISSING  # of a test, a return, a yield
    is_raised: bool = False
    is_stopped: bool = False  # a loop that is over
    cut: Any = None  # a dict or a set that a key was taken from


def apply(statement: ast.stmt, outcome: Outcome, values: Mapping[str, Any]) -> Effect:
    """Carry out what an answer says. Containers among the values are changed in place."""
    match outcome:
        case Raised():
            return Effect(is_raised=True)
        case Stopped():
            return Effect(is_stopped=True)
        case Values(values=found):
            targets = statement.targets[0].elts  # type: ignore[attr-defined]
            if len(found) != len(targets):
                raise UnclearError("other numbers of names and values")
            return Effect({target.id: value for target, value in zip(targets, found, strict=True)})
        case Value(value=value):
            return _valued(statement, value)
        case Made(kind=kind, items=items):
            return _valued(statement, _made(statement, kind, items, values))
        case Edited():
            return _edited(statement, outcome, values)
        case Removed():
            return _removed(statement, outcome, values)


def _valued(statement: ast.stmt, value: Any) -> Effect:
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AugAssign(target=ast.Name(id=name)):
            return Effect({name: value})
        case ast.For(target=ast.Name(id=name)):
            return Effect({name: value})
        case _:
            return Effect(value=value)


def _held(statement: ast.stmt) -> str:
    """The name of the container that a statement edits."""
    match statement:
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name))]):
            return name
        case ast.Delete(targets=[ast.Subscript(value=ast.Name(id=name))]):
            return name
        case ast.AugAssign(target=ast.Name(id=name)):
            return name
        case (
            ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name))))
            | ast.Assign(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name))))
            | ast.Return(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name))))
        ):
            return name
    raise UnclearError("no container to edit")


def edited(statement: ast.stmt, values: Mapping[str, Any]) -> Any:
    """The container that a statement edits; None: it makes a new text, or binds a name."""
    if _text_before(statement, values) is not None:
        return None
    return values[_held(statement)]


def _edited(statement: ast.stmt, edit: Edited, values: Mapping[str, Any]) -> Effect:
    text = _text_before(statement, values)
    if text is not None:
        if edit.position != len(text) or type(edit.value) is not str:
            raise UnclearError("no place to write to")
        return _valued(statement, text + edit.value)
    held = values[_held(statement)]
    if isinstance(held, list):
        if edit.position > len(held):
            raise UnclearError("no place to write to")
        held[edit.position : edit.position + 1] = [edit.value]
    else:
        keys = list(held)
        if edit.position < len(keys) and keys[edit.position] != edit.key:
            raise UnclearError("another key")
        if edit.position > len(keys) or (edit.position == len(keys) and edit.key in held):
            raise UnclearError("no place to write to")
        if isinstance(held, dict):
            held[edit.key] = edit.value
        else:
            held.add(edit.key)
    return _nothing(statement)


def _nothing(statement: ast.stmt) -> Effect:
    """A method that gives None back."""
    is_placed = isinstance(statement, ast.Assign) and not isinstance(statement.targets[0], ast.Name)
    is_kept = isinstance(statement, ast.Assign | ast.Return) and not is_placed
    return _valued(statement, None) if is_kept else Effect()


def _text_before(statement: ast.stmt, values: Mapping[str, Any]) -> str | None:
    """The text that a character is added to."""
    match statement:
        case ast.AugAssign(target=ast.Name() as node):
            found = values[node.id]
        case ast.Assign(value=ast.BinOp(left=node)) | ast.Return(value=ast.BinOp(left=node)):
            found = values[node.id] if isinstance(node, ast.Name) else literal(node)
        case _:
            return None
    return found if type(found) is str else None


def _removed(statement: ast.stmt, removal: Removed, values: Mapping[str, Any]) -> Effect:
    held = values[_held(statement)]
    if removal.position >= len(held):
        raise UnclearError("no place to take from")
    if removal.position >= 0:
        if isinstance(held, list):
            del held[removal.position]
        elif isinstance(held, dict):
            del held[list(held)[removal.position]]
        else:
            held.discard(list(held)[removal.position])
    is_pop = isinstance(held, list) and not isinstance(statement, ast.Delete)
    if is_pop:
        return _valued(statement, removal.value)
    is_cut = isinstance(held, dict | set) and removal.position >= 0
    return replace(_nothing(statement), cut=held if is_cut else None)


def _made(statement: ast.stmt, kind: str, items: tuple[Any, ...], values: Mapping[str, Any]) -> Any:
    if kind == "range":
        if not all(type(each) is int for each in items):
            raise UnclearError("a range of other values")
        try:
            return range(*items)
        except (TypeError, ValueError):  # by nothing, or by steps of 0
            raise UnclearError("no range") from None
    match statement:
        case (
            ast.Assign(value=ast.Call(args=[ast.expr() as source]))
            | ast.Return(value=ast.Call(args=[ast.expr() as source]))
        ):
            found = values[source.id] if isinstance(source, ast.Name) else literal(source)
            if kind == "iterator":
                return Walk(found)
            items = found
        case (
            ast.Assign(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="copy")))
            | ast.Return(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="copy")))
        ):
            return values[name].copy()
    if kind == "dict":
        return _paired(items)
    if kind not in ("list", "tuple", "set", "frozenset"):
        raise UnclearError("nothing that can be made of items")
    try:
        return KINDS[kind](items)
    except TypeError:
        raise UnclearError("a key that cannot be one") from None


def _paired(items: tuple[Any, ...]) -> dict[Any, Any]:
    """A dict of keys and values in turn."""
    try:
        return dict(zip(items[::2], items[1::2], strict=True))
    except (TypeError, ValueError):
        raise UnclearError("a key that cannot be one") from None
