"""This file is the pure-Python recorder: naive on purpose, the reference the C core must equal byte for byte.

It is `sys.settrace` with the text of every local at every event, written down as the lines of a trace file
(docs/reference/trace-files.md), each as the difference to the frame's last step.

Not covered: threads started with the raw `_thread` module, and code that replaces the trace function itself
(a debugger, coverage): its steps are lost from there on. Near the recursion limit, the callback needs a
few frames of its own, so the program meets RecursionError that much earlier; the C core has no such frames.
"""

import json
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from mmap import mmap
from types import CodeType, FrameType
from typing import Any

from worldline.record.code_facts import CO_OPTIMIZED, FOLDED, FRESH, JOINED, UNSEEN, YIELDS, CodeFacts
from worldline.record.options import Options
from worldline.record.sink import Sink
from worldline.record.values import exception_text, is_immutable, text

Record = dict[str, Any]

IMPLICIT_NAMES = frozenset(
    {
        "__name__",
        "__doc__",
        "__package__",
        "__loader__",
        "__spec__",
        "__builtins__",
        "__file__",
        "__cached__",
        "__annotations__",
        "__module__",
        "__qualname__",
        "__firstlineno__",
        "__static_attributes__",
        "__classdict__",
        "__classcell__",
        "__type_params__",
        ".type_params",
        ".generic_base",
    }
)
"""Names that Python itself puts into a module or class body: no part of the state."""


@dataclass(slots=True)
class _Frame:
    """What was last written about one activation."""

    number: int
    facts: CodeFacts
    line: int
    locals: dict[str, str] = field(default_factory=dict)
    shared: list[list[str]] = field(default_factory=list)
    depth: int = 0
    thread: int = 0
    is_new: bool = True
    address: int = 0  # of the frame
    joined: tuple[int, int] | None = None  # line and instruction of the last line event, if that was JOINED


@dataclass(slots=True)
class _Thread:
    number: int
    stack: list[_Frame] = field(default_factory=list)
    last_step: int = -1


