"""This file is the lines of a program as text, and which lines a text may be."""

from functools import cached_property

from worldline.record.entry import MARKER, with_marker
from worldline.trace.model import Program, lines_of

Place = tuple[int, int]
"""A file's number and a line in it, 1-based; line 0 is no line of the program."""


class SourceText:
    """The source lines of a program, its entry marked, and of the further files that were stepped into."""

    def __init__(self, program: Program) -> None:
        sources = [with_marker(program), *(file.source for file in program.files)]
        self._lines = [lines_of(source) for source in sources]
        self._places: dict[str, list[Place]] = {"": [(0, 0)]}  # a module's `call` is on no line
        for file, lines in enumerate(self._lines):
            for number, line in enumerate(lines, 1):
                if line.strip():
                    self._places.setdefault(line, []).append((file, number))
        self._longest = max(map(len, self._places))

    def line(self, file: int, number: int) -> str:
        """The text of a line, without its end; empty for a number that the file does not have."""
        lines = self._lines[file] if file < len(self._lines) else []
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def places(self, text: str) -> list[Place]:
        """Where `text` stands in the program, in order; empty: nowhere.

        The marker of the entry and blanks at the end of a line may be there or not.
        """
        return self._places.get(text) or self._loose_places.get(_loose(text), [])

    def is_beginning(self, text: str, start: int) -> bool:
        """Whether all of `text` from `start` on is the beginning of some line."""
        if len(text) - start > self._longest:
            return False
        rest = text[start:]
        return any(line.startswith(rest) for line in self._places)

    @cached_property
    def _loose_places(self) -> dict[str, list[Place]]:
        found: dict[str, list[Place]] = {}
        for line, places in self._places.items():
            found.setdefault(_loose(line), []).extend(places)
        return found


def _loose(text: str) -> str:
    return text.rstrip().removesuffix(MARKER).rstrip()
