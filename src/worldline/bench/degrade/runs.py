"""This file is the judge's half of degrading: programs and many runs go into a box, answers come out.

Nothing that comes out is trusted: lines of bounded JSON, read until the first one that is none.
"""

import json
import mmap
import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from worldline.errors import UserError
from worldline.record.box import Limits, run
from worldline.record.entry import parsed
from worldline.record.recording import boxed
from worldline.record.sink import RESERVE
from worldline.rewrite.expressions.names import Fresh, words
from worldline.trace.model import Entry, Program

ANSWERS = frozenset({"returned", "raised", "exited"})
NO_LIMIT = 1 << 40  # of visits
_LINE = 4_000  # bytes of one answer, at most
_TRIES = 4  # boxes; a run that ends its box is passed over so often
_SECONDS = 2.0  # of one run
_BOX_SECONDS = 60.0  # of all of them, and a little more for each
_NUMBERS = ("errors", "visits", "lines")
_CHILD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "child.py")


@dataclass(frozen=True, slots=True)
class Run:
    """One run that is wanted."""

    program: int  # its place among the sources
    entry: int
    kind: str  # real, lines, clean (hooks, but no errors), or one of KINDS
    rate: float = 0.0
    seed: int = 0
    limit: int = NO_LIMIT  # of visits to hooks


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a run."""

    how: str  # one of ANSWERS, or why there is none
    value: str = ""
    places: tuple[int, int, int] = (0, 0, 0)  # of state, string and action
    errors: int = 0
    visits: int = 0
    lines: int = 0

    @property
    def is_given(self) -> bool:
        """Whether there is an answer at all."""
        return self.how in ANSWERS

    @property
    def text(self) -> str:
        """The answer to compare."""
        return self.value if self.how == "returned" else f"{self.how} {self.value}".strip()


def answers(
    sources: Sequence[str], entries: Sequence[Entry], runs: Sequence[Run], level: str
) -> list[Answer]:
    """The answer of each run. One that ends its box is passed over a few times; then the rest has none."""
    found: list[Answer] = []
    why = "crashed"
    for _ in range(_TRIES):
        if len(found) >= len(runs):
            break
        given, why = _boxed(sources, entries, runs[len(found) :], level)
        found += given
        if len(found) < len(runs):
            found.append(Answer(why))
    return found + [Answer(f"not run: {why}")] * (len(runs) - len(found))


def hook_name(source: str) -> str:
    """A name with which no word of the program begins."""
    used = words(parsed(source, "program.py"))
    fresh = Fresh(used)
    name = fresh.name("hook")
    while any(word.startswith(name) for word in used):
        name = fresh.name("hook")
    return name


def _boxed(
    sources: Sequence[str], entries: Sequence[Entry], runs: Sequence[Run], level: str
) -> tuple[list[Answer], str]:
    """The answers of one box, and how it ended."""
    limits = Limits(seconds=_BOX_SECONDS + 0.01 * len(runs))
    more = {
        "programs": [{"source": source, "hook": hook_name(source)} for source in sources],
        "entries": [asdict(entry) for entry in entries],
        "runs": [[one.program, one.entry, one.kind, one.rate, one.seed, one.limit] for one in runs],
        "seconds": _SECONDS,
        "memory": limits.memory,
    }
    folder = Path(tempfile.mkdtemp(prefix="worldline-"))
    sink = os.open(folder / "sink", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.truncate(sink, _LINE * len(runs) + 2 * RESERVE)
        job = boxed(_CHILD, Program("", entries[0]), more, folder)
        outcome = run(replace(job, stdin=b""), limits, level)
        found = _read(sink)
        if found is None:
            said = outcome.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or [outcome.detail]
            raise UserError(f"the programs could not be run: {said[0]}", "see `worldline doctor`")
        return found[: len(runs)], "crashed" if outcome.verdict == "finished" else outcome.verdict
    finally:
        os.close(sink)
        shutil.rmtree(folder, ignore_errors=True)


def _read(sink: int) -> list[Answer] | None:
    """The whole lines up to the first zero byte, until one is no answer; None if it never got ready."""
    with mmap.mmap(sink, 0, prot=mmap.PROT_READ) as view:
        stop = view.find(b"\0")
        body = view[: view.rfind(b"\n", 0, len(view) if stop < 0 else stop) + 1]
    first, *lines = body.split(b"\n")
    if first != b'"ready"':
        return None
    found: list[Answer] = []
    for line in lines:
        answer = _answer(line)
        if answer is None:
            break
        found.append(answer)
    return found


def _answer(line: bytes) -> Answer | None:
    try:
        said: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict) or said.keys() != {"how", "value", "places", *_NUMBERS}:
        return None
    places = said["places"]
    if not isinstance(places, list) or len(places) != 3:
        return None
    numbers = [*places, *(said[name] for name in _NUMBERS)]
    is_sound = all(type(number) is int and 0 <= number < 1 << 50 for number in numbers)
    if not is_sound or not isinstance(said["how"], str) or not isinstance(said["value"], str):
        return None
    how, value = said["how"], said["value"]
    return Answer(how[:40], value, (places[0], places[1], places[2]), *(said[name] for name in _NUMBERS))
