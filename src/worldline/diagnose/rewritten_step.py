"""This file is one step of a program, asked for again in its rewritten form: all the small steps it becomes.

The step is found by the line whose work it is and by how many times that line has run before; the model is
given everything up to there as it really was, and must write all that the rewritten line does.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from worldline.diagnose.divergence import first_divergence
from worldline.diagnose.prediction import of_trace
from worldline.diagnose.truth import truth
from worldline.models.model import Model
from worldline.rewrite import Level, Rewritten, rewrite
from worldline.rewrite.trim import trim
from worldline.rollout.options import RolloutOptions
from worldline.rollout.rollout import predict
from worldline.trace.model import LIMITS, Program, Step, Trace, before_of


@dataclass(frozen=True, slots=True)
class Small:
    """The steps that a line becomes."""

    start: int
    end: int  # the first that is not of it


def is_right_when_rewritten(
    program: Program, model: Model, real: Trace, at: int, level: Level, options: RolloutOptions
) -> bool | None:
    """Whether the model gets a step right, rewritten; None: it cannot be asked so.

    Args:
        program: with its entry marked.
        model: whom to ask.
        real: the true trace of the program.
        at: the step.
        level: of rewriting.
        options: the mode.
    """
    rewritten = rewrite(program, level)
    small = truth(rewritten.program).trace
    if small.ending.kind in LIMITS or small.ending.value != real.ending.value:
        return None
    if options.context != "state":  # who reads the state need not be spared, nor told a little of the truth
        rewritten = trim(rewritten, small)
        small = truth(rewritten.program).trace
    found = small_steps(real.steps, at, small.steps, rewritten)
    if found is None:
        return None
    asked = replace(options, given=found.start, max_steps=found.end)
    said = predict(rewritten.program, model, asked, small).trace.steps
    one = replace(small, steps=small.steps[: found.end])
    is_whole = len(said) >= len(one.steps)
    return is_whole and first_divergence(one, of_trace(replace(small, steps=said))) is None


def small_steps(steps: Sequence[Step], at: int, small: Sequence[Step], rewritten: Rewritten) -> Small | None:
    """Where the work of a step stands in the trace of the rewritten program, its outcome included."""
    line = _worked_line(steps, at)
    before = visits(steps[: at + 1], [step.line for step in steps], line)
    is_over = steps[at].event != "return"
    lines = [rewritten.original_line(step.line) for step in small]
    found = visits(small, lines, line)
    wanted = len(before) - 1 - (1 if is_over and before and before[-1] == at else 0)
    if not 0 <= wanted < len(found):
        return None
    start = found[wanted]
    depth = small[start].depth
    end = start + 1
    while end < len(small) and (small[end].depth > depth or lines[end] == line):
        end += 1
    return Small(start, min(end + 1, len(small)))


def _worked_line(steps: Sequence[Step], at: int) -> int:
    """The line whose work a step shows."""
    if steps[at].event in ("return", "exception"):
        return steps[at].line
    before = before_of(steps, at) or (steps[at - 1] if at else None)
    return steps[at].line if before is None else before.line


def visits(steps: Sequence[Step], lines: Sequence[int], line: int) -> list[int]:
    """Where a line begins to run, each time: what it calls does not part a visit, nor do its own small steps.

    Args:
        steps: of a trace.
        lines: for each step, the line of the original program; 0: it has none.
        line: whose visits are asked for.
    """
    found: list[int] = []
    last: dict[int, int] = {}  # by activation
    for at, step in enumerate(steps):
        if step.event == "line" and lines[at]:
            if lines[at] == line and last.get(step.frame) != line:
                found.append(at)
            last[step.frame] = lines[at]
    return found
