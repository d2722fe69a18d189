"""This file is value texts read back as values, and whether two texts are the same value; nothing is run.

A text is read from its syntax tree: literals, the containers of the standard library as their `repr` writes
them, and the few operations on constants that data sets write (`2.0/3.0`, `'a' * 10`). A name that is not
known and is called, `Point(x=1)`, is kept as that name with its arguments. What names no value
(`<function f>`, half a string, a piece of source text) is a NotAValueError.

`same_value` asks what CRUXEval's own scoring asks: are the two equal with Python's `==`? So `1`, `1.0` and
`True` are the same, the order of a dict's keys does not matter, and floats must be equal to the last bit.
It parts from `==` in one place: a value is always the same as itself, so `nan` is `nan`. Two texts of which
one cannot be read are compared as texts, without what differs between interpreters.
"""

import ast
import re
import threading
import warnings
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from worldline.formats.cwm_agreement import neutral

LONGEST = 1_000_000  # items or characters that an operation on constants may make
_ONE_AT_A_TIME = threading.Lock()  # the filters of warnings belong to all threads
_SEQUENCES = (str, list, tuple, bytes)
_INF, _NAN = float("inf"), float("nan")
_NUMBERS = {"inf": _INF, "nan": _NAN, "infj": complex(0, _INF), "nanj": complex(0, _NAN)}
_FAULTS = (SyntaxError, ValueError, TypeError, ArithmeticError, RecursionError, MemoryError, KeyError)
_FACTORY = re.compile(r"\bdefaultdict\(<class '(\w+)'>")


class NotAValueError(Exception):
    """The text is not the text of a value."""


@dataclass(frozen=True, slots=True)
class Named:
    """A value of a type that is not known here: equal if its name and its arguments are."""

    name: str
    args: tuple[Any, ...] = ()
    keywords: tuple[tuple[str, Any], ...] = ()


def same_value(one: str, other: str) -> bool:
    """Whether two value texts stand for the same value."""
    one, other = one.strip(), other.strip()
    if one == other or neutral(one) == neutral(other):
        return True
    try:
        return bool(value_of(one) == value_of(other))
    except (NotAValueError, RecursionError):
        return False


def is_value(text: str) -> bool:
    """Whether a text can be read as a value."""
    try:
        value_of(text)
    except NotAValueError:
        return False
    return True


@lru_cache(maxsize=1024)
def value_of(text: str) -> Any:
    """The value that a text stands for; not to be changed by the caller.

    Raises:
        NotAValueError: if it stands for none.
    """
    try:
        return _read(syntax(_FACTORY.sub(r"defaultdict(\1", text.strip()), "eval"))
    except _FAULTS as error:
        raise NotAValueError(str(error)) from None


def syntax(text: str, mode: str) -> ast.AST:
    """The syntax tree of a text that may be anything; no warnings about its escapes."""
    with _ONE_AT_A_TIME, warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        tree: ast.AST = ast.parse(text, "<value>", mode)
    return tree


def _read(node: ast.AST) -> Any:
    match node:
        case ast.Expression(body=body):
            return _read(body)
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name) if name in _NUMBERS:
            return _NUMBERS[name]
        case ast.List() | ast.Tuple() | ast.Set():
            kind = {ast.List: list, ast.Tuple: tuple, ast.Set: set}[type(node)]
            return kind(map(_read, node.elts))
        case ast.Dict(keys=keys, values=values):
            return {_read(_present(key)): _read(value) for key, value in zip(keys, values, strict=True)}
        case ast.Call():
            return _made(node)
        case ast.UnaryOp() | ast.BinOp():
            return _computed(node)
        case ast.Attribute():
            return Named(_dotted(node))
    raise NotAValueError(f"{type(node).__name__} is no value")


def _present(key: ast.expr | None) -> ast.expr:
    if key is None:
        raise NotAValueError("a dict that is unpacked is no value")
    return key


def _dotted(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=inner, attr=name):
            return f"{_dotted(inner)}.{name}"
    raise NotAValueError("no name")


def _made(node: ast.Call) -> Any:
    name = _dotted(node.func).rpartition(".")[2]
    keywords = tuple((_named(each), _read(each.value)) for each in node.keywords)
    if name == "defaultdict" and len(node.args) == 2 and not keywords:
        return dict(_read(node.args[1]))  # whatever its factory is: `==` does not ask
    args = tuple(map(_read, node.args))
    maker = _MAKERS.get(name)
    if maker is None:
        return Named(name, args, keywords)
    if any(isinstance(each, range) and len(each) > LONGEST for each in args):
        raise NotAValueError("too long")
    return maker(*args, **dict(keywords))


def _named(keyword: ast.keyword) -> str:
    if keyword.arg is None:
        raise NotAValueError("keywords that are unpacked are no value")
    return keyword.arg


_MAKERS: Mapping[str, Callable[..., Any]] = {
    "set": lambda items=(): set(items),
    "frozenset": lambda items=(): frozenset(items),
    "list": lambda items=(): list(items),
    "tuple": lambda items=(): tuple(items),
    "dict": lambda items=(), **more: dict(items, **more),
    "range": range,
    "float": lambda text="0": _NAN if text == "nan" else float(text),
    "bytearray": lambda data=b"": bytearray(_bytes(data)),
    "Counter": lambda items=(): Counter(items),
    "OrderedDict": lambda items=(): OrderedDict(items),
    "deque": lambda items=(), maxlen=None: deque(items, maxlen),
}


def _bytes(data: Any) -> bytes:
    if not isinstance(data, bytes):
        raise NotAValueError("no bytes")
    return data


def _computed(node: ast.UnaryOp | ast.BinOp) -> Any:
    """An operation on constants, where its result cannot be large."""
    if isinstance(node, ast.UnaryOp):
        value = _read(node.operand)
        if not _is_number(value):
            raise NotAValueError("a sign before something that is no number")
        return -value if isinstance(node.op, ast.USub) else _plus(node.op, value)
    left, right = _read(node.left), _read(node.right)
    are_numbers = _is_number(left) and _is_number(right)
    match node.op:
        case ast.Add() if are_numbers or (type(left) is type(right) and isinstance(left, _SEQUENCES)):
            return left + right
        case ast.Sub() if are_numbers:
            return left - right
        case ast.Div() if are_numbers:
            return left / right
        case ast.Mult() if are_numbers or _is_short(left, right) or _is_short(right, left):
            return left * right
        case ast.Pow() if are_numbers and abs(left) <= LONGEST and 0 <= right <= 64:
            return left**right
    raise NotAValueError("an operation that is not written in values")


def _plus(sign: ast.unaryop, value: Any) -> Any:
    if isinstance(sign, ast.UAdd):
        return +value
    raise NotAValueError("an operation that is not written in values")


def _is_number(value: Any) -> bool:
    return type(value) in (int, float, complex)


def _is_short(items: Any, times: Any) -> bool:
    """Whether a repetition is cheap to make and to compare: of a text, or of a list without lists."""
    return (
        isinstance(items, _SEQUENCES)
        and type(times) is int
        and len(items) * max(times, 0) <= LONGEST
        and not any(isinstance(each, list | tuple | set | dict) for each in items)
    )
