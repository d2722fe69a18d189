"""This file is how much of the state a trace shows: all of it, now and then, what changed, what is read next.

    dense      every variable at every step
    every:K    all variables at every K-th step of a trace, none in between
    changed    only the variables that the step before changed
    read       only the variables that the line reads

and jumps, which leave steps out:

    over       no steps inside called functions: a call is followed by its return
    line:N     only the steps on line N, and the entry's call and return
    return     only the entry's call and return

What is not shown is not there: a trace that is compared with a prediction has to be revealed the same way.
"""

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from worldline.errors import UserError
from worldline.trace.model import Step, Trace

Reveal = Callable[[Trace], Iterator[Step]]


def revealed(trace: Trace, mode: str) -> Trace:
    """The trace with only what a mode shows."""
    if mode == "dense":
        return trace
    return replace(trace, steps=tuple(_mode(mode)(trace)))


def check_reveal(mode: str) -> None:
    """Refuse a mode that there is not."""
    if mode != "dense":
        _mode(mode)


def _mode(mode: str) -> Reveal:
    name, _, argument = mode.partition(":")
    if name == "every" and argument.isdigit() and int(argument) > 0:
        return lambda trace: _every(trace, int(argument))
    if name == "line" and argument.isdigit():
        return lambda trace: _on_line(trace, int(argument))
    if mode in _MODES:
        return _MODES[mode]
    known = ", ".join(["dense", "every:K", "line:N", *_MODES])
    raise UserError(f"there is no reveal {mode!r}", f"there are: {known}")


def _every(trace: Trace, spacing: int) -> Iterator[Step]:
    for number, step in enumerate(trace.steps):
        yield step if number % spacing == 0 else replace(step, locals={})


def _changed(trace: Trace) -> Iterator[Step]:
    before: dict[int, Mapping[str, str]] = {}
    for step in trace.steps:
        last = before.get(step.frame, {})
        before[step.frame] = step.locals
        state = {name: value for name, value in step.locals.items() if last.get(name) != value}
        yield replace(step, locals=step.locals if step.event == "call" else state)


def _read(trace: Trace) -> Iterator[Step]:
    for step in trace.steps:
        names = _names_read(trace.program.source_of(step.file)).get(step.line, frozenset())
        state = {name: value for name, value in step.locals.items() if name in names}
        yield replace(step, locals=step.locals if step.event == "call" else state)


def _over(trace: Trace) -> Iterator[Step]:
    return (
        step
        for step in trace.steps
        if step.depth == 0 or (step.event in ("call", "return") and step.depth == 1)
    )


def _return(trace: Trace) -> Iterator[Step]:
    return _on_line(trace, 0)


def _on_line(trace: Trace, line: int) -> Iterator[Step]:
    last = len(trace.steps) - 1
    for number, step in enumerate(trace.steps):
        if number in (0, last) or (step.line == line and step.event == "line"):
            yield step


def is_jump(mode: str) -> bool:
    """Whether steps are left out."""
    return mode in ("over", "return") or mode.startswith("line:")


_MODES: dict[str, Reveal] = {"changed": _changed, "read": _read, "over": _over, "return": _return}


@lru_cache(maxsize=64)
def _names_read(source: str) -> dict[int, frozenset[str]]:
    """The names that each line loads; of a statement of several lines, all of them on each."""
    found: dict[int, set[str]] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt) and not hasattr(node, "body"):
            names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                found.setdefault(line, set()).update(names)
        elif isinstance(node, ast.expr):
            names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
            found.setdefault(node.lineno, set()).update(names)
    return {line: frozenset(names) for line, names in found.items()}
