"""This file is microcode as it is put into a program: without docstrings, under names that are free there."""

import ast
from collections.abc import Mapping
from functools import cache

from worldline.rewrite.dispatch import Dispatch
from worldline.rewrite.microcode.library import Function, library


def text_of(function: Function, names: Mapping[str, str]) -> str:
    """The text of a function; `names` are those under which functions are in the program."""
    if all(names.get(name, name) == name for name in (function.name, *function.calls)):
        return _plain(function.name)
    return ast.unparse(_renamed(_copied(function), names))


def text_of_dispatch(wanted: Dispatch, name: str, names: Mapping[str, str]) -> str:
    """The text of a function that chooses."""
    return ast.unparse(_renamed(wanted.definition(name), names))


@cache
def _plain(name: str) -> str:
    return ast.unparse(_copied(library()[name]))


def _copied(function: Function) -> ast.FunctionDef:
    node = ast.parse(ast.unparse(function.node)).body[0]
    assert isinstance(node, ast.FunctionDef)
    node.body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    return node


def _renamed(node: ast.FunctionDef, names: Mapping[str, str]) -> ast.FunctionDef:
    own = {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
    own |= {
        part.id
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)
    }
    node.name = names.get(node.name, node.name)
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id not in own:
            part.id = names.get(part.id, part.id)
    return node
