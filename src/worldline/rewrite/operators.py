"""This file is which operators hide something: those that may walk through a text or a container."""

import ast

from worldline.rewrite.kinds import NUMBERS, Kinds
from worldline.rewrite.model import Level

BINARY: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.BitOr: "or",
    ast.BitAnd: "and",
    ast.BitXor: "xor",
}
COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.In: "in",
    ast.NotIn: "not_in",
}


def hides(op: ast.operator, left: ast.expr, right: ast.expr, kinds: Kinds, level: Level) -> bool:
    """Whether an operation may be one on texts or containers."""
    name = BINARY.get(type(op))
    one, other = kinds.of(left), kinds.of(right)
    if name is None:
        return False
    if name == "pow":
        return level == "atomic" and one not in ("float", "complex") and other not in ("float", "complex")
    if name in ("sub", "or", "and", "xor") and level != "atomic":
        return False
    if name == "add" and _is_character(right) and one in (None, "str"):
        return False
    if name == "mod":
        return one not in NUMBERS
    if name == "mul":
        return not (one in NUMBERS and other in NUMBERS)
    return one not in NUMBERS and other not in NUMBERS


def hides_comparison(op: ast.cmpop, left: ast.expr, right: ast.expr, kinds: Kinds) -> bool:
    """The same for a comparison."""
    one, other = kinds.of(left), kinds.of(right)
    if isinstance(op, ast.Is | ast.IsNot):
        return False
    if isinstance(op, ast.In | ast.NotIn):
        return other not in ("dict", "set", "frozenset")
    if one in NUMBERS or other in NUMBERS:
        return False
    return not (_is_character(left) or _is_character(right))


def _is_character(value: ast.expr) -> bool:
    """Whether an operand is a text of at most one character, which is in view as a whole."""
    return isinstance(value, ast.Constant) and isinstance(value.value, str) and len(value.value) <= 1
