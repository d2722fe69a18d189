"""This file is the functions that choose microcode by the type of a value, made for the calls of one program.

def call_count(receiver, a):
    kind = type(receiver)
    if kind is str:
        result = str_count(receiver, a)
        return result
    ...
    result = receiver.count(a)
    return result
"""

import ast
from dataclasses import dataclass

LETTERS = "abcdefghijklmnopq"


@dataclass(frozen=True, slots=True)
class Way:
    """What is done for a receiver of one type."""

    kind: str
    function: str  # of microcode
    has_receiver: bool = True  # no: it is a static method


@dataclass(frozen=True, slots=True)
class Dispatch:
    """One such function."""

    method: str
    ways: tuple[Way, ...]
    positional: int
    keywords: tuple[str, ...] = ()
    is_bound: bool = False  # the method has been looked up already, and is given first
    owner: str = ""  # `str` in `str.lower(x)`; empty: the receiver is asked for the method

    @property
    def name(self) -> str:
        """What it is called, unless the program has that name."""
        return "_".join(filter(None, ["call", self.owner, self.method]))

    def definition(self, name: str) -> ast.FunctionDef:
        """Its text."""
        letters = list(LETTERS[: self.positional])
        parameters = [*(["bound"] if self.is_bound else []), "receiver", *letters, *self.keywords]
        given = ", ".join([*letters, *(f"{word}={word}" for word in self.keywords)])
        both = ", ".join(filter(None, ["receiver", given]))
        lines = [f"def {name}({', '.join(parameters)}):", "    kind = type(receiver)"]
        for way in self.ways:
            args = both if way.has_receiver else given
            lines += [f"    if kind is {way.kind}:", f"        result = {way.function}({args})"]
            lines += ["        return result"]
        real = f"{self.owner}.{self.method}({both})" if self.owner else f"receiver.{self.method}({given})"
        lines += [f"    result = {f'bound({given})' if self.is_bound else real}", "    return result"]
        definition = ast.parse("\n".join(lines)).body[0]
        assert isinstance(definition, ast.FunctionDef)
        return definition
