"""This file is a call such as `f([1, 2], k=3)`, taken apart and written again."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from worldline.errors import UserError


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a call."""

    before: str  # `k=`, `*`, `**` or nothing
    text: str  # as it was written, where it is not a literal
    is_literal: bool
    value: Any = None  # of a literal


@dataclass(frozen=True, slots=True)
class Call:
    """A call taken apart; any other expression is all `head` and has no arguments."""

    head: str
    arguments: tuple[Argument, ...]
    is_call: bool = True

    def with_values(self, values: Sequence[object]) -> str:
        """The text of the call with these in place of its literals."""
        if not self.is_call:
            return self.head
        left = iter(values)
        texts = [one.before + (written(next(left)) if one.is_literal else one.text) for one in self.arguments]
        return f"{self.head}({', '.join(texts)})"


def parse(call: str) -> Call:
    """Take a call apart."""
    try:
        node = ast.parse(call.strip(), "<call>", "eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UserError(
            f"the call {call[:200]!r} is not an expression: {error}", "write it like f(1, 2)"
        ) from None
    if not isinstance(node, ast.Call):
        return Call(call.strip(), (), is_call=False)
    positional = [_argument("", one) for one in node.args]
    named = [_argument("**" if one.arg is None else f"{one.arg}=", one.value) for one in node.keywords]
    return Call(ast.unparse(node.func), (*positional, *named))


def same_types(call: str, other: str) -> bool:
    """Whether the literal arguments of two calls have the same types, one by one."""
    kinds = [[type(argument.value) for argument in parse(text).arguments] for text in (call, other)]
    return kinds[0] == kinds[1]


def _argument(before: str, node: ast.expr) -> Argument:
    if not isinstance(node, ast.Starred) and before != "**":
        try:
            return Argument(before, "", True, ast.literal_eval(node))
        except (ValueError, TypeError, RecursionError, MemoryError):
            pass
    return Argument(before, ast.unparse(node), False)


def written(value: Any) -> str:
    """A value as a literal: its `repr`, but sets in an order that does not hang on hashes."""
    kind = type(value)
    if kind is list:
        return f"[{', '.join(map(written, value))}]"
    if kind is tuple:
        return f"({written(value[0])},)" if len(value) == 1 else f"({', '.join(map(written, value))})"
    if kind is set:
        return f"{{{', '.join(sorted(map(written, value)))}}}" if value else "set()"
    if kind is dict:
        return f"{{{', '.join(f'{written(key)}: {written(item)}' for key, item in value.items())}}}"
    if kind is float and abs(value) == float("inf"):
        return "1e999" if value > 0 else "-1e999"
    return repr(value)
