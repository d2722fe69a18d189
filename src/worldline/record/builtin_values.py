"""This file is how each built-in type is written: one small function a type, and the table of them."""

import collections
import gc
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any

from worldline.record import peek
from worldline.record.code_facts import IN_COMPREHENSION
from worldline.record.library_values import is_steady_library_value
from worldline.record.writer import Write, Writer

_STEADY: dict[type, bool] = dict.fromkeys((int, str, bytes, bool, type(None), type(Ellipsis), range), True)
_COUNTS: dict[type, bool] = dict.fromkeys((int, float, bool, str, bytes, type(None)), True)


def _is_steady(value: object) -> bool:
    """Whether the hash of a value is the same in every run; that of a NaN hangs on its address."""
    kind = type(value)
    if kind is float or kind is complex:
        return value == value  # a NaN is not
    if kind is tuple or kind is frozenset:
        return all(map(_is_steady, value))  # type: ignore[call-overload]
    return bool(peek.found(_STEADY, kind)) or is_steady_library_value(value)


def _elements(writer: Writer, before: str, elements: list[object], after: str) -> None:
    """The elements of a set in its own order, or by text where that order would hang on addresses.

    In the second case a set that does not fit is cut before its first element: which one is the first is
    known only when all have their texts, and to write each whole could take for ever.
    """
    if all(map(_is_steady, elements)):
        writer.items(before, elements, after)
    else:
        writer.put(before)
        writer.put(", ".join(sorted(writer.apart(elements))) + after)


def _write_tuple(writer: Writer, value: tuple[object, ...]) -> None:
    writer.items("(", value, ",)" if len(value) == 1 else ")")


def _write_set(writer: Writer, value: set[object]) -> None:
    _elements(writer, "{", list(set.__iter__(value)), "}") if set.__len__(value) else writer.put("set()")


def _write_frozenset(writer: Writer, value: frozenset[object]) -> None:
    if frozenset.__len__(value):
        _elements(writer, "frozenset({", list(frozenset.__iter__(value)), "})")
    else:
        writer.put("frozenset()")


def _write_deque(writer: Writer, value: "collections.deque[object]") -> None:
    size = collections.deque.__dict__["maxlen"].__get__(value)
    bound = f", maxlen={size}" if size is not None else ""
    writer.items("deque([", writer.some(collections.deque.__iter__(value)), f"]{bound})")


def _write_dict(writer: Writer, value: dict[object, object]) -> None:
    writer.pairs("{", writer.some(dict.items(value)), "}")


def _ordered_pairs(value: "collections.OrderedDict[Any, Any]") -> list[tuple[object, object]]:
    """The pairs of an OrderedDict; in its own order, which hashes the keys, only if that runs no code."""
    pairs = list(dict.items(value))
    return list(value.items()) if all(_is_steady(key) for key, _ in pairs) else pairs


def _write_ordered_dict(writer: Writer, value: "collections.OrderedDict[Any, Any]") -> None:
    pairs = _ordered_pairs(value)
    if not pairs:
        writer.put("OrderedDict()")
    elif sys.version_info >= (3, 12):
        writer.pairs("OrderedDict({", pairs, "})")
    else:
        writer.items("OrderedDict([", pairs, "])")


def _ordered_view(noun: str, part: Callable[[list[tuple[object, object]]], Iterable[object]]) -> Write:
    """A writer of a view of an OrderedDict, which is found as the only thing that the view refers to."""

    def write(writer: Writer, value: object) -> None:
        behind = [held for held in gc.get_referents(value) if type(held) is collections.OrderedDict]
        if len(behind) == 1:
            writer.items(f"{noun}([", part(_ordered_pairs(behind[0])), "])")
        else:
            writer.put(f"<{noun} object>")

    return write


def _write_default_dict(writer: Writer, value: "collections.defaultdict[object, object]") -> None:
    writer.put("defaultdict(")
    writer.write(value.default_factory)
    writer.pairs(", {", writer.some(dict.items(value)), "})")


def _write_counter(writer: Writer, value: dict[object, Any]) -> None:
    pairs = list(dict.items(value))
    if not pairs:
        writer.put("Counter()")
        return
    if all(peek.found(_COUNTS, type(count)) for _, count in pairs):
        try:
            pairs.sort(key=lambda pair: pair[1], reverse=True)
        except TypeError:  # counts that have no order: repr leaves them as they are, too
            pairs = list(dict.items(value))
    writer.pairs("Counter({", pairs, "})")


def _write_slice(writer: Writer, value: slice) -> None:
    writer.items("slice(", (value.start, value.stop, value.step), ")")


