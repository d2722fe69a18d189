"""This file is the nouns of rewriting."""

from dataclasses import dataclass
from typing import Literal

from worldline.trace.model import Program, Trace

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

    def original_line_of(self, trace: Trace, at: int) -> int:
        """The original line that step `at` of the program's trace works for; 0: none (its marked `main`).

        A step inside microcode works for the line that called it.
        """
        depth = trace.steps[at].depth + 1
        for index in range(at, -1, -1):
            step = trace.steps[index]
            if step.depth < depth:
                line = self.original_line(step.line)
                if line:
                    return line
                depth = step.depth
        return 0
