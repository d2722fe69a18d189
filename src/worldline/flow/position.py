r"""This file is where an execution stands, the stack of frames included, and which events may come next.

A `Position` is a value: `advance` gives the next one, or says why there is none.

    >>> here = start(flow("def f(x):\n    if x is None:\n        return 1\n    return 2\n"))
    >>> for event, line in [("call", 1), ("line", 2), ("line", 4)]:
    ...     here = advance(here, event, line)
    >>> choices(here)
    {('return', 4)}
    >>> advance(here, "line", 3)
    Illegal(event='line', line=3)
    >>> advance(here, "line", 3).reason
    'after line 4 of f may come: return on 4'

`land` goes on after an illegal event from where that says it is: for predicted traces.

Outside of all frames any code of the program may be called: by the entry's caller, by a library, by a new
thread. A `call` may also resume a generator that was suspended on that line. Which one is not asked: a
position keeps the places at which some generator was suspended, and forgets none. So what `advance` says is
exact only up to that.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from worldline.flow.bytecode import Code
from worldline.flow.successors import Config, Exit, Flow, State, flow
from worldline.trace.model import Event, Program, Step


class Frame(NamedTuple):
    """One frame of the stack."""

    state: State
    below: "Frame | None"
    depth: int


@dataclass(frozen=True, slots=True)
class Position:
    """The stack of frames and the generators that wait."""

    flow: Flow
    top: Frame | None = None
    suspended: frozenset[State] = frozenset()

    @property
    def depth(self) -> int:
        """How many frames are running."""
        return 0 if self.top is None else self.top.depth

    @property
    def line(self) -> int:
        """The line of the running frame's last event; 0 outside of all frames."""
        return 0 if self.top is None else self.top.state.line

    @property
    def function(self) -> str:
        """The qualified name of the running code; empty outside of all frames, and on lines that none has."""
        codes = () if self.top is None else self.top.state.codes
        return codes[0].qualname if codes else ""


@dataclass(frozen=True, slots=True)
class Illegal:
    """An event that cannot follow."""

    event: str
    line: int
    position: Position = field(repr=False)  # where it was said to happen

    @property
    def reason(self) -> str:
        """What could have followed instead."""
        top = self.position.top
        if top is None:
            return f"no frame is running, and no call is on line {self.line}"
        if top.state.flow is not self.position.flow and self.event != "call":
            return "the running frame is in another file"
        moves = top.state.moves
        legal = [f"line {line}" for line in sorted(moves.line)]
        legal += [f"exception on {line}" for line in sorted(moves.exception)]
        legal += [f"return on {line}" for line in sorted(moves.exits)]
        legal += ["a call"] if moves.calling is not None else []
        return f"after line {top.state.line} of {self.position.function} may come: {', '.join(legal)}"


def start(flow: Flow) -> Position:
    """The position before the first event."""
    return Position(flow)


def advance(
    position: Position, event: str, line: int, function: str | None = None, flow: Flow | None = None
) -> Position | Illegal:
    """The position after one more event.

    Args:
        position: the position before it.
        event: "call", "line", "return" or "exception".
        line: the line that the event names.
        function: for a call, the name of the code that is entered, plain or qualified; None: any there.
        flow: for a call, the flow of another file that the code is in.
    """
    if event == "call":
        return _call(position, line, function, flow or position.flow)
    return _within(position, event, line) or _slip(position, event, line) or Illegal(event, line, position)


def choices(position: Position) -> set[tuple[Event, int]]:
    """Every event that may come next, with its line.

    Two things that `advance` takes are left out: calls into other files, and what a frame does that goes on
    without a call (see `Flow.slipped`).
    """
    top = position.top
    found: set[tuple[Event, int]] = set()
    if top is not None:
        moves = top.state.moves
        found.update(("line", line) for line in moves.line)
        found.update(("exception", line) for line in moves.exception)
        found.update(("return", line) for line in moves.exits)
    found.update(("call", code.line) for code in _callable(position, position.flow.codes))
    if top is None or top.state.moves.dropping is not None:
        found.update(("call", line) for state in position.suspended for line in state.resumes)
    return found


def land(position: Position, event: str, line: int, function: str | None = None) -> Position:
    """The position after an event that may be illegal: go on from where it says it is.

    A legal event gives what `advance` gives. Otherwise the running frame is taken to be on that line, if
    its code has it; else code of the program that has it takes its place. A call always enters, and a
    return always leaves.
    """
    moved = advance(position, event, line, function)
    if isinstance(moved, Position):
        return moved
    flow, top = position.flow, position.top
    below = None if top is None else top.below
    if event == "return":
        return Position(flow, below, position.suspended)
    if event == "call":
        codes = flow.called_at(line, function) or flow.called_at(line) or flow.codes
        state = flow.state(flow.entered(codes), line)
        return Position(flow, Frame(state, top, position.depth + 1), position.suspended)
    place = flow.at_line if event == "line" else flow.raised_at
    running = [] if top is None else top.state.codes
    configs = place(line, running) or place(line, flow.codes) or flow.at_line(line, flow.codes)
    if not configs and top is not None:
        configs = set(top.state.configs)
    return Position(flow, Frame(flow.state(configs, line), below, max(position.depth, 1)), position.suspended)


