"""This file is exceptions: which one a failing statement raises, and which handler takes it.

The network says that a statement fails. Which words CPython has for that is looked up here.
"""

import ast
import builtins
from collections.abc import Mapping
from typing import Any

from worldline.models.embedded.calls import check_name, value_of
from worldline.models.embedded.objects import error
from worldline.models.embedded.program import Source
from worldline.models.embedded.prompts import UnclearError
from worldline.models.embedded.state import Frame
from worldline.models.embedded.words import MISSING, literal


def failure(node: ast.AST, values: Mapping[str, Any]) -> BaseException:
    """The exception of a statement that fails."""
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=value):
            return _unpacking(len(names), len(_value(value, values)))
        case ast.Assign(targets=[ast.Subscript(value=held, slice=index)]):
            return _missing(_value(held, values), _value(index, values), "assignment ")
        case ast.Delete(targets=[ast.Subscript(value=held, slice=index)]):
            return _missing(_value(held, values), _value(index, values), "assignment ")
    for found in ast.walk(node):
        match found:
            case ast.BinOp() | ast.AugAssign():
                return ZeroDivisionError(_division(found.op))
            case ast.Subscript(value=held, slice=index):
                return _missing(_value(held, values), _value(index, values), "")
            case ast.Call(func=ast.Attribute(attr="pop")):
                return IndexError("pop from empty list")
    raise UnclearError("a failure without a name")


def handles(handler: ast.ExceptHandler, raised: BaseException, frame: Frame, source: Source) -> bool:
    """Whether a handler takes an exception."""
    if handler.type is None:
        return True
    named = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return isinstance(raised, tuple(_kind(each, frame, source) for each in named))


def _kind(node: ast.expr, frame: Frame, source: Source) -> type:
    """A kind of exceptions, if it is one of Python's own."""
    if isinstance(node, ast.Name) and not _is_theirs(node.id, frame, source):
        found = getattr(builtins, node.id, None)
        if isinstance(found, type):
            return found
    raise UnclearError("an exception of the program's own")


def _is_theirs(name: str, frame: Frame, source: Source) -> bool:
    """Whether the program means something of its own by a name."""
    check_name(name, frame, source)
    return any(name in names for names in (frame.locals, frame.module, source.functions))


def _value(node: ast.expr, values: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.Name) and node.id in values:
        return values[node.id]
    found = literal(node)
    if found is MISSING:
        raise UnclearError("a failure without a name")
    return found


def _missing(held: Any, index: Any, doing: str) -> BaseException:
    if isinstance(held, dict):
        return KeyError(index)
    names: dict[type, str] = {str: "string", range: "range object"}
    return IndexError(f"{names.get(type(held), type(held).__name__)} {doing}index out of range")


def _division(operator: ast.operator) -> str:
    """The words of this Python, which differ from version to version."""
    try:
        _ = 1 % 0 if isinstance(operator, ast.Mod) else 1 // 0
    except ZeroDivisionError as error:
        return str(error)
    raise AssertionError


def _unpacking(names: int, items: int) -> BaseException:
    if items > names:
        return ValueError(f"too many values to unpack (expected {names})")
    return ValueError(f"not enough values to unpack (expected {names}, got {items})")


def made(name: str, arguments: list[ast.expr], frame: Frame, source: Source) -> BaseException:
    """A new exception of Python's own."""
    if _is_theirs(name, frame, source):
        raise UnclearError("an exception of the program's own")
    found = error(name, tuple(value_of(each, frame, source) for each in arguments))
    if found is None:
        raise UnclearError("an exception of the program's own")
    return found


def failed(node: ast.Assert, frame: Frame, source: Source) -> BaseException:
    """What an `assert` raises that does not hold."""
    return AssertionError(*([] if node.msg is None else [value_of(node.msg, frame, source)]))


def raised_by(node: ast.Raise, frame: Frame, source: Source) -> BaseException:
    """What a `raise` raises."""
    match node.exc:
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            return made(name, args, frame, source)
        case ast.Name(id=name):
            held = frame.locals.get(name)
            return held if isinstance(held, BaseException) else made(name, [], frame, source)
    raise UnclearError("an exception of the program's own")
