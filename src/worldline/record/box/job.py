"""This file is the box's words: what to run (`Job`), what it may use (`Limits`), how it ended (`Outcome`)."""

import resource
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

Verdict = Literal["finished", "crashed", "time", "memory", "output", "processes", "files", "violation"]

LEVELS = ("bwrap", "sandlock", "process")
_OPEN_FILES = 256


@dataclass(frozen=True, slots=True)
class Limits:
    """What a job may use; each limit has its own verdict."""

    seconds: float = 10.0  # wall clock, from the moment the command starts
    memory: int = 1 << 30  # bytes: address space of one process, and resident memory of all together
    output: int = 1 << 20  # bytes on stdout and stderr together
    processes: int = 64  # processes and threads alive at once
    files: int = 64 << 20  # bytes: the largest file, and all new files in the job's own folders together


@dataclass(frozen=True, slots=True)
class Job:
    """One command and everything it may see. Paths are absolute, and the same inside as outside."""

    command: Sequence[str]
    env: Mapping[str, str] = field(default_factory=dict)  # complete: nothing is inherited
    exchange: Path | None = None  # folder made for this job alone, writable; run as root it changes its owner
    readable: Sequence[Path] = ()  # files and folders it may read besides
    stdin: bytes = b""
    cwd: str | None = None  # None: a private, empty, writable folder that goes away with the job


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a job ended.

    `finished`: it exited by itself, with any code. `crashed`: it died of a signal that was not the judge's.
    `time`, `memory`, `output`, `processes`, `files`: that limit stopped it (memory also: the kernel ran out).
    `violation`: a system call filter killed it, or it destroyed its supervisor.

    What fails inside at a limit (an allocation, a fork, a write) is the program's to handle; if it exits
    then, it has finished.
    """

    verdict: Verdict
    exit_code: int | None  # of a finished job
    signal: int | None  # that ended a job which did not finish
    stdout: bytes  # together with stderr never longer than `Limits.output`
    stderr: bytes
    seconds: float
    isolation: str  # the level it really ran at
    detail: str  # one plain sentence


def resource_limits(limits: Limits) -> list[tuple[int, int]]:
    """What the kernel enforces for each process by itself, at every level."""
    return [
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_FSIZE, limits.files),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
    ]
