"""This file is what the laws of microcode share: loading it, watching its operations, comparing runs.

`microcode()` is the functions as a rewritten program would have them, all in one namespace. With names of
files, every operation in these files that is not in a fallback is watched: it must be as small as it looks.
"""

import ast
import copy
import functools
import operator
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from worldline.rewrite.microcode.atoms import fallback_length
from worldline.rewrite.microcode.library import library, sources

EXAMPLES = int(os.environ.get("WORLDLINE_EXAMPLES", "60"))
"""Generated argument tuples for each function; some thousands are for runs by hand."""

OPERATIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    **{"Add": operator.add, "Sub": operator.sub, "Mult": operator.mul, "FloorDiv": operator.floordiv},
    **{"Mod": operator.mod, "Eq": operator.eq, "NotEq": operator.ne, "Lt": operator.lt, "LtE": operator.le},
    **{"Gt": operator.gt, "GtE": operator.ge, "In": lambda a, b: a in b, "NotIn": lambda a, b: a not in b},
    **{"Is": operator.is_, "IsNot": operator.is_not},
}
NUMBERS = frozenset({int, bool, float})
TABLES = frozenset({dict, set, frozenset})
LONGEST_CASE_FORM = 3  # characters that `c.upper()` may give for one


class TooMuch(AssertionError):
    """An operation of microcode did more than one thing."""


@dataclass(frozen=True)
class Outcome:
    """What came of a call: a value or an error, and what became of the arguments."""

    error: tuple[str, str] | None
    shape: object
    arguments: object
    is_receiver: bool  # the value is the very object that the method was called on


@functools.cache
def microcode(*watched: str) -> dict[str, Callable[..., Any]]:
    """All functions of microcode in one namespace, with these files watched."""
    names: dict[str, Any] = {"watched_operation": watched_operation}
    for file in sources():
        nodes = [copy.deepcopy(one.node) for one in library().values() if one.file == file]
        if file in watched:
            nodes = [_Watch(node.name).visit(node) for node in nodes]
        module = ast.fix_missing_locations(ast.Module(body=nodes, type_ignores=[]))
        exec(compile(module, file, "exec"), names)
    return names


def outcome(call: Callable[..., Any], *arguments: Any) -> Outcome:
    """Call with copies of the arguments, as far as they can be changed, and say what came of it."""
    given = tuple(_copied(argument) for argument in arguments)
    try:
        value = call(*given)
    except TooMuch:
        raise
    except Exception as error:  # noqa: BLE001 - all that matters is which
        return Outcome((type(error).__name__, str(error)), None, shape(given), False)
    is_receiver = bool(given) and _has_identity(value) and value is given[0]
    return Outcome(None, shape(value), shape(given), is_receiver)


def shape(value: Any) -> object:
    """A value as something to compare: equal only if types, order and contents are all the same."""
    if type(value) in (list, tuple):
        return (type(value), [shape(item) for item in value])
    if type(value) in (set, frozenset):
        return (type(value), sorted(map(repr, map(shape, value))))
    if type(value) is dict:
        return (dict, [(shape(key), shape(item)) for key, item in value.items()])
    return (type(value), repr(value))


def watched_operation(name: str, a: Any, b: Any, function: str) -> Any:
    """Do an operation if it is atomic."""
    if not is_small(name, a, b, function):
        raise TooMuch(f"{function}: {name} of {a!r} and {b!r}")
    return OPERATIONS[name](a, b)


def is_small(name: str, a: Any, b: Any, function: str) -> bool:
    """Whether an operation is one step: of numbers, of single characters, or a look into a table."""
    if name in ("Is", "IsNot"):
        return True
    if name in ("In", "NotIn"):
        return type(b) in TABLES
    if type(a) is str and type(b) is str:
        most = LONGEST_CASE_FORM if library()[function].file == "str_case.py" else 1
        return len(b) <= most if name == "Add" else len(a) <= 1 and len(b) <= 1 and name != "Mod"
    return type(a) in NUMBERS and type(b) in NUMBERS


def _copied(value: Any) -> Any:
    return copy.copy(value) if type(value) in (list, dict, set) else value


def _has_identity(value: Any) -> bool:
    """Characters and the empty text exist once, so nobody can tell whether they are the same object."""
    return type(value) is not str or len(value) > 1


class _Watch(ast.NodeTransformer):
    """Turns the operations of a function into calls of `watched_operation`."""

    def __init__(self, function: str) -> None:
        self.function = function

    def visit_If(self, node: ast.If) -> ast.If:
        kept = len(node.body) - fallback_length(node.body)
        node.test = self.visit(node.test)
        node.body = [*map(self.visit, node.body[:kept]), *node.body[kept:]]
        node.orelse = [self.visit(child) for child in node.orelse]
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.Call:
        return self._watched(node.op, node.left, node.right)

    def visit_Compare(self, node: ast.Compare) -> ast.Call:
        return self._watched(node.ops[0], node.left, node.comparators[0])

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.Assign:
        assert isinstance(node.target, ast.Name)
        before = ast.Name(node.target.id, ast.Load())
        return ast.Assign(targets=[node.target], value=self._watched(node.op, before, node.value), lineno=1)

    def _watched(self, op: ast.AST, left: ast.expr, right: ast.expr) -> ast.Call:
        names = (ast.Constant(type(op).__name__), ast.Constant(self.function))
        return ast.Call(ast.Name("watched_operation", ast.Load()), [names[0], left, right, names[1]], [])
