"""This file is a statement's text as tokens: names by the order of their first use, literals as `literal`."""

import ast
import builtins
from collections.abc import Container, Iterator, Mapping, Sequence
from copy import copy
from typing import Any

from worldline.models.embedded.prompts import KINDS, UnclearError
from worldline.models.embedded.vocabulary import IDS, MOST, N0, NAMES, P0, TYPES

MISSING = object()
Display = ast.List | ast.Tuple | ast.Set | ast.Dict
OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Not: "not",
    ast.USub: "-",
}
FUNCTIONS = ("len", "ord", "chr", "iter", "next", "isinstance", "hasattr")
METHODS = ("append", "pop", "add", "discard", "copy", "get")


class Slots(dict[str, int]):
    """Names of a statement, each with its token. What has a value is a name, even if it is called `list`."""

    def __init__(self, known: Container[str] = ()) -> None:
        super().__init__()
        self.known = known

    def is_builtin(self, name: str) -> bool:
        """Whether a name means what Python means by it."""
        return name not in self.known and hasattr(builtins, name)


def words(statement: ast.stmt, known: Container[str] = ()) -> tuple[tuple[int, ...], Slots]:
    """The tokens of a statement (of its header, if it has a body) and those of its names.

    Args:
        statement: one atomic statement.
        known: the names that have values.
    """
    slots = Slots(known)
    return tuple(IDS[word] if isinstance(word, str) else word for word in _statement(statement, slots)), slots


def literal(node: ast.expr) -> Any:
    """The value of a literal, or MISSING."""
    try:
        found = ast.literal_eval(node)
        repr(found)  # which Python refuses if a number in it is very long
        return found
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return MISSING


def is_literal(node: ast.AST) -> bool:
    """Whether a statement gives a name the value of a literal."""
    return isinstance(node, ast.Assign) and literal(node.value) is not MISSING


def is_fixed(value: Any) -> bool:
    """Whether a value is a literal's that can never change."""
    if type(value) is tuple:
        return all(map(is_fixed, value))
    return value is not MISSING and not isinstance(value, list | dict | set)


def operator(node: ast.AST) -> str:
    """The sign of an operator."""
    if type(node) not in OPERATORS:
        raise UnclearError("an operator that was not learnt")
    return OPERATORS[type(node)]


def in_turn(node: ast.Dict) -> list[ast.expr]:
    """The keys and values of a display, one after the other."""
    found = [each for pair in zip(node.keys, node.values, strict=True) for each in pair if each is not None]
    if len(found) != 2 * len(node.values):
        raise UnclearError("a display with `**`")
    return found


def apart(statement: ast.stmt, values: Mapping[str, Any]) -> tuple[ast.stmt, Mapping[str, Any]]:
    """A statement in which all that is put together has a name of its own, and the values of all its names.

    `x = [a, b, a]` is asked as `x = [a, b, c]`, where `c` has the value of `a`: which values are put
    together is what counts, and the data repeats no name in a display. Types of Python have names there,
    alone, and on the left of a comparison: the data does not write them there, or not beside literals. `a,
    b, a = t` is asked as `a, b, c = t`.
    """
    field = "test" if hasattr(statement, "test") else "value"
    found = shown = getattr(statement, field, None)
    target = getattr(statement, "targets", [None])[0]
    naming = _Naming(values)
    match shown:
        case ast.Tuple() if isinstance(target, ast.Tuple):
            found = naming.display(shown, is_repeating=True)
        case ast.List() | ast.Tuple() | ast.Set() | ast.Dict() if not isinstance(target, ast.Tuple):
            found = naming.display(shown)
        case ast.Name() if isinstance(statement, ast.Assign | ast.Return):
            found = naming.named(shown)
        case ast.Compare(left=ast.Name() as left, ops=[ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq()]):
            if naming.is_type(left):
                others = [naming.named(each) for each in shown.comparators]
                found = ast.Compare(naming.named(left), shown.ops, others)
    changed = copy(statement)
    if isinstance(target, ast.Tuple):
        changed = _apart_targets(changed, target)
    if naming.values.keys() != values.keys():
        setattr(changed, field, found)
    return changed, naming.values


class _Naming:
    """Names for what has none, or the same as another."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = dict(values)
        self._known = values
        self._met: set[str] = set()

    def display(self, node: Display, is_repeating: bool = False) -> ast.expr:
        """The display; `is_repeating`: how names repeat there is known."""
        changed = copy(node)
        if isinstance(changed, ast.Dict):
            changed.keys = [key and self.named(key, is_repeating=True) for key in changed.keys]
            changed.values = [self.named(each) for each in changed.values]
        else:
            changed.elts = [self.named(each, is_repeating) for each in changed.elts]
        return changed

    def named(self, node: ast.expr, is_repeating: bool = False) -> ast.expr:
        """An item with a name of its own, if it is a name or a type."""
        if not isinstance(node, ast.Name):
            return node
        is_met = node.id in self._met and node.id in self._known
        self._met.add(node.id)
        if not self.is_type(node) and (is_repeating or not is_met):
            return node
        alias = f"{node.id} {len(self.values)}"  # no program has it
        self.values[alias] = self._known.get(node.id, KINDS.get(node.id))
        return ast.Name(alias, ast.Load())

    def is_type(self, node: ast.Name) -> bool:
        """Whether a name means a type of Python's."""
        return node.id not in self._known and node.id in KINDS and hasattr(builtins, node.id)


