"""This file is faults of known kinds, put into a real trace at a known step.

They are what a diagnosis is tested with, and what shows every report without any model. A fault changes one
step; the steps after it are the real ones, as if the model had come back at once.
"""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random

from worldline.flow.position import Position, advance, choices, start
from worldline.flow.successors import flow
from worldline.formats.cwm import CWM, stripped
from worldline.trace.model import Step, Trace, before_of, lines_of
from worldline.trace.value import type_of

TRIES = 40  # steps at which a fault is tried before it is given up


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, and where."""

    name: str  # one of FAULTS or TEXT_FAULTS
    step: int
    kind: str  # of divergence that it makes
    variable: str = ""
    is_loop: bool = False  # it is at the header of a `for`


Faulty = tuple[Step, Fault]
Injection = Callable[[Trace, int, Random], Faulty | None]


def inject(trace: Trace, name: str, dice: Random) -> tuple[Trace, Fault] | None:
    """The trace with one fault of this kind; None: no step was found that it fits."""
    places = dice.sample(range(len(trace.steps)), min(TRIES, len(trace.steps)))
    for at in places:
        made = FAULTS[name](trace, at, dice)
        if made is not None:
            steps = (*trace.steps[:at], made[0], *trace.steps[at + 1 :])
            return replace(trace, steps=steps), made[1]
    return None


def inject_text(trace: Trace, name: str, dice: Random, is_stripped: bool) -> tuple[str, Fault] | None:
    """The text of a trace in the format `cwm`, with one fault of this kind in it."""
    text = CWM.encode(trace)
    text = stripped(text, trace.program) if is_stripped else text
    spans = CWM.decode(text, trace.program).spans
    at = dice.randrange(len(spans))
    changed = TEXT_FAULTS[name](text, spans[at], dice)
    return None if changed is None else (changed, Fault(name, at, TEXT_KINDS[name]))


def _wrong_branch(trace: Trace, at: int, dice: Random) -> Faulty | None:
    """Another line that could have come."""
    step, legal = trace.steps[at], _choices(trace, at)
    others = _distinct(trace, step, (line for event, line in legal if event == "line"))
    if step.event != "line" or not others:
        return None
    earlier = before_of(trace.steps, at)
    header = "" if earlier is None else _line(trace, earlier.line).lstrip()
    fault = Fault("wrong-branch", at, "action", is_loop=header.startswith(("for ", "async for ")))
    return replace(step, line=dice.choice(others)), fault


def _invented_line(trace: Trace, at: int, dice: Random) -> Faulty | None:
    """A line of the program that cannot come here."""
    step, legal = trace.steps[at], _choices(trace, at)
    lines = lines_of(trace.program.source)
    possible = {line for _, line in legal}
    texts = {_line(trace, line) for line in possible}
    others = [
        number
        for number in _distinct(trace, step, range(1, len(lines) + 1))
        if lines[number - 1] not in texts
        and lines.count(lines[number - 1]) == 1
        and _is_code(lines[number - 1])
    ]
    if step.event != "line" or not others:
        return None
    return replace(step, line=dice.choice(others)), Fault("invented-line", at, "action")


def _stale(trace: Trace, at: int, dice: Random) -> Faulty | None:
    """A variable as it was one step earlier."""
    step, earlier = trace.steps[at], before_of(trace.steps, at)
    if step.event != "line" or earlier is None:
        return None
    changed = [name for name, value in step.locals.items() if earlier.locals.get(name, value) != value]
    name = dice.choice(changed) if changed else ""
    return _with(step, name, earlier.locals[name], Fault("stale", at, "state", name)) if name else None


def _dropped_character(trace: Trace, at: int, dice: Random) -> Faulty | None:
    return _changed(trace, at, dice, "dropped-character", ("str",), _drop)


def _doubled_character(trace: Trace, at: int, dice: Random) -> Faulty | None:
    return _changed(trace, at, dice, "doubled-character", ("str",), _double)


def _off_by_one(trace: Trace, at: int, dice: Random) -> Faulty | None:
    return _changed(trace, at, dice, "off-by-one", ("int",), _one_off)


def _wrong_element(trace: Trace, at: int, dice: Random) -> Faulty | None:
    return _changed(trace, at, dice, "wrong-element", ("list", "tuple"), _other_element)


def _swapped(trace: Trace, at: int, dice: Random) -> Faulty | None:
    step = trace.steps[at]
    names = list(step.locals)
    if step.event not in ("line", "call") or len(names) < 2:
        return None
    one, other = dice.sample(names, 2)
    if step.locals[one] == step.locals[other]:
        return None
    state = dict(step.locals) | {one: step.locals[other], other: step.locals[one]}
    return replace(step, locals=state), Fault("swapped", at, "state", one)


def _missing(trace: Trace, at: int, dice: Random) -> Faulty | None:
    step = trace.steps[at]
    if step.event not in ("line", "call") or not step.locals:
        return None
    name = dice.choice(list(step.locals))
    state = {key: value for key, value in step.locals.items() if key != name}
    return replace(step, locals=state), Fault("missing", at, "state", name)


def _extra(trace: Trace, at: int, dice: Random) -> Faulty | None:
    step = trace.steps[at]
    if step.event not in ("line", "call"):
        return None
    name = dice.choice(["result", "value", "tmp", "index", "total"]) + "_" * ("result" in step.locals)
    if name in step.locals:
        return None
    return _with(step, name, str(dice.randrange(100)), Fault("extra", at, "state", name))


def _wrong_return(trace: Trace, at: int, dice: Random) -> Faulty | None:
    step = trace.steps[at]
    if step.event != "return" or step.value is None:
        return None
    other = dice.choice(["None", "-1", "[]", "'?'", "(0, 1)", "{'a': 7}", "99991", "'other'"])
    if type_of(other) == type_of(step.value):
        return None
    return replace(step, value=other), Fault("wrong-return", at, "value")


FAULTS: dict[str, Injection] = {
    "wrong-branch": _wrong_branch,
    "invented-line": _invented_line,
    "stale": _stale,
    "dropped-character": _dropped_character,
    "doubled-character": _doubled_character,
    "off-by-one": _off_by_one,
    "wrong-element": _wrong_element,
    "swapped": _swapped,
    "missing": _missing,
    "extra": _extra,
    "wrong-return": _wrong_return,
}
"""Faults of a step, by name."""


def _truncation(text: str, span: tuple[int, int], dice: Random) -> str | None:
    return text[: dice.randrange(*span)]


def _broken_json(text: str, span: tuple[int, int], dice: Random) -> str | None:
    """A frame whose JSON is none any more."""
    frame = text[slice(*span)]
    state = (
        frame[: frame.rfind('"}') + 2] if frame.startswith(("{", "<|call_sep|>{", "<|line_sep|>{")) else ""
    )
    wrong = [(old, new) for old, new in _BREAKS if old in state]
    if not wrong:
        return None
    broken = state.replace(*dice.choice(wrong), 1) + frame[len(state) :]
    return text[: span[0]] + broken + text[span[1] :]


_BREAKS = (('": "', '" "'), ('", "', '" "'), ('{"', "{'"), ('": "', '": ~"'))
TEXT_FAULTS: dict[str, Callable[[str, tuple[int, int], Random], str | None]] = {
    "truncation": _truncation,
    "broken-json": _broken_json,
}
"""Faults of a text, by name."""
TEXT_KINDS = {"truncation": "budget", "broken-json": "format"}


def _choices(trace: Trace, at: int) -> set[tuple[str, int]]:
    """What may come at a step; empty where threads or further files are involved."""
    position = start(flow(trace.program.source, trace.program.path))
    for step in trace.steps[:at]:
        moved = advance(position, step.event, step.line, step.function or None) if step.file == 0 else None
        if not isinstance(moved, Position):
            return set()
        position = moved
    return {(event, line) for event, line in choices(position)}


def _distinct(trace: Trace, step: Step, lines: Iterator[int] | range) -> list[int]:
    """Those lines whose text is not that of the step's own line."""
    own = _line(trace, step.line)
    return sorted({line for line in lines if _line(trace, line) != own})


