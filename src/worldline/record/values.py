"""This file is live values -> text: `repr` for built-in types, and no code of the traced program is run.

What it promises, and the laws in tests/laws hold it to: equal to `repr` for built-in types; the same text in
every run (no addresses, no paths of modules); cycles, depth and length are bounded, and a cut is marked
(`…<list of 1000000>`). An object of any other class is shown by class and attributes, `<Point x=1, y=2>`,
read without asking the class (see peek.py). Not covered: attributes that only a property or `__getattr__`
would give, the inside of types written in C that have no rule here (`<functools.partial object>`), and the
order of a set that holds None or Ellipsis, which up to 3.11 may hang on where the interpreter was loaded.
"""

import collections
import enum
import itertools
import sys
import types
from collections.abc import Iterable
from typing import Any

from worldline.record import peek
from worldline.record.builtin_values import UNDERNEATH, WRITERS, write_cycle
from worldline.record.library_values import library_writer
from worldline.record.user_repr import guarded_repr

MAX_DEPTH = 60
MAX_INT_BITS = 14_000  # about 4,200 digits: below CPython's own limit on printing integers

_ATOMS: dict[type, bool] = dict.fromkeys(
    (float, bool, type(None), complex, type(Ellipsis), type(NotImplemented), range), True
)
_SIZED: tuple[type[Any], ...] = (str, bytes, bytearray, list, tuple, dict, set, frozenset, collections.deque)
_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()))

IMMUTABLE: frozenset[type] = frozenset(
    {
        *_ATOMS,
        int,
        str,
        bytes,
        tuple,
        frozenset,
        slice,
        type,
        types.FunctionType,
        types.BuiltinFunctionType,
        types.MethodType,
        types.ModuleType,
        types.CodeType,
        property,
        staticmethod,
        classmethod,
    }
)
"""Exact types whose objects two names may share without anyone noticing."""


class _Full(Exception):
    """The text has reached its limit."""


def text(value: object, limit: int | None = None, user_repr: bool = False) -> str:
    """The text of one value, at most `limit` characters long, and the mark if that is not all."""
    writer = _Writer(sys.maxsize - 1 if limit is None else limit, user_repr, [])
    try:
        writer.write(value)
    except (_Full, RecursionError):
        written = "".join(writer.parts)
        return f"{written[:limit]}…<{peek.name(type(value))} of {_size(value)}>"
    return "".join(writer.parts)


def exception_text(arg: tuple[Any, Any, Any], limit: int | None = None, user_repr: bool = False) -> str:
    """The text of an exception event's argument: `(<class 'KeyError'>, KeyError(1), <traceback object>)`."""
    kind, value, _ = arg
    return f"({text(kind)}, {text(value, limit, user_repr)}, <traceback object>)"


def is_immutable(kind: type) -> bool:
    """Whether two names may share an object of this very type without anyone noticing."""
    return type(kind) is type and kind in IMMUTABLE


def _size(value: object) -> int:
    """Items, characters, or bits of an integer: what the mark of a cut says."""
    kind = type(value)
    if kind is int:
        return int.bit_length(value)  # type: ignore[arg-type]
    if any(kind is view for view in _VIEWS):
        return len(value)  # type: ignore[arg-type]
    for sized in _SIZED:
        if peek.has_base(kind, sized):
            return int(sized.__len__(value))
    return sum(1 for _ in peek.attributes(value))


