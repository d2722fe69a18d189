"""This file is reading and writing a trace by the name of its file: `.jsonl` or `.parquet`."""

from collections.abc import Callable
from pathlib import Path

from worldline.errors import UserError
from worldline.trace import jsonl, parquet
from worldline.trace.model import Trace

READERS: dict[str, Callable[[Path], Trace]] = {".jsonl": jsonl.read, ".parquet": parquet.read}
WRITERS: dict[str, Callable[[Trace, Path], None]] = {".jsonl": jsonl.write, ".parquet": parquet.write}
SUFFIXES = tuple(READERS)


def read(path: Path | str) -> Trace:
    """The trace that a file holds; what is wrong with the file is a UserError."""
    path = Path(path)
    reader = READERS[_suffix(path)]
    try:
        return reader(path)
    except FileNotFoundError:
        raise UserError(
            f"there is no file {path}", "record one with `worldline record PROGRAM.py -o FILE`"
        ) from None
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}", "check the path") from None


def write(trace: Trace, path: Path | str) -> None:
    """Write a trace to a file, whose folder must exist."""
    path = Path(path)
    writer = WRITERS[_suffix(path)]
    try:
        writer(trace, path)
    except FileNotFoundError:
        raise UserError(f"there is no folder {path.parent}", f"mkdir -p {path.parent}") from None
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}", "check the path") from None


def _suffix(path: Path) -> str:
    suffix = path.suffix.lower()
    if suffix not in READERS:
        raise UserError(
            f"{path} does not end like a trace file", f"traces are files ending in {' or '.join(SUFFIXES)}"
        )
    return suffix