def _line(trace: Trace, number: int) -> str:
    lines = lines_of(trace.program.source)
    return lines[number - 1] if 0 < number <= len(lines) else ""


def _is_code(line: str) -> bool:
    return bool(line.strip()) and not line.strip().startswith(("#", "def ", "class ", "@", '"'))


def _with(step: Step, name: str, value: str, fault: Fault) -> Faulty:
    return replace(step, locals={**step.locals, name: value}), fault


def _changed(
    trace: Trace,
    at: int,
    dice: Random,
    name: str,
    types: tuple[str, ...],
    change: Callable[[str, Random], str | None],
) -> Faulty | None:
    """A step with one value of these types changed, but not to what it was before."""
    step, earlier = trace.steps[at], before_of(trace.steps, at)
    found = [key for key, value in step.locals.items() if type_of(value) in types]
    if step.event not in ("line", "call") or not found:
        return None
    key = dice.choice(found)
    value = change(step.locals[key], dice)
    if value in (None, step.locals[key], earlier.locals.get(key) if earlier else None):
        return None
    return _with(step, key, str(value), Fault(name, at, "state", key))


def _drop(text: str, dice: Random) -> str | None:
    value = ast.literal_eval(text)
    at = dice.randrange(len(value)) if value else -1
    return None if at < 0 else repr(value[:at] + value[at + 1 :])


def _double(text: str, dice: Random) -> str | None:
    value = ast.literal_eval(text)
    at = dice.randrange(len(value)) if value else -1
    return None if at < 0 else repr(value[: at + 1] + value[at:])


def _one_off(text: str, dice: Random) -> str | None:
    return str(int(text) + dice.choice((1, -1)))


def _other_element(text: str, dice: Random) -> str | None:
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return None
    if not value:
        return None
    at = dice.randrange(len(value))
    other = 99991 if not isinstance(value[at], int) else value[at] + dice.choice((2, 5, 50, -3))
    items = [*value[:at], other, *value[at + 1 :]]
    return repr(type(value)(items))
