"""This folder is small functions that map a type to itself, so that they can be nested: one family a file.

A family's functions are text for generated programs. They take one argument, never change it, never raise on
a value of their type, and hardly make it longer (`tests/bench/test_families.py` has the bounds): whichever
five of them are nested, nothing grows over 200 items or 12 digits. So that nothing but the functions is read,
their files have no comments, types or docstrings.
"""

import ast
import functools
import random
from collections.abc import Callable, Mapping
from importlib import import_module, resources
from string import ascii_lowercase, ascii_uppercase, digits
from types import MappingProxyType
from typing import Any

from worldline.errors import UserError

FAMILIES: tuple[str, ...] = ("strings", "integers", "lists", "dicts", "tuples")

_EMPTY = 0.06  # how often an input is empty
_REPEATED = 0.2  # how often a character or an item comes again at once
_GAPS = (" ", " ", " ", " ", ", ", "-", "_", ". ", "!", ":")


@functools.cache
def functions(family: str) -> Mapping[str, str]:
    """The source text of each function of a family by its name, in the order of the file."""
    _check(family)
    text = resources.files(__name__).joinpath(f"{family}.py").read_text(encoding="utf-8")
    nodes = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    return MappingProxyType({node.name: ast.get_source_segment(text, node) or "" for node in nodes})


def function(family: str, name: str) -> Callable[[Any], Any]:
    """One function of a family, to be called."""
    _check(family)
    found: Callable[[Any], Any] = getattr(import_module(f"{__name__}.{family}"), name)
    return found


def random_input(family: str, dice: random.Random) -> str:
    """A value of the family's type, as Python writes it; sometimes empty."""
    _check(family)
    return repr(_MAKERS[family](dice))


def _check(family: str) -> None:
    if family not in FAMILIES:
        raise UserError(f"no family of functions called {family!r}", f"there are: {', '.join(FAMILIES)}")


def _text(dice: random.Random) -> str:
    """A few made-up words, with digits, capitals, repeats and punctuation: at most 38 characters."""
    if dice.random() < _EMPTY:
        return ""
    words = [_word(dice) for _ in range(dice.choice((1, 2, 2, 2, 3, 3)))]
    return (
        "".join(word + dice.choice(_GAPS) for word in words[:-1])
        + words[-1]
        + dice.choice(("", "", "!", "?"))
    )


def _word(dice: random.Random) -> str:
    word = ""
    for _ in range(dice.randint(2, 6)):
        kind = dice.choices((ascii_lowercase, "aeiou", ascii_uppercase, digits), (10, 5, 3, 2))[0]
        char = dice.choice(kind)
        word += char * (2 if dice.random() < _REPEATED else 1)
    return word


def _number(dice: random.Random) -> int:
    """A number of at most six digits, of every length about as often."""
    size = 10 ** dice.randint(1, 6)
    number = dice.randrange(size // 10 if size > 10 else 0, size)
    return -number if dice.random() < 0.2 else number


def _numbers(dice: random.Random) -> list[int]:
    """At most 20 numbers, most of them of two digits."""
    if dice.random() < _EMPTY:
        return []
    found: list[int] = []
    for _ in range(dice.randint(1, 10)):
        number = dice.choice((dice.randint(0, 9), dice.randint(10, 99), dice.randint(-50, 50)))
        found += [number] * (2 if dice.random() < _REPEATED else 1)
    return found


def _named_numbers(dice: random.Random) -> dict[str, int]:
    """At most seven short names, each with a number."""
    if dice.random() < _EMPTY:
        return {}
    names = ("".join(_letters(dice)) for _ in range(dice.randint(2, 7)))
    return {name: dice.choice((dice.randint(0, 40), dice.randint(-20, 99))) for name in names}


def _letters(dice: random.Random) -> list[str]:
    return dice.choices("aeiou" + ascii_lowercase, k=dice.randint(1, 4))


_MAKERS: Mapping[str, Callable[[random.Random], Any]] = {
    "strings": _text,
    "integers": _number,
    "lists": _numbers,
    "dicts": _named_numbers,
    "tuples": lambda dice: tuple(_numbers(dice)),
}
