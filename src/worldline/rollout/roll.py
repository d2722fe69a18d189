"""This file is one rollout: a generator that says what it wants of the model, and takes the answers.

A frame of which a mode gives something is asked for field by field: event, state, line, value; what is given
is written into the text and not asked for. A frame that is all the model's is one request.
The truth of a step is the real step with the same number, so a model that has left the true
path and is given states or lines is brought back to it.
"""

import json
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from worldline.formats.cwm_tokens import ACTION, ARGUMENT, END_OF_TEXT, EVENT_TOKENS, FRAME, UNCHANGED
from worldline.models.model import Ask, Can, Completion, Failed
from worldline.rollout.context import Context
from worldline.rollout.grounding import Chosen, chosen
from worldline.rollout.model import Cost, Finished, NoAnswer, OutOfBudget, Stop, Sureness, Unreadable, Unsure
from worldline.rollout.options import RolloutOptions
from worldline.rollout.sureness import by_variable, of_frame, probability
from worldline.rollout.tracker import Tracker, Written
from worldline.rollout.want import Told, Want
from worldline.trace.model import Event, Program, Step, Trace

EVENTS: Mapping[str, Event] = {token: event for event, token in EVENT_TOKENS.items()}


class _StopError(Exception):
    """The rollout ends here."""

    def __init__(self, stop: Stop) -> None:
        super().__init__(stop)
        self.stop = stop


@dataclass(slots=True)
class _Frame:
    """A frame while it is being written."""

    event: Event = "line"
    text: str = ""
    source: str = ""
    state: Mapping[str, str] | None = None
    value: str | None = None
    sureness: Sureness = field(default_factory=Sureness)
    meant: int = 0  # the line that the model means; 0: it does not say


