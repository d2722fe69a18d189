"""This file is live values -> text: `repr` for built-in types, and no code of the traced program is run.

What it promises, and the law in tests/laws/test_values.py holds it to: equal to `repr` for built-in types;
the same text in every run (no addresses, no paths of modules); cycles, depth and length are bounded, and a
cut is marked (`…<list of 1000000>`). An object of any other class is shown by class and attributes,
`<Point x=1, y=2>`, read without asking the class. Not covered: attributes that only a property or
`__getattr__` would give, and the inside of C-extension types that are not in `_LEAVES`
(`<array.array object>` would be such a one, were it not listed).
"""

import collections
import enum
import sys
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from worldline.record.builtin_values import CYCLES, UNDERNEATH, WRITERS
from worldline.record.user_repr import guarded_repr

MAX_DEPTH = 60
MAX_INT_BITS = 14_000  # about 4,200 digits: below CPython's own limit on printing integers

_ATOMS: frozenset[type] = frozenset(
    {float, bool, type(None), complex, type(Ellipsis), type(NotImplemented), range}
)
_LEAVES: Mapping[str, frozenset[str]] = {
    "datetime": frozenset({"date", "time", "datetime", "timedelta", "timezone"}),
    "decimal": frozenset({"Decimal"}),
    "fractions": frozenset({"Fraction"}),
    "uuid": frozenset({"UUID"}),
    "pathlib": frozenset(
        {"Path", "PurePath", "PosixPath", "PurePosixPath", "WindowsPath", "PureWindowsPath"}
    ),
    "array": frozenset({"array"}),
    "re": frozenset({"Pattern", "Match"}),
}

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

_type_mro = type.__dict__["__mro__"].__get__
_type_dict = type.__dict__["__dict__"].__get__
_type_name = type.__dict__["__name__"].__get__
_type_qualname = type.__dict__["__qualname__"].__get__


class _Full(Exception):
    """The text has reached its limit."""


def text(value: object, limit: int | None = None, user_repr: bool = False) -> str:
    """The text of one value, at most about `limit` characters long."""
    writer = _Writer(limit, user_repr)
    try:
        writer.write(value)
    except _Full:
        written = "".join(writer.parts)
        return f"{written[:limit]}…<{_type_name(type(value))} of {_size(value)}>"
    return "".join(writer.parts)


def exception_text(arg: tuple[Any, Any, Any], limit: int | None = None, user_repr: bool = False) -> str:
    """The text of an exception event's argument: `(<class 'KeyError'>, KeyError(1), <traceback object>)`."""
    kind, value, _ = arg
    return f"({text(kind)}, {text(value, limit, user_repr)}, <traceback object>)"


def _size(value: object) -> int:
    """Items, characters, or bits of an integer: what the mark of a cut says."""
    if type(value) is int:
        return value.bit_length()
    for kind in (str, bytes, bytearray, list, tuple, dict, set, frozenset, collections.deque):
        if _is_a(value, kind):
            return kind.__len__(value)  # type: ignore[arg-type]
    return sum(1 for _ in attributes(value))


def _is_a(value: object, kind: type) -> bool:
    """`isinstance` without asking the value's `__class__`."""
    return kind in _type_mro(type(value))


def attributes(value: object) -> Iterator[tuple[str, object]]:
    """The attributes an object holds itself (`__dict__` and slots), without running any code of its class."""
    for kind in reversed(_type_mro(type(value))):
        for name, member in list(_type_dict(kind).items()):
            if type(member) is types.MemberDescriptorType and not name.startswith("__") and _is_user(kind):
                try:
                    yield name, member.__get__(value)
                except AttributeError:
                    continue
            elif name == "__dict__" and type(member) is types.GetSetDescriptorType:
                held = member.__get__(value)
                yield from ((str.__str__(key), item) for key, item in list(dict.items(held)))


def _is_user(kind: type) -> bool:
    """Whether a class statement made this type: on the heap and open to change (type flags 9 and 8)."""
    return kind.__flags__ & (1 << 9 | 1 << 8) == 1 << 9


