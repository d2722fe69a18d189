"""This file is expressions that are one operation on operands: calls, attributes, items, arithmetic."""

import ast
from collections.abc import Sequence

from worldline.rewrite.expressions.displays import elements
from worldline.rewrite.expressions.writer import CannotFlatten, Writer

ONE_ARGUMENT = frozenset({"sorted", "min", "max"})


def lower_call(w: Writer, node: ast.Call) -> ast.expr:
    """A call: what is called is looked up before the arguments are computed."""
    values = [*node.args, *(word.value for word in node.keywords)]
    _check_mappings(w, node.keywords)
    _mark_called_right(w, node)
    func = _callee(w, node.func, values)
    args = arguments(w, node.args, [word.value for word in node.keywords])
    words = keywords(w, node.keywords)
    return ast.Call(func=func, args=args, keywords=words)


def _callee(w: Writer, func: ast.expr, values: Sequence[ast.expr]) -> ast.expr:
    if not isinstance(func, ast.Attribute):
        return w.held(w.operand(func), values)
    receiver = w.operand(func.value)
    method = ast.Attribute(receiver, func.attr, ast.Load())
    if w.last_active(values) < 0 or _can_wait(w, receiver, func.attr, values):
        return method
    return w.keep(method)


def _can_wait(w: Writer, receiver: ast.expr, attr: str, values: Sequence[ast.expr]) -> bool:
    """Whether a method may be looked up after the arguments: its object is, and stays, of a built-in type."""
    if isinstance(receiver, ast.Constant):
        return hasattr(receiver.value, attr)
    if not isinstance(receiver, ast.Name) or w.must_hold(receiver.id, values):
        return False
    if receiver.id in w.kinds:
        return hasattr(w.kinds[receiver.id], attr)
    owner = w.scope.owner(receiver.id)
    kinds = (owner.kinds if owner else w.module_kinds).get(receiver.id, frozenset())
    return bool(kinds) and all(hasattr(kind, attr) for kind in kinds)


def arguments(w: Writer, args: Sequence[ast.expr], later: Sequence[ast.expr]) -> list[ast.expr]:
    """Positional arguments; `f(*x)` alone takes the items of `x` only when it is called."""
    if len(args) == 1 and isinstance(args[0], ast.Starred):
        value = w.held(w.operand(args[0].value), later)
        return [ast.Starred(value, ast.Load())]
    return elements(w, args, later)


def keywords(w: Writer, words: Sequence[ast.keyword]) -> list[ast.keyword]:
    """Keyword arguments."""
    values = w.operands([word.value for word in words])
    return [ast.keyword(arg=word.arg, value=value) for word, value in zip(words, values, strict=True)]


def _check_mappings(w: Writer, words: Sequence[ast.keyword]) -> None:
    for place, word in enumerate(words):
        later = [other.value for other in words[place + 1 :]]
        if word.arg is None and w.last_active(later) >= 0:
            raise CannotFlatten("call", "the keys of ** are taken before a later argument is computed")


def _mark_called_right(w: Writer, node: ast.Call) -> None:
    """Lambdas given to built-in functions that call them with as many arguments as they have."""
    for word in node.keywords:
        builtin = isinstance(node.func, ast.Name) and node.func.id in ONE_ARGUMENT - w.facts.anywhere
        method = isinstance(node.func, ast.Attribute) and node.func.attr == "sort"
        if word.arg == "key" and (builtin or method):
            _mark(w, word.value, 1)
    if isinstance(node.func, ast.Name) and node.func.id in {"map", "filter"} - w.facts.anywhere and node.args:
        _mark(w, node.args[0], len(node.args) - 1)


def _mark(w: Writer, value: ast.expr, count: int) -> None:
    if isinstance(value, ast.Lambda):
        args = value.args
        plain = not (args.vararg or args.kwarg or args.kwonlyargs or args.defaults)
        if plain and len(args.posonlyargs) + len(args.args) == count:
            w.called_right.add(id(value))


def lower_attribute(w: Writer, node: ast.Attribute) -> ast.expr:
    """`a.b`."""
    return ast.Attribute(w.operand(node.value), node.attr, ast.Load())


def lower_subscript(w: Writer, node: ast.Subscript) -> ast.expr:
    """`a[b]`, also with slices."""
    value, place = item(w, node)
    return ast.Subscript(value, place, ast.Load())


def item(w: Writer, node: ast.Subscript, later: Sequence[ast.expr] = ()) -> tuple[ast.expr, ast.expr]:
    """The container and the index of `a[b]`; `later` is computed before they are used."""
    bounds = _bounds(node.slice)
    value, *places = w.operands_before([node.value, *bounds], later)
    return value, _rebuilt(node.slice, places)


def _has_slices(index: ast.expr) -> bool:
    return isinstance(index, ast.Tuple) and any(isinstance(part, ast.Slice) for part in index.elts)


def _bounds(index: ast.expr) -> list[ast.expr]:
    """The operands of an index, in order."""
    if isinstance(index, ast.Slice):
        return [part for part in (index.lower, index.upper, index.step) if part is not None]
    if isinstance(index, ast.Tuple) and _has_slices(index):
        if any(isinstance(part, ast.Starred) for part in index.elts):
            raise CannotFlatten("subscript", "it mixes slices and a starred index")
        return [bound for part in index.elts for bound in _bounds(part)]
    return [index]


def _rebuilt(index: ast.expr, places: list[ast.expr]) -> ast.expr:
    """The same index on operands; takes them from the front of `places`."""
    if isinstance(index, ast.Slice):
        parts = (index.lower, index.upper, index.step)
        lower, upper, step = (places.pop(0) if part is not None else None for part in parts)
        return ast.Slice(lower, upper, step)
    if isinstance(index, ast.Tuple) and _has_slices(index):
        return ast.Tuple([_rebuilt(part, places) for part in index.elts], ast.Load())
    return places.pop(0)


def lower_binary(w: Writer, node: ast.BinOp) -> ast.expr:
    """Arithmetic; a long sum is walked down its left side, as it can be thousands of terms deep."""
    spine = [node]
    while isinstance(spine[-1].left, ast.BinOp):
        spine.append(spine[-1].left)
    value = w.operand(spine[-1].left)
    while spine:
        part = spine.pop()
        left = w.held(value, [part.right])
        result = ast.BinOp(left, part.op, w.operand(part.right))
        if not spine:
            return result
        value = w.keep(result)
    raise AssertionError("a sum has at least one operator")


def lower_unary(w: Writer, node: ast.UnaryOp) -> ast.expr:
    """`-a`, `not a`."""
    return ast.UnaryOp(node.op, w.operand(node.operand))


def lower_await(w: Writer, node: ast.Await) -> ast.expr:
    """`await a`."""
    return ast.Await(w.operand(node.value))


def lower_yield(w: Writer, node: ast.Yield) -> ast.expr:
    """`yield a`."""
    return ast.Yield(w.operand(node.value) if node.value else None)


def lower_yield_from(w: Writer, node: ast.YieldFrom) -> ast.expr:
    """`yield from a`."""
    return ast.YieldFrom(w.operand(node.value))


def lower_walrus(w: Writer, node: ast.NamedExpr) -> ast.expr:
    """`(a := b)` is a statement before."""
    w.into(node.target.id, node.value)
    return ast.Name(node.target.id, ast.Load())
