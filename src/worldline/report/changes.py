"""This file is what changed between a step and the one before it in the same frame."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from worldline.trace.model import Step


@dataclass(frozen=True, slots=True)
class Changes:
    """Names by what happened to them since the frame's last step."""

    new: tuple[str, ...]
    changed: tuple[str, ...]
    gone: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Whether the state is as it was."""
        return not (self.new or self.changed or self.gone)


def changes(steps: Sequence[Step]) -> list[Changes]:
    """For each step, what the line before it did to the state."""
    last: dict[int, Step] = {}
    found = []
    for step in steps:
        before: Mapping[str, str] = last[step.frame].locals if step.frame in last else {}
        found.append(_between(before, step.locals))
        last[step.frame] = step
    return found


def _between(before: Mapping[str, str], after: Mapping[str, str]) -> Changes:
    if before is after:
        return Changes((), (), ())
    return Changes(
        tuple(name for name in after if name not in before),
        tuple(name for name in after if name in before and before[name] != after[name]),
        tuple(name for name in before if name not in after),
    )
