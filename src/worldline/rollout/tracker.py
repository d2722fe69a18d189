"""This file is where a rollout stands: its steps, the functions that wait, the loops, what may come next."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from worldline.flow.loops import Loop, LoopPositions
from worldline.flow.position import Position, advance, choices, land, start
from worldline.flow.successors import State, flow
from worldline.formats.cwm_lines import SourceText
from worldline.formats.cwm_prompt import Waiting
from worldline.trace.model import Event, Program, Step


@dataclass(slots=True)
class _Running:
    number: int
    function: str
    line: int
    locals: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Written:
    """A step as text. A return or an exception has no state."""

    event: Event
    line: str
    state: Mapping[str, str] | None
    value: str | None
    meant: int = 0  # the number of the line, if it is known


@dataclass(slots=True)
class Tracker:
    """Takes steps as text, and gives them back as steps with line, depth and frame."""

    program: Program
    source: SourceText = field(init=False)
    position: Position = field(init=False)
    steps: list[Step] = field(default_factory=list)
    _stack: list[_Running] = field(default_factory=list)
    _waiting: list[_Running] = field(default_factory=list)  # generators, the last one that stopped at the end
    _loops: LoopPositions = field(init=False)
    _frames: int = 0
    _legal: dict[tuple[State | None, frozenset[State]], dict[Event, list[str]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Stand before the first step."""
        self.source = SourceText(self.program)
        self.position = start(flow(self.program.source, self.program.path))
        self._loops = LoopPositions(self.program)

    @property
    def is_over(self) -> bool:
        """Whether the entry has ended."""
        return bool(self.steps) and not self._stack

    @property
    def has_waiting(self) -> bool:
        """Whether a generator waits: CPython ends it when nobody holds it any more, maybe after the entry."""
        return bool(self._waiting)

    def legal(self) -> dict[Event, list[str]]:
        """The events that may come next, each with the texts of its lines."""
        if self.is_over:
            return {"call": list(dict.fromkeys(self.source.line(0, each.line) for each in self._waiting))}
        top = self.position.top
        key = (None if top is None else top.state, self.position.suspended)
        if key not in self._legal:
            found: dict[Event, dict[str, None]] = {}
            for event, line in sorted(choices(self.position)):
                found.setdefault(event, {})[self.source.line(0, line)] = None
            self._legal[key] = {event: list(texts) for event, texts in found.items()}
        return self._legal[key]

    def take(self, told: Written, *, is_whole: bool) -> Step:
        """One more step; `is_whole`: it shows all variables."""
        event, state = told.event, told.state
        before = self.position.top
        line, self.position = self._resolved(told)
        if event == "call":
            self._waiting = [each for each in self._waiting if (each.line, each.locals) != (line, state)]
            self._stack.append(_Running(self._frames, self.position.function, line, {}))
            self._frames += 1
        running = self._stack[-1] if self._stack else _Running(0, "", line, {})
        running.line = line
        shown = {} if state is None else state
        if state is not None:
            running.locals = state if is_whole or event == "call" else {**running.locals, **state}
        step = Step(
            event, line, shown, told.value, max(len(self._stack) - 1, 0), running.function, running.number
        )
        self._loops.take(step, is_last=event == "return")
        self.steps.append(step)
        if event == "return" and self._stack:
            self._loops.forget(running.number)
            left = None if before is None else before.state.moves.exits.get(line)
            if left is not None and left.suspended is not None:
                self._waiting.append(running)
            self._stack.pop()
        return step

    def state(self) -> Mapping[str, str]:
        """The state of the running function as it was last shown."""
        return self._stack[-1].locals if self._stack else {}

    def unseen(self, last: Step) -> list[Waiting]:
        """The functions whose state the last step does not show, outermost first."""
        shown = last.event in ("call", "line")
        stack = self._stack[:-1] if shown else self._stack
        return [Waiting(each.function, each.line, each.locals) for each in stack]

    def loops(self) -> list[Loop]:
        """The running loops of all functions, outermost first."""
        return [loop for each in self._stack for loop in self._loops.of(each.number)]

    def _resolved(self, told: Written) -> tuple[int, Position]:
        """The line that a text stands for: the first one that may come next, else any that has it.

        Of several functions with such a line, the one that is entered is one whose arguments are shown, of
        several generators that wait on one the last that has the state that is shown.
        """
        event, state = told.event, told.state
        places = [line for file, line in self.source.places(told.line) if file == 0] or [0]
        if event == "call" and len(places) > 1:
            resumed = [each.line for each in self._waiting if each.locals == state and each.line in places]
            places = [*resumed[-1:], *places]
        if told.meant in places:
            places = [told.meant, *places]
        found: tuple[int, Position] | None = None
        for line in places:
            moved = advance(self.position, event, line)
            if isinstance(moved, Position):
                if event != "call" or _has_arguments(moved, state):
                    return line, moved
                found = found or (line, moved)
        return found or (places[0], land(self.position, event, places[0]))


def _has_arguments(position: Position, state: Mapping[str, str] | None) -> bool:
    codes = position.top.state.codes if position.top is not None else ()
    return state is None or any(set(code.arguments) <= set(state) for code in codes)
