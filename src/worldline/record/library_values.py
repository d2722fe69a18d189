"""This file is how values of a few standard modules are written, without importing those modules.

A type counts as the module's own if the module has it under its name. Those written in C cannot be
counterfeited. Of those written in Python (fractions, uuid, pathlib), only pathlib's own code is run: a
program that puts classes of its own into pathlib, under the names of the old ones, has them asked.
"""

import sys
import types
from typing import Any

from worldline.record import peek
from worldline.record.writer import Write, Writer


def _write_repr(writer: Writer, value: object) -> None:
    """By `repr`, which for these types shows nothing but what they hold themselves."""
    try:
        shown = peek.exact(repr(value))
    except Exception:  # noqa: BLE001 - a value made without its constructor, for example
        shown = f"<{peek.name(type(value))} object>"
    writer.put(shown)


def _write_datetime(writer: Writer, value: Any) -> None:
    _write_with_zone(writer, value, value.replace(tzinfo=None), "")


def _write_time(writer: Writer, value: Any) -> None:
    after = ", fold=1" if value.fold else ""  # which a datetime has before its zone
    _write_with_zone(writer, value, value.replace(tzinfo=None, fold=0), after)


def _write_with_zone(writer: Writer, value: Any, bare: object, after: str) -> None:
    """A time or datetime: its zone may be an object of the program's."""
    if value.tzinfo is None:
        writer.put(repr(value))
    else:
        writer.put(repr(bare)[:-1] + ", tzinfo=")
        writer.write(value.tzinfo)
        writer.put(after + ")")


def _write_zone(writer: Writer, value: Any) -> None:
    parts = value.__getinitargs__()
    if type(value).utc is value:
        writer.put("datetime.timezone.utc")
    else:
        writer.items("datetime.timezone(", parts, ")")


def _write_pattern(writer: Writer, value: Any) -> None:
    if type(value.pattern) is str or type(value.pattern) is bytes:
        _write_repr(writer, value)
    else:
        writer.put("<re.Pattern object>")


def _write_fraction(writer: Writer, value: object) -> None:
    parts = peek.slot(value, "_numerator"), peek.slot(value, "_denominator")
    writer.items("Fraction(", parts, ")")


def _write_uuid(writer: Writer, value: object) -> None:
    number = peek.slot(value, "int")
    digits = f"{number:032x}" if type(number) is int else "?" * 32
    parts = digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]
    writer.put(f"UUID('{'-'.join(parts)}')")


_PATHS: dict[str, Write] = dict.fromkeys(
    ("Path", "PurePath", "PosixPath", "PurePosixPath", "WindowsPath", "PureWindowsPath"), _write_repr
)
_C_TYPES: dict[str, dict[str, Write]] = {
    "datetime": {
        "date": _write_repr,
        "time": _write_time,
        "datetime": _write_datetime,
        "timedelta": _write_repr,
        "timezone": _write_zone,
    },
    "decimal": {"Decimal": _write_repr},
    "array": {"array": _write_repr},
    "re": {"Pattern": _write_pattern, "Match": _write_repr},
}
_PYTHON_TYPES: dict[str, dict[str, Write]] = {
    "fractions": {"Fraction": _write_fraction},
    "uuid": {"UUID": _write_uuid},
    "pathlib": _PATHS,
    "pathlib._local": _PATHS,  # from 3.13 on
}
_UNSTEADY = frozenset({"Match", "array"})


def library_writer(kind: type) -> Write | None:
    """How values of a type are written, if it is one of those in the tables."""
    module, name = peek.module_of(kind), peek.name(kind)
    table = (_PYTHON_TYPES if peek.is_user(kind) else _C_TYPES).get(module)
    write = table.get(name) if table is not None else None
    return write if write is not None and _is_genuine(kind, module, name) else None


def _is_genuine(kind: type, module: str, name: str) -> bool:
    """Whether the module itself has this type under its name."""
    holder = sys.modules.get(module)
    return type(holder) is types.ModuleType and vars(holder).get(name) is kind


def is_steady_library_value(value: object) -> bool:
    """Whether the hash of such a value is the same in every run."""
    kind = type(value)
    if library_writer(kind) is None or peek.name(kind) in _UNSTEADY:
        return False
    return peek.name(kind) != "Decimal" or not value.is_nan()  # type: ignore[attr-defined]
