"""This file is a right program -> candidates that are wrong by one small change, a programmer's slip."""

import ast
import copy
from collections.abc import Callable, Iterator
from functools import partial
from random import Random

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_OPERATORS: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,),
}
Change = tuple[str, Callable[[ast.AST], None]]  # in words, and in place


def mutants(source: str, n: int, seed: int) -> list[tuple[str, str]]:
    """At most `n` different programs, each with the change in words; the same ones for the same seed."""
    tree = ast.parse(source)
    found: dict[str, str] = {}
    plain = ast.unparse(tree)
    for at, node in enumerate(ast.walk(tree)):
        for words, change in _changes(node):
            other = copy.deepcopy(tree)
            change(list(ast.walk(other))[at])
            text = ast.unparse(ast.fix_missing_locations(other)) + "\n"
            if text.strip() != plain.strip():
                found.setdefault(text, f"line {getattr(node, 'lineno', 0)}: {words}")
    chosen = list(found.items())
    Random(f"{seed} {source}").shuffle(chosen)
    return chosen[:n]


def _changes(node: ast.AST) -> Iterator[Change]:
    """What can be changed at one node."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield from _constants(node.value)
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        for kind in _COMPARISONS.get(type(node.ops[0]), ()):
            yield f"{type(node.ops[0]).__name__} is {kind.__name__}", _setter("ops", kind, is_list=True)
    elif isinstance(node, ast.BinOp | ast.AugAssign):
        for operator in _OPERATORS.get(type(node.op), ()):
            yield f"{type(node.op).__name__} is {operator.__name__}", _setter("op", operator)
    elif isinstance(node, ast.If):
        yield ("the branches are swapped", _swap) if node.orelse else ("the test is negated", _negate)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        yield "the range ends one later", lambda call: _shift(call, ast.Add())
        yield "the range ends one earlier", lambda call: _shift(call, ast.Sub())


def _constants(value: int) -> Iterator[Change]:
    others = (not value,) if isinstance(value, bool) else (value + 1, value - 1)
    for other in others:
        yield f"{value} is {other}", partial(_set_value, other)


def _set_value(value: int, node: ast.AST) -> None:
    assert isinstance(node, ast.Constant)
    node.value = value


def _setter(field: str, kind: type[ast.AST], is_list: bool = False) -> Callable[[ast.AST], None]:
    return lambda node: setattr(node, field, [kind()] if is_list else kind())


def _swap(node: ast.AST) -> None:
    assert isinstance(node, ast.If)
    node.body, node.orelse = node.orelse, node.body


def _negate(node: ast.AST) -> None:
    assert isinstance(node, ast.If)
    node.test = ast.UnaryOp(ast.Not(), node.test)


def _shift(node: ast.AST, operator: ast.operator) -> None:
    """The end of a range, which is its second argument if there are several."""
    assert isinstance(node, ast.Call)
    place = min(1, len(node.args) - 1)
    node.args[place] = ast.BinOp(node.args[place], operator, ast.Constant(1))
