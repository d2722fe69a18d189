"""This file is the walk of a text through its program: which event and line every frame stands for.

The format shows the text of a line, not its number, and without its tokens not even the event. Of all that a
frame may be, what may follow the frames before it (`worldline.flow`) is kept, so a choice that the text
leaves open is made by what comes after it. If two ways stay open to the end, or until they meet, the nearest
lines win. Where there is no legal way (a model can write anything) the walk goes on from where the text says
it is. Text that is no line of the program is line 0, and the walk stays where it was.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from worldline.errors import UserError
from worldline.flow.position import Illegal, Position, advance, land, start
from worldline.flow.successors import Flow, State, flow
from worldline.formats.cwm_lines import Place, SourceText
from worldline.formats.cwm_names import names_by_function
from worldline.trace.model import Event, Program
from worldline.trace.value import type_of

Shown = Mapping[str, str]

_ODD = 1  # the names or the class shown are not those expected
_ILLEGAL = 10  # the event cannot follow
_WIDTH = 8  # ways that are kept open
_WAITING = 100  # suspended generators that are remembered
_NO_LINE = -1  # one that no code has
_GROWTH: dict[Event, int] = {"call": 1, "line": 0, "return": -1, "exception": 0}  # of the stack


class Visit(NamedTuple):
    """What one frame of the text stands for."""

    event: Event
    file: int
    line: int  # 0: its text is no line of the program
    function: str
    is_slip: bool  # a generator went on without a call, as CPython 3.11 has it
    is_fresh: bool  # a call that may start a new frame
    is_pause: bool  # a return after which a generator may go on
    before: "Visit | None"


class Seen(NamedTuple):
    """What one frame of the text shows."""

    text: str  # its source line
    shown: Shown | None = None  # its locals as written, if it has any
    value: str | None = None


class _Known(NamedTuple):
    """What is known of a frame on the stack."""

    shown: Shown  # last
    function: str
    below: "_Known | None"


class _Choice(NamedTuple):
    """One thing that a frame may be."""

    event: Event
    place: Place
    likely: str = ""  # the function called, as far as it can be told
    is_fresh: bool = False  # a new frame of it may begin


@dataclass(frozen=True, slots=True)
class _Way:
    """One reading of the frames so far."""

    position: Position
    known: _Known | None = None
    last: Visit | None = None
    waiting: tuple[Place, ...] = ()  # where generators are suspended
    cost: int = 0


class Walk:
    """Takes the frames of a text one by one."""

    def __init__(self, program: Program, source: SourceText) -> None:
        self._source = source
        self._flows = [_flow(program, file) for file in range(len(program.files) + 1)]
        self._names = names_by_function((program.source, *(file.source for file in program.files)))
        self._functions: dict[State, str] = {}
        self._ways = [_Way(start(self._flows[0]))]

    @property
    def is_over(self) -> bool:
        """Whether no frame is running: the entry has returned, or was not called yet."""
        return self._ways[0].position.top is None

    def take(self, events: tuple[Event, ...], seen: Seen) -> None:
        """Go on by one frame, which may be one of `events`."""
        places = self._source.places(seen.text)
        found: list[_Way] = []
        for way in self._ways:
            possible = events if places else (self._invented(way, events, seen),)
            near = [(event, _nearest(way, event, places)) for event in possible]
            tried = (self._legal(way, event, place, seen) for event, near_ in near for place in near_)
            legal = [after for after in tried if after is not None]
            found += legal or [self._landed(way, event, near_, seen) for event, near_ in near]
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

    def _legal(self, way: _Way, event: Event, place: Place, seen: Seen) -> _Way | None:
        """The way after an event that may follow."""
        file, line = place
        top = way.position.top
        choice = _Choice(event, place)
        if event == "call":
            choice, is_odd = self._called(way, place, seen.shown or {})
            resumed = place in way.waiting and self._resumable(way, line)
            if resumed:
                is_odd = is_odd and not any(self._can_have(name, seen.shown) for name in resumed)
            function = None if resumed else choice.likely or None
            moved = advance(way.position, event, line, function, self._flows[file])
        else:
            if top is None or not (top.state.flow is self._flows[file] or way.position.suspended):
                return None
            is_odd = event == "line" and self._is_other(way, seen.shown)
            moved = advance(way.position, event, line)
        if isinstance(moved, Illegal):
            return None
        return self._after(way, choice, moved, seen, _ODD if is_odd else 0)

    def _landed(self, way: _Way, event: Event, places: list[Place], seen: Seen) -> _Way:
        """The way after an event that may not follow, or whose text is no line of the program."""
        position = way.position
        is_odd = event == "line" and self._is_other(way, seen.shown)
        if not places:
            is_lasting = event in ("line", "exception") and position.top is not None
            moved = position if is_lasting else land(position, event, _NO_LINE)
            choice = _Choice(event, (0, 0))
        else:
            running = [place for place in places if self._is_running(position, place)]
            choice = _Choice(event, (running or places)[0])
            if event == "call":
                choice, is_odd = self._called(way, places[0], seen.shown or {})
            else:
                is_odd = is_odd or not running
            moved = _landing(position, self._flows[choice.place[0]], event, choice.place[1])
        return self._after(way, choice, _somewhere(moved), seen, _ILLEGAL + (_ODD if is_odd else 0))

    def _invented(self, way: _Way, events: tuple[Event, ...], seen: Seen) -> Event:
        """What a frame is whose text is no line of the program: not a call, if it can be a line."""
        if "line" in events and "call" in events:
            return "call" if way.known is None or self._is_other(way, seen.shown) else "line"
        return events[0]

    def _after(self, way: _Way, choice: _Choice, moved: Position, seen: Seen, cost: int) -> _Way:
        event, place = choice.event, choice.place
        grown = moved.depth - way.position.depth - _GROWTH[event]
        running = way.position if event == "return" and not grown else moved
        visit = Visit(
            event,
            *place,
            function=self._function(running) or choice.likely,
            is_slip=grown > 0,
            is_fresh=choice.is_fresh,
            is_pause=event == "return" and _is_pause(way.position, place[1], seen.value),
            before=way.last,
        )
        return _Way(moved, _known(way, visit, seen), visit, _waiting(way, visit), way.cost + cost)

    def _called(self, way: _Way, place: Place, shown: Shown) -> tuple[_Choice, bool]:
        """Which code is called on a line, as far as names and caller tell, and whether that looks odd."""
        codes = self._flows[place[0]].called_at(place[1])
        names = tuple(shown)
        fitting = [code for code in codes if names[: len(code.arguments)] == code.arguments]
        most = max((len(code.arguments) for code in fitting), default=0)
        functions = {code.qualname for code in fitting if len(code.arguments) == most}
        plain = {name for name in functions if self._can_have(name, shown, at_first=True)}
        functions = plain or functions
        if len(functions) > 1:
            caller = way.known.function if way.known else ""
            inner = {name for name in functions if name.rpartition(".")[0] in (caller, f"{caller}.<locals>")}
            functions = inner or functions
        is_odd = not plain
        if names and plain:
            is_odd = not any(_is_class_of(name, shown[names[0]]) for name in functions)
        likely = next(iter(functions)) if len(functions) == 1 else ""
        return _Choice("call", place, likely, bool(plain)), is_odd

    def _resumable(self, way: _Way, line: int) -> list[str]:
        """The functions of which a suspended frame may go on at a line."""
        return [self._function_of(state) for state in way.position.suspended if line in state.resumes]

    def _is_other(self, way: _Way, shown: Shown | None) -> bool:
        """Whether a state does not look like the running frame's: names are gone, or new to its function."""
        if way.known is None or shown is None:
            return False
        is_lost = not way.known.shown.keys() <= shown.keys()
        return is_lost or not self._can_have(way.known.function, shown)

    def _can_have(self, function: str, shown: Shown | None, at_first: bool = False) -> bool:
        """Whether a function has all these names, or even when it is called."""
        names = self._names.get(function)
        return names is None or (shown or {}).keys() <= (names.first if at_first else names.all)

    def _is_running(self, position: Position, place: Place) -> bool:
        """Whether a line is one of the running code."""
        state = None if position.top is None else position.top.state
        if state is None or state.flow is not self._flows[place[0]]:
            return False
        return bool(state.flow.at_line(place[1], state.codes))

    def _function(self, position: Position) -> str:
        """The qualified name of the running code; empty if it may be several."""
        if position.top is None:
            return ""
        return self._function_of(position.top.state)

    def _function_of(self, state: State) -> str:
        if state not in self._functions:
            names = {code.qualname for code in state.codes}
            self._functions[state] = names.pop() if len(names) == 1 else ""
        return self._functions[state]


