"""This file is the call stack of a decoded text: depth, frame number and function of every step.

A call starts a new frame, or goes on with a suspended generator's: one that stopped on the very line of the
call. Of several such generators it is the one whose values agree with those shown (lists and the like do not
count, as others may change them), then the one that was last called from where this call comes from, as in a
loop, then the one that has waited longest, as with `zip` and tasks. But generator expressions are mostly used
up where they stand: of those it is the latest.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from worldline.formats.cwm_walk import Visit
from worldline.trace.model import Step
from worldline.trace.value import type_of

Content = tuple[Mapping[str, str], str | None]
"""The locals and the value of a step."""

_REMEMBERED = 100  # suspended generators of one line that are looked at
_LASTING = frozenset({"str", "bytes", "int", "float", "complex", "bool", "NoneType"})


@dataclass(slots=True, eq=False)
class _Activation:
    number: int
    first: Mapping[str, str]  # the locals of its first call
    locals: Mapping[str, str]  # the last that were shown
    function: str = ""
    line: int = 0  # of its last step
    called_from: tuple[int, int] | None = None  # which frame, on which line, called it last


class _Stack:
    """The running frames, and the suspended ones by the place where they stopped."""

    def __init__(self) -> None:
        self.running: list[_Activation] = []
        self._count = 0
        self._suspended: dict[tuple[int, int], list[_Activation]] = {}

    def enter(self, visit: Visit, shown: Mapping[str, str]) -> None:
        """A frame begins or goes on."""
        caller = (self.running[-1].number, self.running[-1].line) if self.running else None
        waiting = self._suspended.get((visit.file, visit.line), [])
        known = [one for one in waiting[-_REMEMBERED:] if not visit.is_fresh or _goes_on(one, shown)]
        if known:
            chosen = known[-1]
            if not chosen.function.endswith("<genexpr>"):
                chosen = min(
                    known, key=lambda one: (_contradictions(one.locals, shown), one.called_from != caller)
                )
            waiting.remove(chosen)
        else:
            chosen = _Activation(self._count, shown, shown)
            self._count += 1
        chosen.called_from = caller
        self.running.append(chosen)

    def leave(self, visit: Visit) -> None:
        """The running frame returns or yields."""
        left = self.running.pop()
        if visit.is_pause:
            self._suspended.setdefault((visit.file, visit.line), []).append(left)


def stacked(visits: Sequence[Visit], contents: Sequence[Content]) -> Iterator[Step]:
    """The steps of a walk."""
    stack = _Stack()
    placed: list[tuple[_Activation, int]] = []
    for visit, (shown, _) in zip(visits, contents, strict=True):
        if visit.event == "call" or visit.is_slip or not stack.running:
            stack.enter(visit, shown)
        top = stack.running[-1]
        placed.append((top, len(stack.running) - 1))
        top.line = visit.line
        if not top.function or visit.event != "call":
            top.function = visit.function or top.function
        if visit.event in ("call", "line"):
            top.locals = shown
        elif visit.event == "return":
            stack.leave(visit)
    for visit, (frame, depth), (shown, value) in zip(visits, placed, contents, strict=True):
        yield Step(
            event=visit.event,
            line=visit.line,
            locals=shown,
            value=value,
            depth=depth,
            function=frame.function,
            frame=frame.number,
            file=visit.file,
        )


def _goes_on(frame: _Activation, shown: Mapping[str, str]) -> bool:
    """Whether a call that could also be a new frame's looks like this frame going on."""
    return shown.keys() != frame.first.keys() or shown == frame.locals


def _contradictions(known: Mapping[str, str], shown: Mapping[str, str]) -> int:
    """How many values are not alike that could not change in a frame that waits."""
    unlike = (value for name, value in known.items() if shown.get(name) != value)
    return sum(type_of(value) in _LASTING for value in unlike)
