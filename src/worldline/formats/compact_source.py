"""This file is which function a call at some line of a source most likely enters.

The text of the lines is looked at, not a syntax tree: the answer must be the same on every version of Python,
and for a source that none of them can parse. Where it is wrong, the format writes the function's name.
"""

import re
from functools import lru_cache

_DEFINITION = re.compile(
    r"(?P<indent>[ \t]*)(?:async[ \t]+)?(?P<kind>def|class)[ \t]+(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
)
_DECORATOR = re.compile(r"[ \t]*@")
_COMPREHENSIONS = (("[", "<listcomp>"), ("{", "<setcomp>"))


@lru_cache(maxsize=64)
def functions(source: str) -> dict[int, str]:
    """The qualified name of what is defined at each line that has a `def`, a `class` or its decorator."""
    found: dict[int, str] = {}
    around: list[tuple[int, str]] = []  # indent and prefix of the definitions that enclose the line
    decorators: list[int] = []
    for number, line in enumerate(_lines(source), 1):
        match = _DEFINITION.match(line)
        if match:
            indent = len(match["indent"])
            while around and around[-1][0] >= indent:
                around.pop()
            name = (around[-1][1] if around else "") + match["name"]
            around.append((indent, f"{name}.<locals>." if match["kind"] == "def" else f"{name}."))
            found.update(dict.fromkeys([*decorators, number], name))
            decorators = []
        elif _DECORATOR.match(line):
            decorators.append(number)
    return found


@lru_cache(maxsize=64)
def _lines(source: str) -> list[str]:
    return source.split("\n")


def function_at(source: str, line: int, caller: str) -> str:
    """The function defined at `line`, or else the lambda or comprehension of the caller that may be there."""
    name = functions(source).get(line)
    if name is not None:
        return name
    lines = _lines(source)
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    prefix = f"{caller}.<locals>." if caller and caller != "<module>" else ""
    if "lambda" in text:
        return f"{prefix}<lambda>"
    before, loop, _ = text.partition(" for ")
    if not loop:
        return caller or "<module>"
    return prefix + next((kind for bracket, kind in _COMPREHENSIONS if bracket in before), "<genexpr>")
