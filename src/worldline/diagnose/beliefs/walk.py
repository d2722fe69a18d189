"""This file is Python walking along a predicted trace: it runs the program, and believes what the model said.

The program runs under a trace function, event by event beside the predicted steps. As long as both say the
same, it just goes on. Where they part, the step does not follow from those before it; then the model's word
is taken: its values are put into the running frame (into the very objects where that is possible, so that
names that share an object go on to do so), and where its next line is another one, the frame is left and
entered again there (`source.py`). So every step is judged from the state that the model believed, with
all that a state does not show: aliases, iterators, globals, closures.

Not judged: what uses a value whose text cannot be read back; steps inside comprehensions, lambdas and
generators after an error of the model's own in them; steps of a call that Python does not make; other
threads; what reads the clock, random numbers or the like and comes out differently.
"""

import functools
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from types import CodeType, FrameType
from typing import Any, NoReturn

from worldline.diagnose.beliefs.activation import Activation, Pending
from worldline.diagnose.beliefs.bounds import (
    FAILURES,
    INLINED,
    Abort,
    failure,
    fickle_word,
    is_end_of_generator,
    is_inlined,
)
from worldline.diagnose.beliefs.resume import Left, resumed
from worldline.diagnose.beliefs.source import (
    EXIT,
    FRAME,
    GIVEN,
    GUARD,
    ITERATOR,
    NEVER,
    RAISED,
    RESULT,
    RESUMED,
    Followable,
)
from worldline.diagnose.beliefs.state import OPAQUE, Beliefs, visible
from worldline.trace.model import Step, lines_of

Report = Callable[[int, bool | None, str], None]

_STRAY = "inside a call that Python does not make here"


@dataclass(frozen=True, slots=True)
class Met:
    """An event of Python's."""

    event: str
    line: int
    arg: Any


