"""This file is the state of a program as the embedded model keeps it, and how it is written down as a note.

A text such as `[[1], [1]]` does not tell whether the two lists are one, nor how far a generator has come. So
the model writes a note beside its answer, which comes back to it with the next question: all frames, and
every value once, by number. It is JSON, and the model's own: without it, the texts are taken as they are.
"""

import ast
import json
import sys
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from worldline.models.embedded.objects import (
    DISTURBED,
    Builtin,
    Function,
    Generator,
    Method,
    Opaque,
    Walk,
    builtin,
    error,
)
from worldline.models.embedded.prompts import KINDS, UnclearError
from worldline.models.embedded.words import is_fixed


@dataclass(slots=True)
class Frame:
    """A function that runs or waits."""

    function: str  # qualified name
    line: int  # that is about to run, or waits
    locals: dict[str, Any] = field(default_factory=dict)
    walks: dict[int, Walk] = field(default_factory=dict)  # of the running `for` loops, by their lines
    generator: Generator | None = None  # which one it is
    raised: BaseException | None = None  # that a handler looks at
    is_resumed: bool = False  # goes on after a yield
    is_closing: bool = False  # a generator that nobody holds any more is ended where it waits
    number: int = 0  # no two frames of a rollout have the same
    around: int = 0  # of the frame that the function was made in
    handled: dict[int, BaseException] = field(default_factory=dict)  # by the lines of their handlers
    module: dict[str, Any] = field(default_factory=dict)  # the names of the module: one dict for all frames


@dataclass(slots=True)
class State:
    """The frames, outermost first, and what happened last."""

    frames: list[Frame] = field(default_factory=list)
    event: str = ""  # of the last step; empty: none yet
    value: Any = None  # that was returned, yielded or raised
    is_over: bool = False  # a generator has ended
    is_failing: bool = False  # the return was an exception passing through
    closing: list[Generator] = field(default_factory=list)  # generators that end before the caller goes on
    made: int = 0  # frames so far
    module: dict[str, Any] = field(default_factory=dict)  # what its names hold
    is_guessed: bool = False  # values are from texts, which do not tell which of them are one


_KEPT: "OrderedDict[str, State]" = OrderedDict()
"""States by their notes, as most come back at once; each is given out once, as it will be changed."""
KEPT = 512


def written(state: State) -> str:
    """A state as a note. The state belongs to the note from then on."""
    note = _noted(state)
    _KEPT[note] = state
    if len(_KEPT) > KEPT:
        _KEPT.popitem(last=False)
    return note


def _noted(state: State) -> str:
    writer = _Writer()
    told = {
        "frames": [writer.frame(frame) for frame in state.frames],
        "event": state.event,
        "value": writer.ref(state.value),
        "is_over": state.is_over,
        "is_failing": state.is_failing,
        "closing": [writer.ref(each) for each in state.closing],
        "made": state.made,
        "is_guessed": state.is_guessed,
        "module": {name: writer.ref(value) for name, value in state.module.items()},
    }
    return json.dumps({**told, "values": writer.values}, separators=(",", ":"))


def read(note: str) -> State:
    """A note as a state."""
    kept = _KEPT.pop(note, None)
    if kept is not None:
        return kept
    try:
        told = json.loads(note)
        reader = _Reader(told["values"])
        reader.module.update({name: reader.value(ref) for name, ref in told["module"].items()})
        frames = [reader.frame(frame) for frame in told["frames"]]
        value = reader.value(told["value"])
        closing = [reader.value(ref) for ref in told["closing"]]
        flags = told["is_over"], told["is_failing"]
        state = State(frames, told["event"], value, *flags, closing, told["made"], reader.module)
        state.is_guessed = told["is_guessed"]
        return state
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, SyntaxError):
        raise UnclearError("a note that is not of this model") from None


_TEXTS: dict[str, str] = {}
_TUPLES: dict[str, tuple[Any, ...]] = {}  # by how they are shown, as (1,) and (True,) are equal
_KNOWN: dict[int, tuple[Any, ...]] = {}  # the same, by identity