class Recorder:
    """Records the calling thread, and threads started later, from `start` to `stop`.

    Args:
        options: what to record.
        facts: gives the facts of a code object; called once for each.
        sink: the memory to write the trace's lines to; None: memory of its own, see `contents`.
        on_limit: called with "steps" or "size" when that limit is met; the recorder is silent afterwards.
    """

    def __init__(
        self,
        options: Options,
        facts: Callable[[CodeType], CodeFacts],
        sink: mmap | None,
        on_limit: Callable[[str], None],
    ) -> None:
        self.options = options
        self.on_limit = on_limit
        self.steps = 0
        self.is_running = False
        self._sink = Sink(sink, options.max_bytes)
        self._find_facts = facts
        self._facts: dict[CodeType, CodeFacts] = {}
        self._parked: dict[int, _Frame] = {}  # suspended generators, by the address of their frame
        self._local = threading.local()  # not by the thread's ident, which is used again once it has ended
        self._lock = threading.RLock()  # threads switch between any two instructions
        self._threads = 0
        self._frames = 0
        self._current = -1  # number of the frame last written

    def start(self) -> None:
        """Begin to record."""
        self.is_running = True
        threading.settrace(self._trace)
        sys.settrace(self._trace)

    def stop(self) -> None:
        """End recording in this thread, and silence it in all others."""
        sys.settrace(None)
        threading.settrace(None)
        self.is_running = False

    def output(self, written: str) -> None:
        """Attach what the program wrote to the step that is running in this thread."""
        thread: _Thread | None = getattr(self._local, "thread", None)
        if not self.is_running or thread is None or thread.last_step < 0:
            return
        record: Record = {"out": written}
        if thread.last_step != self.steps - 1:
            record["step"] = thread.last_step
        self._put(record)

    def put(self, line: bytes) -> None:
        """Write a line that is no step (a further file, the end); there is always room for it."""
        self._sink.put(line, is_last=True)

    def contents(self) -> bytes:
        """What was written so far."""
        return self._sink.contents()

    def _trace(self, frame: FrameType, event: str, arg: Any) -> Any:
        if not self.is_running:
            return None
        code = frame.f_code
        facts = self._facts.get(code)
        if facts is None:
            facts = self._facts[code] = self._find_facts(code)
        if facts.file < 0 or facts.is_folded:
            return None
        thread = self._thread()
        is_entered = event == "call"
        if not is_entered and (not thread.stack or thread.stack[-1].address != id(frame)):
            # 3.11 goes on with a generator without a call when its delegate ends a throw
            parked = self._parked.get(id(frame))
            is_entered = parked is not None and parked.facts is facts
            if not is_entered:
                return None  # it was running before
        if is_entered:
            self._enter(frame, facts, thread)
        flags = facts.flags[frame.f_lasti // 2]
        if event != "line" or not self._is_folded(frame, thread.stack[-1], flags):
            self._step(frame, event, arg, thread, is_entered)
        if event == "return":
            state = thread.stack.pop()
            if flags & YIELDS:
                self._parked[id(frame)] = state
        return self._trace

    def _thread(self) -> _Thread:
        thread: _Thread | None = getattr(self._local, "thread", None)
        if thread is None:
            with self._lock:
                thread = self._local.thread = _Thread(self._threads)
                self._threads += 1
        return thread

    def _enter(self, frame: FrameType, facts: CodeFacts, thread: _Thread) -> None:
        """A call starts a new frame, or goes on with a generator's."""
        state = self._parked.pop(id(frame), None)
        if state is None or state.facts is not facts or facts.flags[frame.f_lasti // 2] & FRESH:
            with self._lock:
                state = _Frame(self._frames, facts, frame.f_code.co_firstlineno)
                self._frames += 1
        state.address = id(frame)
        thread.stack.append(state)

    def _step(self, frame: FrameType, event: str, arg: Any, thread: _Thread, is_entered: bool) -> None:
        if self.steps >= self.options.max_steps:
            self.is_running = False
            self.on_limit("steps")
            return
        state = thread.stack[-1]
        head: Record = {"event": event, "line": self._line(frame, state)}
        record: Record = {}
        if is_entered:
            self._describe(record, state, thread)
        self._scan(record, frame, state)
        limits = self.options.max_value, self.options.user_repr
        if event == "return":
            record["value"] = text(arg, *limits)
        elif event == "exception":
            record["value"] = exception_text(arg, *limits)
        with self._lock:
            if state.number != self._current:
                head["frame"] = self._current = state.number
            thread.last_step = self.steps
            self.steps += 1
            self._put(head | record)

    def _is_folded(self, frame: FrameType, state: _Frame, flags: int) -> bool:
        """Whether a line event is left out because it is a part of a comprehension's expression."""
        if flags & FOLDED:
            return True
        before = state.joined
        state.joined = (self._line(frame, state), frame.f_lasti) if flags & JOINED else None
        if before is None or state.joined is None:
            return False
        return before[0] == state.joined[0] and before[1] < state.joined[1]

    def _line(self, frame: FrameType, state: _Frame) -> int:
        """The line a frame is at; where an instruction belongs to none, the one before."""
        line = state.facts.comprehension_lines.get(frame.f_lasti // 2, frame.f_lineno)
        state.line = state.line if line is None else line
        return state.line

    def _describe(self, record: Record, state: _Frame, thread: _Thread) -> None:
        """Where a frame stands: on its first step, and when it is resumed elsewhere."""
        depth = len(thread.stack) - 1
        if depth != state.depth:
            record["depth"] = state.depth = depth
        if state.is_new:
            record["function"] = state.facts.function
        if thread.number != state.thread:
            record["thread"] = state.thread = thread.number
        if state.is_new and state.facts.file:
            record["file"] = state.facts.file
        state.is_new = False

    def _scan(self, record: Record, frame: FrameType, state: _Frame) -> None:
        """Write what changed in the state since the frame's last step."""
        if state.facts.flags[frame.f_lasti // 2] & (FOLDED | UNSEEN):
            return
        values = visible(frame)
        order = [name for name in state.locals if name in values]
        order += [name for name in values if name not in state.locals]  # one order on every version
        limits = self.options.max_value, self.options.user_repr
        now = {name: text(values[name], *limits) for name in order}
        gone = [name for name in state.locals if name not in now]
        new = {name: shown for name, shown in now.items() if state.locals.get(name) != shown}
        for name in gone:
            del state.locals[name]
        state.locals.update(new)
        shared = shared_names(state.locals, values)
        if gone:
            record["del"] = gone
        if new:
            record["set"] = new
        if shared != state.shared:
            record["shared"] = state.shared = shared

    def _put(self, record: Record) -> None:
        if not self._sink.put(json.dumps(record, separators=(",", ":")).encode() + b"\n"):
            self.is_running = False
            self.on_limit("size")


def visible(frame: FrameType) -> dict[str, object]:
    """The state of a frame: its locals; of a module or class body, the names the program bound."""
    hidden = frozenset() if frame.f_code.co_flags & CO_OPTIMIZED else IMPLICIT_NAMES
    return {
        name: value
        for name, value in dict(frame.f_locals).items()
        if type(name) is str and name not in hidden  # `globals()[1] = 2` makes a name that is none
    }


def shared_names(order: Iterable[str], values: dict[str, object]) -> list[list[str]]:
    """Groups of two or more names that are one mutable object, in the order of the state."""
    groups: dict[int, list[str]] = {}
    for name in order:
        value = values[name]
        if not is_immutable(type(value)):
            groups.setdefault(id(value), []).append(name)
    return [names for names in groups.values() if len(names) > 1]