class _Writer:
    """One value being written; remembers what it is inside of, to stop at cycles."""

    __slots__ = ("inside", "left", "parts", "user_repr")

    def __init__(self, left: int, user_repr: bool, inside: list[int]) -> None:
        self.parts: list[str] = []
        self.left = left
        self.user_repr = user_repr
        self.inside = inside

    def put(self, piece: str) -> None:
        self.parts.append(piece)
        self.left -= len(piece)
        if self.left < 0:
            raise _Full

    def write(self, value: object) -> None:
        kind = type(value)
        if kind is int:
            self.integer(value)  # type: ignore[arg-type]
        elif kind is str or kind is bytes:
            self.string(value)  # type: ignore[arg-type]
        elif peek.found(_ATOMS, kind):
            self.put(repr(value))
        else:
            self.compound(value, kind)

    def integer(self, value: int) -> None:
        try:
            if value.bit_length() > MAX_INT_BITS:
                raise _Full
            self.put(repr(value))
        except ValueError:  # the program has lowered sys.set_int_max_str_digits
            raise _Full from None

    def string(self, value: str | bytes | bytearray) -> None:
        if len(value) > self.left:
            self.put(_repr_start(value, self.left))
            raise _Full
        self.put(repr(value))

    def compound(self, value: object, kind: type) -> None:
        if len(self.inside) > MAX_DEPTH:
            raise _Full
        if id(value) in self.inside and kind is not slice:  # a slice in a cycle is stopped by what holds it
            write_cycle(self, value, kind)
            return
        self.inside.append(id(value))
        write = peek.found(WRITERS, kind) or library_writer(kind)
        if write is not None:
            write(self, value)
        else:
            self.other(value, kind)
        self.inside.pop()

    def apart(self, values: Iterable[object]) -> list[str]:
        texts: list[str] = []
        room = self.left
        for value in values:
            part = _Writer(room, self.user_repr, self.inside)
            part.write(value)
            texts.append("".join(part.parts))
            room = part.left
        return texts

    def some(self, values: Iterable[Any]) -> list[Any]:
        return list(itertools.islice(values, self.left + 1))  # each takes a character at least

    def items(self, before: str, values: Iterable[object], after: str) -> None:
        self.put(before)
        first = True
        for value in values:
            if not first:
                self.put(", ")
            first = False
            self.write(value)
        self.put(after)

    def pairs(self, before: str, pairs: Iterable[tuple[object, object]], after: str) -> None:
        self.put(before)
        first = True
        for key, value in pairs:
            if not first:
                self.put(", ")
            first = False
            self.write(key)
            self.put(": ")
            self.write(value)
        self.put(after)

    def other(self, value: object, kind: type) -> None:
        """Anything without a rule of its own: exceptions, classes, enums, named tuples, objects."""
        if peek.has_base(kind, type):
            self.put(type.__repr__(value))
        elif self.user_repr and _has_own_repr(kind):
            self.put(guarded_repr(value, peek.name(kind)))
        elif peek.has_base(kind, BaseException):
            self.items(f"{peek.name(kind)}(", BaseException.__dict__["args"].__get__(value) or (), ")")
        elif peek.has_base(kind, enum.Enum):
            self.member(value, kind)
        elif peek.has_base(kind, tuple) and _fields(value, kind):
            self.named_tuple(value, kind)  # type: ignore[arg-type]
        elif peek.is_user(kind):
            self.instance(value, kind)
        else:
            self.put(f"<{peek.full_name(kind)} object>")

    def member(self, value: object, kind: type) -> None:
        held = dict(peek.attributes(value))
        name = held.get("_name_")
        self.put(f"<{peek.name(kind)}{'' if name is None else '.' + peek.exact(name)}: ")
        self.write(held.get("_value_"))
        self.put(">")

    def named_tuple(self, value: tuple[object, ...], kind: type) -> None:
        self.put(f"{peek.name(kind)}(")
        parts = zip(_fields(value, kind), tuple.__iter__(value), strict=True)
        for number, (name, item) in enumerate(parts):
            self.put(f"{', ' if number else ''}{name}=")
            self.write(item)
        self.put(")")

    def instance(self, value: object, kind: type) -> None:
        """`<Point x=1, y=2>`; what it inherits from a built-in container or number comes first."""
        self.put(f"<{peek.name(kind)}")
        separator = " "
        for parent in peek.mro(kind):
            write = peek.found(UNDERNEATH, parent)
            if write is not None:
                self.put(separator)
                write(self, value)
                separator = ", "
                break
        for name, item in peek.attributes(value):
            self.put(f"{separator}{name}=")
            self.write(item)
            separator = ", "
        self.put(">")


def _repr_start(value: Any, length: int) -> str:
    """How the repr of a string begins, from its first `length` characters.

    Which quotes it has, and what is escaped, hangs on the quotes in all of the string: so the rest is stood
    for by one of each quote there is, which is taken off again.
    """
    single, double = ("'", '"') if type(value) is str else (b"'", b'"')
    kinds = single in value, double in value
    shown = repr(value[:length] + single * kinds[0] + double * kinds[1])
    is_escaped = kinds[0] and (kinds[1] or type(value) is bytearray)
    return shown[: -sum(kinds) - is_escaped - (2 if type(value) is bytearray else 1)]


def _fields(value: object, kind: type) -> tuple[str, ...]:
    """The field names of a named tuple; none if it is not one."""
    for parent in peek.mro(kind):
        names = peek.class_dict(parent).get("_fields")
        if type(names) is tuple:
            is_fit = len(names) == tuple.__len__(value) and all(type(name) is str for name in names)  # type: ignore[arg-type]
            return names if is_fit else ()
    return ()


def _has_own_repr(kind: type) -> bool:
    """Whether a class statement made the `__repr__` of a class."""
    return any(
        peek.is_user(parent)
        for parent in itertools.islice((it for it in peek.mro(kind) if "__repr__" in peek.class_dict(it)), 1)
    )
