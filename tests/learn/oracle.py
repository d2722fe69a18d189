"""CPython's word on a sample: what it does to copies of the values."""

import ast
from copy import deepcopy
from typing import Any

from worldline.learn.data.statements import Sample, parsed
from worldline.models.embedded.objects import Function, Generator, Walk
from worldline.models.embedded.prompts import in_order, is_hashed

RESULT = "_result"
REAL: dict[type, Any] = {Walk: iter(""), Function: lambda: None, Generator: (each for each in "")}
"""What CPython has where the model has objects of its own."""


def told_by_python(sample: Sample) -> tuple[str, dict[str, Any]]:
    """How the statement ends (`done`, `failed`, `stopped`) and the values afterwards."""
    values = dict(deepcopy(list(sample.values.items())))
    for name, value in sample.values.items():
        for ours, real in REAL.items():
            if isinstance(value, ours):
                values[name] = real
    if sample.cursor is not None:
        held = sample.cursor.container
        walk = iter(in_order(held) if is_hashed(held) else held)  # an order that CPython does not promise
        for _ in range(sample.cursor.taken):
            next(walk)
        values["xs"] = walk
    try:
        exec(_text(parsed(sample.text)), {}, values)
    except StopIteration:
        return "stopped", values
    except (IndexError, KeyError, ValueError, ZeroDivisionError):
        return "failed", values
    return "done", values


def _text(node: ast.stmt) -> str:
    match node:
        case ast.If(test=test) | ast.While(test=test):
            return f"{RESULT} = bool({ast.unparse(test)})"
        case ast.Return(value=value):
            return f"{RESULT} = {'None' if value is None else ast.unparse(value)}"
        case ast.Expr(value=ast.Yield(value=ast.expr() as value)):
            return f"{RESULT} = {ast.unparse(value)}"
        case ast.For(target=target, iter=walked):
            return f"{ast.unparse(target)} = next({ast.unparse(walked)})"
        case ast.Assign(targets=[target], value=ast.Call(func=ast.Name(id="next"), args=[walked, _])):
            return (
                f"{ast.unparse(target)} = next({ast.unparse(walked)})"  # the default: the rollout's business
            )
    return ast.unparse(node)