def constant(value: Any) -> Any:
    """A literal of the program: equal texts and tuples are one, as in CPython; so are those inside others."""
    match value:
        case str() if len(value) > 1:
            return _TEXTS.setdefault(value, value)
        case tuple() if is_fixed(value):
            found = _TUPLES.setdefault(repr(value), tuple(constant(each) for each in value))
            return _KNOWN.setdefault(id(found), found)
        case list() | tuple() | set():
            return type(value)(constant(each) for each in value)
        case dict():
            return {constant(key): constant(each) for key, each in value.items()}
    return value


Ref = Any
"""A list of one number: which of the values; anything else: the value itself."""

ENTERS_ANEW = sys.version_info < (3, 12)  # CPython enters a generator that has not begun, too, to end it
SCALARS = (int, bool, float, type(None))


class _Writer:
    def __init__(self) -> None:
        self.values: list[Any] = []
        self._numbers: dict[int, int] = {}
        self.met: list[Any] = []  # and kept, so that no identity is used twice

    def frame(self, frame: Frame) -> list[Any]:
        return [
            frame.function,
            frame.line,
            {name: self.ref(value) for name, value in frame.locals.items()},
            {str(line): self.ref(walk) for line, walk in frame.walks.items()},
            self.ref(frame.generator),
            self.ref(frame.raised),
            frame.is_resumed,
            frame.is_closing,
            frame.number,
            frame.around,
            {str(line): self.ref(raised) for line, raised in frame.handled.items()},
        ]

    def ref(self, value: Any) -> Ref:
        kind = type(value)
        if kind in SCALARS or (kind is str and len(value) < 2):
            return value
        if id(value) not in self._numbers:
            self._numbers[id(value)] = number = len(self.values)
            self.met.append(value)
            self.values.append(None)
            self.values[number] = self._told(value)
        return [self._numbers[id(value)]]

    def has(self, value: Any) -> bool:
        """Whether a value was met."""
        return id(value) in self._numbers

    def _told(self, value: Any) -> list[Any]:
        match value:
            case str():
                return ["constant" if _TEXTS.get(value) is value else "str", value]
            case tuple() if id(value) in _KNOWN:
                return ["constants", repr(value)]
            case list() | tuple() | set() | frozenset():
                return [type(value).__name__, [self.ref(each) for each in value]]
            case dict():
                return ["dict", [[self.ref(key), self.ref(each)] for key, each in value.items()]]
            case range():
                return ["range", [value.start, value.stop, value.step]]
            case _ if value is ...:
                return ["ellipsis"]
        return self._hidden(value)

    def _hidden(self, value: Any) -> list[Any]:
        """A value that is no literal."""
        match value:
            case Walk():
                return ["walk", self.ref(value.container), value.taken, value.upcoming, value.size]
            case Method():
                return ["method", self.ref(value.receiver), value.name]
            case Builtin():
                return ["builtin", value.name]
            case Function():
                return ["function", value.name, value.line, value.shown, value.around]
            case Generator():
                return ["generator", value.name, None if value.frame is None else self.frame(value.frame)]
            case type():
                return ["type", value.__name__]
            case BaseException():
                return ["error", type(value).__name__, [self.ref(each) for each in value.args]]
        return ["text", repr(value)]


