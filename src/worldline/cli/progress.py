"""This file is the progress bar of long work, on stderr; nothing where nobody looks."""

import sys

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text


class Rate(ProgressColumn):
    """So many a second, or seconds for each."""

    def render(self, task: Task) -> Text:
        """As text."""
        speed = task.finished_speed or task.speed
        if not speed:
            return Text("")
        return Text(
            f"{speed:.1f}/s" if speed >= 1 else f"{1 / speed:.1f} s each", style="progress.data.speed"
        )


def counting(*, is_shown: bool = True) -> Progress:
    """A bar that tells what is done, how many of how many, how fast, and how long it will take."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        Rate(),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=Console(stderr=True), disable=not (is_shown and sys.stderr.isatty()))
