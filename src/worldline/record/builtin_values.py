"""This file is how each built-in type is written: one small function a type, and the table of them."""

import collections
import re
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any, Protocol

_type_name = type.__dict__["__name__"].__get__
_COMPREHENSION = re.compile(r"<(?:list|set|dict)comp>\.(?:<locals>\.)?")
_STEADY = frozenset({int, str, bytes, float, bool, type(None), complex, type(Ellipsis)})


class Writer(Protocol):
    """The value being written: see `values.text`."""

    def put(self, piece: str) -> None:
        """Add text."""

    def write(self, value: object) -> None:
        """Add the text of a value."""

    def string(self, value: str | bytes) -> None:
        """Add the text of a string."""

    def items(self, before: str, values: Iterable[object], after: str) -> None:
        """Add the texts of several values."""

    def pairs(self, before: str, pairs: Iterable[tuple[object, object]], after: str) -> None:
        """Add the texts of keys and values."""

    def text(self, value: object) -> str:
        """The text of a value by itself."""


def _write_tuple(writer: Writer, value: tuple[object, ...]) -> None:
    writer.items("(", value, ",)" if len(value) == 1 else ")")


def _is_steady(value: object) -> bool:
    """Whether the hash of a value is the same in every run."""
    kind = type(value)
    return kind in _STEADY or ((kind is tuple or kind is frozenset) and all(map(_is_steady, value)))  # type: ignore[call-overload]


def _ordered(writer: Writer, value: Iterable[object]) -> list[object]:
    """The elements of a set in its own order, or by text where that order would hang on addresses."""
    elements = list(value)
    return elements if all(map(_is_steady, elements)) else sorted(elements, key=writer.text)


def _write_set(writer: Writer, value: set[object]) -> None:
    writer.items("{", _ordered(writer, value), "}") if value else writer.put("set()")


def _write_frozenset(writer: Writer, value: frozenset[object]) -> None:
    writer.items("frozenset({", _ordered(writer, value), "})") if value else writer.put("frozenset()")


def _write_deque(writer: Writer, value: "collections.deque[object]") -> None:
    bound = f", maxlen={value.maxlen}" if value.maxlen is not None else ""
    writer.items("deque([", list(value), f"]{bound})")


def _write_ordered_dict(writer: Writer, value: dict[object, object]) -> None:
    if not value:
        writer.put("OrderedDict()")
    elif sys.version_info >= (3, 12):
        writer.pairs("OrderedDict({", list(collections.OrderedDict.items(value)), "})")  # type: ignore[arg-type]
    else:
        writer.items("OrderedDict([", list(collections.OrderedDict.items(value)), "])")  # type: ignore[arg-type]


def _write_default_dict(writer: Writer, value: "collections.defaultdict[object, object]") -> None:
    writer.put("defaultdict(")
    writer.write(value.default_factory)
    writer.pairs(", {", list(dict.items(value)), "})")


def _write_counter(writer: Writer, value: dict[object, Any]) -> None:
    if not value:
        writer.put("Counter()")
        return
    pairs = list(dict.items(value))
    if all(type(count) in (int, float, bool) for _, count in pairs):
        pairs.sort(key=lambda pair: pair[1], reverse=True)
    writer.pairs("Counter({", pairs, "})")


def _write_slice(writer: Writer, value: slice) -> None:
    writer.items("slice(", (value.start, value.stop, value.step), ")")


def _write_bytearray(writer: Writer, value: bytearray) -> None:
    writer.put("bytearray(")
    writer.string(bytes(value))
    writer.put(")")


def _name(value: Any) -> str:
    """The qualified name without the frames of comprehensions, which only CPython 3.11 has."""
    return _COMPREHENSION.sub("", value.__qualname__)


def _write_function(writer: Writer, value: types.FunctionType) -> None:
    writer.put(f"<function {_name(value)}>")


def _write_builtin(writer: Writer, value: types.BuiltinFunctionType) -> None:
    owner = value.__self__
    if owner is None or type(owner) is types.ModuleType:
        writer.put(f"<built-in function {value.__name__}>")
    else:
        writer.put(f"<built-in method {value.__name__} of {_type_name(type(owner))} object>")


def _write_method(writer: Writer, value: types.MethodType) -> None:
    function = value.__func__
    name = _name(function) if type(function) is types.FunctionType else "?"
    writer.put(f"<bound method {name} of ")
    writer.write(value.__self__)
    writer.put(">")


def _write_module(writer: Writer, value: types.ModuleType) -> None:
    name = object.__getattribute__(value, "__dict__").get("__name__")
    writer.put(f"<module {name!r}>" if type(name) is str else "<module>")


def _named_object(noun: str) -> Callable[[Writer, Any], None]:
    """A writer for `<generator object f>` and its kin."""
    return lambda writer, value: writer.put(f"<{noun} object {_name(value)}>")


def _wrapped(
    before: str, items: Callable[[Any], Iterable[object]], after: str
) -> Callable[[Writer, Any], None]:
    return lambda writer, value: writer.items(before, items(value), after)


CYCLES: dict[type, str] = {
    list: "[...]",
    dict: "{...}",
    tuple: "(...)",
    set: "set(...)",
    frozenset: "frozenset(...)",
    collections.deque: "[...]",
    collections.OrderedDict: "...",
    collections.defaultdict: "defaultdict(...)",
}

UNDERNEATH: dict[type, Callable[[Any], object]] = {
    int: int.__int__,
    float: float.__float__,
    str: str.__str__,
    bytes: lambda value: bytes(memoryview(value)),
    list: lambda value: list(list.__iter__(value)),
    tuple: lambda value: tuple(tuple.__iter__(value)),
    dict: lambda value: dict(dict.items(value)),
    set: lambda value: set(set.__iter__(value)),
    frozenset: lambda value: frozenset(frozenset.__iter__(value)),
    collections.deque: lambda value: collections.deque(collections.deque.__iter__(value)),
}

WRITERS: dict[type, Callable[[Writer, Any], None]] = {
    list: _wrapped("[", lambda value: value, "]"),
    tuple: _write_tuple,
    dict: lambda writer, value: writer.pairs("{", list(value.items()), "}"),
    set: _write_set,
    frozenset: _write_frozenset,
    collections.deque: _write_deque,
    collections.OrderedDict: _write_ordered_dict,
    collections.defaultdict: _write_default_dict,
    collections.Counter: _write_counter,
    type({}.keys()): _wrapped("dict_keys([", list, "])"),
    type({}.values()): _wrapped("dict_values([", list, "])"),
    type({}.items()): _wrapped("dict_items([", list, "])"),
    types.MappingProxyType: lambda writer, value: writer.put("<mappingproxy object>"),
    slice: _write_slice,
    bytearray: _write_bytearray,
    types.FunctionType: _write_function,
    types.BuiltinFunctionType: _write_builtin,
    types.MethodType: _write_method,
    types.ModuleType: _write_module,
    types.GeneratorType: _named_object("generator"),
    types.CoroutineType: _named_object("coroutine"),
    types.AsyncGeneratorType: _named_object("async_generator"),
}
