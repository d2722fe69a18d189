"""This file is from a prompt of the format `cwm` to the state that it shows.

header    the program, and below it what the last step does not show (formats/cwm_prompt.py)
frames    the last step, with all its values
partial   what is there of the next step
"""

import json
import re
from dataclasses import dataclass
from typing import Any

from worldline.errors import UserError
from worldline.formats.cwm_tokens import (
    ACTION,
    ARGUMENT,
    BEGIN_OF_TEXT,
    CONTEXT,
    EVENT_TOKENS,
    FRAME,
    UNCHANGED,
)
from worldline.models.embedded.module import names_of
from worldline.models.embedded.objects import Walk, parsed
from worldline.models.embedded.program import Source, source
from worldline.models.embedded.prompts import UnclearError
from worldline.models.embedded.state import Frame, State, read, shown

OPENING = BEGIN_OF_TEXT + CONTEXT
RESUMED = "\n# << RESUMED after "
NOTE = "# note: "
_WAITING = re.compile(r"# waiting: (\S+) line (\d+) (\{.*\})")
_LOOP = re.compile(r"# loop: line (\d+) has taken (\d+)")
_EVENTS = {token: event for event, token in EVENT_TOKENS.items()}


@dataclass(frozen=True, slots=True)
class Asked:
    """A prompt, taken apart."""

    base: str  # up to and with the last whole frame
    partial: str


def split(prefix: str) -> Asked:
    """The part that decides what comes next, and what is there of it."""
    end = prefix.rfind(FRAME)
    if not prefix.startswith(OPENING) or end < 0:
        raise UserError("the prompt is not one of the format cwm", "make it with worldline convert --prompt")
    return Asked(prefix[: end + len(FRAME)], prefix[end + len(FRAME) :])


def state_in(base: str) -> tuple[State, Source]:
    """The state that a prompt shows, and the program."""
    header_end = base.find(FRAME)
    header = base[len(OPENING) : header_end]
    frames = base[header_end + len(FRAME) :]
    below = header.rfind(RESUMED)
    if below < 0:
        if "\n# reveal: " in header:
            raise UserError("the embedded model shows all variables", "leave --reveal out, or use dense")
        if frames:
            raise UserError("the embedded model reads the state, not the history", "use --context state")
        return State(), source(header)
    program = source(header[:below])
    last = frames.removesuffix(FRAME)
    if FRAME in last:
        raise UserError("the embedded model reads the last step only", "use --context state")
    if "\n# reveal: " in header[below:]:
        raise UserError("the embedded model shows all variables", "leave --reveal out, or use dense")
    return _with_last(_kept(header[below:], program), last, program), program


def _kept(told: str, program: Source) -> State:
    """The state from the model's own note, or from the texts where there is none."""
    place = told.rfind("\n" + NOTE)
    if place >= 0:
        note = told[place + 1 + len(NOTE) :]
        return read(note.partition("\n")[0])
    state = State(module=names_of(program.tree), is_guessed=True)
    for name, line, values in _WAITING.findall(told):
        state.frames.append(Frame(name, int(line), _values(values), module=state.module))
    for line, taken in _LOOP.findall(told):
        _put_walk(state, int(line), int(taken), program)
    return state


def _values(text: str) -> dict[str, Any]:
    return {name: parsed(value) for name, value in json.loads(text).items()}


def _put_walk(state: State, line: int, taken: int, program: Source) -> None:
    """A running loop, in the innermost frame that can have it."""
    node: Any = program.nodes.get(line)
    name = getattr(getattr(node, "iter", None), "id", None)
    for frame in reversed(state.frames):
        if name in frame.locals and line not in frame.walks:
            frame.walks[line] = Walk(frame.locals[name], taken)
            return


def _with_last(state: State, text: str, program: Source) -> State:
    """The state after the last frame: what is shown counts more than what was noted."""
    event = next((event for token, event in _EVENTS.items() if text.startswith(token)), None)
    if event is None:
        raise UnclearError("no step before")
    opening, _, rest = text.removeprefix(EVENT_TOKENS[event]).partition(ACTION)
    is_noted = state.event == event
    state.event = event
    if event in ("call", "line"):
        _show(state, json.loads(opening), rest.removesuffix("\n"), program, is_noted=is_noted)
        return state
    value = json.loads(rest.partition(ARGUMENT)[2])
    if event == "return" and not is_noted:
        state.value, state.is_guessed = parsed(value), True
    return state


def _show(state: State, told: dict[str, str], line: str, program: Source, *, is_noted: bool) -> None:
    if not is_noted or not state.frames:
        place = _place(line, program, told)
        values = {name: parsed(text) for name, text in told.items()}
        state.frames.append(Frame(*place, values, module=state.module))
        return
    frame = state.frames[-1]
    now = shown(frame.locals)
    if now != told:
        state.is_guessed = True
        frame.locals = {
            name: frame.locals[name]
            if text in (now.get(name), UNCHANGED) and name in frame.locals
            else parsed(text)
            for name, text in told.items()
        }
    if program.line(frame.line) != line:
        found = program.numbers(line, frame.function)
        frame.line = found[0] if found else frame.line


def _place(line: str, program: Source, told: dict[str, str]) -> tuple[str, int]:
    """A function that has this line, and its number; one whose parameters are all there."""
    for name, definition in program.functions.items():
        parameters = {each.arg for each in (*definition.args.posonlyargs, *definition.args.args)}
        found = program.numbers(line, name)
        if found and parameters <= set(told):
            return name, found[-1] if len(found) == 1 else found[0]
    raise UnclearError("a line that no function has")
