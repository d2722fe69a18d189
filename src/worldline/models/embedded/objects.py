"""This file is the values of a running program that Python itself would hide: walks, generators, functions.

A state is made of ordinary Python values (lists that are shared are one list) and of these.
"""

import ast
import builtins
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from worldline.models.embedded.prompts import KINDS

DISTURBED = -1  # as the size of what a walk goes through: a key was taken from it


class Walk:
    """An iterator: what it walks through, and how many items it has given.

    Of a range it keeps the number that comes next, as CPython does: the network has added it up.
    """

    shown_as = "iterator"

    def __init__(self, container: Any, taken: int = 0, upcoming: int | None = None) -> None:
        self.container = container
        self.taken = taken
        if isinstance(container, range) and upcoming is None:
            upcoming = container.start + taken * container.step
        self.upcoming = upcoming or 0
        self.size = len(container) if isinstance(container, dict | set) else 0  # when it began

    @property
    def has_changed(self) -> bool:
        """Whether keys of a dict or a set came or went: CPython raises an error, or goes anywhere."""
        return isinstance(self.container, dict | set) and len(self.container) != self.size

    def end(self) -> None:
        """It has come to its end, and stays there, whatever is put into the container later."""
        if isinstance(self.container, list | dict | set):
            self.container, self.size = type(self.container)(), 0
            self.taken = 0

    def __repr__(self) -> str:
        """As CPython names it, without its address."""
        return f"<{iterator_name(self.container)} object>"


def iterator_name(container: Any) -> str:
    """The name of the type that `iter` gives."""
    if type(container) is str:
        return "str_ascii_iterator" if container.isascii() else "str_iterator"
    names: dict[type, str] = {list: "list_iterator", tuple: "tuple_iterator", dict: "dict_keyiterator"}
    names |= {set: "set_iterator", frozenset: "set_iterator", range: "range_iterator"}
    return names.get(type(container), "iterator")


class Function:
    """A function of the program."""

    shown_as = "function"

    def __init__(self, name: str, line: int, shown: str = "", around: int = 0) -> None:
        self.name = name  # qualified
        self.line = line
        self.around = around  # the number of the frame that it was made in
        self.shown = shown or name  # a program may give it another `__qualname__`

    def __repr__(self) -> str:
        """As CPython names it, without its address."""
        return f"<function {self.shown}>"


class Method:
    """A method of a value, not yet called."""

    shown_as = "object"

    def __init__(self, receiver: Any, name: str) -> None:
        self.receiver = receiver
        self.name = name

    def __repr__(self) -> str:
        """As CPython names it, without its address."""
        if isinstance(vars(type(self.receiver)).get(self.name), staticmethod):
            return f"<built-in function {self.name}>"
        return f"<built-in method {self.name} of {type(self.receiver).__name__} object>"


@dataclass(frozen=True, slots=True, repr=False)
class Builtin:
    """A function of Python's own, as a value; see `builtin`."""

    name: str

    shown_as: ClassVar[str] = "object"

    def __repr__(self) -> str:
        """As CPython names it."""
        return f"<built-in function {self.name}>"


@cache
def builtin(name: str) -> Builtin:
    """The one function of this name."""
    return Builtin(name)


class Generator:
    """A generator: a frame that waits, or has not begun, or is over."""

    shown_as = "generator"

    def __init__(self, frame: Any) -> None:
        self.frame = frame  # a `Frame`; None: it is over

    def __repr__(self) -> str:
        """As CPython names it, without its address."""
        return f"<generator object {self.name}>"

    name = ""


class Opaque:
    """A value of which only the text is known."""

    shown_as = "object"

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        """As it was shown."""
        return self.text


CLASSES = {f"<class '{name}'>": kind for name, kind in KINDS.items()}


def parsed(text: str) -> Any:
    """The value that a text shows, as far as a text can tell."""
    if text in CLASSES:
        return CLASSES[text]
    if text == "set()":
        return set()
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return Opaque(text)


def error(name: str, arguments: tuple[Any, ...]) -> BaseException | None:
    """An exception of Python's own, by its name."""
    kind = getattr(builtins, name, None)
    if isinstance(kind, type) and issubclass(kind, BaseException):
        return kind(*arguments)
    return None
