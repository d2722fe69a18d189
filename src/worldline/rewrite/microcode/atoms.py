"""This file is what counts as one atomic statement, and what a piece of code hides besides.

It reads syntax only: that `text + c` adds one character, or that `k in table` asks a dict, is for the laws,
which run microcode with every operation watched. A *fallback* (an `if` whose block ends by handing everything
to the real method or operator) is not hidden: it is where microcode says that it does not apply.
"""

import ast
import builtins
from collections.abc import Iterator

ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
CALLS = frozenset({"len", "type", "ord", "chr", "iter", "next", "tuple", "frozenset", "set", "bytes"})
"""Built-in functions that are one step each; the conversions only from what was built item by item."""
METHODS = {"append": 1, "pop": 0, "add": 1, "discard": 1}
"""Methods that are one step each, with the number of their arguments."""
SHORT = 5  # items of a display that can be taken in at a glance


def is_atomic(stmt: ast.stmt) -> bool:
    """Whether a statement does one thing; of a compound statement, whether its header does."""
    match stmt:
        case ast.Pass() | ast.Break() | ast.Continue():
            return True
        case ast.Assign(targets=[target], value=value):
            return _is_place(target) and _fits(target, value)
        case ast.AugAssign(target=ast.Name(), op=op, value=value):
            return isinstance(op, ARITHMETIC) and _is_operand(value)
        case ast.Delete(targets=[target]):
            return _is_place(target)
        case ast.Return(value=value):
            return value is None or _is_one_step(value)
        case ast.Expr(value=value):
            return isinstance(value, ast.Constant | ast.Call | ast.Yield) and _is_one_step(value)
        case ast.Raise(exc=error, cause=None):
            return error is None or _is_operand(error) or _is_exception(error)
        case _:
            return _has_atomic_header(stmt)


def hidden(node: ast.AST) -> list[str]:
    """The statements in a function, a block or a module that do more than one thing, each with its line."""
    return [f"line {stmt.lineno}: {_header(stmt)}" for stmt in _statements(node) if not is_atomic(stmt)]


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """All statements below a node (and itself) but the function that it may be, and but fallbacks."""
    if isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef):
        yield node
    for field in ("body", "orelse", "handlers", "finalbody"):
        block = getattr(node, field, [])
        if isinstance(node, ast.If) and field == "body":
            block = block[: len(block) - fallback_length(block)]
        for child in block:
            if isinstance(child, ast.FunctionDef) and not isinstance(node, ast.Module):
                yield child  # a function inside a function
            yield from _statements(child)


def fallback_length(block: list[ast.stmt]) -> int:
    """How many statements at the end of an `if` block hand over to the real method or operator."""
    match block:
        case [
            *_,
            ast.Assign(targets=[ast.Name(id=name)], value=made),
            ast.Return(
                value=ast.Attribute(value=ast.Name(id=read))
                | ast.Call(func=ast.Name(), args=[ast.Name(id=read)], keywords=[])
            ),
        ] if name == read and _is_real(made):
            return 2
        case [*_, ast.Return(value=ast.expr() as value)] if _is_real(value):
            return 1
        case [*_, doing, ast.Return(value=value)] if value is None or _is_operand(value):
            return 2 if _is_real_statement(doing) else 0
    return 0


def _is_real_statement(stmt: ast.stmt) -> bool:
    match stmt:
        case ast.AugAssign(target=ast.Name(), value=value):
            return _is_operand(value)
        case ast.Assign(targets=[ast.Subscript() as target], value=value):
            return _is_real(target) and _is_operand(value)
        case ast.Assign(targets=[ast.List(elts=[ast.Starred(value=ast.Name())])], value=value):
            return _is_operand(value)
        case ast.Delete(targets=[target]) | ast.Expr(value=target):
            return _is_real(target)
    return False


def _is_real(value: ast.expr) -> bool:
    """One call, operation or slice of Python's own, on names and constants."""
    match value:
        case ast.Call(func=ast.Name()) | ast.Call(func=ast.Attribute(value=ast.Name() | ast.Constant())):
            return _has_plain_arguments(value)
        case ast.BinOp(left=left, right=right) | ast.Compare(left=left, comparators=[right]):
            return _is_operand(left) and _is_operand(right)
        case ast.Subscript(value=ast.Name(), slice=ast.Slice(lower=lower, upper=upper, step=step)):
            return all(part is None or _is_operand(part) for part in (lower, upper, step))
        case ast.Subscript(value=ast.Name(), slice=index):
            return _is_operand(index)
        case ast.JoinedStr(values=[ast.FormattedValue(value=ast.Name(), conversion=-1, format_spec=None)]):
            return True
        case ast.List(elts=[ast.Starred(value=ast.Name())]) | ast.Dict(keys=[None], values=[ast.Name()]):
            return True
    return False


def _has_atomic_header(stmt: ast.stmt) -> bool:
    match stmt:
        case ast.If(test=test) | ast.While(test=test):
            return not isinstance(test, ast.Call | ast.Yield) and _is_test(test)
        case ast.For(target=ast.Name(), iter=ast.Name()):
            return True
        case ast.Try(handlers=handlers):
            return all(isinstance(handler.type, ast.Name) for handler in handlers)
    return False


def _is_test(value: ast.expr) -> bool:
    return isinstance(value, ast.Compare | ast.UnaryOp | ast.Name | ast.Constant) and _is_one_step(value)


def _fits(target: ast.expr, value: ast.expr) -> bool:
    """`x = a + b` is one thing, `items[i] = v` is one, and `items[i] = a + b` is two."""
    if isinstance(value, ast.Yield):
        return False  # what is sent back comes from nowhere
    return _is_one_step(value) if isinstance(target, ast.Name) else _is_operand(value)


def _is_one_step(value: ast.expr) -> bool:
    match value:
        case ast.BinOp(left=left, op=op, right=right):
            return isinstance(op, ARITHMETIC) and _is_operand(left) and _is_operand(right)
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            return _is_operand(operand)
        case ast.Compare(left=left, comparators=[right]):
            return _is_operand(left) and _is_operand(right)
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return len(items) <= SHORT and all(map(_is_operand, items))
        case ast.Dict(keys=keys, values=values):
            parts = [*keys, *values]
            return len(keys) <= SHORT and all(part is not None and _is_operand(part) for part in parts)
        case ast.Yield(value=ast.expr() as given):
            return _is_operand(given)
        case ast.Subscript():
            return _is_place(value)
        case ast.Call():
            return _is_atomic_call(value)
    return _is_operand(value)


def _is_atomic_call(call: ast.Call) -> bool:
    if not _has_plain_arguments(call):
        return False
    match call.func:
        case ast.Name(id=name):
            return name in CALLS or not hasattr(builtins, name)
        case ast.Attribute(value=ast.Name(), attr=method):
            return METHODS.get(method) == len(call.args) and not call.keywords
    return False


def _has_plain_arguments(call: ast.Call) -> bool:
    values = [*call.args, *(keyword.value for keyword in call.keywords)]
    return all(_is_operand(value.value if isinstance(value, ast.Starred) else value) for value in values)


def _is_exception(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and _has_plain_arguments(value)


def _is_place(target: ast.expr) -> bool:
    match target:
        case ast.Subscript(value=ast.Name(), slice=index):
            return _is_operand(index)
    return isinstance(target, ast.Name)


def _is_operand(value: ast.expr) -> bool:
    match value:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            return True
    return isinstance(value, ast.Name | ast.Constant)


def _header(stmt: ast.stmt) -> str:
    return ast.unparse(stmt).partition("\n")[0]
