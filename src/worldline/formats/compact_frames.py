"""This file is what follows from the steps so far: the next frame, its depth, its function, its last state.

The writer and the reader of the format `compact` both keep a `Frames` and tell it of every step, so that each
knows what the other expects; only what is not as expected is written.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from worldline.formats.compact_source import function_at
from worldline.trace.model import Event, Program, Step

Shared = tuple[tuple[str, ...], ...]


@dataclass(slots=True)
class Frame:
    """The last that is known of one activation."""

    locals: Mapping[str, str] = field(default_factory=dict)
    written: dict[str, str | None] = field(
        default_factory=dict
    )  # of the locals that were edited, see `compact_text`
    line: int | None = None
    depth: int = 0
    function: str = ""
    file: int = 0
    shared: Shared = ()


class Frames:
    """All activations, the stack of each thread, and what was last returned and raised."""

    def __init__(self, program: Program) -> None:
        self.thread = 0
        self.returned: str | None = None  # by the step before
        self.raised: str | None = None  # by the last exception
        self.is_over = False  # the entry has returned; steps may still follow, of generators that are closed
        self._program = program
        self._frames: dict[int, Frame] = {}
        self._stacks: dict[int, list[int]] = {}
        self._newest = -1
        self._names: dict[tuple[int, int], str] = {}
        self._entry: tuple[int, int, int] | None = None  # thread, frame and depth

    def running(self) -> int | None:
        """The frame on top of the current thread's stack."""
        stack = self._stacks.get(self.thread)
        return stack[-1] if stack else None

    def expected(self, event: Event | None) -> int:
        """The number of the frame that comes next: a new one for a call, else the running one."""
        running = self.running()
        return self._newest + 1 if event == "call" or running is None else running

    def frame(self, number: int, event: Event | None) -> Frame:
        """What is known of a frame before its next step; a call puts it on top of the stack."""
        known = self._frames.get(number)
        depth = len(self._stacks.get(self.thread, ()))
        if known is None:
            return Frame(depth=depth, file=self.caller().file)
        if event == "call":
            known.depth = depth
        return known

    def caller(self) -> Frame:
        """The running frame, or an empty one."""
        running = self.running()
        return Frame() if running is None else self._frames[running]

    def function(self, frame: Frame, file: int, line: int) -> str:
        """The function that a call enters: the frame's own, the last one at this line, or the source's."""
        if frame.line is not None:
            return frame.function
        name = self._names.get((file, line))
        if name is None:
            known = 0 <= file <= len(self._program.files)
            source = self._program.source_of(file) if known else ""
            name = function_at(source, line, self.caller().function)
        return name

    def take(self, step: Step, frame: Frame) -> None:
        """Go on by one step."""
        frame.locals, frame.line, frame.depth = step.locals, step.line, step.depth
        frame.function, frame.file, frame.shared = step.function, step.file, step.shared
        number = step.frame
        self._frames[number] = frame
        self._newest = max(self._newest, number)
        self.thread = step.thread
        self._restack(step)
        self.returned = step.value if step.event == "return" else None
        if step.event == "exception":
            self.raised = step.value
        place = (step.thread, number, step.depth)
        if self._entry is None:
            self._entry = place
        if place == self._entry:
            self.is_over = step.event == "return"

    def _restack(self, step: Step) -> None:
        stack = self._stacks.setdefault(step.thread, [])
        number = step.frame
        if step.event == "call":
            self._names[step.file, step.line] = step.function
            stack.append(number)
        elif not stack or stack[-1] != number:
            if number in stack:
                del stack[stack.index(number) + 1 :]
            else:
                stack.append(number)
        if step.event == "return":
            stack.pop()
