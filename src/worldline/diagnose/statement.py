"""This file is what a line of a program does: its statement, and the operations that are hidden in it."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

OperationKind = Literal[
    "method", "function", "operator", "item", "comparison", "logic", "comprehension", "text"
]

_SYMBOLS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.BitAnd: "&",
    ast.MatMult: "@",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.And: "and",
    ast.Or: "or",
    ast.Not: "not",
    ast.USub: "-",
    ast.UAdd: "+",
    ast.Invert: "~",
}
_BODIES = ("body", "orelse", "finalbody", "handlers", "cases")


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that an expression computes."""

    name: str  # `rfind`, `len`, `+`, `[]`, `[:]`
    kind: OperationKind


_PLAIN: dict[type[ast.AST], Operation] = {
    ast.IfExp: Operation("if else", "logic"),
    ast.JoinedStr: Operation("f-string", "text"),
    ast.ListComp: Operation("list comprehension", "comprehension"),
    ast.SetComp: Operation("set comprehension", "comprehension"),
    ast.DictComp: Operation("dict comprehension", "comprehension"),
    ast.GeneratorExp: Operation("generator expression", "comprehension"),
}


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement, or the header of a compound one."""

    node: ast.stmt
    own: frozenset[str]  # functions of the program's own, which are stepped into and hide nothing

    @property
    def is_return(self) -> bool:
        """Whether it returns a value."""
        return isinstance(self.node, ast.Return)

    @property
    def is_for(self) -> bool:
        """Whether it is the header of a `for` loop."""
        return isinstance(self.node, ast.For | ast.AsyncFor)

    @property
    def is_test(self) -> bool:
        """Whether it decides where to go on."""
        return isinstance(self.node, ast.If | ast.While | ast.Match)

    def targets(self) -> set[str]:
        """The names that it binds or changes in place."""
        found = set()
        for node in _header(self.node):
            changed = node if _is_stored(node) else _changed(node)
            while isinstance(changed, ast.Attribute | ast.Subscript):
                changed = changed.value
            if isinstance(changed, ast.Name):
                found.add(changed.id)
        return found

    def operations(self, name: str | None = None) -> list[Operation]:
        """What it computes, in the order of the text; of a tuple assignment only what `name` gets."""
        node = self.node
        if name is not None and isinstance(node, ast.Assign):
            found = [part for target in node.targets for part in _parts(target, node.value, name)]
            return [each for part in found or [node.value] for each in _operations(part, self.own)]
        operations = [each for part in _roots(node) for each in _operations(part, self.own)]
        if isinstance(node, ast.AugAssign):
            operations.append(Operation(_SYMBOLS[type(node.op)] + "=", "operator"))
        return operations


def statement_at(source: str, line: int) -> Statement | None:
    """The statement that runs when a frame is on this line; None: none begins or goes on there."""
    index, own = _indexed(source)
    node = index.get(line)
    return None if node is None else Statement(node, own)


def described(operations: Iterable[Operation]) -> str:
    """Operations in words: ``.replace, [:], +``."""
    return ", ".join(f".{each.name}" if each.kind == "method" else each.name for each in operations)


@lru_cache(maxsize=64)
def _indexed(source: str) -> tuple[dict[int, ast.stmt], frozenset[str]]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return {}, frozenset()
    index: dict[int, ast.stmt] = {}
    own = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            own.add(node.name)
        if isinstance(node, ast.stmt):
            for line in range(node.lineno, _header_end(node) + 1):
                before = index.get(line)
                if before is None or _is_inside(node, before):
                    index[line] = node
    return index, frozenset(own)


def _header_end(node: ast.stmt) -> int:
    """The last line of a statement without the statements inside it."""
    parts = (part for name in _BODIES for part in getattr(node, name, ()))
    inner: list[int] = [part.lineno for part in parts if hasattr(part, "lineno")]
    end = node.end_lineno or node.lineno
    return max(node.lineno, min([end, *(line - 1 for line in inner)]))


def _is_inside(node: ast.stmt, other: ast.stmt) -> bool:
    """Whether a statement is a part of another; `if x: y = 1` counts as the test."""
    return node.lineno > other.lineno and (node.end_lineno or 0) <= (other.end_lineno or 0)


def _roots(node: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of a statement itself."""
    for name, value in ast.iter_fields(node):
        if name in _BODIES:
            continue
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.expr):
                yield part
            elif isinstance(part, ast.withitem):
                yield part.context_expr


def _header(node: ast.stmt) -> Iterator[ast.AST]:
    yield node
    for root in _roots(node):
        yield from ast.walk(root)


def _is_stored(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del)


def _changed(node: ast.AST) -> ast.expr | None:
    """What a part of a statement may change in place: the receiver of a method, the owner of an item."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.value
    if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
        return node.value
    return node.target if isinstance(node, ast.AugAssign) else None


def _parts(target: ast.expr, value: ast.expr, name: str) -> list[ast.expr]:
    """What `name` gets in an assignment of a tuple to a tuple; empty: it is not one."""
    sequences = ast.Tuple | ast.List
    if isinstance(target, sequences) and isinstance(value, sequences) and len(target.elts) == len(value.elts):
        pairs = zip(target.elts, value.elts, strict=True)
        return [part for each, given in pairs for part in _parts(each, given, name)]
    names = {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}
    return [value] if name in names else []


def _operations(node: ast.AST, own: frozenset[str]) -> Iterator[Operation]:
    operation = _operation(node, own)
    if operation is not None:
        yield operation
    for part in ast.iter_child_nodes(node):
        yield from _operations(part, own)


def _operation(node: ast.AST, own: frozenset[str]) -> Operation | None:
    match node:
        case ast.Call(func=ast.Attribute(attr=name)):
            return Operation(name, "method")
        case ast.Call(func=ast.Name(id=name)):
            return None if name in own else Operation(name, "function")
        case ast.Call():
            return Operation("call", "function")
        case ast.BinOp(op=op):
            return Operation(_SYMBOLS[type(op)], "operator")
        case ast.UnaryOp(op=sign, operand=operand):
            is_plain = isinstance(operand, ast.Constant) or isinstance(sign, ast.UAdd)
            return None if is_plain else Operation(_SYMBOLS[type(sign)], "operator")
        case ast.Compare(ops=ops):
            return Operation(" ".join(_SYMBOLS[type(each)] for each in ops), "comparison")
        case ast.BoolOp(op=word):
            return Operation(_SYMBOLS[type(word)], "logic")
        case ast.Subscript(slice=inside, ctx=ast.Load()):
            return Operation("[:]" if isinstance(inside, ast.Slice) else "[]", "item")
    return _PLAIN.get(type(node))
