"""This file is statements that compute nothing, so that there is nothing to ask the network about."""

import ast
from typing import Any

from worldline.models.embedded import calls
from worldline.models.embedded.effects import Effect
from worldline.models.embedded.objects import Function, Method
from worldline.models.embedded.program import LAMBDA, Node, Source
from worldline.models.embedded.prompts import UnclearError
from worldline.models.embedded.state import Frame
from worldline.record.code_facts import IN_COMPREHENSION

WITH_METHODS = (str, list, dict, set, frozenset, tuple, int, bool)


def unasked(node: Node, frame: Frame, source: Source) -> Effect | None:
    """What such a statement does; None: it computes something."""
    match node:
        case ast.Break() | ast.Continue():
            source.check_way(frame.line)  # it may stay inside, which is rare
            return Effect()
        case ast.Pass() | ast.Try():
            return Effect()
        case ast.FunctionDef(name=name):
            return Effect({name: _function(name, node.lineno, frame)})
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda()):
            return Effect({name: _function(LAMBDA, node.lineno, frame)})
        case ast.Assign(
            targets=[ast.Attribute(value=ast.Name() as held, attr="__qualname__")],
            value=ast.Constant(value=str(shown)),
        ):
            named = calls.value_of(held, frame, source)
            if not isinstance(named, Function):
                raise UnclearError("a name of something else")
            named.shown = IN_COMPREHENSION.sub("", shown)
            return Effect()
        case ast.Assign(
            targets=[ast.Name(id=name)], value=ast.Attribute(value=ast.Name() as held, attr=attr)
        ):
            return Effect({name: _method(calls.value_of(held, frame, source), attr)})
        case ast.Expr(value=ast.Call(func=ast.Name(id="print")) as call) if _is_print(frame, source):
            _check_printed(call, frame, source)
            return Effect()
    return None


def _is_print(frame: Frame, source: Source) -> bool:
    """Whether `print` is what Python calls so."""
    calls.check_name("print", frame, source)
    return not any("print" in names for names in (frame.locals, source.functions, frame.module))


def _check_printed(call: ast.Call, frame: Frame, source: Source) -> None:
    """What is printed has to be there; how it is separated has to be a text. Nothing changes then."""
    for argument in call.args:
        node = argument.value if isinstance(argument, ast.Starred) else argument
        value = calls.value_of(node, frame, source)
        if node is not argument and not hasattr(value, "__len__"):
            raise UnclearError("what else is printed")
    for keyword in call.keywords:
        value = calls.value_of(keyword.value, frame, source)
        if keyword.arg not in ("sep", "end", "flush") or (
            keyword.arg != "flush" and not isinstance(value, str)
        ):
            raise UnclearError("another way to print")


def _function(name: str, line: int, frame: Frame) -> Function:
    return Function(f"{frame.function}.<locals>.{name}", line, around=frame.number)


def _method(receiver: Any, name: str) -> Method:
    if type(receiver) not in WITH_METHODS or not callable(getattr(type(receiver), name, None)):
        raise UnclearError("an attribute that is no method")
    return Method(receiver, name)
