"""This file is f-strings: each replacement field is formatted before the next one is computed."""

import ast
import sys
from collections.abc import Sequence

from worldline.rewrite.expressions.flat import UNSPECIFIED, is_simple, text_parts
from worldline.rewrite.expressions.writer import Writer

CONVERTS_FIRST = sys.version_info >= (3, 13)  # before that, `!r` came after the specification was computed


def lower_text(w: Writer, node: ast.JoinedStr) -> ast.expr:
    """An f-string that joins simple parts, the formatted ones among them made before."""
    given = text_parts(node)
    if len(given) == 1 and isinstance(given[0], ast.FormattedValue):
        return ast.JoinedStr([_field(w, given[0])])
    last = _last_active(w, given)
    parts: list[ast.expr] = []
    for place, part in enumerate(given):
        if isinstance(part, ast.FormattedValue) and (place < last or not _is_plain(part)):
            text = w.keep(ast.JoinedStr([_field(w, part)]))
            parts.append(ast.FormattedValue(text, -1, None))
        elif isinstance(part, ast.FormattedValue):
            parts.append(_field(w, part))
        else:
            parts.append(part)
    return ast.JoinedStr(parts)


def _is_plain(part: ast.expr) -> bool:
    """Whether a field asks for neither a conversion nor a specification."""
    return isinstance(part, ast.FormattedValue) and part.conversion == -1 and part.format_spec is None


def _last_active(w: Writer, parts: Sequence[ast.expr]) -> int:
    """The place of the last field that takes statements of its own."""
    for place in range(len(parts) - 1, -1, -1):
        part = parts[place]
        if isinstance(part, ast.FormattedValue) and not (_is_plain(part) and is_simple(part.value)):
            return place
    return -1


def _field(w: Writer, field: ast.FormattedValue) -> ast.expr:
    """One replacement field on an operand: conversion, then specification, each of them one operation."""
    spec = field.format_spec
    value = w.operand(field.value)
    if not isinstance(spec, ast.JoinedStr):
        return ast.FormattedValue(value, field.conversion, None)
    fields = [part.value for part in spec.values if isinstance(part, ast.FormattedValue)]
    if field.conversion != -1 and CONVERTS_FIRST:
        value = _converted(w, value, field.conversion)
    elif fields:
        value = w.held(value, [spec])
    spec = _specification(w, spec)
    if field.conversion != -1 and not CONVERTS_FIRST:
        value = _converted(w, value, field.conversion)
    return ast.FormattedValue(value, -1, spec)


def _converted(w: Writer, value: ast.expr, conversion: int) -> ast.expr:
    return w.keep(ast.JoinedStr([ast.FormattedValue(value, conversion, None)]))


def _specification(w: Writer, spec: ast.JoinedStr) -> ast.JoinedStr:
    """What stands after the colon: one constant, or one name that holds it."""
    parts = text_parts(spec)
    if not parts:
        return spec
    if len(parts) == 1 and isinstance(parts[0], ast.Constant):
        if not set(str(parts[0].value)) & UNSPECIFIED:
            return spec
        return ast.JoinedStr([ast.FormattedValue(w.keep(parts[0]), -1, None)])
    if len(parts) == 1 and isinstance(parts[0], ast.FormattedValue) and _is_plain(parts[0]):
        return ast.JoinedStr([ast.FormattedValue(w.operand(parts[0].value), -1, None)])
    text = w.keep(lower_text(w, spec))
    return ast.JoinedStr([ast.FormattedValue(text, -1, None)])
