"""This file is how far two values are apart: a slip (one character, one element, one off), or another one."""

import ast
from collections.abc import Sequence

FAMILIES = {
    **dict.fromkeys(("str", "bytes", "bytearray"), "string-value"),
    **dict.fromkeys(("int", "float", "complex", "bool", "Decimal", "Fraction"), "arithmetic"),
    **dict.fromkeys(
        ("list", "tuple", "dict", "set", "frozenset", "deque", "Counter", "defaultdict", "OrderedDict"),
        "container-value",
    ),
}
"""The cause that fits a slip in a value of each type."""


def slip(expected: str, predicted: str) -> str:
    """What is slightly wrong about a value, in a few words; empty: it is another value altogether.

    Examples:
        >>> slip("'banana'", "'bannana'"), slip("7", "8"), slip("[1, 2, 3]", "[1, 9, 3]")
        ("1 character too many: 'n' at 3", '1 too much', 'element 1 is 9 instead of 2')
        >>> slip("'banana'", "'cherry'")
        ''
    """
    real, said = _parsed(expected), _parsed(predicted)
    if isinstance(real, bool) or isinstance(said, bool) or type(real) is not type(said):
        return ""
    if isinstance(real, int) and isinstance(said, int):
        return {1: "1 too much", -1: "1 too little"}.get(said - real, "")
    if isinstance(real, str | bytes) and isinstance(said, str | bytes):
        return _string_slip(real, said)
    if isinstance(real, list | tuple) and isinstance(said, list | tuple):
        return _sequence_slip(real, said)
    if isinstance(real, dict) and isinstance(said, dict):
        return _dict_slip(real, said)
    if isinstance(real, set) and isinstance(said, set):
        return _set_slip(real, said)
    return ""


def changed_elements(expected: str, predicted: str) -> list[tuple[str, str]]:
    """The elements of two containers that differ at the same place or key, as value texts."""
    real, said = _parsed(expected), _parsed(predicted)
    if isinstance(real, list | tuple) and type(real) is type(said) and len(real) == len(said):
        pairs = list(zip(real, said, strict=True))
    elif isinstance(real, dict) and isinstance(said, dict) and real.keys() == said.keys():
        pairs = [(value, said[key]) for key, value in real.items()]
    else:
        return []
    return [(repr(one), repr(other)) for one, other in pairs if repr(one) != repr(other)]


def _parsed(text: str) -> object:
    """The value of a literal; other text is None's like and equals nothing."""
    try:
        return set() if text == "set()" else ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return _Opaque()


class _Opaque:
    """A value that cannot be read off its text."""


def _string_slip(real: str | bytes, said: str | bytes) -> str:
    """One place that differs, small against the string: a character or two, or a tenth of it."""
    left, dropped, added = _middle(real, said)
    most = max(1, min(len(real), len(said)) // 10)
    if not dropped and not added:
        return "other quotes"
    if max(len(dropped), len(added)) > most:
        return ""
    if not dropped:
        return f"{_characters(len(added))} too many: {added!r} at {left}"
    if not added:
        return f"{_characters(len(dropped))} dropped: {dropped!r} at {left}"
    return f"{added!r} instead of {dropped!r} at {left}"


def _characters(count: int) -> str:
    return f"{count} character" + "s" * (count > 1)


def _middle(real: Sequence[object], said: Sequence[object]) -> tuple[int, Sequence[object], Sequence[object]]:
    """Where two sequences begin to differ, and what is between their common beginning and end."""
    shorter = min(len(real), len(said))
    left = next((at for at in range(shorter) if real[at] != said[at]), shorter)
    right = next((at for at in range(shorter - left) if real[-1 - at] != said[-1 - at]), shorter - left)
    return left, real[left : len(real) - right], said[left : len(said) - right]


def _sequence_slip(real: Sequence[object], said: Sequence[object]) -> str:
    left, dropped, added = _middle(real, said)
    if len(dropped) == 1 and len(added) == 1:
        return f"element {left} is {added[0]!r} instead of {dropped[0]!r}"
    if len(dropped) == 1 and not added:
        return f"element {left}, {dropped[0]!r}, is missing"
    if len(added) == 1 and not dropped:
        return f"element {left}, {added[0]!r}, is too much"
    if len(dropped) < 2 or [added[-1:], dropped[1:-1], added[:1]] != [dropped[:1], added[1:-1], dropped[-1:]]:
        return ""
    return f"elements {left} and {left + len(dropped) - 1} are swapped"


def _dict_slip(real: dict[object, object], said: dict[object, object]) -> str:
    missing = [key for key in real if key not in said]
    invented = [key for key in said if key not in real]
    other = [key for key in real if key in said and real[key] != said[key]]
    if len(missing) + len(other) > 1 or len(invented) + len(other) > 1:
        return ""
    if other:
        return f"at {other[0]!r} is {said[other[0]]!r} instead of {real[other[0]]!r}"
    if missing and invented:
        return f"key {invented[0]!r} instead of {missing[0]!r}"
    if missing:
        return f"key {missing[0]!r} is missing"
    return f"key {invented[0]!r} is too much" if invented else "another order of the keys"


def _set_slip(real: set[object], said: set[object]) -> str:
    missing, invented = real - said, said - real
    if len(missing) > 1 or len(invented) > 1:
        return ""
    if not missing and not invented:
        return "another order of the elements"
    parts = [f"{each!r} is missing" for each in missing] + [f"{each!r} is too much" for each in invented]
    return ", ".join(parts)
