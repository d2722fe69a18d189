"""This file is the writing of reports: where a file cannot be written, that is the user's to know."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from worldline.diagnose.model import Diagnosis
from worldline.errors import UserError

WIDE = 200  # columns


def tables() -> Console:
    """Where tables are printed: as wide as the terminal, or as they need to be where nobody looks."""
    return Console(width=None if sys.stdout.isatty() else WIDE)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Say in one line why a file cannot be written."""
    try:
        yield
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}", "give another place") from None


def check_writable(path: Path) -> None:
    """Say so before the work is done, not after it."""
    if path.is_dir() or not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        raise UserError(f"{path} cannot be written", "give a file in a folder that exists")


def write_html(diagnoses: Sequence[Diagnosis], path: Path, title: str) -> None:
    """Write the page."""
    from worldline.report.page import write_page

    with writing(path):
        write_page(diagnoses, path, title)
