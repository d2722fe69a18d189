"""This file is names that no part of the program uses."""

import ast
import re
from collections.abc import Iterable

WORD = re.compile(r"[^\W\d]\w*")


def words(tree: ast.AST) -> set[str]:
    """Every name a program mentions, those inside its strings too (`globals()["x"]` reads a name)."""
    found: set[str] = set()
    for node in ast.walk(tree):
        for _, value in ast.iter_fields(node):
            if isinstance(value, str):
                found.update(WORD.findall(value))
            elif isinstance(value, list):
                found.update(item for item in value if isinstance(item, str))
    return found


class Fresh:
    """Gives names such as `_t0`, each once, none of them in `used`."""

    def __init__(self, used: Iterable[str]) -> None:
        self._used = set(used)
        self._next: dict[str, int] = {}
        self.given: set[str] = set()

    @classmethod
    def of(cls, tree: ast.AST) -> "Fresh":
        """Names that are fresh for this program."""
        return cls(words(tree))

    def name(self, stem: str = "t") -> str:
        """The next unused `_stemN`."""
        stem = stem.strip("_") or "item"
        if stem[-1].isdigit():
            stem += "_"  # x1 becomes _x1_0, never the _x10 of x
        number = self._next.get(stem, 0)
        while (name := f"_{stem}{number}") in self._used:
            number += 1
        self._next[stem] = number + 1
        self._used.add(name)
        self.given.add(name)
        return name
