"""This file is the part of a progress bar that tells how fast it goes."""

from rich.progress import ProgressColumn, Task
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
