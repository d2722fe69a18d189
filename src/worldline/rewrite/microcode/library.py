"""This file is how microcode is found: every function in this folder's files, and what each needs."""

import ast
import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from types import MappingProxyType

PACKAGE = "worldline.rewrite.microcode"
MACHINERY = frozenset({"__init__.py", "library.py", "atoms.py"})


@dataclass(frozen=True, slots=True)
class Function:
    """One function of microcode."""

    name: str  # TYPE_METHOD, builtin_NAME, or a step that several of these share
    node: ast.FunctionDef  # shared by all callers: copy it before changing it
    file: str  # in this folder
    calls: frozenset[str]  # the functions of the library that it names itself


@functools.cache
def library() -> Mapping[str, Function]:
    """All of microcode by name, in the order of the files and of the functions in them."""
    found: dict[str, tuple[ast.FunctionDef, str]] = {}
    for file, text in sources().items():
        for node in ast.parse(text, file).body:
            if isinstance(node, ast.FunctionDef):
                if node.name in found:
                    raise ValueError(f"{node.name} is in {found[node.name][1]} and in {file}")
                found[node.name] = (node, file)
    return MappingProxyType(
        {
            name: Function(name, node, file, _names(node) & (found.keys() - {name}))
            for name, (node, file) in found.items()
        }
    )


def closure(names: Iterable[str]) -> tuple[Function, ...]:
    """These functions and all that they need, in the order of the library."""
    every = library()
    wanted: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in wanted:
            wanted.add(name)
            waiting.extend(every[name].calls)
    return tuple(function for name, function in every.items() if name in wanted)


@functools.cache
def sources() -> Mapping[str, str]:
    """The text of each file of microcode."""
    files = sorted(resources.files(PACKAGE).iterdir(), key=lambda file: file.name)
    return MappingProxyType(
        {
            file.name: file.read_text(encoding="utf-8")
            for file in files
            if file.name.endswith(".py") and file.name not in MACHINERY
        }
    )


def _names(node: ast.FunctionDef) -> frozenset[str]:
    """What a function reads and does not bind itself."""
    names = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
    bound = {name.id for name in names if not isinstance(name.ctx, ast.Load)}
    bound |= {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
    return frozenset(name.id for name in names) - bound
