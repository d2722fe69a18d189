"""This file is how much each line of a program hides: what it computes beyond one step that can be seen.

A line may compute one thing in view. Every further operation in it is hidden, and so is the walk of each
operation that goes through a whole value (a method such as `find`, a slice, `in`, a comprehension): it counts
one more. Loops, calls of the program's own functions and single items (`x[i]`, `d[k]`, `append`) do not.
Functions of microcode hide nothing (which is their law) except where they fall back on the real method.
"""

import ast
import builtins
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType

from worldline.rewrite.calls import ATOMIC_FUNCTIONS, ATOMIC_METHODS, is_exception
from worldline.rewrite.emit import header_end
from worldline.rewrite.library_text import text_of
from worldline.rewrite.microcode.atoms import fallback_length
from worldline.rewrite.microcode.library import library

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
ONE_STEP = frozenset({"pop", "get", "keys", "values", "items"})
"""Further methods that look at one item only, or at none (`pop()` and `get`)."""


@lru_cache(maxsize=64)
def hidden_by_line(source: str) -> Mapping[int, int]:
    """Hidden operations of each line that has code; a statement over several lines counts at all of them."""
    found: dict[int, int] = {}
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            for line in range(node.lineno, header_end(node) + 1):
                found[line] = found.get(line, 0) + hidden(node)
    for function in tree.body:
        if is_microcode(function):
            real = fallbacks(function)
            for line in range(function.lineno, (function.end_lineno or function.lineno) + 1):
                found[line] = int(line in real)
    return MappingProxyType(found)


def is_microcode(stmt: ast.stmt) -> bool:
    """Whether a statement is a function of the library, word for word."""
    if not isinstance(stmt, ast.FunctionDef) or stmt.name not in library():
        return False
    return ast.unparse(stmt) == text_of(library()[stmt.name], {})


def fallbacks(function: ast.stmt) -> set[int]:
    """The lines of a function of microcode that hand over to the real method, function or slice."""
    blocks = [node.body for node in ast.walk(function) if isinstance(node, ast.If)]
    ends = [block[len(block) - fallback_length(block) :] for block in blocks]
    return {stmt.lineno for end in ends for stmt in end if any(map(_is_walk, ast.walk(stmt)))}


def hidden(stmt: ast.stmt) -> int:
    """Hidden operations of a statement, without the blocks in it."""
    operations = walks = 0
    for node in _parts(stmt):
        operations += _operations(node)
        walks += _is_walk(node)
    return max(operations - 1, 0) + walks


def _parts(stmt: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement that run with it: no statements in it, no bodies of lambdas."""
    waiting: list[ast.AST] = [] if isinstance(stmt, ast.ClassDef) else [stmt]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.Lambda | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        waiting += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt)]


def _operations(node: ast.AST) -> int:
    match node:
        case ast.BoolOp(values=values):
            return len(values) - 1
        case ast.Compare(ops=ops):
            return len(ops)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            return 0
        case ast.Subscript(ctx=ast.Load()) | ast.BinOp() | ast.UnaryOp() | ast.Call() | ast.IfExp():
            return 1
        case ast.AugAssign() | ast.FormattedValue():
            return 1
    return int(isinstance(node, COMPREHENSIONS))


def _is_walk(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr=method)):
            return method not in ATOMIC_METHODS and method not in ONE_STEP
        case ast.Call(func=ast.Name(id=name), args=args):
            return (
                bool(args)
                and hasattr(builtins, name)
                and name not in ATOMIC_FUNCTIONS
                and not is_exception(name)
            )
        case ast.Compare(ops=ops):
            return any(isinstance(op, ast.In | ast.NotIn) for op in ops)
        case ast.Subscript(slice=ast.Slice()):
            return True
    return isinstance(node, COMPREHENSIONS)
