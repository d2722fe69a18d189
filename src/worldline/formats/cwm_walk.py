"""This file is the walk of a text through its program: which event and line every frame stands for.

The format shows the text of a line, not its number, and without its tokens not even the event. Of all that a frame may be,
what may follow the frames before it (`worldline.flow`) is kept, so a choice that the text leaves open is made by what comes
after it. If two ways stay open to the end, or until they meet, the nearest lines win. Where there is no legal way (a model
can write anything) the walk goes on from where the text says it is.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from worldline.errors import UserError
from worldline.flow.position import Illegal, Position, advance, land, start
from worldline.flow.successors import Exit, Flow, State, flow
from worldline.formats.cwm_lines import Place, SourceText
from worldline.trace.model import Event, Program
from worldline.trace.value import type_of

Shown = Mapping[str, str]

_ODD = 1  # the names or the class shown are not those expected
_ILLEGAL = 10  # the event cannot follow
_WIDTH = 8  # ways that are kept open
_NO_LINE = -1  # one that no code has


class Visit(NamedTuple):
    """What one frame of the text stands for."""

    event: Event
    file: int
    line: int  # 0: its text is no line of the program
    function: str
    is_slip: bool  # a generator went on without a call, as CPython 3.11 has it
    is_fresh: bool  # a call that may start a new frame
    is_pause: bool  # a return after which a generator may go on
    is_end: bool  # a return after which the frame may be gone
    before: "Visit | None"


class _Known(NamedTuple):
    """What was last shown of a frame on the stack."""

    shown: Shown
    below: "_Known | None"


@dataclass(frozen=True, slots=True)
class _Way:
    """One reading of the frames so far."""

    position: Position
    known: _Known | None
    last: Visit | None
    cost: int


class Walk:
    """Takes the frames of a text one by one."""

    def __init__(self, program: Program, source: SourceText) -> None:
        self._source = source
        self._flows = [_flow(program, file) for file in range(len(program.files) + 1)]
        self._functions: dict[State, str] = {}
        self._ways = [_Way(start(self._flows[0]), None, None, 0)]

    @property
    def is_over(self) -> bool:
        """Whether no frame is running: the entry has returned, or was not called yet."""
        return self._ways[0].position.top is None

    def take(self, events: tuple[Event, ...], text: str, shown: Shown | None) -> None:
        """Go on by one frame.

        Args:
            events: what it may be.
            text: its source line.
            shown: its locals; None if it has none.
        """
        places = self._source.places(text)
        found: list[_Way] = []
        for way in self._ways:
            near = places if len(places) < 2 else sorted(places, key=_Distance(way))
            legal = [
                after for event in events for place in near if (after := self._legal(way, event, place, shown))
            ]
            found += legal or [self._landed(way, event, near, shown) for event in events]
        self._ways = found if len(found) == 1 else _best(found)

    def visits(self) -> list[Visit]:
        """What the frames stand for, by the best way."""
        found = []
        visit = self._ways[0].last
        while visit is not None:
            found.append(visit)
            visit = visit.before
        found.reverse()
        return found

    def _legal(self, way: _Way, event: Event, place: Place, shown: Shown | None) -> _Way | None:
        """The way after an event that may follow."""
        file, line = place
        top = way.position.top
        if event == "call":
            function, cost = self._called(way, place, shown or {})
            moved = advance(way.position, event, line, function, self._flows[file])
        else:
            if top is None or not (top.state.flow is self._flows[file] or way.position.suspended):
                return None
            cost = _ODD if event == "line" and _has_lost_names(way, shown) else 0
            moved = advance(way.position, event, line)
        return None if isinstance(moved, Illegal) else self._after(way, event, place, moved, (shown, cost))

    def _landed(self, way: _Way, event: Event, places: list[Place], shown: Shown | None) -> _Way:
        """The way after an event that may not follow, or whose text is no line of the program."""
        position = way.position
        cost = _ILLEGAL + (_ODD if event == "line" and _has_lost_names(way, shown) else 0)
        if not places:
            moved = position if event in ("line", "exception") else land(position, event, _NO_LINE)
            return self._after(way, event, (0, 0), moved, (shown, cost))
        top = position.top
        running = [] if top is None else top.state.codes
        inside = [
            (file, line)
            for file, line in places
            if top is not None and top.state.flow is self._flows[file] and top.state.flow.at_line(line, running)
        ]
        place = (inside or places)[0]
        local = Position(self._flows[place[0]], top, position.suspended)
        return self._after(way, event, place, land(local, event, place[1]), (shown, cost))

    def _after(
        self, way: _Way, event: Event, place: Place, moved: Position, seen: tuple[Shown | None, int]
    ) -> _Way:
        shown, cost = seen
        grown = moved.depth - way.position.depth - {"call": 1, "return": -1}.get(event, 0)
        running = way.position if event == "return" and not grown else moved
        left = _exit(way.position, place[1]) if event == "return" else None
        visit = Visit(
            event,
            *place,
            function=self._function(running),
            is_slip=grown > 0,
            is_fresh=event == "call" and self._is_start(place, shown),
            is_pause=left is not None and left.suspended is not None,
            is_end=left is not None and left.is_final,
            before=way.last,
        )
        known = way.known
        if event == "call" or grown > 0:
            known = _Known(shown or {}, known)
        if event == "line" and shown is not None:
            known = _Known(shown, known and known.below)
        elif event == "return":
            known = known and known.below
        return _Way(moved, known, visit, way.cost + cost)

    def _called(self, way: _Way, place: Place, shown: Shown) -> tuple[str | None, int]:
        """Which code is called on a line, as far as the names tell, and what speaks against it."""
        file, line = place
        codes = self._flows[file].called_at(line)
        names = tuple(shown)
        fitting = [code for code in codes if names[: len(code.arguments)] == code.arguments]
        if not codes or way.position.suspended:
            return None, 0 if fitting or not codes else _ODD
        if not fitting:
            return None, _ODD
        most = max(len(code.arguments) for code in fitting)
        functions = {code.qualname for code in fitting if len(code.arguments) == most}
        cost = _ODD if names and not any(_is_class_of(name, shown[names[0]]) for name in functions) else 0
        return (functions.pop() if len(functions) == 1 and most else None), cost

    def _is_start(self, place: Place, shown: Shown | None) -> bool:
        names = tuple(shown or ())
        codes = self._flows[place[0]].called_at(place[1])
        return any(names[: len(code.arguments)] == code.arguments for code in codes)

    def _function(self, position: Position) -> str:
        if position.top is None:
            return ""
        state = position.top.state
        if state not in self._functions:
            codes = state.codes
            self._functions[state] = codes[0].qualname if len(codes) == 1 else ""
        return self._functions[state]


class _Distance:
    """How far places are from where a way stands: lines after it first."""

    def __init__(self, way: _Way) -> None:
        self._line = way.position.line

    def __call__(self, place: Place) -> tuple[bool, int]:
        """The key to sort by."""
        return place[1] <= self._line, place[1]


def _flow(program: Program, file: int) -> Flow:
    try:
        return flow(program.source_of(file), program.path_of(file))
    except UserError:
        return flow("")  # no Python: nothing is legal there, and lines are found by their text alone


def _has_lost_names(way: _Way, shown: Shown | None) -> bool:
    """Whether names of the running frame are no longer there: rare, unless it is another frame."""
    return way.known is not None and shown is not None and not way.known.shown.keys() <= shown.keys()


def _exit(position: Position, line: int) -> Exit | None:
    """What a return on a line means; None if it is not legal there."""
    return None if position.top is None else position.top.state.moves.exits.get(line)


def _is_class_of(function: str, value: str) -> bool:
    """Whether a function is no method, or one of the class that the value of its first argument shows."""
    owner = function.rpartition(".")[0]
    return not owner or owner.endswith("<locals>") or owner.rpartition(".")[2] == type_of(value)


def _best(ways: Iterable[_Way]) -> list[_Way]:
    """The ways worth keeping, the best first; of those that lead to the same place, one."""
    found: dict[object, _Way] = {}
    for way in sorted(ways, key=lambda way: way.cost):
        top = way.position.top
        place = None if top is None else (top.state, id(top.below))
        found.setdefault((place, way.position.suspended), way)
    kept = list(found.values())[:_WIDTH]
    return [way for way in kept if way.cost < kept[0].cost + _ILLEGAL]
