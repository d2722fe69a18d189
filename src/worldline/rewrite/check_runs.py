"""This file is the judge's half of a check: a program and many calls go into a box, observations come out."""

import json
import mmap
import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from worldline.errors import UserError
from worldline.record.box import Limits, run
from worldline.record.recording import boxed
from worldline.record.sink import RESERVE
from worldline.rewrite import check_child
from worldline.trace.model import Program

STOPPED = frozenset({"time", "memory", "processes", "files", "crashed", "violation", "unasked", "unseen"})
"""Endings that say nothing about the program's meaning."""

_LINE = 64_000  # bytes of one observation, at most
_TRIES = 4  # a call that ends the whole box is passed over this many times
_MARGIN = 5.0  # seconds of the box beyond those of the calls
_CHILD = os.path.join(os.path.dirname(os.path.abspath(check_child.__file__)), "check_child.py")


@dataclass(frozen=True, slots=True)
class Observation:
    """What one call did; every text is bounded."""

    how: str  # returned, raised, exited, left (os._exit), output (too much of it), or one of STOPPED
    value: str = ""  # returned, raised or exited with
    output: str = ""  # until it returned
    late: str = ""  # while iterators in the result and in the arguments were drained
    arguments: str = ""  # when it returned
    after: str = ""  # after draining
    sharing: str = ""  # arguments and result together, with marks on what is one object
    seconds: float = 0.0

    def difference(self, other: "Observation") -> str:
        """In which respect the other one is different; empty if in none."""
        if (self.how, other.how) == ("raised", "raised") and self.value != other.value:
            return "exception"
        for name in ("how", "value", "output", "late", "arguments", "after", "sharing"):
            if getattr(self, name) != getattr(other, name):
                return _RESPECTS[name]
        return ""

    def __str__(self) -> str:
        parts = [_WORDS.get(self.how, f"stopped: {self.how}") + (f" {self.value}" if self.value else "")]
        if self.output:
            parts.append(f"output {self.output!r}")
        if self.late:
            parts.append(f"output while its result was iterated {self.late!r}")
        if self.arguments not in ("", "[]"):
            parts.append(f"arguments then {self.arguments}")
        if self.after not in ("", self.arguments):
            parts.append(f"arguments in the end {self.after}")
        if "#" in self.sharing:
            parts.append(f"shared objects {self.sharing}")
        return "; ".join(parts)


_WORDS = {
    "returned": "returned",
    "raised": "raised",
    "exited": "exited with",
    "left": "left the process with",
    "output": "wrote too much",
    "time": "did not end in its time",
}
_RESPECTS = {
    "how": "ending",
    "value": "value",
    "output": "output",
    "late": "laziness",
    "arguments": "arguments",
    "after": "arguments",
    "sharing": "identity",
}
_TEXTS = frozenset(field.name for field in fields(Observation)) - {"seconds"}


@dataclass(frozen=True, slots=True)
class Setting:
    """How one program is run."""

    limits: Limits
    level: str  # of isolation
    roots: tuple[Path, ...]
    depth: int  # recursion limit
    total: float  # seconds of all calls together
    is_final: bool = False  # one call that does not end in its time is enough


def observe(program: Program, calls: Sequence[tuple[str, float]], setting: Setting) -> list[Observation]:
    """What each call (and its seconds) did. A call that ends the whole box does not spoil those after it."""
    found: list[Observation] = []
    for _ in range(_TRIES):
        rest = calls[len(found) :]
        if not rest:
            break
        observations, verdict = _boxed(program, rest, setting)
        found += observations
        if len(found) < len(calls):
            found.append(Observation("crashed" if verdict == "finished" else verdict))
    return found + [Observation("unasked")] * (len(calls) - len(found))


def _boxed(
    program: Program, calls: Sequence[tuple[str, float]], setting: Setting
) -> tuple[list[Observation], str]:
    """The observations of one box, and how it ended."""
    more = {
        "calls": list(calls),
        "roots": [str(root) for root in setting.roots],
        "path": str(Path(program.path).resolve()) if setting.roots else program.path,
        "depth": setting.depth,
        "memory": setting.limits.memory,
        "max_output": setting.limits.output,
        "seconds": setting.total,
        "is_final": setting.is_final,
    }
    folder = Path(tempfile.mkdtemp(prefix="worldline-"))
    sink = os.open(folder / "sink", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.truncate(sink, _LINE * len(calls) + 2 * RESERVE)
        job = boxed(_CHILD, program, more, folder, setting.roots)
        limits = replace(setting.limits, seconds=setting.total + _MARGIN)
        outcome = run(replace(job, stdin=b""), limits, setting.level)
        found = _read(sink)
        if found is None:
            words = outcome.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or [outcome.detail]
            raise UserError(f"the check could not be started: {words[0]}", "see `worldline doctor`")
        return found[: len(calls)], outcome.verdict
    finally:
        os.close(sink)
        shutil.rmtree(folder, ignore_errors=True)


def _read(sink: int) -> list[Observation] | None:
    """The whole lines up to the first zero byte, until one is no observation; None if it never got ready."""
    with mmap.mmap(sink, 0, prot=mmap.PROT_READ) as view:
        stop = view.find(b"\0")
        body = view[: view.rfind(b"\n", 0, len(view) if stop < 0 else stop) + 1]
    found = []
    first, *lines = body.split(b"\n")
    if first != b'"ready"':
        return None
    for line in lines:
        observation = _observation(line)
        if observation is None:
            break
        found.append(observation)
    return found


def _observation(line: bytes) -> Observation | None:
    try:
        said: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict) or not isinstance(said.get("how"), str):
        return None
    seconds = said.pop("seconds", 0.0)
    if not said.keys() <= _TEXTS or not all(isinstance(text, str) for text in said.values()):
        return None
    return Observation(**said, seconds=seconds if isinstance(seconds, float) and seconds >= 0 else 0.0)