class _Writer:
    """One value being written; remembers what it is inside of, to stop at cycles."""

    __slots__ = ("inside", "left", "limit", "parts", "user_repr")

    def __init__(self, limit: int | None, user_repr: bool) -> None:
        self.parts: list[str] = []
        self.limit = limit
        self.left = limit if limit is not None else sys.maxsize
        self.user_repr = user_repr
        self.inside: list[int] = []

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
        elif kind in _ATOMS:
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

    def string(self, value: str | bytes) -> None:
        if len(value) > self.left:
            self.put(repr(value[: max(self.left, 0)])[:-1])
            raise _Full
        self.put(repr(value))

    def compound(self, value: object, kind: type) -> None:
        if len(self.inside) > MAX_DEPTH:
            raise _Full
        if id(value) in self.inside:
            self.put(CYCLES.get(kind) or f"<{_type_name(kind)} ...>")
            return
        self.inside.append(id(value))
        write = WRITERS.get(kind)
        if write is not None:
            write(self, value)
        elif _is_leaf(kind):
            self.put(repr(value))
        else:
            self.other(value, kind)
        self.inside.pop()

    def text(self, value: object) -> str:
        return text(value, 1000, self.user_repr)

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
        mro = _type_mro(kind)
        if type in mro:
            self.put(type.__repr__(value))
        elif self.user_repr and _is_user(kind):
            self.put(guarded_repr(value, _type_name(kind)))
        elif BaseException in mro:
            self.exception(value, kind)
        elif enum.Enum in mro:
            self.member(value, kind)
        elif tuple in mro and type(_type_dict(kind).get("_fields")) is tuple:
            self.named_tuple(value, kind)  # type: ignore[arg-type]
        elif _is_user(kind):
            self.instance(value, kind, mro)
        else:
            self.put(f"<{_full_name(kind)} object>")

    def exception(self, value: object, kind: type) -> None:
        args = BaseException.__dict__["args"].__get__(value)
        self.items(f"{_type_name(kind)}(", args, ")")

    def member(self, value: object, kind: type) -> None:
        held = dict(attributes(value))
        self.put(f"<{_type_name(kind)}.{held.get('_name_')}: ")
        self.write(held.get("_value_"))
        self.put(">")

    def named_tuple(self, value: tuple[object, ...], kind: type) -> None:
        self.put(f"{_type_name(kind)}(")
        for number, (name, item) in enumerate(
            zip(_type_dict(kind)["_fields"], tuple.__iter__(value), strict=False)
        ):
            self.put(f"{', ' if number else ''}{name}=")
            self.write(item)
        self.put(")")

    def instance(self, value: object, kind: type, mro: tuple[type, ...]) -> None:
        """`<Point x=1, y=2>`; what it inherits from a built-in container or number comes first."""
        self.put(f"<{_type_name(kind)}")
        separator = " "
        plain = next((parent for parent in mro if parent in UNDERNEATH), None)
        if plain is not None:
            self.put(separator)
            self.write(UNDERNEATH[plain](value))
            separator = ", "
        for name, item in attributes(value):
            self.put(f"{separator}{name}=")
            self.write(item)
            separator = ", "
        self.put(">")


def _is_leaf(kind: type) -> bool:
    """Standard-library values whose `repr` shows nothing of the program's objects."""
    module = _type_dict(kind).get("__module__")
    if module not in _LEAVES and not isinstance(module, str):
        module = type.__dict__["__module__"].__get__(kind)
    names = _LEAVES.get(module) if isinstance(module, str) else None
    name = _type_name(kind)
    return names is not None and name in names and getattr(sys.modules.get(module), name, None) is kind


def _full_name(kind: type) -> str:
    module = type.__dict__["__module__"].__get__(kind)
    name: str = _type_qualname(kind)
    return name if module == "builtins" or not isinstance(module, str) else f"{module}.{name}"