def _apart_targets(statement: ast.stmt, target: ast.Tuple) -> ast.stmt:
    """The same with a name of its own for each target; who binds what is told takes the names as written."""
    names = [each.id if isinstance(each, ast.Name) else "" for each in target.elts]
    found = [
        ast.Name(f"{name} {at}", ast.Store()) if name and name in names[:at] else each
        for at, (name, each) in enumerate(zip(names, target.elts, strict=True))
    ]
    changed = copy(statement)
    changed.targets = [ast.Tuple(found, ast.Store())]  # type: ignore[attr-defined]
    return changed


Word = str | int


def _statement(node: ast.stmt, slots: Slots) -> Iterator[Word]:
    match node:
        case ast.Assign(targets=[target], value=value):
            yield from (*_target(target, slots), "=", *_expression(value, slots))
        case ast.AugAssign(target=target, op=op, value=value):
            yield from (*_expression(target, slots), operator(op) + "=", *_expression(value, slots))
        case ast.Return(value=value):
            yield from ("return", *(_expression(value, slots) if value else ()))
        case ast.Expr(value=value):
            yield from _expression(value, slots)
        case ast.If(test=test) | ast.While(test=test) | ast.Assert(test=test):
            yield from ("while" if isinstance(node, ast.While) else "if", *_expression(test, slots), ":")
        case ast.For(target=target, iter=walked):
            yield from ("for", *_expression(target, slots), "in", *_expression(walked, slots), ":")
        case ast.Delete(targets=[target]):
            yield from ("del", *_expression(target, slots))
        case _:
            raise UnclearError("a statement that was not learnt")


def _expression(node: ast.expr, slots: Slots) -> Iterator[Word]:
    if not isinstance(node, ast.Name) and literal(node) is not MISSING:
        yield "literal"
        return
    match node:
        case ast.Name(id=name):
            yield name if name in TYPES and slots.is_builtin(name) else _slot(name, slots)
        case ast.BinOp(left=left, op=op, right=right) | ast.Compare(left=left, ops=[op], comparators=[right]):
            yield from (*_expression(left, slots), operator(op), *_expression(right, slots))
        case ast.UnaryOp(op=op, operand=operand):
            yield from (operator(op), *_expression(operand, slots))
        case ast.Subscript(value=value, slice=index):
            yield from (*_expression(value, slots), "[", *_expression(index, slots), "]")
        case ast.Call(args=args, keywords=[]):
            yield from _call(node.func, args, slots)
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            opening, closing = BRACKETS[type(node)]
            yield from (opening, *_keyed(items, slots), closing)
        case ast.Dict():
            yield from ("{", ":", *_keyed(in_turn(node), slots), "}")
        case ast.Yield(value=value):
            yield from ("yield", *(_expression(value, slots) if value else ()))
        case _:
            raise UnclearError("an expression that was not learnt")


BRACKETS = {ast.List: ("[", "]"), ast.Tuple: ("(", ")"), ast.Set: ("{", "}")}


def _call(function: ast.expr, arguments: Sequence[ast.expr], slots: Slots) -> Iterator[Word]:
    match function:
        case ast.Attribute(value=value, attr=name) if name in METHODS:
            yield from (*_expression(value, slots), "." + name, "(", *_listed(arguments, slots), ")")
        case ast.Name(id=name) if not slots.is_builtin(name):
            raise UnclearError("a call of a value")
        case ast.Name(id="range"):
            yield from ("range", "(", *_keyed(arguments, slots), ")")
        case ast.Name(id=name) if name in (*FUNCTIONS, *TYPES):
            yield from (name, "(", *_listed(arguments, slots), ")")
        case ast.Attribute(attr=name) | ast.Name(id=name):
            raise UnclearError(f"a call that was not learnt: {name}")
        case _:
            raise UnclearError("a call that was not learnt")


def _target(node: ast.expr, slots: Slots) -> Iterator[Word]:
    if isinstance(node, ast.Tuple):
        yield from _listed(node.elts, slots)
    else:
        yield from _expression(node, slots)


def _keyed(items: Sequence[ast.expr], slots: Slots) -> Iterator[Word]:
    """The items of a display, each before its position."""
    for number, item in enumerate(items[:MOST]):
        yield from _expression(item, slots)
        yield P0 + number


def _listed(items: Sequence[ast.expr], slots: Slots) -> Iterator[Word]:
    for number, item in enumerate(items):
        if number:
            yield ","
        yield from _expression(item, slots)


def _slot(name: str, slots: Slots) -> int:
    if name not in slots:
        if len(slots) == len(NAMES):
            raise UnclearError("too many names")
        slots[name] = N0 + len(slots)
    return slots[name]
