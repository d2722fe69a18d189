"""This file is value text -> live value: what a model has written becomes an object to go on with.

Only data is made, and no code of the program is run: literals, the containers of the standard library,
exceptions, named tuples and plain instances of the program's own classes, and things that are found by their
name (classes, functions, modules). All else raises `Unreadable`; `Opaque` stands for such a value in a state,
and whoever touches it raises `Touched`.
"""

import ast
import builtins
import collections
import re
import sys
import types
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

_STRING = re.compile(r"b?(?:'(?:[^'\\\n]|\\.)*+'|\"(?:[^\"\\\n]|\\.)*+\")", re.DOTALL)
_NUMBER = re.compile(r"-?(?:inf|nan|\d[\d_]*(?:\.\d*)?(?:e[-+]?\d+)?)(?![\w.])")
_NAME = re.compile(r"[A-Za-z_][\w.]*")
_BLANK = re.compile(r"\s*")
_CLASS = re.compile(r"<class '([\w.]+)'>")
_FOUND = re.compile(r"<(?:function|built-in function) ([\w.]+)(?: at 0x[0-9a-f]+)?>")
_MODULE = re.compile(r"<module '([\w.]+)'[^>]*>")
_INSTANCE = re.compile(r"<(\w+)(?= \w+=|>)")
_CONSTANTS = {"True": True, "False": False, "None": None, "Ellipsis": ..., "NotImplemented": NotImplemented}
_MAX_LENGTH = 1 << 20


class Unreadable(Exception):
    """This text does not say enough to make a value of it."""


class Touched(BaseException):
    """The program has used a value that is not known."""


class Opaque:
    """Stands for a value of which only the text is known."""

    __slots__ = ("shown",)
    shown: str

    def __init__(self, shown: str) -> None:
        object.__setattr__(self, "shown", shown)


def _touch(*_: object, **__: object) -> NoReturn:
    raise Touched


for _name in (
    *("getattr", "setattr", "delattr", "eq", "ne", "lt", "le", "gt", "ge", "hash", "bool", "len", "iter"),
    *("next", "call", "getitem", "setitem", "delitem", "contains", "add", "radd", "iadd", "sub", "rsub"),
    *("mul", "rmul", "truediv", "rtruediv", "floordiv", "rfloordiv", "mod", "rmod", "pow", "rpow", "and"),
    *("rand", "or", "ror", "xor", "rxor", "neg", "pos", "abs", "invert", "int", "float", "index", "str"),
    *("repr", "format", "enter", "exit", "reversed", "copy", "deepcopy", "reduce_ex", "lshift", "rshift"),
):
    setattr(Opaque, f"__{_name}__", _touch)


def value_of(text: str, names: Mapping[str, Any]) -> Any:
    """The value that a text shows; raises `Unreadable`.

    Args:
        text: as the recorder or a model writes it.
        names: the globals of the program, where its classes and functions are.
    """
    if len(text) > _MAX_LENGTH or (text.endswith(">") and "…<" in text):
        raise Unreadable("it is too long, or was cut")
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        pass
    try:
        reader = _Reader(text, names)
        found = reader.value()
        reader.end()
    except (ValueError, TypeError, IndexError, KeyError, RecursionError, ArithmeticError) as error:
        raise Unreadable(str(error)) from None
    return found


