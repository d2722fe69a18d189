"""This file is looking into objects without running any code of their class.

Hardly anything one does to an object is harmless: `isinstance` asks `__class__`, formatting a string of a
subclass asks `__format__`, and even to compare or hash a class may ask its metaclass. So classes are told
apart by identity, and everything is read through the descriptors of `type` itself.
"""

import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

T = TypeVar("T")

HEAP, IMMUTABLE_TYPE = 1 << 9, 1 << 8  # type flags

mro: Callable[[type], tuple[type, ...]] = type.__dict__["__mro__"].__get__
class_dict: Callable[[type], Mapping[str, Any]] = type.__dict__["__dict__"].__get__
_flags: Callable[[type], int] = type.__dict__["__flags__"].__get__
_name: Callable[[type], str] = type.__dict__["__name__"].__get__
_qualname: Callable[[type], str] = type.__dict__["__qualname__"].__get__
_module: Callable[[type], object] = type.__dict__["__module__"].__get__


def exact(text: object) -> str:
    """A string as one of the very type `str`; "?" for anything else."""
    if type(text) is str:
        return text
    return str.__str__(text) if has_base(type(text), str) else "?"


def has_base(kind: type, base: type) -> bool:
    """`issubclass`, of the real classes only."""
    return any(parent is base for parent in mro(kind))


def found(table: Mapping[type, T], kind: type) -> T | None:
    """What a table of built-in types has for `kind`: such types have no metaclass that hashing could ask."""
    return table.get(kind) if type(kind) is type else None


def is_user(kind: type) -> bool:
    """Whether a class statement made this type: on the heap and open to change."""
    return _flags(kind) & (HEAP | IMMUTABLE_TYPE) == HEAP


def name(kind: type) -> str:
    """The name of a class."""
    return exact(_name(kind))


def full_name(kind: type) -> str:
    """The name of a class with its module, unless that is `builtins`."""
    module = module_of(kind)
    qualified = exact(_qualname(kind))
    return qualified if module in ("builtins", "?") else f"{module}.{qualified}"


def module_of(kind: type) -> str:
    """The module that a class says it is from."""
    return exact(_module(kind))


def attributes(value: object) -> Iterator[tuple[str, object]]:
    """The attributes that an object holds itself: its `__dict__` and its slots."""
    for kind in reversed(mro(type(value))):
        for key, member in list(class_dict(kind).items()):
            if type(key) is not str:
                continue
            if type(member) is types.MemberDescriptorType and key[:2] != "__" and is_user(kind):
                yield from ((key, held) for held in _held(member, value))
            elif key == "__dict__" and type(member) is types.GetSetDescriptorType:
                for held in _held(member, value):
                    if has_base(type(held), dict):
                        yield from ((exact(key), item) for key, item in list(dict.items(held)))


def _held(member: Any, value: object) -> Iterator[Any]:
    """What a descriptor finds in a value; nothing if a slot is empty or the descriptor is another class's."""
    try:
        yield member.__get__(value)
    except (AttributeError, TypeError):
        return


def slot(value: object, key: str) -> object:
    """What the slot `key` of the value's very class holds; None if there is no such."""
    member = class_dict(type(value)).get(key)
    return next(_held(member, value), None) if type(member) is types.MemberDescriptorType else None
