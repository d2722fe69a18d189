"""This file is the module around the functions: what its names hold when the entry begins.

Only what needs no computing is known: literals, displays of what is known, other names. A trace begins with
the entry, so nobody is asked about the lines before it.
"""

import ast
import builtins
from collections.abc import Mapping
from typing import Any

from worldline.models.embedded.prompts import KINDS
from worldline.models.embedded.state import constant
from worldline.models.embedded.words import MISSING, is_fixed, literal

EMPTY: Mapping[str, type] = {"set": set, "list": list, "dict": dict, "tuple": tuple}
PYTHONS = ("len", "ord", "chr", "range", "abs", "isinstance", *EMPTY)
REWRITTEN = tuple(
    f"op_{sign}" for sign in ["add", "sub", "mul", "mod", "pow", "eq", "ne", "lt", "le", "gt", "ge"]
)
"""Functions that compute a value and do nothing else: Python's own, and those of rewriting."""


class _UnknownError(Exception):
    """A value that would have to be computed."""


def names_of(tree: ast.Module) -> dict[str, Any]:
    """The module's names that functions read, with their values, made anew: functions may change them."""
    found: dict[str, Any] = {}
    rebound = {
        name for each in ast.walk(tree) if isinstance(each, ast.Global | ast.Nonlocal) for name in each.names
    }
    own = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    quiet = {*REWRITTEN, *(name for name in PYTHONS if name not in own)}
    bound = own | _bound(tree)
    for node in tree.body:
        if not _is_quiet(node, quiet, bound):
            found = _after(node, found, rebound)
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                _bind(found, name, value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                _bind(found, name, value)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.pop(name, None)
                _bind_defaults(found, node)
            case ast.Import() | ast.ImportFrom():
                for each in node.names:
                    found.pop((each.asname or each.name).partition(".")[0], None)
            case ast.If(test=ast.Name(id=name), orelse=[]) if found.get(name) is False:
                pass
            case ast.Expr(value=ast.Constant()) | ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
                pass
            case _:
                found = _after(node, found, rebound)
    functions = (node for node in tree.body if isinstance(node, ast.FunctionDef))
    read = {each.id for node in functions for each in ast.walk(node) if isinstance(each, ast.Name)}
    return {name: value for name, value in found.items() if name in read or "(" in name}


def defaults(spec: ast.arguments) -> dict[str, ast.expr]:
    """The parameters that need not be given, with what they are then."""
    names = [each.arg for each in (*spec.posonlyargs, *spec.args)]
    found = dict(zip(names[len(names) - len(spec.defaults) :], spec.defaults, strict=True))
    named = zip(spec.kwonlyargs, spec.kw_defaults, strict=True)
    return found | {each.arg: default for each, default in named if default is not None}


def default_name(function: str, parameter: str) -> str:
    """What a default is called among the names of the module: it is made once, when its function is."""
    return f"{function}({parameter})"


def _bind(found: dict[str, Any], name: str, node: ast.expr) -> None:
    try:
        found[name] = _value(node, found)
    except _UnknownError:
        found.pop(name, None)


def _bind_defaults(found: dict[str, Any], node: ast.FunctionDef | ast.ClassDef) -> None:
    if isinstance(node, ast.FunctionDef):
        for parameter, default in defaults(node.args).items():
            _bind(found, default_name(node.name, parameter), default)


def _bound(tree: ast.Module) -> set[str]:
    """Names that classes, imports and assignments anywhere bind."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name) | ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case ast.Import() | ast.ImportFrom():
                found |= {(each.asname or each.name).partition(".")[0] for each in node.names}
    return found


def _is_quiet(node: ast.stmt, quiet: set[str], bound: set[str]) -> bool:
    """Whether a statement does nothing to the names and values that were there before it.

    Args:
        node: the statement.
        quiet: functions that do nothing, either.
        bound: names that may not be what Python calls so.
    """
    parts: list[ast.AST] = []
    match node:
        case ast.FunctionDef():
            if not all(_is_pythons(each, bound) for each in node.decorator_list):
                return False
            parts = [node.args]
        case ast.ClassDef():
            is_simple = not node.decorator_list and not node.keywords
            if not is_simple or not all(_is_pythons(each, bound) for each in node.bases):
                return False
            if not all(_is_plain(each) and _is_quiet(each, quiet, bound) for each in node.body):
                return False
        case ast.Assign() | ast.AnnAssign():
            parts = [node.value] if node.value is not None else []
    return not any(_is_loud(each, quiet) for part in parts for each in ast.walk(part))


def _is_pythons(node: ast.expr, bound: set[str]) -> bool:
    """Whether a decorator or a base is a type of Python's own, which does nothing else."""
    if not isinstance(node, ast.Name) or node.id in bound:
        return False
    return isinstance(getattr(builtins, node.id, None), type)


def _is_plain(node: ast.stmt) -> bool:
    """Whether a statement of a class is one of the ordinary ones."""
    is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_docstring or isinstance(node, ast.FunctionDef | ast.Assign | ast.Pass)


def _is_loud(node: ast.AST, quiet: set[str]) -> bool:
    """Whether an expression may do something, and not only compute a value."""
    match node:
        case ast.Call(func=ast.Name(id=name)):
            return name not in quiet
    return isinstance(node, ast.Call | ast.NamedExpr)


def _after(node: ast.stmt, found: Mapping[str, Any], rebound: set[str]) -> dict[str, Any]:
    """What is still known after a statement that may do anything to containers, and call any function.

    Args:
        node: the statement.
        found: what was known before.
        rebound: the names that functions give other values to.
    """
    bound = {
        each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)
    }
    lost = bound | rebound
    return {name: value for name, value in found.items() if name not in lost and is_fixed(value)}


def _value(node: ast.expr, known: Mapping[str, Any]) -> Any:
    value = literal(node)
    if value is not MISSING:
        return constant(value)
    match node:
        case ast.Name(id=name) if name in known:
            return known[name]
        case ast.Name(id=name) if name in KINDS:
            return KINDS[name]
        case ast.Call(func=ast.Name(id=name), args=[], keywords=[]) if name in EMPTY and name not in known:
            return EMPTY[name]()
        case ast.Call(func=ast.Name(id="op_eq"), args=[ast.Name(id="__name__"), ast.Constant()]):
            return False  # as atomic rewriting has it; a trace that begins with a function is of an import
    try:
        return _display(node, known)
    except TypeError:  # a key that cannot be one
        raise _UnknownError from None


def _display(node: ast.expr, known: Mapping[str, Any]) -> Any:
    match node:
        case ast.List(elts=parts):
            return [_value(each, known) for each in parts]
        case ast.Tuple(elts=parts):
            return tuple(_value(each, known) for each in parts)
        case ast.Set(elts=parts):
            return {_value(each, known) for each in parts}
        case ast.Dict(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            return {_key(key, known): _value(value, known) for key, value in pairs}
    raise _UnknownError


def _key(node: ast.expr | None, known: Mapping[str, Any]) -> Any:
    if node is None:
        raise _UnknownError
    return _value(node, known)