class _Reader:
    """Reads one text from left to right."""

    def __init__(self, text: str, names: Mapping[str, Any]) -> None:
        self._text = text
        self._at = 0
        self._names = names

    def end(self) -> None:
        """Make sure that all was read."""
        self._skip()
        if self._at != len(self._text):
            raise Unreadable(f"{self._text[self._at :][:20]!r} is left over")

    def value(self) -> Any:
        """The value that begins here."""
        self._skip()
        first = self._text[self._at : self._at + 1]
        if first == "[":
            return self._items("[", "]")
        if first == "(":
            return self._tuple()
        if first == "{":
            return self._braces()
        if first == "<":
            return self._angled()
        for pattern, made in ((_STRING, ast.literal_eval), (_NUMBER, _number)):
            found = pattern.match(self._text, self._at)
            if found:
                self._at = found.end()
                return made(found[0])
        return self._named()

    def _skip(self) -> None:
        blank = _BLANK.match(self._text, self._at)
        self._at = blank.end() if blank else self._at

    def _is_next(self, mark: str) -> bool:
        self._skip()
        return self._text.startswith(mark, self._at)

    def _take(self, mark: str) -> None:
        if not self._is_next(mark):
            raise Unreadable(f"{mark!r} is missing")
        self._at += len(mark)

    def _items(self, before: str, after: str) -> list[Any]:
        self._take(before)
        found = []
        while not self._is_next(after):
            found.append(self.value())
            if not self._is_next(after):
                self._take(",")
        self._take(after)
        return found

    def _tuple(self) -> tuple[Any, ...]:
        start = self._at
        items = self._items("(", ")")
        if len(items) == 1 and not re.search(r",\s*\)\Z", self._text[start : self._at]):
            raise Unreadable("a value in brackets")
        return tuple(items)

    def _braces(self) -> Any:
        self._take("{")
        pairs: dict[Any, Any] = {}
        items: list[Any] = []
        while not self._is_next("}"):
            key = self.value()
            if self._is_next(":"):
                self._take(":")
                pairs[key] = self.value()
            else:
                items.append(key)
            if not self._is_next("}"):
                self._take(",")
        self._take("}")
        if items and pairs:
            raise Unreadable("neither a set nor a dict")
        return set(items) if items else pairs

    def _matched(self, pattern: re.Pattern[str]) -> str | None:
        found = pattern.match(self._text, self._at)
        if found is None:
            return None
        self._at = found.end()
        return found[1]

    def _angled(self) -> Any:
        name = self._matched(_CLASS)
        if name is not None:
            return self._class(name)
        name = self._matched(_FOUND)
        if name is not None:
            return self._function(name)
        name = self._matched(_MODULE)
        if name is not None:
            return sys.modules[name]
        name = self._matched(_INSTANCE)
        if name is not None:
            return self._instance(self._class(name))
        raise Unreadable("this value shows no content")

    def _class(self, name: str) -> type:
        module, _, last = name.rpartition(".")
        holder: Any = self._names if module in ("", "program", "__main__") else vars(sys.modules[module])
        found = holder.get(last, getattr(builtins, last, None))
        if not isinstance(found, type):
            raise Unreadable(f"there is no class {name}")
        return found

    def _function(self, name: str) -> Any:
        found = self._names.get(name, getattr(builtins, name, None))
        if not isinstance(found, types.FunctionType | types.BuiltinFunctionType):
            raise Unreadable(f"there is no function {name}")
        return found

    def _instance(self, kind: type) -> Any:
        is_plain = "__new__" not in {name for parent in kind.__mro__[:-1] for name in vars(parent)}
        if kind.__module__ == "builtins" or not is_plain:
            raise Unreadable(f"{kind.__name__} is no plain class")
        made: Any = object.__new__(kind)
        while not self._is_next(">"):
            self._skip()
            name = self._name()
            self._take("=")
            object.__setattr__(made, name, self.value())
            if not self._is_next(">"):
                self._take(",")
        self._take(">")
        return made

    def _name(self) -> str:
        found = _NAME.match(self._text, self._at)
        if found is None:
            raise Unreadable(f"no value begins at {self._text[self._at :][:20]!r}")
        self._at = found.end()
        return found[0]

    def _named(self) -> Any:
        name = self._name()
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        if not self._is_next("("):
            raise Unreadable(f"{name} is no value")
        items, named = self._arguments()
        make = _MAKERS.get(name)
        if make is not None:
            return make(*items, **named)
        kind = self._class(name)
        if issubclass(kind, BaseException) and not named:
            return kind.__new__(kind, *items)
        fields = getattr(kind, "_fields", None)
        if issubclass(kind, tuple) and not items and tuple(named) == fields:
            return tuple.__new__(kind, named.values())
        raise Unreadable(f"{name} is not known")

    def _arguments(self) -> tuple[list[Any], dict[str, Any]]:
        self._take("(")
        items, named = [], {}
        while not self._is_next(")"):
            self._skip()
            name = re.compile(r"([A-Za-z_]\w*)=").match(self._text, self._at)
            if name:
                self._at = name.end()
                named[name[1]] = self.value()
            else:
                items.append(self.value())
            if not self._is_next(")"):
                self._take(",")
        self._take(")")
        return items, named


def _number(text: str) -> Any:
    return float(text) if text[-3:] in ("inf", "nan") else ast.literal_eval(text)


def _library(module: str, name: str) -> Callable[..., Any]:
    """A maker of a type whose module is loaded only if it is needed."""

    def make(*items: Any, **named: Any) -> Any:
        return getattr(__import__(module), name)(*items, **named)

    return make


_MAKERS: dict[str, Callable[..., Any]] = {
    "set": set,
    "frozenset": frozenset,
    "bytearray": bytearray,
    "range": range,
    "slice": slice,
    "deque": collections.deque,
    "Counter": collections.Counter,
    "OrderedDict": collections.OrderedDict,
    "defaultdict": collections.defaultdict,
    "collections.deque": collections.deque,
    "collections.OrderedDict": collections.OrderedDict,
    "dict_keys": lambda items: dict.fromkeys(items).keys(),
    "dict_values": lambda items: dict(enumerate(items)).values(),
    "dict_items": lambda items: dict(items).items(),
    "namespace": types.SimpleNamespace,
    "Fraction": _library("fractions", "Fraction"),
    "Decimal": _library("decimal", "Decimal"),
    "datetime.date": _library("datetime", "date"),
    "datetime.datetime": _library("datetime", "datetime"),
    "datetime.timedelta": _library("datetime", "timedelta"),
}
