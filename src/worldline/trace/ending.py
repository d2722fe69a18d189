"""This file is how an execution ends, read off its steps alone: of a prediction nothing else is known.

The entry's last step is not always the last of all: generators that wait are closed after it.
"""

from collections.abc import Sequence

from worldline.trace.model import Ending, Step, before_of
from worldline.trace.value import raised


def ending_of(steps: Sequence[Step]) -> Ending:
    """What the entry returns, or what is raised out of it (None is then returned on the same line)."""
    if not steps:
        return Ending("returned")
    at = _last_of_entry(steps)
    last, before = steps[at], before_of(steps, at)
    if last.event == "exception":
        return Ending("raised", raised(last.value or ""))
    if before is not None and (before.event, before.line, last.value) == ("exception", last.line, "None"):
        return Ending("raised", raised(before.value or ""))
    return Ending("returned", last.value)


def _last_of_entry(steps: Sequence[Step]) -> int:
    """Where the activation of the first step ends; the last step, if it does not."""
    entry = steps[0].frame
    last = next(at for at in range(len(steps) - 1, -1, -1) if steps[at].frame == entry)
    return last if steps[last].event in ("return", "exception") else len(steps) - 1
