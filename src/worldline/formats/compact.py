"""This file is the format `compact`: lossless, with line numbers for source text and only what changed.

The text is rows. A row that begins with a number is a line that runs, and behind it stands what it changed:

    11(                                  call: the function at line 11
    12                                   line 12 runs
    1(text='ab';n=2                      call: the function at line 1, with these arguments
    2 count=0                            line 2 runs and makes count 0
    3 new=[]
    4 c='a'
    5 new+'a'                            an edit of a value, see `edits.py`
    7
    =new                                 return: what `new` holds
    =                                    return: the value just returned

In the order of the text, a step is what changed in its frame since the frame's last step, then its line; so a
step is known as soon as its line number ends. Nothing of a `Step` is lost: what does not follow from calls,
returns and the source is noted (`@frame=3`). All marks are in docs/reference/format-compact.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from worldline.formats import Decoded
from worldline.formats.compact_read import Reader
from worldline.formats.compact_write import Writer
from worldline.trace.model import Program, Trace
from worldline.trace.value import type_of


@dataclass(frozen=True, slots=True)
class Compact:
    """The format `compact`; see `worldline.formats.Format` for what each of these does."""

    name: str = "compact"

    def prompt(self, program: Program) -> str:
        """The program with its lines numbered, how it is started, and `trace:`."""
        rows = list(_numbered(program.source))
        for file in program.files:
            rows += [f"file {file.path}", *_numbered(file.source)]
        entry = program.entry
        for label, shown in (
            (entry.kind, entry.text),
            ("arguments", " ".join(map(repr, entry.args))),
            ("input", repr(entry.stdin) if entry.stdin else ""),
        ):
            if shown:
                rows.append(f"{label}: {shown}")
        return "\n".join([*rows, "trace:", ""])

    def encode(self, trace: Trace) -> str:
        """The rows of all steps."""
        return "".join([text for _, text, _ in Writer(trace.program).pieces(trace.steps)])

    def decode(self, text: str, program: Program) -> Decoded:
        """The steps of a text; reading stops at the entry's end, or at the first row that says nothing."""
        return Reader(text, program).decoded()

    def parts(self, trace: Trace) -> Iterator[tuple[str, str]]:
        """The text of `encode` in parts; an edit counts as a value of the variable's type."""
        for kind, text, about in Writer(trace.program).pieces(trace.steps):
            yield (f"value:{type_of(about)}" if kind == "value" else kind), text

    def holds(self, trace: Trace) -> Trace:
        """The trace itself: nothing is lost."""
        return trace


COMPACT = Compact()


def _numbered(source: str) -> Iterator[str]:
    lines = source.split("\n")
    if lines[-1] == "":
        lines.pop()
    return (f"{number} {line}" for number, line in enumerate(lines, 1))
