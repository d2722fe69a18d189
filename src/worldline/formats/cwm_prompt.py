"""This file is what a model of the format `cwm` is given, at the beginning of a trace and in its middle.

The plain prompt is the program. A prompt that goes on in the middle adds, as comments below the program, how
many steps there were, the functions that wait with their lines and states, and how far each running loop is:
all that decides what happens next and that the last step does not show.

    # << RESUMED after 17 steps
    # waiting: main line 12 {"words": "['a', 'b']"}
    # loop: line 5 has taken 3
    # reveal: every 4
    # note: {"shared": ...}

A note is what the model itself wrote beside its last answer, for what a state in words does not show.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from worldline.errors import UserError
from worldline.flow.loops import Loop
from worldline.formats.cwm import CWM
from worldline.formats.cwm_tokens import BEGIN_OF_TEXT, CONTEXT, FRAME, SPECIAL_TOKENS
from worldline.trace.model import Program

DENSE = "dense"
_RESUMED = re.compile(r"^# << RESUMED after (\d+) steps$", re.MULTILINE)
_REVEAL = re.compile(r"^# reveal: (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A function that has called another."""

    function: str
    line: int
    locals: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Asked:
    """What a prompt is about."""

    source: str  # of the program, as it was given
    steps: int  # before the first frame that follows
    reveal: str
    end: int  # where the frames begin in the text


def plain_prompt(program: Program, reveal: str = DENSE) -> str:
    """The prompt for a trace from its beginning."""
    checked(program)
    prompt = CWM.prompt(program)
    return prompt if reveal == DENSE else f"{prompt.removesuffix(FRAME)}\n# reveal: {reveal}\n{FRAME}"


def resumed_prompt(
    program: Program,
    steps: int,
    waiting: Sequence[Waiting],
    loops: Iterable[Loop],
    reveal: str = DENSE,
    note: str = "",
) -> str:
    """The prompt for a trace that goes on after so many steps."""
    lines = [f"# << RESUMED after {steps} steps"]
    lines += [
        f"# waiting: {each.function} line {each.line} {json.dumps(dict(each.locals))}" for each in waiting
    ]
    lines += [f"# loop: line {loop.line} has taken {loop.position}" for loop in loops]
    lines += [f"# reveal: {reveal}"] * (reveal != DENSE)
    lines += [f"# note: {note}"] * bool(note)
    below = "\n".join(lines)
    return f"{CWM.prompt(program).removesuffix(FRAME)}\n{below}\n{FRAME}"


def asked(text: str) -> Asked:
    """What the beginning of a text asks for."""
    opening = BEGIN_OF_TEXT + CONTEXT
    end = text.find(FRAME)
    if not text.startswith(opening) or end < 0:
        raise UserError("the prompt is not one of the format cwm", "make it with worldline convert --prompt")
    context = text[len(opening) : end]
    resumed, reveal = _RESUMED.search(context), _REVEAL.search(context)
    stop = min((found.start() - 1 for found in (resumed, reveal) if found), default=len(context))
    steps = int(resumed[1]) if resumed else 0
    return Asked(context[:stop], steps, reveal[1] if reveal else DENSE, end + len(FRAME))


def checked(program: Program) -> None:
    """Refuse a program whose text has the name of a special token in it: a model would take it for one."""
    found = next((token for token in SPECIAL_TOKENS if token in program.source), None)
    if found is not None:
        line = program.source[: program.source.index(found)].count("\n") + 1
        what = f"{program.path} line {line}: the program has the special token {found} in its text"
        raise UserError(what, "a model cannot tell it from a real one; write it as two strings")
