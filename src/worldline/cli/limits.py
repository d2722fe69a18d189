"""This file is `--limit NAME=VALUE`, the same for every verb that runs programs."""

from collections.abc import Sequence
from dataclasses import replace

from worldline.errors import UserError
from worldline.record.box import Limits
from worldline.record.options import Options

HELP = (
    "NAME=VALUE, may be given several times: time (seconds), memory, output, size, files (bytes, or 512M), "
    "steps, processes, value (characters of one value; 0 for no bound)."
)
UNITS = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


def parsed_limits(given: Sequence[str], options: Options) -> tuple[Options, Limits]:
    """The options and the box's limits with those on the command line applied."""
    limits = Limits()
    for text in given:
        name, _, value = text.partition("=")
        number = _number(text, value)
        whole = int(number)
        if name == "time":
            limits = replace(limits, seconds=number)
        elif name in ("memory", "processes", "files"):
            limits = replace(limits, **{name: whole})
        elif name == "output":
            limits, options = replace(limits, output=whole), replace(options, max_output=whole)
        elif name == "steps":
            options = replace(options, max_steps=whole)
        elif name == "size":
            options = replace(options, max_bytes=whole)
        elif name == "value":
            options = replace(options, max_value=whole or None)
        else:
            raise UserError(f"--limit {text}: there is no limit called {name!r}", HELP)
    return options, limits


def _number(text: str, value: str) -> float:
    unit = UNITS.get(value[-1:].lower(), 1)
    try:
        number = float(value[:-1] if unit > 1 else value) * unit
    except ValueError:
        number = -1
    if not 0 <= number < 1 << 62:
        raise UserError(
            f"--limit {text}: {value!r} is not a number",
            "write it like --limit time=5 or --limit memory=512M",
        )
    return number
