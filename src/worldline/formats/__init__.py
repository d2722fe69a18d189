"""This file is the list of formats, and what a format is: steps as text, and the way back.

What a format cannot hold is told by its `holds` (and in its file). One law binds them all, for every trace:

    decode(encode(trace), trace.program).steps == holds(trace).steps
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from worldline import plugins
from worldline.trace.model import Program, Step, Trace

ENTRY_POINTS = "worldline.formats"

FORMATS = {
    "cwm": "worldline.formats.cwm:CWM",
    "compact": "worldline.formats.compact:COMPACT",
}
"""Each names an object that has what `Format` asks for."""

Span = tuple[int, int]
"""Where something stands in a text: its first character and the one after its last."""


@dataclass(frozen=True, slots=True)
class Malformed:
    """A step that cannot be read; those before it are good."""

    offset: int  # where the malformed step begins in the text
    frame_number: int  # its number, counted from 0: as many steps were read
    why: str


@dataclass(frozen=True, slots=True)
class Cut:
    """The text ends before the trace does: between two steps, or in the middle of one."""

    offset: int  # where the unfinished step begins: the length of the text if it ends between two steps
    frame_number: int  # its number, counted from 0: as many steps were read


@dataclass(frozen=True, slots=True)
class Decoded:
    """What was read out of a text."""

    steps: tuple[Step, ...]
    spans: tuple[Span, ...]  # where each step stands in the text
    problem: Malformed | Cut | None = None  # None: the entry's end was reached
    rest: str = ""  # what was not read: after a complete trace prose and an answer, else from the problem on


class Format(Protocol):
    """A way to write steps as text: all is told by the text and the program, nothing is kept in between."""

    @property
    def name(self) -> str:
        """The name it is asked for by."""

    def prompt(self, program: Program) -> str:
        """What a model is given; the steps follow it directly."""

    def encode(self, trace: Trace) -> str:
        """The steps as text: what a perfect model would write."""

    def decode(self, text: str, program: Program) -> Decoded:
        """The steps that a text stands for. Any text is answered: what is wrong with it is in `problem`."""

    def parts(self, trace: Trace) -> Iterator[tuple[str, str]]:
        """The text of `encode`, cut into (kind, text) for a report of costs.

        Kinds are "name", "value:TYPE" (as `trace.value.type_of` says it), "source", "special", "syntax" and
        "line-number". The texts, joined, are what `encode` gives.
        """

    def holds(self, trace: Trace) -> Trace:
        """The trace without what this format cannot hold: what comes back from `decode`."""


def format(name: str) -> Format:
    """The format called `name`."""
    loaded: Format = plugins.load(FORMATS, ENTRY_POINTS, name)
    return loaded


def format_names() -> list[str]:
    """Every format that may be asked for."""
    return plugins.names(FORMATS, ENTRY_POINTS)