def _write_namespace(writer: Writer, value: types.SimpleNamespace) -> None:
    held = types.SimpleNamespace.__dict__["__dict__"].__get__(value)
    writer.put("namespace(")
    for number, (key, item) in enumerate(list(dict.items(held))):
        writer.put(f"{', ' if number else ''}{peek.exact(key)}=")
        writer.write(item)
    writer.put(")")


def _name(value: Any) -> str:
    """The qualified name without the frames of comprehensions, which only CPython 3.11 has."""
    return IN_COMPREHENSION.sub("", peek.exact(value.__qualname__))


def _write_function(writer: Writer, value: types.FunctionType) -> None:
    writer.put(f"<function {_name(value)}>")


def _write_builtin(writer: Writer, value: types.BuiltinFunctionType) -> None:
    owner = value.__self__
    if owner is None or type(owner) is types.ModuleType:
        writer.put(f"<built-in function {value.__name__}>")
    else:
        writer.put(f"<built-in method {value.__name__} of {peek.name(type(owner))} object>")


def _write_method(writer: Writer, value: types.MethodType) -> None:
    function = value.__func__
    name = _name(function) if type(function) is types.FunctionType else "?"
    writer.put(f"<bound method {name} of ")
    writer.write(value.__self__)
    writer.put(">")


def _write_module(writer: Writer, value: types.ModuleType) -> None:
    name = vars(types.ModuleType)["__dict__"].__get__(value).get("__name__")
    writer.put(f"<module {name!r}>" if type(name) is str else "<module>")


def _named_object(noun: str) -> Write:
    """A writer for `<generator object f>` and its kin."""
    return lambda writer, value: writer.put(f"<{noun} object {_name(value)}>")


def _view(noun: str) -> Write:
    return lambda writer, value: writer.items(f"{noun}([", writer.some(value), "])")


CYCLES: dict[type, str] = {
    list: "[...]",
    dict: "{...}",
    tuple: "(...)",
    collections.deque: "[...]",
    collections.OrderedDict: "...",
    type({}.values()): "...",
    type({}.items()): "...",
    type(collections.OrderedDict().values()): "...",
    type(collections.OrderedDict().items()): "...",
    types.SimpleNamespace: "namespace(...)",
}
"""What `repr` writes where a container is inside of itself; see also `write_cycle`."""


def write_cycle(writer: Writer, value: object, kind: type) -> None:
    """Write a value that is inside of itself."""
    if kind is collections.defaultdict:
        writer.put("defaultdict(")
        writer.write(value.default_factory)  # type: ignore[attr-defined]
        writer.put(", {...})")
    else:
        writer.put(peek.found(CYCLES, kind) or f"<{peek.name(kind)} ...>")


UNDERNEATH: dict[type, Write] = {
    int: lambda writer, value: writer.write(int.__int__(value)),
    float: lambda writer, value: writer.write(float.__float__(value)),
    complex: lambda writer, value: writer.write(complex.__pos__(value)),
    str: lambda writer, value: writer.write(str.__str__(value)),
    bytes: lambda writer, value: writer.write(bytes.__getitem__(value, slice(None))),
    bytearray: lambda writer, value: writer.write(bytearray.__getitem__(value, slice(None))),
    list: lambda writer, value: writer.items("[", list.__iter__(value), "]"),
    tuple: lambda writer, value: writer.write(tuple(tuple.__iter__(value))),
    dict: _write_dict,
    set: _write_set,
    frozenset: _write_frozenset,
    collections.deque: _write_deque,
}
"""How that is written which an object has from a built-in class that its own class is derived from."""

WRITERS: dict[type, Write] = {
    list: lambda writer, value: writer.items("[", value, "]"),
    tuple: _write_tuple,
    dict: _write_dict,
    set: _write_set,
    frozenset: _write_frozenset,
    collections.deque: _write_deque,
    collections.OrderedDict: _write_ordered_dict,
    collections.defaultdict: _write_default_dict,
    collections.Counter: _write_counter,
    type({}.keys()): _view("dict_keys"),
    type({}.values()): _view("dict_values"),
    type({}.items()): _view("dict_items"),
    type(collections.OrderedDict().keys()): _ordered_view(
        "odict_keys", lambda pairs: [key for key, _ in pairs]
    ),
    type(collections.OrderedDict().values()): _ordered_view(
        "odict_values", lambda pairs: [item for _, item in pairs]
    ),
    type(collections.OrderedDict().items()): _ordered_view("odict_items", lambda pairs: pairs),
    slice: _write_slice,
    bytearray: lambda writer, value: writer.string(value),
    types.SimpleNamespace: _write_namespace,
    types.FunctionType: _write_function,
    types.BuiltinFunctionType: _write_builtin,
    types.MethodType: _write_method,
    types.ModuleType: _write_module,
    types.GeneratorType: _named_object("generator"),
    types.CoroutineType: _named_object("coroutine"),
    types.AsyncGeneratorType: _named_object("async_generator"),
}