def _nearest(way: _Way, event: Event, places: list[Place]) -> list[Place]:
    """Places by how likely they come next: following lines first; for a call, the last definition before."""
    if len(places) < 2:
        return places
    here = way.position.line
    if event == "call":
        return sorted(places, key=lambda place: (place[1] > here, -place[1]))
    return sorted(places, key=lambda place: (place[1] <= here, place[1]))


def _flow(program: Program, file: int) -> Flow:
    try:
        return flow(program.source_of(file), program.path_of(file))
    except UserError:
        return flow("")  # no Python: nothing is legal there, and lines are found by their text alone


def _landing(position: Position, flow: Flow, event: Event, line: int) -> Position:
    """The position on a line, which may be one of another file than that of the running frame."""
    top = position.top
    if top is None or top.state.flow is flow or event in ("call", "return"):
        return land(Position(flow, top, position.suspended), event, line)
    alone = land(Position(flow, None, position.suspended), event, line)
    state = alone.top.state if alone.top else top.state
    return Position(flow, top._replace(state=state), position.suspended)


def _somewhere(position: Position) -> Position:
    """A position in which the running frame is in some code, if it was in none."""
    top = position.top
    if top is None or top.state.configs:
        return position
    state = position.flow.state(position.flow.entered(position.flow.codes), top.state.line)
    return Position(position.flow, top._replace(state=state), position.suspended)


def _known(way: _Way, visit: Visit, seen: Seen) -> _Known | None:
    """What is known of the stack after one more frame."""
    known, shown = way.known, seen.shown or {}
    if visit.event == "call" or visit.is_slip:
        known = _Known(shown, visit.function, known)
    if visit.event == "return":
        return known and known.below
    if visit.event == "line":
        known = _Known(shown, visit.function or (known.function if known else ""), known and known.below)
    return known


def _waiting(way: _Way, visit: Visit) -> tuple[Place, ...]:
    """The suspended generators after one more frame."""
    place = visit.file, visit.line
    if visit.is_pause:
        return (*way.waiting[1 - _WAITING :], place)
    if visit.event == "call" and not visit.is_fresh and place in way.waiting:
        at = way.waiting.index(place)
        return way.waiting[:at] + way.waiting[at + 1 :]
    return way.waiting


def _is_pause(position: Position, line: int, value: str | None) -> bool:
    """Whether a return is a generator's `yield`; None where the frame may also end is its end."""
    left = None if position.top is None else position.top.state.moves.exits.get(line)
    return left is not None and left.suspended is not None and not (left.is_final and value == "None")


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
