"""This file is what a recording may be asked for: which values, which limits, which files."""

from dataclasses import dataclass, field
from typing import Literal

Engine = Literal["auto", "c", "python", "none"]


@dataclass(frozen=True, slots=True)
class Options:
    """How to record. The limits of the box itself (time, memory, output) are in `box.Limits`."""

    max_steps: int = 1_000_000
    max_bytes: int = 256 << 20  # of the trace
    max_output: int = 1 << 20  # bytes of text written to stdout and stderr together
    max_value: int | None = 20_000  # characters of one value's text; None: no bound
    user_repr: bool = False  # ask objects for their own __repr__
    fold: bool = False  # no steps inside list, set and dict comprehensions: one shape on all versions
    engine: Engine = "auto"  # the C core where it was built, else the pure twin; none: only how it ends
    patience: int = 100_000  # items looked at in vain before the C core analyses the code; no trace tells


@dataclass(frozen=True, slots=True)
class Scope:
    """Which files are the user's: these exact names, and everything below `roots` that is not installed."""

    names: tuple[str, ...] = ()  # co_filename of file 0, 1, ...
    roots: tuple[str, ...] = field(default=())

    def is_user(self, filename: str) -> bool:
        """Whether code of this file is stepped into."""
        if filename in self.names:
            return True
        if filename.startswith("<") or "/site-packages/" in filename or "/dist-packages/" in filename:
            return False
        return any(filename.startswith(root + "/") for root in self.roots)
