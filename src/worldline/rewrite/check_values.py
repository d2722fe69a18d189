"""This file is live values -> a text in which two runs can be compared: types show, addresses do not.

`1`, `True` and `1.0` differ, NaN equals NaN, the order of a dict counts and that of a set does not; what is
one mutable object in two places is marked (`#1=[...]`, `#1`); iterators are asked for their items.
Not told apart: functions from one another (a rewritten lambda has another name), one kind of iterator from
another, what comes after the first `MAX_ITEMS` of an iterator, and objects written in C that show nothing.
"""

import re
import types
from collections import deque
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any

from worldline.record import peek

MAX_TEXT = 2_000_000  # characters of one text before it is cut
MAX_SHOWN = 1_500  # of these, what crosses over; a digest stands for all of it
MAX_ITEMS = 1_000  # that an iterator is asked for
MAX_DEPTH = 60
_MAX_BITS = 14_000  # below CPython's own limit on printing integers
_LEAF = 2_000  # characters of a value of the standard library

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
_ATOMS: tuple[type, ...] = (type(None), bool, float, complex, range, type(Ellipsis), type(NotImplemented))
_FUNCTIONS: tuple[type, ...] = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
    types.WrapperDescriptorType,
    types.MethodWrapperType,
    partial,
)
_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()))
_BRACKETS: dict[type, tuple[str, str]] = {
    list: ("[", "]"),
    tuple: ("(", ")"),
    deque: ("deque(", ")"),
    set: ("{", "}"),
    frozenset: ("frozenset(", ")"),
    dict: ("{", "}"),
}
_PLAIN: tuple[type, ...] = (int, str, bytes, bytearray, float, complex)
_SHARED: tuple[type, ...] = (list, dict, set, deque, bytearray)


class _Full(Exception):
    """The text has reached its limit."""