class _Reader:
    def __init__(self, told: list[Any]) -> None:
        self.told = told
        self.module: dict[str, Any] = {}
        self._made: dict[int, Any] = {}

    def frame(self, told: list[Any]) -> Frame:
        function, line, values, walks, generator, raised, *flags, handled = told
        frame = Frame(
            function,
            line,
            {name: self.value(ref) for name, ref in values.items()},
            {int(number): self.value(ref) for number, ref in walks.items()},
            self.value(generator),
            self.value(raised),
            *flags,
        )
        frame.handled = {int(number): self.value(ref) for number, ref in handled.items()}
        frame.module = self.module
        return frame

    def value(self, ref: Ref) -> Any:
        if not isinstance(ref, list):
            return ref
        number = ref[0]
        if number not in self._made:
            self._make(number)
        return self._made[number]

    def _make(self, number: int) -> None:
        """A container is kept before it is filled: it may hold itself."""
        kind, *rest = self.told[number]
        made: Any
        if kind in ("list", "dict"):
            self._made[number] = made = [] if kind == "list" else {}
            if kind == "list":
                made.extend(self.value(each) for each in rest[0])
            else:
                made.update((self.value(key), self.value(each)) for key, each in rest[0])
            return
        if kind == "generator":
            self._made[number] = made = Generator(None)
            made.name = rest[0]
            made.frame = None if rest[1] is None else self.frame(rest[1])
            return
        if kind == "walk":
            self._made[number] = made = Walk(None, rest[1], rest[2])
            made.container, made.size = self.value(rest[0]), rest[3]
            return
        self._made[number] = self._plain(kind, rest)

    def _plain(self, kind: str, rest: list[Any]) -> Any:
        if kind in ("tuple", "set", "frozenset"):
            return KINDS[kind](self.value(each) for each in rest[0])
        if kind in ("constant", "constants"):
            return constant(rest[0] if kind == "constant" else ast.literal_eval(rest[0]))
        if kind == "range":
            return range(*rest[0])
        if kind == "method":
            return Method(self.value(rest[0]), rest[1])
        if kind == "function":
            return Function(*rest)
        if kind == "builtin":
            return builtin(*rest)
        if kind == "type":
            return KINDS[rest[0]]
        if kind == "error":
            return error(rest[0], tuple(self.value(each) for each in rest[1]))
        if kind == "ellipsis":
            return ...
        return rest[0] if kind == "str" else Opaque(rest[0])


def disturb(container: Any, state: State) -> None:
    """A key was taken from a dict or a set: who walks through it no longer knows where, whatever comes in."""
    for each in _reached(state):
        if isinstance(each, Walk) and each.container is container:
            each.size = DISTURBED


def has_twin(container: Any, state: State) -> bool:
    """Whether another container of the state looks the same."""
    text = repr(container)
    return any(
        each is not container and type(each) is type(container) and repr(each) == text
        for each in _reached(state)
    )


def _reached(state: State) -> list[Any]:
    """All values but for numbers and single characters."""
    reached = _Writer()
    reached.ref([state.value, *state.module.values()])
    for frame in (*state.frames, *(each.frame for each in state.closing)):
        if frame is not None:
            reached.frame(frame)
    return reached.met


def waiting(state: State) -> list[Generator]:
    """Generators that somebody holds, and that take steps when nobody does any more."""
    return [each for each in _reached(state) if isinstance(each, Generator) and _is_waiting(each)]


def _is_waiting(generator: Generator) -> bool:
    return generator.frame is not None and (generator.frame.is_resumed or ENTERS_ANEW)


def check_held(before: Iterable[Generator], state: State) -> None:
    """Refuse to go on if somebody let a generator go otherwise than by a name that was looked at."""
    waits = [each for each in before if _is_waiting(each)]
    if waits and not {*map(id, waits)} <= {*map(id, state.closing), *map(id, waiting(state))}:
        raise UnclearError("a generator that nobody holds any more")


def unheld(values: Iterable[Any], state: State) -> list[Generator]:
    """Generators among some values that wait, and that nobody holds any more, nor others among them."""
    held = dict.fromkeys(each for each in values if isinstance(each, Generator))
    waits = [each for each in held if _is_waiting(each)]
    return [each for each in waits if not _is_held(each, waits, state)]


def _is_held(generator: Generator, others: list[Generator], state: State) -> bool:
    reached = _Writer()
    reached.ref([state.value, *state.module.values()])
    frames = [each.frame for each in (*others, *state.closing) if each is not generator]
    for frame in (*state.frames, *frames):
        if frame is not None:
            reached.frame(frame)
    return reached.has(generator)


def shown(values: Mapping[str, Any]) -> dict[str, str]:
    """Variables as a trace shows them."""
    return {name: repr(value) for name, value in values.items()}
