"""This file is what types the names of a flat program are sure to have, read off its text.

One answer a name and scope, for all of the scope: a name that is bound to values of two types, or to a value
of unknown type, is unknown. Only exact built-in types are told, since only their behaviour is known.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from worldline.rewrite.expressions.scopes import bound_by, parameters

NUMBERS = frozenset({"int", "float", "bool", "complex", "NoneType"})
"""Types whose operators hide nothing (None has none, so that they fail at once)."""
DISPLAYS: Mapping[type[ast.expr], str] = {
    ast.List: "list",
    ast.Dict: "dict",
    ast.Set: "set",
    ast.Tuple: "tuple",
}
FUNCTIONS: Mapping[str, str] = {
    **{name: name for name in ("int", "float", "bool", "list", "dict", "set", "tuple", "range")},
    **dict.fromkeys(("chr", "bin", "oct", "hex"), "str"),
    **dict.fromkeys(("len", "ord", "id", "hash"), "int"),
    **dict.fromkeys(("isinstance", "issubclass", "callable", "any", "all", "hasattr"), "bool"),
    "sorted": "list",
    "frozenset": "frozenset",
}
SHOWING = frozenset({"str", "repr", "ascii", "format"})
"""Functions that ask their argument for a text, which may be of a class of its own."""
METHODS: Mapping[str, Mapping[str, str]] = {
    "str": {
        **dict.fromkeys(
            (
                *("capitalize", "casefold", "center", "expandtabs", "join", "ljust", "lower"),
                *("lstrip", "removeprefix", "removesuffix", "replace", "rjust", "rstrip", "strip"),
                *("swapcase", "title", "translate", "upper", "zfill"),
            ),
            "str",
        ),
        **dict.fromkeys(("count", "find", "index", "rfind", "rindex"), "int"),
        **dict.fromkeys(("split", "rsplit", "splitlines"), "list"),
        **dict.fromkeys(("partition", "rpartition"), "tuple"),
        **dict.fromkeys([name for name in dir(str) if name.startswith("is")], "bool"),
        **dict.fromkeys(("startswith", "endswith"), "bool"),
    },
    "list": {"copy": "list", "index": "int", "count": "int"},
    "tuple": {"index": "int", "count": "int"},
    "dict": {"copy": "dict"},
    "set": {**dict.fromkeys(("copy", "union", "intersection", "difference"), "set"), "issubset": "bool"},
}
SEQUENCES = frozenset({"str", "list", "tuple"})
Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Kinds:
    """The types of one scope's names."""

    names: dict[str, str]  # a pass that makes new names adds them
    shadowed: frozenset[str]  # built-in names that the program gives another meaning

    def of(self, value: ast.expr) -> str | None:
        """The type of an operand or of one operation; None: not known."""
        match value:
            case ast.Constant(value=constant):
                return type(constant).__name__
            case ast.Name(id=name):
                return self.names.get(name) or None
            case ast.UnaryOp(op=ast.Not()):
                return "bool"
            case ast.UnaryOp(operand=operand):
                kind = self.of(operand)
                return "int" if kind in ("int", "bool") else kind if kind in NUMBERS else None
            case ast.BinOp(left=left, op=op, right=right):
                return combined(self.of(left), op, self.of(right))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return compared(self.of(left), op, self.of(right))
            case ast.JoinedStr(values=parts):  # of one part, it is that part's own text
                return "str" if len(parts) > 1 or all(map(self._is_plain, parts)) else None
            case ast.Subscript(value=container, slice=index):
                return self._item(self.of(container), index)
            case ast.Call():
                return self._call(value)
        return DISPLAYS.get(type(value))

    def _item(self, kind: str | None, index: ast.expr) -> str | None:
        if isinstance(index, ast.Slice):
            return kind if kind in SEQUENCES else None
        return "str" if kind == "str" else "int" if kind == "range" else None

    def _is_plain(self, part: ast.expr) -> bool:
        return not isinstance(part, ast.FormattedValue) or self.of(part.value) is not None

    def _call(self, call: ast.Call) -> str | None:
        match call.func:
            case ast.Name(id=name) if name in SHOWING and name not in self.shadowed:
                return "str" if all(self.of(arg) for arg in call.args) else None
            case ast.Name(id=name) if name not in self.shadowed:
                return FUNCTIONS.get(name)
            case ast.Attribute(value=receiver, attr=method):
                return METHODS.get(self.of(receiver) or "", {}).get(method)
        return None