class Text:
    """Values written one after the other; objects that come again are known again."""

    def __init__(self, drains: bool = True, room: int = MAX_TEXT) -> None:
        self._drains = drains
        self._room = room
        self._parts: list[str] = []
        self._places: dict[int, int] = {}  # of an object: which part its text begins with
        self._kept: list[object] = []  # so that no address is used a second time
        self._shared = 0

    def add(self, value: object) -> str:
        """The text of one more value."""
        start = len(self._parts)
        try:
            self._write(value, 0)
        except (_Full, RecursionError):
            self._parts.append("…")
        return _ADDRESS.sub(" at 0x…", "".join(self._parts[start:]))

    def _put(self, piece: str) -> None:
        self._parts.append(piece)
        self._room -= len(piece)
        if self._room < 0:
            raise _Full

    def _write(self, value: Any, depth: int) -> None:
        kind = type(value)
        if kind is int:
            self._put(repr(value) if value.bit_length() < _MAX_BITS else hex(value))
        elif kind is str or kind is bytes:
            self._put(repr(value[: self._room + 1]))
        elif _is_one_of(kind, _ATOMS):
            self._put(repr(value))
        elif _is_one_of(kind, _FUNCTIONS):
            self._put("<function>")
        elif peek.has_base(kind, type):
            self._put(f"<class {peek.name(value)}>")
        elif depth > MAX_DEPTH:
            self._put("…")
        elif not self._is_again(value, kind):
            self._compound(value, kind, depth + 1)

    def _is_again(self, value: object, kind: type) -> bool:
        """Whether this very object was written before; if so, both places get its number."""
        if not (peek.is_user(kind) or _is_iterator(kind) or _is_one_of(kind, _SHARED)):
            return False
        place = self._places.get(id(value))
        if place is None:
            self._places[id(value)] = len(self._parts)
            self._kept.append(value)
            self._put("")
            return False
        if not self._parts[place]:
            self._shared += 1
            self._parts[place] = f"#{self._shared}="
        self._put(self._parts[place][:-1])
        return True

    def _compound(self, value: Any, kind: type, depth: int) -> None:
        if _is_one_of(kind, tuple(_BRACKETS)):
            self._container(value, kind, depth)
        elif _is_one_of(kind, _VIEWS):
            self._items(f"{peek.name(kind)}(", value, ")", depth)
        elif _is_iterator(kind) and not peek.is_user(kind):
            self._iterator(value, depth)
        elif peek.has_base(kind, BaseException):
            self._items(
                f"{peek.name(kind)}(", BaseException.__dict__["args"].__get__(value) or (), ")", depth
            )
        elif peek.is_user(kind) or any(peek.has_base(kind, base) for base in _BRACKETS):
            self._object(value, kind, depth)
        else:
            from worldline.record.values import text  # here, as it is seldom needed and slow to load

            self._put(text(value, _LEAF))

    def _container(self, value: Any, base: type, depth: int) -> None:
        """A built-in container, or what is inside of a subclass of one."""
        before, after = _BRACKETS[base]
        if base is dict:
            self._put(before)
            for number, (key, item) in enumerate(list(dict.items(value))):
                self._put(", " if number else "")
                self._write(key, depth)
                self._put(": ")
                self._write(item, depth)
            self._put(after)
        elif base is set or base is frozenset:
            texts = []
            for item in base.__iter__(value):
                texts.append(Text(drains=False, room=self._room).add(item))
                self._room -= len(texts[-1])
            self._put(before + ", ".join(sorted(texts)) + after)
        else:
            self._items(before, base.__iter__(value), after, depth)  # type: ignore[attr-defined]

    def _items(self, before: str, items: Iterable[object], after: str, depth: int) -> None:
        self._put(before)
        for number, item in enumerate(items):
            self._put(", " if number else "")
            self._write(item, depth)
        self._put(after)

    def _iterator(self, value: Iterator[object], depth: int) -> None:
        if not self._drains:
            self._put("<iterator>")
            return
        self._put("<iterator ")
        try:
            for number, item in enumerate(islice(value, MAX_ITEMS)):
                self._put(", " if number else "")
                self._write(item, depth)
        except _Full:
            raise
        except Exception as error:  # noqa: BLE001 - what it raises is part of what it gives
            self._put(f"! {failure(error)}")
        self._put(">")

    def _object(self, value: Any, kind: type, depth: int) -> None:
        self._put(f"<{peek.name(kind)}")
        for parent in peek.mro(kind):
            if _is_one_of(parent, tuple(_BRACKETS)):
                self._put(" ")
                self._container(value, parent, depth)
                break
            if _is_one_of(parent, _PLAIN):
                self._put(f" {parent.__dict__['__repr__'](value)}")
                break
        for name, item in peek.attributes(value):
            self._put(f" {name}=")
            self._write(item, depth)
        self._put(">")


def failure(error: BaseException) -> str:
    """An exception as it is compared: its type's name and its message."""
    kind = peek.name(type(error))
    if isinstance(error, RecursionError):
        return kind  # where the stack ran out decides on the message
    try:
        message = str(error)
    except Exception as other:  # noqa: BLE001 - the program's own __str__
        message = f"<no message: {peek.name(type(other))}>"
    return _ADDRESS.sub(" at 0x…", f"{kind}: {message[:MAX_TEXT]}")


def shown(text: str) -> str:
    """A text of bounded length, equal to another one's only if the texts are (in boxes of one hash seed)."""
    text = _ADDRESS.sub(" at 0x…", text)
    if len(text) <= MAX_SHOWN:
        return text
    return f"{text[:MAX_SHOWN]}… ({len(text)} characters, {hash(text) & 2**64 - 1:016x})"


def _is_one_of(kind: type, kinds: tuple[type, ...]) -> bool:
    return any(kind is one for one in kinds)


def _is_iterator(kind: type) -> bool:
    return any("__next__" in peek.class_dict(parent) for parent in peek.mro(kind))
