"""This file is the nouns of Worldline: Program, Step, Trace, and how a trace ended and came about."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

Event = Literal["call", "line", "return", "exception"]
EVENTS: tuple[Event, ...] = ("call", "line", "return", "exception")

EntryKind = Literal["call", "function", "script", "test"]

EndingKind = Literal[
    "returned",  # the entry returned; `value` is what
    "raised",  # the entry raised; `value` is the exception
    "exited",  # the program left through SystemExit; `value` is its code
    "time",  # the limits, one by one
    "memory",
    "output",
    "processes",
    "files",
    "steps",
    "size",  # of the trace itself, in bytes
    "violation",  # the box stopped it doing something forbidden
    "crashed",  # the process ended without telling: a signal, os._exit
    "open",  # the file or the model's text just ends
]
LIMITS: tuple[EndingKind, ...] = ("time", "memory", "output", "processes", "files", "steps", "size")

_LINE_END = re.compile(r"\r\n|\r|\n")


def lines_of(source: str) -> list[str]:
    """The lines of a program as Python counts them; `str.splitlines` knows more line ends."""
    return _LINE_END.split(source)


@dataclass(frozen=True, slots=True)
class Entry:
    """Where an execution starts."""

    kind: EntryKind
    text: str = ""  # the call `f(1, 2)`, the function's name, or the test's node id
    args: tuple[str, ...] = ()  # a script's arguments
    stdin: str = ""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A further file of the user's that was stepped into."""

    path: str
    source: str


@dataclass(frozen=True, slots=True)
class Program:
    """Source text, its language, and the entry."""

    source: str
    entry: Entry
    path: str = "program.py"
    language: str = "python"
    files: tuple[SourceFile, ...] = ()  # `Step.file` 1 is the first of these

    def source_of(self, file: int) -> str:
        """The text that `Step.line` counts in."""
        return self.source if file == 0 else self.files[file - 1].source

    def path_of(self, file: int) -> str:
        """The path of file number `file`."""
        return self.path if file == 0 else self.files[file - 1].path


@dataclass(frozen=True, slots=True)
class Step:
    """One event, seen just before `line` runs."""

    event: Event
    line: int  # 1-based, in the program's source
    locals: Mapping[str, str]  # name -> value text, complete, in order of binding
    value: str | None = None  # what was returned; for an exception the text of (class, exception, traceback)
    depth: int = 0  # 0 = the entry function
    function: str = ""  # qualified name of the running code
    frame: int = 0  # which activation: a resumed generator keeps its number
    thread: int = 0  # 0 = the thread of the entry
    file: int = 0  # which source: see Program.source_of
    output: str = ""  # what the program wrote (stdout and stderr) while this step ran
    shared: tuple[tuple[str, ...], ...] = ()  # groups of names that are one mutable object


@dataclass(frozen=True, slots=True)
class Ending:
    """How an execution ended."""

    kind: EndingKind
    value: str | None = None
    detail: str = ""

    @property
    def is_complete(self) -> bool:
        """Whether the program itself came to an end, rather than being stopped."""
        return self.kind in ("returned", "raised", "exited")


@dataclass(frozen=True, slots=True)
class Origin:
    """Who says so: recorded by what, or predicted by whom."""

    kind: Literal["recorded", "predicted"]
    by: str  # "worldline 0.1.0, C core", or a model's id
    python: str = ""
    isolation: str = ""
    options: Mapping[str, str | int | bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trace:
    """A program's worldline, recorded or predicted."""

    program: Program
    steps: tuple[Step, ...]
    ending: Ending
    origin: Origin


def before_of(steps: Sequence[Step], index: int) -> Step | None:
    """The step of the same activation before this one: what ran in between made this one's state."""
    if steps[index].event == "call":
        return None
    frame = steps[index].frame
    return next((steps[at] for at in range(index - 1, -1, -1) if steps[at].frame == frame), None)
