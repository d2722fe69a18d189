"""This file is the sign of life on stderr while something takes its time; nothing where nobody looks."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn


@contextmanager
def busy(doing: str) -> Iterator[None]:
    """A spinner with the time passed, in a terminal only."""
    columns = SpinnerColumn(), TextColumn(doing), TimeElapsedColumn()
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not sys.stderr.isatty()) as progress:
        progress.add_task("", total=None)
        yield