class Walk:
    """One program beside its predicted steps.

    Args:
        followable: the program.
        names: the globals that it is going to have; our hooks are put there.
        steps: what was predicted.
        source: of the program.
        report: takes each judgement: index, whether it follows, why not or why that is unknown.
    """

    def __init__(
        self,
        followable: Followable,
        names: dict[str, Any],
        steps: Sequence[Step],
        source: str,
        report: Report,
    ) -> None:
        self.followable = followable
        self.steps = steps
        self.cursor = 0
        self.stack: list[Activation] = []
        self.left: Activation | None = None  # the activation that has just ended, for the hook around it
        self.entering: Activation | None = None  # the activation that is about to go on in another frame
        self.swapped: tuple[Any] | None = None  # what a comprehension gave, says the model
        self.aborted = ""
        names.update(self._hooks())
        self.beliefs = Beliefs(names)
        self.functions: dict[int, Any] = {}  # by the number of their definition, the latest
        self._report = report
        self._lines = lines_of(source)
        self._silent: FrameType | None = None  # a call that the model has not stepped into
        self._fickle = fickle_word(source)
        self._codes: dict[CodeType, int] = {}
        self._base = 0  # depth of the lowest activation

    def _hooks(self) -> dict[str, Any]:
        return {
            NEVER: False,
            FRAME: self._decorator,
            ITERATOR: self._new_iterator,
            RESUMED: lambda number: self.stack[-1].iterators[number],
            RAISED: lambda: self.stack[-1].raised,
            RESULT: self._result,
            GIVEN: self._given,
        }

    def launch(self, function: Callable[[], object], depth: int) -> None:
        """Follow one call until it ends, or cannot be followed."""
        self.stack.clear()
        self._silent = self.left = None
        self._base, self.aborted = depth, ""
        sys.settrace(self._trace)
        try:
            function()
        except BaseException as error:  # noqa: BLE001 - whatever the program raises
            if isinstance(error, Abort):
                self.aborted = str(error)
        finally:
            sys.settrace(None)

    def go_on(self, activation: Activation, function: Any, left: Left) -> Left:
        """What an activation comes to in the end: what it was left with, unless the model has it go on."""
        while activation.pending is not None and not self.aborted:
            left = resumed(self, activation, function)
        return left if activation.replaced is None else (activation.replaced[0], None)

    def judge(self, follows: bool | None, why: str = "") -> None:
        """Give the judgement of the step that is next, and go on to the one after it."""
        self._report(self.cursor, follows, why)
        self.cursor += 1

    def abort(self, why: str) -> NoReturn:
        """Give up following this launch."""
        self.aborted = why
        raise Abort(why)

    def next_of(self, activation: Activation) -> Step:
        """The next predicted step of an activation; calls that Python does not make are passed over."""
        while self.cursor < len(self.steps):
            step = self.steps[self.cursor]
            if step.depth < activation.depth:
                self.abort("the model has left a function without a return")
            if step.event != "call" and step.depth == activation.depth:
                return step
            is_first = step.event == "call" and step.depth == activation.depth + 1
            is_own = is_first and not (is_inlined(step) or is_end_of_generator(self.steps, self.cursor))
            if is_own and not self._fickle:
                self.judge(False, "Python does not call this here")
            else:
                self.judge(None, self._fickle or _STRAY)
        self.abort("the predicted trace ends here")

    def line_text(self, line: int) -> str:
        """A line of the program: equal lines cannot be told apart in some formats."""
        return self._lines[line - 1].strip() if 0 < line <= len(self._lines) else ""

    def _trace(self, frame: FrameType, event: str, arg: Any) -> Any:
        if frame.f_code.co_filename != self.followable.path or self._silent is not None or self.aborted:
            return None
        if self.entering is not None:
            activation, self.entering = self.entering, None
            activation.frame = frame
            self.stack.append(activation)
            return partial(self._local, activation)
        parent = self.stack[-1] if self.stack else None
        depth = self._base if parent is None else parent.depth + 1
        step = self.steps[self.cursor] if self.cursor < len(self.steps) else None
        is_met = (
            step is not None
            and step.event == "call"
            and step.depth == depth
            and self.line_text(step.line) == self.line_text(frame.f_lineno)
            and not (parent and parent.is_lost)
        )
        if not is_met or step is None:
            return self._pass_over(frame, parent)
        return partial(self._local, self._enter(frame, step, depth))

    def _pass_over(self, frame: FrameType, parent: Activation | None) -> Any:
        if parent is None:
            self.abort("the entry is called otherwise")
        parent.missed = parent.missed or frame.f_code.co_name
        self._silent = frame
        frame.f_trace_lines = False
        return self._quiet

    def _quiet(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event == "return" and frame is self._silent:
            self._silent = None
        return self._quiet

    def _enter(self, frame: FrameType, step: Step, depth: int) -> Activation:
        before = getattr(frame.f_trace, "args", ())  # a generator that goes on has had its activation
        if before and isinstance(before[0], Activation):
            activation: Activation = before[0]
        else:
            number = self._codes.get(frame.f_code)
            definition = None if number is None else self.followable.definitions[number]
            activation = Activation(frame.f_code, definition)
        activation.frame, activation.depth, activation.line = frame, depth, frame.f_lineno
        self.stack.append(activation)
        values = frame.f_locals
        reason = self.beliefs.difference(activation, visible(values), step.locals)
        self.judge(*self._verdict(activation, reason, step))
        if reason:
            self.beliefs.put(activation, values, step.locals)
        return activation

    def _local(self, activation: Activation, frame: FrameType, event: str, arg: Any) -> Any:
        if activation.frame is not frame or self.aborted:
            return frame.f_trace  # a generator that goes on in a call which is not followed
        line = frame.f_lineno or activation.line
        if line >= GUARD:
            if event == "return":
                self._leave(activation)
        elif activation.pending is not None:
            self._go_out(activation, event, frame)
        elif activation.swallow[:1] == [event]:
            activation.swallow.pop(0)
            activation.line = line
        elif activation.is_lost:
            if event == "return":
                self._pass_lost(activation)
                self._leave(activation)
        else:
            activation.swallow.clear()
            self._meet(activation, Met(event, line, arg))
        return frame.f_trace

    def _meet(self, activation: Activation, met: Met) -> None:
        """An event of Python's, and the step that the model has in its place."""
        step = self.next_of(activation)
        values = activation.frame.f_locals
        elsewhere = self._elsewhere(step, met)
        reason = elsewhere or self._unlike(activation, step, met, visible(values))
        if activation.missed:
            reason = reason or f"Python calls {activation.missed} before this"
        if met.event == "exception" and isinstance(met.arg[1], FAILURES):
            activation.tainted = failure(met.arg[1])
        self.judge(*self._verdict(activation, reason, step))
        activation.line, activation.missed, activation.tainted = met.line, "", ""
        activation.before, activation.said = activation.said, step.line
        if met.event == "exception" and not reason:
            activation.raised = met.arg[1]
        is_other = elsewhere or (met.event == "exception" and reason)
        is_changed = met.event == "line" and reason
        if is_other or (is_changed and not self.beliefs.put(activation, values, step.locals)):
            self._part(activation, step, met.event, values)
        elif met.event == "return" and reason:
            activation.replaced = (self.beliefs.value(step.value or "None"),)
        if met.event == "return":
            self._leave(activation)

    def _elsewhere(self, step: Step, met: Met) -> str:
        """What is wrong with the place of a step; empty: nothing."""
        if step.event != met.event:
            return f"Python has a {met.event} event on line {met.line} here"
        if step.file or self.line_text(step.line) != self.line_text(met.line):
            return f"Python goes to line {met.line}"
        return ""

    def _unlike(self, activation: Activation, step: Step, met: Met, live: dict[str, Any]) -> str:
        """What is wrong with the state or the value of a step; empty: nothing."""
        if met.event == "line":
            return self.beliefs.difference(activation, live, step.locals)
        substituted, activation.substituted = activation.substituted, ""
        return substituted or self.beliefs.unlike_value(activation, met.event, met.arg, step.value or "None")

    def _verdict(self, activation: Activation, reason: str, step: Step) -> tuple[bool | None, str]:
        if not reason:
            return True, ""
        if activation.tainted or self._fickle:
            return None, activation.tainted or self._fickle
        if OPAQUE in reason:
            return None, "it hangs on a value that cannot be read back"
        if "RecursionError" in (step.value or ""):
            return None, "it hangs on how deep calls may go"
        used = self.beliefs.unsteady_name(self.line_text(activation.line))
        if used:
            return None, f"it hangs on {used}, which may give anything"
        return False, reason

    def _part(self, activation: Activation, step: Step, event: str, values: Any) -> None:
        """The model goes elsewhere: leave this frame, to go on there."""
        live = visible(values)
        if activation.definition is None:
            activation.is_lost = "after an error inside code that cannot be entered again"
            return
        if step.event == "line":
            live = self.beliefs.believed(activation, live, step.locals)
        elif step.event == "exception":
            activation.raised = self.beliefs.exception(step.value or "")
        activation.state = live
        activation.hold_iterators()
        activation.pending = Pending(step.event, self.cursor - 1)
        if event != "return":
            self._go_out(activation, event, activation.frame)

    def _go_out(self, activation: Activation, event: str, frame: FrameType) -> None:
        """Leave a frame as soon as Python lets us: on a line, or when it ends by itself."""
        if event == "line":
            frame.f_lineno = EXIT  # type: ignore[misc]
        elif event == "return":
            self._leave(activation)

    def _pass_lost(self, activation: Activation) -> None:
        """Pass over all that the model says of an activation that is lost; what it returned is believed."""
        while self.cursor < len(self.steps):
            step = self.steps[self.cursor]
            if step.depth < activation.depth:
                break
            self.judge(None, activation.is_lost)
            if step.depth == activation.depth and step.event == "return":
                activation.replaced = (self.beliefs.value(step.value or "None"),)
                break

    def _leave(self, activation: Activation) -> None:
        self.stack.pop()
        activation.frame = None
        if activation.definition is not None:
            self.left = activation
        elif activation.replaced is not None:
            if activation.code.co_name in INLINED:
                self.swapped = activation.replaced
            elif self.stack:
                self.stack[-1].tainted = "it hangs on a value from code that cannot be entered again"
            activation.replaced = None
        elif activation.is_lost and self.stack:
            self.stack[-1].tainted = activation.is_lost

    def _new_iterator(self, number: int, iterable: Any) -> Iterator[Any]:
        made: Iterator[Any] = iter(iterable)
        if self._silent is None and self.stack:
            self.stack[-1].keep_iterator(number, made)
        return made

    def _result(self, value: Any) -> Any:
        """The hook around a comprehension: what it gave, or what the model says it gave."""
        swapped, self.swapped = self.swapped, None
        return value if swapped is None else swapped[0]

    def _given(self, value: Any) -> Any:
        """The hook around what a lambda returns or a generator expression gives."""
        activation = self.stack[-1] if self.stack else None
        if self._silent is not None or activation is None or activation.is_lost or self.aborted:
            return value
        step = self.steps[self.cursor] if self.cursor < len(self.steps) else None
        if step is None or step.event != "return" or step.depth != activation.depth:
            return value
        reason = self.beliefs.unlike_value(activation, "return", value, step.value or "None")
        if not reason:
            return value
        activation.substituted = reason
        return self.beliefs.value(step.value or "None")

    def _decorator(self, number: int) -> Callable[[Any], Any]:
        def decorate(function: Any) -> Any:
            self._codes[function.__code__] = number
            self.functions[number] = function

            @functools.wraps(function)
            def follow(*args: Any, **named: Any) -> Any:
                self.left = None
                value, error = None, None
                try:
                    value = function(*args, **named)
                except Abort:
                    raise
                except BaseException as raised:  # noqa: BLE001 - it is raised again below
                    error = raised
                activation, self.left = self.left, None
                if activation is not None:
                    value, error = self.go_on(activation, function, (value, error))
                if error is not None:
                    raise error
                return value

            return follow

        return decorate