@dataclass(slots=True)
class Roll:
    """One rollout of a program."""

    program: Program
    options: RolloutOptions
    can: Can
    count: Callable[[str], int]  # tokens of a text
    truth: Trace | None = None
    said: Sequence[Step] = ()  # before it was broken off
    tracker: Tracker = field(init=False)
    context: Context = field(init=False)
    sureness: list[Sureness] = field(default_factory=list)
    cost: Cost = field(default_factory=Cost)
    why: str = ""  # the model was not sure of what it said last
    started: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        """Stand before the first step."""
        self.tracker = Tracker(self.program)
        self.context = Context(self.tracker, self.options)

    def run(self) -> Generator[Want, Told, Stop]:
        """Go on to the end of the entry, or of what there is to spend."""
        try:
            given = (self.truth.steps if self.truth is not None else ())[: self.options.given]
            for step in self.said or given:
                self._keep(self._true(step, Sureness()))
            while not self._is_over():
                self._check_budget()
                frame = yield from self._frame()
                self._keep(frame)
        except _StopError as error:
            return error.stop
        return Finished()

    def _is_over(self) -> bool:
        """Whether there is nothing more to ask for: generators may end after the entry has."""
        can_end = self.options.actions != "grounded" or self.can.scoring
        return self.tracker.is_over and not (self.tracker.has_waiting and can_end)

    def _check_budget(self) -> None:
        options, steps = self.options, len(self.tracker.steps)
        used = {
            "steps": steps >= options.max_steps,
            "tokens": self.cost.spent >= options.max_tokens,
            "seconds": time.monotonic() - self.started >= options.seconds,
        }
        for name, is_used in used.items():
            if is_used:
                raise _StopError(OutOfBudget(name))
        if self.truth is not None and steps >= len(self.truth.steps) and self._is_given():
            raise _StopError(Finished())

    def _is_given(self) -> bool:
        return self.options.actions == "forced"

    def _frame(self) -> Generator[Want, Told, _Frame]:
        prefix = self.context.prefix()
        if self.can.context is not None:
            prefix = self._fitting(prefix)
        real = self._real()
        if self.options.actions == "free" and not self._is_forced_state():
            frame = yield from self._written(prefix)
            return self._unless_unsure(frame, real)
        frame = _Frame()
        yield from self._event(prefix, frame, real)
        if frame.event in ("call", "line"):
            yield from self._state(prefix, frame, real)
            frame.text += ACTION
            yield from self._line(prefix, frame, real, FRAME)
        else:
            frame.text += ACTION
            yield from self._line(prefix, frame, real, ARGUMENT)
            frame.text += ARGUMENT
            yield from self._value(prefix, frame, real)
        frame.text += FRAME
        return self._unless_unsure(frame, real)

    def _written(self, prefix: str) -> Generator[Want, Told, _Frame]:
        """A frame that the model writes in one go, as nothing of it is given."""
        told = yield from self._ask(prefix, (FRAME,))
        text = told.text
        if text.startswith(END_OF_TEXT) or (not text and (told.finish == "end" or told.stop == END_OF_TEXT)):
            raise _StopError(Finished())
        opening, action, rest = text.partition(ACTION)
        opened = opening.find("{") if "{" in opening else len(opening)
        event = EVENTS.get(opening[:opened])
        if event is None or not action:
            raise _StopError(Unreadable("no frame begins here", text))
        frame = _Frame(event, text + FRAME, sureness=of_frame(text, told.tokens), meant=told.line)
        if event in ("call", "line"):
            frame.state = self._read_state(opening[opened:], event)
        else:
            rest, _, value = rest.partition(ARGUMENT)
            frame.value = _read_value(value)
        frame.source = rest.removesuffix("\n")
        return frame

    def _fitting(self, prefix: str) -> str:
        """The prefix, or a checkpoint of the state in its place where it leaves no room for a frame."""
        room = (self.can.context or 0) - self.options.frame_tokens
        # No token is less than a byte, so what has few enough bytes need not be counted.
        if not self.tracker.steps or len(prefix.encode()) <= room or self.count(prefix) <= room:
            return prefix
        self.context.checkpoint(self.tracker.steps[-1])
        return self.context.prefix()

    def _real(self) -> Step | None:
        index = len(self.tracker.steps)
        steps = self.truth.steps if self.truth is not None else ()
        return steps[index] if index < len(steps) else None

    def _is_forced_state(self) -> bool:
        spacing = self.options.states
        return spacing > 0 and len(self.tracker.steps) % spacing == 0

    def _event(self, prefix: str, frame: _Frame, real: Step | None) -> Generator[Want, Told, None]:
        """Which kind of step comes, and its state if the model writes it in one go."""
        if self.options.actions == "forced" and real is not None:
            frame.event = real.event
            frame.text = EVENT_TOKENS[real.event]
            return
        if self.options.actions == "grounded":
            ends = [END_OF_TEXT] if self.tracker.is_over else []
            legal = [*ends, *(EVENT_TOKENS[event] for event in self.tracker.legal())]
            found = yield from chosen(prefix, legal, self.can)
            self._count(found)
            if found.text == END_OF_TEXT:
                raise _StopError(Finished())
            frame.event, frame.text = EVENTS[found.text], found.text
            frame.sureness = replace(frame.sureness, action=found.probability, illegal=found.illegal)
            return
        told = yield from self._ask(prefix, ("{", ACTION))
        if told.finish == "end" or told.text.startswith(END_OF_TEXT) or told.stop == END_OF_TEXT:
            raise _StopError(Finished())
        if told.text not in EVENTS:
            raise _StopError(Unreadable("no frame begins here", told.text))
        frame.event, frame.text = EVENTS[told.text], told.text
        frame.sureness = replace(frame.sureness, action=probability(told.tokens))

    def _state(self, prefix: str, frame: _Frame, real: Step | None) -> Generator[Want, Told, None]:
        if self._is_forced_state() and real is not None:
            shown = real.locals
            text = json.dumps(self._with_unchanged(shown, frame.event))
        else:
            told = yield from self._ask(prefix + frame.text, (ACTION,))
            text = told.text
            shown = self._read_state(text, frame.event)
            frame.meant = told.line
            frame.sureness = replace(
                frame.sureness, state=probability(told.tokens), variables=by_variable(text, told.tokens)
            )
        frame.text += text
        frame.state = shown

    def _is_new_scope(self, event: Event) -> bool:
        """Whether all values are written out: after a call and after a return."""
        steps = self.tracker.steps
        return event == "call" or not steps or steps[-1].event == "return"

    def _with_unchanged(self, state: Mapping[str, str], event: Event) -> dict[str, str]:
        before = {} if self._is_new_scope(event) else self.tracker.state()
        return {name: UNCHANGED if before.get(name) == value else value for name, value in state.items()}

    def _read_state(self, text: str, event: Event) -> dict[str, str]:
        try:
            shown = json.loads(text)
        except ValueError as error:
            raise _StopError(Unreadable(f"the locals are not a JSON object: {error}", text)) from None
        if not isinstance(shown, dict) or not all(isinstance(value, str) for value in shown.values()):
            raise _StopError(Unreadable("the locals are not a JSON object of strings", text))
        before = {} if event == "call" else self.tracker.state()
        return {name: before.get(name, text) if text == UNCHANGED else text for name, text in shown.items()}

    def _line(self, prefix: str, frame: _Frame, real: Step | None, stop: str) -> Generator[Want, Told, None]:
        options = self.options
        if options.actions == "forced" and real is not None:
            frame.source = self.tracker.source.line(real.file, real.line)
        elif options.actions == "grounded":
            lines = [line + "\n" for line in self.tracker.legal()[frame.event]]
            found = yield from chosen(prefix + frame.text, lines, self.can)
            self._count(found)
            frame.source = found.text.removesuffix("\n")
            frame.sureness = replace(
                frame.sureness,
                action=_both(frame.sureness.action, found.probability),
                illegal=_most(frame.sureness.illegal, found.illegal) if found.asks else None,
            )
        else:
            told = yield from self._ask(prefix + frame.text, (stop,))
            frame.source = told.text.removesuffix("\n")
            frame.sureness = replace(
                frame.sureness, action=_both(frame.sureness.action, probability(told.tokens))
            )
        frame.text += frame.source + "\n"

    def _value(self, prefix: str, frame: _Frame, real: Step | None) -> Generator[Want, Told, None]:
        if self._is_forced_state() and real is not None and real.event == frame.event:
            frame.value = "None" if real.value is None else real.value
            frame.text += json.dumps(frame.value)
            return
        told = yield from self._ask(prefix + frame.text, (FRAME,))
        frame.value = _read_value(told.text)
        frame.text += told.text
        frame.sureness = replace(frame.sureness, state=probability(told.tokens))

    def _unless_unsure(self, frame: _Frame, real: Step | None) -> _Frame:
        """The frame, unless the model is not sure enough of it."""
        sure = frame.sureness.step
        if sure is None or sure >= max(self.options.stop_below, self.options.ask_below):
            return frame
        if sure < self.options.ask_below and real is not None:
            self.cost = replace(self.cost, questions=self.cost.questions + 1)
            return self._true(real, frame.sureness)
        if sure < self.options.stop_below:
            raise _StopError(Unsure(sure, self.why))
        return frame

    def _true(self, real: Step, sureness: Sureness) -> _Frame:
        """The frame that the real interpreter gives."""
        source = self.tracker.source.line(real.file, real.line)
        opening = EVENT_TOKENS[real.event]
        asked = replace(sureness, is_asked=True)
        if real.event in ("call", "line"):
            state = json.dumps(self._with_unchanged(real.locals, real.event))
            text = f"{opening}{state}{ACTION}{source}\n{FRAME}"
            return _Frame(real.event, text, source, real.locals, None, asked)
        value = "None" if real.value is None else real.value
        text = f"{opening}{ACTION}{source}\n{ARGUMENT}{json.dumps(value)}{FRAME}"
        return _Frame(real.event, text, source, None, value, asked)

    def _keep(self, frame: _Frame) -> None:
        told = Written(frame.event, frame.source, frame.state, frame.value, frame.meant)
        step = self.tracker.take(told, is_whole=self.options.reveal == "dense")
        self.context.add(step, frame.text)
        self.sureness.append(frame.sureness)

    def _ask(self, prefix: str, stops: tuple[str, ...]) -> Generator[Want, Told, Completion]:
        """One field, up to the token that ends it."""
        options = self.options
        left = min(options.frame_tokens, options.max_tokens - self.cost.spent)
        ask = Ask(prefix, (*stops, END_OF_TEXT), max(left, 1), (), options.temperature, options.seed)
        told = yield Want(ask)
        if isinstance(told, Failed):
            raise _StopError(NoAnswer(told.what, told.hint))
        assert isinstance(told, Completion)
        self.cost = replace(
            self.cost,
            spent=self.cost.spent + told.spent,
            asks=self.cost.asks + 1,
            peak=max(self.cost.peak, told.asked),
        )
        if told.finish == "length":
            raise _StopError(OutOfBudget("tokens"))
        self.why = told.why
        if told.note:
            self.context.note = told.note
        return told

    def _count(self, found: Chosen) -> None:
        if isinstance(found.failed, Failed):
            raise _StopError(NoAnswer(found.failed.what, found.failed.hint))
        self.cost = replace(self.cost, spent=self.cost.spent + found.spent, asks=self.cost.asks + found.asks)


def _read_value(text: str) -> str:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise _StopError(Unreadable(f"the value is not a JSON string: {error}", text)) from None
    if not isinstance(value, str):
        raise _StopError(Unreadable("the value is not a JSON string", text))
    return value


def _both(one: float | None, other: float | None) -> float | None:
    """The probability of two things; what was not asked does not count."""
    if one is None or other is None:
        return other if one is None else one
    return one * other


def _most(one: float | None, other: float | None) -> float | None:
    found = [each for each in (one, other) if each is not None]
    return max(found) if found else None