def first_illegal(program: Program, steps: Iterable[Step]) -> tuple[int, Illegal] | None:
    """The index of the first step that cannot follow those before it, and why; None: all can.

    Threads each have their own stack; a generator that one has suspended another may resume.
    """
    flows: dict[int, Flow] = {}
    tops: dict[int, Frame | None] = {}
    suspended: frozenset[State] = frozenset()
    for index, step in enumerate(steps):
        file = flows.get(step.file)
        if file is None:
            file = flows[step.file] = flow(program.source_of(step.file), program.path_of(step.file))
        here = Position(file, tops.get(step.thread), suspended)
        moved = advance(here, step.event, step.line, step.function or None)
        if _is_elsewhere(here, step.event):
            moved = Illegal(step.event, step.line, here)
        if isinstance(moved, Illegal):
            return index, moved
        tops[step.thread], suspended = moved.top, moved.suspended
    return None


def _is_elsewhere(position: Position, event: str) -> bool:
    """Whether the running frame is of another file, and none waits that could go on without a call."""
    top = position.top
    if top is None or event == "call" or position.suspended:
        return False
    return top.state.flow is not position.flow


def _within(position: Position, event: str, line: int) -> Position | None:
    """The position after an event of the running frame."""
    top = position.top
    if top is None:
        return None
    moves = top.state.moves
    if event == "return":
        left = moves.exits.get(line)
        return None if left is None else Position(position.flow, top.below, _waiting(position, left))
    state = (moves.line if event == "line" else moves.exception).get(line)
    if state is None:
        return None
    return Position(position.flow, Frame(state, top.below, top.depth), position.suspended)


def _waiting(position: Position, left: Exit) -> frozenset[State]:
    if left.suspended is None or left.suspended in position.suspended:
        return position.suspended
    return position.suspended | {left.suspended}


def _call(position: Position, line: int, function: str | None, flow: Flow) -> Position | Illegal:
    top = position.top
    calling, dropping = (None, None) if top is None else (top.state.moves.calling, top.state.moves.dropping)
    configs = flow.entered(_callable(position, flow.called_at(line, function)))
    waiting = calling
    if top is None or dropping is not None:
        resumed = _resumed(position, line, function, flow)
        if resumed or calling is None:
            waiting = dropping
        configs |= resumed
    if not configs:
        return Illegal("call", line, position)
    below = None if top is None or waiting is None else Frame(waiting, top.below, top.depth)
    entered = Frame(flow.state(configs, line), below, position.depth + 1)
    return Position(position.flow, entered, position.suspended)


def _callable(position: Position, codes: Iterable[Code]) -> list[Code]:
    """Those of `codes` that the running frame may call."""
    top = position.top
    if top is None:
        return list(codes)
    moves = top.state.moves
    if moves.calling is not None:
        return [code for code in codes if not code.is_inner or _runs(top.state, code.around)]
    return [code for code in codes if code.name == "__del__" and moves.dropping is not None]


def _resumed(position: Position, line: int, function: str | None, flow: Flow) -> set[Config]:
    found: set[Config] = set()
    for state in _by_line(position.suspended).get(line, ()):
        if state.flow is flow and (function is None or _runs(state, function)):
            found |= state.resumes[line]
    return found


def _runs(state: State, function: str) -> bool:
    return any(function in (code.name, code.qualname) for code in state.codes)


@lru_cache(maxsize=64)
def _by_line(suspended: frozenset[State]) -> dict[int, list[State]]:
    found: dict[int, list[State]] = {}
    for state in suspended:
        for line in state.resumes:
            found.setdefault(line, []).append(state)
    return found


def _slip(position: Position, event: str, line: int) -> Position | None:
    """The position after the event of a frame that went on without a `call` event (see `Flow.slipped`)."""
    top = position.top
    if top is not None:
        if top.state.moves.calling is None:
            return None
        top = Frame(top.state.moves.calling, top.below, top.depth)
    for waiting in position.suspended:
        configs = waiting.flow.slipped(waiting)
        if configs:
            frame = Frame(waiting.flow.state(configs, waiting.line), top, position.depth + 1)
            moved = _within(Position(position.flow, frame, position.suspended), event, line)
            if moved is not None:
                return moved
    return None
