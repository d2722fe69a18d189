"""This file is whether a predicted step follows from the steps before it, answered by running Python.

A prediction that has left reality may still be right in itself: one error carried along. `judge` runs the
real program from the states that the model believed (`walk.py` says how, and what it does not cover)
and says of each wanted step whether Python would do exactly this there.
"""

import json
import mmap
import os
import shutil
import tempfile
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from worldline.diagnose.beliefs import child
from worldline.errors import UserError
from worldline.record.box import Job, Limits, choose, run
from worldline.record.entry import parsed
from worldline.record.recording import boxed
from worldline.record.sink import RESERVE
from worldline.trace.model import Program, Step

LIMITS = Limits(seconds=20.0)
Shared = Mapping[int, tuple[tuple[str, ...], ...]]

_LINE = 800  # bytes of one judgement, at most
_TRIES = 4  # a step that kills the process is passed over this many times


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a predicted step follows from those before it."""

    follows: bool | None  # None: it cannot be judged
    why: str = ""  # why it does not follow, or why that is not known


def judge(
    program: Program,
    steps: Sequence[Step],
    wanted: Collection[int],
    shared: Shared | None = None,
    isolation: str = "process",
    limits: Limits | None = None,
) -> dict[int, Judgement]:
    """Say of predicted steps whether Python would do this, given what was predicted before.

    Args:
        program: what the steps were predicted for.
        steps: all predicted steps, from the first.
        wanted: indices of the steps to judge.
        shared: names that are one object at a step, where that is known.
        isolation: as in `record`.
        limits: of all together.
    """
    level = choose(isolation)
    limits = limits or LIMITS
    left = sorted({index for index in wanted if 0 <= index < len(steps)})
    found: dict[int, Judgement] = {}
    if program.files or program.entry.kind == "test" or _is_broken(program):
        return dict.fromkeys(left, Judgement(None, "only programs of one file are followed"))
    start, why = 0, ""
    deadline = time.monotonic() + limits.seconds
    for _ in range(_TRIES):
        seconds = deadline - time.monotonic()
        if not left or seconds <= 0:
            break
        query = _Query(program, steps, left, shared or {}, start)
        made, is_done, why = _follow(query, replace(limits, seconds=seconds), level)
        found |= made
        start = max(made, default=start) + 1  # the one that did not come to an end: it is only believed
        left = [index for index in left if index >= start]
        if is_done:
            break
    return {index: found.get(index, Judgement(None, why or "there was no time")) for index in sorted(wanted)}


@dataclass(frozen=True, slots=True)
class _Query:
    """What one process is to answer."""

    program: Program
    steps: Sequence[Step]
    wanted: Sequence[int]
    shared: Shared
    start: int


def _follow(query: _Query, limits: Limits, level: str) -> tuple[dict[int, Judgement], bool, str]:
    """The judgements of one process, whether it came to its end, and if not, why."""
    folder = Path(tempfile.mkdtemp(prefix="worldline-"))
    sink = os.open(folder / "sink", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.truncate(sink, _LINE * len(query.steps) + 2 * RESERVE)
        outcome = run(_job(query, folder), limits, level)
        found, is_done = _read(sink, len(query.steps))
    finally:
        os.close(sink)
        shutil.rmtree(folder, ignore_errors=True)
    return found, is_done, f"following it was stopped: {outcome.detail}"


def _job(query: _Query, folder: Path) -> Job:
    last = max(query.wanted, default=-1)
    more = {
        "steps": [_fields(step) for step in query.steps[: last + 1]],
        "shared": query.shared,
        "start": query.start,
    }
    return boxed(child.__file__, query.program, more, folder)


def _fields(step: Step) -> list[Any]:
    """What the child needs of a step, in the order of its fields."""
    return [
        *(step.event, step.line, dict(step.locals), step.value),
        *(step.depth, step.function, step.frame, step.thread, step.file),
    ]


def _read(sink: int, count: int) -> tuple[dict[int, Judgement], bool]:
    """The whole lines up to the first zero byte; one that is not a judgement ends the reading."""
    with mmap.mmap(sink, 0, prot=mmap.PROT_READ) as view:
        stop = view.find(b"\0")
        body = view[: view.rfind(b"\n", 0, len(view) if stop < 0 else stop) + 1]
    found: dict[int, Judgement] = {}
    for line in body.splitlines():
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            break
        if said == "end":
            return found, True
        if not (isinstance(said, list) and len(said) == 3):
            break
        index, follows, why = said
        if type(index) is not int or not 0 <= index < count or type(why) is not str:
            break
        found[index] = Judgement(follows if type(follows) is bool else None, why)
    return found, False


def _is_broken(program: Program) -> bool:
    try:
        parsed(program.source, program.path)
    except UserError:
        return True
    return False
