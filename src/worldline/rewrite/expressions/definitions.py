"""This file is functions and classes: what is computed when they are made, and the bodies of functions.

The statements of a class body stay as they are, as a fresh name there would become an attribute of the class.
"""

import ast
from collections.abc import Sequence

from worldline.rewrite.expressions.facts import HARMLESS_DECORATORS
from worldline.rewrite.expressions.flat import Function, is_flat
from worldline.rewrite.expressions.functions import lower_defaults
from worldline.rewrite.expressions.kinds import kinds_in
from worldline.rewrite.expressions.operands import arguments, keywords
from worldline.rewrite.expressions.scopes import Scope, declared, local_names, parameters, peeks, suspends
from worldline.rewrite.expressions.writer import CannotFlatten, Writer, changed

IN_CLASS = "a fresh name here would become an attribute of the class"


def lower_function(w: Writer, stmt: Function) -> None:
    """`def`: decorators and defaults before, the body flat."""
    line = stmt.lineno
    if is_flat(stmt):
        decorators, args = stmt.decorator_list, stmt.args
    else:
        decorators = w.operands_before(
            stmt.decorator_list, [*stmt.args.defaults, *filter(None, stmt.args.kw_defaults)]
        )
        args = lower_defaults(w, stmt.args)
    path = _path(w, stmt.name)
    made = write_function(w, stmt, path, own_name=stmt.name)
    w.line = line
    w.emit(changed(made, decorator_list=decorators, args=args))
    w.bind(stmt.name)


def _path(w: Writer, name: str) -> str:
    """The qualified name of a function."""
    return name if name in w.scope.declared_global else w.scope.path + name


def write_function(w: Writer, stmt: Function, path: str, own_name: str = "") -> Function:
    """A function with a flat body; as it is where it reads its own names while it runs."""
    local = local_names(stmt)
    if word := peeks(stmt.body, local | w.facts.module):
        w.note(stmt.lineno, f"function {stmt.name}", f"it reads names while it runs, through {word}")
        return stmt
    outside = w.outside()
    if own_name and all(_is_harmless(decorator) for decorator in stmt.decorator_list):
        outside |= {own_name} - w.facts.deleted  # its body runs once it is bound
    scope = Scope(
        local=local,
        parent=w.scope,
        declared_global=declared(stmt.body, ast.Global),
        safe=outside,
        waits=suspends(stmt, stmt.body),
        path=f"{path}.<locals>.",
        kinds=kinds_in(stmt.body, parameters(stmt.args), w.facts.anywhere | w.facts.nonlocals),
    )
    with w.function(scope, set(parameters(stmt.args))) as body:
        w.statements(stmt.body)
    result: Function = changed(stmt, body=body)
    return result


def _is_harmless(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Name) and decorator.id in HARMLESS_DECORATORS


def lower_class(w: Writer, stmt: ast.ClassDef) -> None:
    """`class`: decorators, bases and keywords before; the methods flat."""
    line = stmt.lineno
    decorators, bases, words = stmt.decorator_list, stmt.bases, stmt.keywords
    if not is_flat(stmt):
        if any(word.arg is None for word in words):
            raise CannotFlatten(f"class {stmt.name}", "its keywords come from a mapping")
        later = [*bases, *(word.value for word in words)]
        decorators = w.operands_before(decorators, later)
        bases = arguments(w, bases, [word.value for word in words])
        words = keywords(w, words)
    body = class_body(w, stmt.body, _path(w, stmt.name) + ".", IN_CLASS)
    w.line = line
    w.emit(changed(stmt, decorator_list=decorators, bases=bases, keywords=words, body=body))
    w.bind(stmt.name)


def class_body(w: Writer, body: Sequence[ast.stmt], path: str, why: str) -> list[ast.stmt]:
    """Statements whose own names can be seen: only the functions in them are made flat."""
    found: list[ast.stmt] = []
    for stmt in body:
        if not is_flat(stmt):
            w.note(stmt.lineno, _called(stmt), why)
        if isinstance(stmt, ast.FunctionDef | ast.AsyncFunctionDef):
            found.append(_placed(write_function(w, stmt, path + stmt.name), stmt))
            continue
        inner = f"{path}{stmt.name}." if isinstance(stmt, ast.ClassDef) else path
        found.append(_with_blocks(w, stmt, inner, why))
    return found


def _called(stmt: ast.stmt) -> str:
    if isinstance(stmt, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return f"header of {stmt.name}"
    return f"statement ({type(stmt).__name__})"


def _placed(made: ast.stmt, stmt: ast.stmt) -> ast.stmt:
    if made is not stmt:
        ast.copy_location(made, stmt)
    return made


def _with_blocks(w: Writer, stmt: ast.stmt, path: str, why: str) -> ast.stmt:
    """A statement with the functions in its blocks made flat."""
    changes: dict[str, list[ast.AST]] = {}
    for name, value in ast.iter_fields(stmt):
        if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
            changes[name] = list(class_body(w, value, path, why))
        elif isinstance(value, list) and value and isinstance(value[0], ast.ExceptHandler | ast.match_case):
            changes[name] = [
                _located(changed(part, body=class_body(w, part.body, path, why)), part) for part in value
            ]
    return _placed(changed(stmt, **changes), stmt) if changes else stmt


def _located(made: ast.AST, part: ast.AST) -> ast.AST:
    return ast.copy_location(made, part)