def combined(left: str | None, op: ast.operator, right: str | None) -> str | None:
    """The type of a binary operation."""
    whole = ("int", "bool")
    if left in whole and right in whole:
        exact = isinstance(op, ast.Add | ast.Sub | ast.Mult | ast.FloorDiv | ast.Mod)
        return "int" if exact else "float" if isinstance(op, ast.Div) else None
    if left in ("int", "bool", "float") and right in ("int", "bool", "float"):
        return None if isinstance(op, ast.Pow) else "float"
    if isinstance(op, ast.Add) and left == right and left in SEQUENCES:
        return left
    if isinstance(op, ast.Mult) and left in SEQUENCES and right in whole:
        return left
    if isinstance(op, ast.Mult) and right in SEQUENCES and left in whole:
        return right
    if isinstance(op, ast.Mod) and left == "str" and right in NUMBERS | {"str"}:
        return "str"
    return None


def compared(left: str | None, op: ast.cmpop, right: str | None) -> str | None:
    """The type of a comparison: sequences answer what their items answer."""
    if isinstance(op, ast.Is | ast.IsNot):
        return "bool"
    is_order = isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE)
    is_known = left is not None and right is not None and not (is_order and {left, right} & {"list", "tuple"})
    return "bool" if is_known else None


def kinds(scope: Scope, shadowed: frozenset[str], shared: frozenset[str]) -> Kinds:
    """The types of a scope's names.

    Args:
        scope: a flat function or module.
        shadowed: built-in names that the program binds.
        shared: names that other functions may bind as well (global, nonlocal).
    """
    found: dict[str, str] = {}  # "" is unknown
    given = [] if isinstance(scope, ast.Module) else parameters(scope.args)
    for name in (*given, *shared):
        found[name] = ""
    bindings = list(_bindings(scope))
    is_stable = False
    while not is_stable:
        before, known = dict(found), Kinds(found, shadowed)
        for name, value in bindings:
            if found.get(name) != "":
                _join(found, name, value, known)
        is_stable = before == found
    return Kinds({name: kind for name, kind in found.items() if kind}, shadowed)


def _join(found: dict[str, str], name: str, value: ast.expr | None, known: Kinds) -> None:
    kind = "" if value is None else known.of(value) or ""
    found[name] = kind if found.get(name, kind) == kind else ""


def _bindings(scope: Scope) -> Iterator[tuple[str, ast.expr | None]]:
    """Every name that is bound in a scope with what it is bound to; None: it cannot be told."""
    for stmt in own_statements(scope):
        match stmt:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield from _target(target, value)
            case ast.AugAssign(target=ast.Name(id=name) as target, op=op, value=value):
                yield name, ast.BinOp(ast.Name(name, ast.Load()), op, value)
            case ast.AnnAssign(target=ast.Name(id=name), value=value):
                if value is not None:
                    yield name, value
            case ast.For(target=target, iter=iterable):
                yield from _loop(target, iterable)
            case _:
                yield from ((name, None) for part in shallow(stmt) for name in bound_by(part))


def _target(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[str, ast.expr | None]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple | ast.List | ast.Starred):
        for part in ast.walk(target):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                yield part.id, None


def _loop(target: ast.expr, iterable: ast.expr) -> Iterator[tuple[str, ast.expr | None]]:
    """`for c in text`: what is taken out of a text is a text, out of a range an int."""
    item = ast.Subscript(iterable, ast.Constant(0), ast.Load())
    yield from _target(target, item if isinstance(target, ast.Name) else None)


def shallow(stmt: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement that are not statements below it."""
    waiting: list[ast.AST] = [stmt]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt)]


def own_statements(scope: Scope) -> Iterator[ast.stmt]:
    """The statements of a scope, not those of functions and classes in it."""
    waiting: list[ast.stmt] = list(scope.body)
    while waiting:
        stmt = waiting.pop(0)
        yield stmt
        if isinstance(stmt, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for block in blocks(stmt):
            waiting += block


def blocks(stmt: ast.stmt) -> Sequence[list[ast.stmt]]:
    """The blocks of a compound statement."""
    found = [getattr(stmt, name) for name in ("body", "orelse", "finalbody") if getattr(stmt, name, None)]
    found += [handler.body for handler in getattr(stmt, "handlers", [])]
    return found + [case.body for case in getattr(stmt, "cases", [])]


def bound_names(scope: Scope) -> set[str]:
    """The names that a scope binds itself, its parameters included."""
    found = {name for name, _ in _bindings(scope)}
    return found if isinstance(scope, ast.Module) else found | set(parameters(scope.args))
