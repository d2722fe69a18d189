"""This file is what can be read off a value text alone: its type, whether it was cut, what was raised."""

import re

CUT = re.compile(r"…<(?P<type>[^<>]+) of (?P<size>\d+)>\Z")
"""How the recorder marks a value that was too long: `[0, 1, 2…<list of 1000000>`."""

_SINGLETONS = {
    "True": "bool",
    "False": "bool",
    "None": "NoneType",
    "Ellipsis": "ellipsis",
    "NotImplemented": "NotImplementedType",
}
_NUMBER = re.compile(r"[-+]?(\d[\d_]*|0x[0-9a-f]+)\Z")
_FLOAT = re.compile(r"[-+]?(\d+(\.\d*)?(e[-+]?\d+)?|inf|nan)\Z")
_COMPLEX = re.compile(r"\(?[-+]?[\d.einfa+-]+j\)?\Z")
_NAMED = re.compile(r"(?P<name>[A-Za-z_][\w.]*)\(")
_ANGLE = re.compile(r"<(?P<first>[\w.]+)(?P<member>[\w.|]*:)?")
_RAISED = re.compile(
    r"\(<class '[^']*'>, (?P<exception>.*), <traceback object(?: at 0x[0-9a-f]+)?>\)\Z", re.DOTALL
)


def is_cut(text: str) -> bool:
    """Whether the recorder shortened this value."""
    return CUT.search(text) is not None


def raised(text: str) -> str:
    """The exception inside the text of an exception step, `ValueError('x')`; other text as it is."""
    match = _RAISED.match(text)
    return match["exception"] if match else text


def type_of(text: str) -> str:
    """The name of the type a value text shows, as `type(value).__name__` would say; "?" if it shows none."""
    cut = CUT.search(text)
    if cut:
        return cut["type"]
    if text in _SINGLETONS:
        return _SINGLETONS[text]
    if text[:1] in "'\"" and text:
        return "str"
    if text[:2] in ("b'", 'b"'):
        return "bytes"
    return _bracketed(text) or _numeric(text) or _angled(text) or _named(text) or "?"


def _bracketed(text: str) -> str:
    if text[:1] == "[":
        return "list"
    if text[:1] == "{":
        return "dict" if text == "{}" or text == "{...}" or _has_top_level_colon(text) else "set"
    if text[:1] == "(":
        return "complex" if _COMPLEX.match(text) else "tuple"
    return ""


def _numeric(text: str) -> str:
    if _NUMBER.match(text):
        return "int"
    if _FLOAT.match(text):
        return "float"
    return "complex" if text.endswith("j") and _COMPLEX.match(text) else ""


def _angled(text: str) -> str:
    """Types of `<Point x=1>`, `<list_iterator object>`, `<function f>`, `<class 'int'>`, `<Color.RED: 1>`."""
    match = _ANGLE.match(text)
    if not match:
        return ""
    first = match["first"]
    if text.startswith("<built-in"):
        return "builtin_function_or_method"
    if match["member"] and "." in first:
        return first.partition(".")[0]
    known = {"class": "type", "bound": "method"}
    return known.get(first) or first.rpartition(".")[2]


def _named(text: str) -> str:
    """Types of `Counter({...})`, `Point(x=1)`, `range(3)`, `datetime.date(2020, 1, 1)`."""
    match = _NAMED.match(text)
    if not match:
        return "timezone" if text == "datetime.timezone.utc" else ""
    known = {"re.compile": "Pattern", "namespace": "SimpleNamespace"}
    return known.get(match["name"]) or match["name"].rpartition(".")[2]


def _has_top_level_colon(text: str) -> bool:
    """Whether the first item of `{...}` is a `key: value` pair."""
    depth, quote, skip = 0, "", False
    for character in text:
        if skip:
            skip = False
        elif quote:
            skip = character == "\\"
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in "[({<":
            depth += 1
        elif character in "])}>":
            depth -= 1
        elif depth == 1 and character in ":,":
            return character == ":"
    return False
