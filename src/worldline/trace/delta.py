"""This file is the difference between a step and the one before it in its frame: what files store."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from worldline.trace.model import Event, Step

Shared = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Delta:
    """What a step changes. None means "as before": the step before, or the last one of that frame."""

    event: Event
    line: int
    set: Mapping[str, str] = field(default_factory=dict)  # new and changed names
    gone: tuple[str, ...] = ()  # names deleted, before `set` applies
    value: str | None = None
    frame: int | None = None  # the frame of the step before
    depth: int | None = None
    function: str | None = None
    thread: int | None = None
    file: int | None = None
    shared: Shared | None = None
    output: str = ""


@dataclass(slots=True)
class _Frame:
    """The last that is known of one activation."""

    locals: Mapping[str, str] = field(default_factory=dict)
    depth: int = 0
    function: str = ""
    thread: int = 0
    file: int = 0
    shared: Shared = ()


def deltas(steps: Iterable[Step]) -> Iterator[Delta]:
    """The steps as differences; `apply` gives them back."""
    frames: dict[int, _Frame] = {}
    current: int | None = None
    for step in steps:
        last = frames.setdefault(step.frame, _Frame())
        gone, new = _difference(last.locals, step.locals)
        yield Delta(
            event=step.event,
            line=step.line,
            set=new,
            gone=gone,
            value=step.value,
            frame=None if step.frame == current else step.frame,
            depth=None if step.depth == last.depth else step.depth,
            function=None if step.function == last.function else step.function,
            thread=None if step.thread == last.thread else step.thread,
            file=None if step.file == last.file else step.file,
            shared=None if step.shared == last.shared else step.shared,
            output=step.output,
        )
        frames[step.frame] = _Frame(
            step.locals, step.depth, step.function, step.thread, step.file, step.shared
        )
        current = step.frame


def apply(changes: Iterable[Delta]) -> Iterator[Step]:
    """The steps that the differences stand for. Unchanged states are shared, not copied."""
    frames: dict[int, _Frame] = {}
    current = 0
    for delta in changes:
        current = current if delta.frame is None else delta.frame
        frame = frames.get(current)
        if frame is None:
            frame = frames[current] = _Frame()
        if delta.set or delta.gone:
            frame.locals = _applied(frame.locals, delta)
        frame.depth = frame.depth if delta.depth is None else delta.depth
        frame.function = frame.function if delta.function is None else delta.function
        frame.thread = frame.thread if delta.thread is None else delta.thread
        frame.file = frame.file if delta.file is None else delta.file
        frame.shared = frame.shared if delta.shared is None else delta.shared
        yield Step(
            delta.event,
            delta.line,
            frame.locals,
            delta.value,
            frame.depth,
            frame.function,
            current,
            frame.thread,
            frame.file,
            delta.output,
            frame.shared,
        )


def _applied(before: Mapping[str, str], delta: Delta) -> dict[str, str]:
    after = dict(before)
    for name in delta.gone:
        after.pop(name, None)
    after.update(delta.set)
    return after


def _difference(
    before: Mapping[str, str], after: Mapping[str, str]
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Names gone and names set, such that the order of the state comes out right, too."""
    if before is after:
        return (), {}
    gone = tuple(name for name in before if name not in after)
    new = {name: text for name, text in after.items() if before.get(name) != text}
    order = [name for name in before if name in after]
    order += [name for name in after if name not in before]
    if order != list(after):
        return tuple(before), dict(after)
    return gone, new
