"""This file is functions made for expressions: lambdas that do more than one thing."""

import ast
import sys
from collections.abc import Iterable
from typing import Any

from worldline.rewrite.expressions.flat import is_operation
from worldline.rewrite.expressions.kinds import kinds_in
from worldline.rewrite.expressions.scopes import Scope, local_names, parameters, peeks, suspends
from worldline.rewrite.expressions.writer import CannotFlatten, Writer, changed

INLINES = sys.version_info >= (3, 12)  # comprehensions are no functions of their own any more


def lower_lambda(w: Writer, node: ast.Lambda) -> ast.expr:
    """A lambda of one operation stays; another becomes a function with a name."""
    local = local_names(node)
    if word := peeks([node.body], local | w.facts.module):
        raise CannotFlatten("lambda", f"it reads its own names through {word}")
    args = lower_defaults(w, node.args)
    path = f"{w.scope.path}{w.inside}<lambda>"
    if is_operation(node.body):
        kept = ast.Lambda(args, node.body)
        if not (w.scope.is_made or w.inside):
            return kept
        name = w.keep(kept, "lambda").id
    else:
        name = w.fresh.name("lambda")
        scope = Scope(
            local=local,
            parent=w.scope,
            safe=w.outside(),
            waits=suspends(node, [node.body]),
            path=f"{path}.<locals>.",
            is_made=True,
            kinds=kinds_in([node.body], parameters(node.args), w.facts.anywhere),
        )
        with w.function(scope, set(parameters(node.args))) as body:
            w.emit(ast.Return(w.operand(node.body)))
        w.emit(definition(name, args, body))
    if id(node) not in w.called_right:
        call_it(w, name, "__qualname__", path)
    if w.facts.shows_names:
        call_it(w, name, "__name__", "<lambda>")
    return ast.Name(name, ast.Load())


def call_it(w: Writer, name: str, attr: str, text: str) -> None:
    """Give a function the name that messages about the original would show."""
    target = ast.Attribute(ast.Name(name, ast.Load()), attr, ast.Store())
    w.emit(ast.Assign([target], ast.Constant(text)))


def lower_defaults(w: Writer, args: ast.arguments) -> ast.arguments:
    """The defaults of parameters as operands, in their order."""
    given = [default for default in args.kw_defaults if default is not None]
    values = w.operands([*args.defaults, *given])
    words = iter(values[len(args.defaults) :])
    kw_defaults = [None if default is None else next(words) for default in args.kw_defaults]
    changes = {"defaults": values[: len(args.defaults)], "kw_defaults": kw_defaults}
    result: ast.arguments = changed(args, **changes)
    return result


def definition(name: str, args: ast.arguments, body: list[ast.stmt], is_async: bool = False) -> ast.stmt:
    """`def name(args): body`."""
    fields: dict[str, Any] = {"name": name, "args": args, "body": body, "decorator_list": [], "returns": None}
    fields["type_comment"] = None
    if INLINES:
        fields["type_params"] = []
    return ast.AsyncFunctionDef(**fields) if is_async else ast.FunctionDef(**fields)


def one_parameter(name: str) -> ast.arguments:
    """The parameters of a function that takes one value."""
    return ast.arguments(
        posonlyargs=[],
        args=[ast.arg(name, None)],
        vararg=None,
        kwonlyargs=[],
        kw_defaults=[],
        kwarg=None,
        defaults=[],
    )


def declare_outer(w: Writer, names: Iterable[str], outer: Scope) -> None:
    """Walruses bind in the scope around a comprehension, also from within a function that stands for it."""
    names = sorted(names)
    owned = [name for name in names if outer.owner(name) is not None]
    if owned:
        w.emit(ast.Nonlocal(owned))
    if others := [name for name in names if name not in owned]:
        w.emit(ast.Global(others))
