"""This file is the nouns of rewriting."""

from dataclasses import dataclass
from typing import Literal

from worldline.trace.model import Program

Level = Literal["expressions", "strings", "atomic"]
LEVELS: tuple[Level, ...] = ("expressions", "strings", "atomic")


@dataclass(frozen=True, slots=True)
class Left:
    """Something of the program that a rewriting left as it was."""

    line: int  # in the original program
    what: str
    why: str


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A program that does what the original does, in smaller steps."""

    original: Program
    program: Program  # with the same entry
    level: Level
    lines: tuple[int, ...]  # of each line of the program: the line of the original; 0: microcode
    left: tuple[Left, ...]  # what is not rewritten, in the order of the lines
    microcode: tuple[str, ...] = ()  # the functions that were put in

    def original_line(self, line: int) -> int:
        """Where a line comes from; 0: it is microcode, or no line of the program."""
        return self.lines[line - 1] if 0 < line <= len(self.lines) else 0
