"""This file is what the code between two events can do to variables, found without running it.

A segment is everything that may run in a frame from an event at one instruction to the frame's next event.
The C core asks for segments when it finds itself looking at large values again and again to find nothing
changed. It uses two answers:

- Pure: under conditions that it checks when the segment begins, nothing in the segment changes any object
  that existed before, other than iterators, and no object dies but plain ones (built-in containers and atoms,
  which run no code when they die). After a pure segment only the variables that it stores need a look.
  Python code that runs meanwhile (a called function, a finalizer, a signal handler) has events of its own and
  answers for itself. The conditions: some variables hold atoms, some hold plain values, the iterator that is
  advanced is a built-in one, and the global names that are called are still what they seem.
- Touched: the variables that a segment, pure or not, loads or stores. A plain list that only one variable
  refers to, before and after, and that was not touched, cannot have changed, whatever was called.

Both are wrong for code that reaches a frame's variables without naming them. So code with one of the names in
PEEKING is never trusted with the second answer, nor is any frame while such code runs. Not covered: getting
at these names or at a frame in a roundabout way (`getattr(frame, "f_" + "locals")`), C extensions that change
built-in containers they hold no reference to or from a signal handler written in C, and code that traces or
profiles the program (UNTRUSTED: with such a name around, nothing is trusted).

An event is taken for certain only where CPython's rule leaves no doubt (`_fires`). Elsewhere the
segment goes on, which makes it larger than it is, never smaller; and the C core distrusts a segment
that ended at an instruction which is not in it.
"""

from types import CodeType
from typing import NamedTuple

from worldline.record.instructions import LEAVES, OPEN, Instruction, instructions_of, variables, words
from worldline.record.purity import conditions_of

MAX_VARIABLES = 62  # of 64 bits, two stand for the iterator that is advanced, see effects.py
MAX_INSTRUCTIONS = 500

PEEKING = words(
    """locals vars eval exec f_locals f_back tb_frame gi_frame cr_frame ag_frame _getframe currentframe
    _current_frames _current_exceptions get_objects get_referrers get_referents stack trace walk_stack walk_tb
    __builtins__ builtins"""
)
UNTRUSTED = words("settrace setprofile addaudithook monitoring set_trace settrace_all_threads _ctypes")

KNOWN, LOOSE = 1, 2

_ALL = (1 << 64) - 1
_NO_LINE_START = frozenset({"END_ASYNC_FOR", "END_FOR", "END_SEND", "RESUME"})


class Segment(NamedTuple):
    """What may happen from one event to the next; the C core reads it by position."""

    is_pure: bool  # if these conditions hold:
    atoms: int  # variables that hold atoms, or nothing
    plain: int  # variables that hold plain values, or nothing
    iterator: int  # how deep on the stack the iterator is that is advanced; -1: none is
    functions: tuple[str, ...]  # global names that are Python functions
    builtins: tuple[str, ...]  # global names that are the built-in functions of that name
    touched: int  # variables that are loaded, stored or deleted
    stored: int  # variables that are stored or deleted
    places: bytes  # for each instruction: KNOWN, the next event may be here; LOOSE, after a loop has ended


def segment_of(code: CodeType, start: int) -> Segment:
    """What may run from an event at instruction `start` up to the next."""
    reach = _Reach(instructions_of(code), start)
    if reach.is_open or variables(code) > MAX_VARIABLES:
        return Segment(False, 0, 0, -1, (), (), _ALL, _ALL, b"")
    found = conditions_of(code, start, reach.edges)
    return Segment(
        found.is_pure,
        found.atoms,
        found.plain,
        found.iterator,
        tuple(sorted(found.functions)),
        tuple(sorted(found.builtins)),
        reach.touched,
        reach.stored,
        bytes(reach.places),
    )


class _Reach:
    """The instructions that may run before the next event is certain, and the variables they name."""

    def __init__(self, instructions: dict[int, Instruction], start: int) -> None:
        self.touched = self.stored = 0
        self.edges: set[tuple[int, int]] = set()  # where the segment may go on
        self.places = bytearray(max(instructions) + 1)
        self.is_open = start not in instructions
        self._instructions = instructions
        seen: set[tuple[int, bool]] = set()
        todo = [] if self.is_open else [(start, False)]
        while todo and not self.is_open:
            step = todo.pop()
            if step not in seen:
                seen.add(step)
                todo += self._run(instructions[step[0]], is_loose=step[1])

    def _run(self, instruction: Instruction, is_loose: bool) -> list[tuple[int, bool]]:
        """Note an instruction; give what may run after it."""
        self._note(instruction.index, is_loose)
        self.touched |= instruction.touched
        self.stored |= instruction.stored
        self.is_open = instruction.name in OPEN or len(self.edges) > MAX_INSTRUCTIONS
        following = []
        for target in () if instruction.name in LEAVES else instruction.successors:
            is_after_loop = instruction.name == "FOR_ITER" and target != instruction.next
            if _fires(instruction, self._instructions[target]):
                self._note(target, is_loose or is_after_loop)
            else:
                self.edges.add((instruction.index, target))
                following.append((target, is_loose or is_after_loop))
        return following

    def _note(self, index: int, is_loose: bool) -> None:
        self.places[index] |= KNOWN | LOOSE if is_loose else KNOWN


def _fires(before: Instruction, after: Instruction) -> bool:
    """Whether going from one instruction to the other makes a line event, beyond doubt."""
    if before.name in _NO_LINE_START or after.name in _NO_LINE_START:
        return False
    return before.line is not None and after.line is not None and before.line != after.line
