"""This file is a prediction as it is compared: its steps, the line each one names, how its text ends."""

from collections.abc import Sequence
from dataclasses import dataclass

from worldline.formats import Cut, Format, Malformed, Span
from worldline.formats.cwm import line_text
from worldline.formats.cwm_lines import SourceText
from worldline.formats.files import predicted
from worldline.trace.model import Program, Step, Trace

Action = str | tuple[int, int]
"""The line that a step names: its text in a format that writes source lines, else file and number."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a model said. Real steps are compared with it by what its format can tell apart."""

    trace: Trace
    actions: Sequence[Action]  # one a step
    is_by_text: bool  # lines are told by their text, so two equal lines are one
    problem: Cut | Malformed | None = None  # how its text ends; None: it is complete, or there is no text
    text: str = ""
    spans: Sequence[Span] = ()  # where each step stands in the text
    rest: str = ""  # what follows the last step


def of_text(text: str, program: Program, form: Format, by: str) -> Prediction:
    """What a model wrote in a format."""
    decoded = form.decode(text, program)
    trace = predicted(decoded, program, by)
    if form.name != "cwm":
        actions: Sequence[Action] = numbers(trace.steps)
        return Prediction(trace, actions, False, decoded.problem, text, decoded.spans, decoded.rest)
    source = SourceText(program)
    actions = [
        source.line(step.file, step.line) if step.line else line_text(text[slice(*span)])
        for step, span in zip(decoded.steps, decoded.spans, strict=True)
    ]
    return Prediction(trace, actions, True, decoded.problem, text, decoded.spans, decoded.rest)


def of_trace(trace: Trace) -> Prediction:
    """A predicted trace that was read from a file; one that is open was cut."""
    problem = None if trace.ending.kind != "open" else Cut(0, len(trace.steps))
    return Prediction(trace, numbers(trace.steps), False, problem)


def numbers(steps: Sequence[Step]) -> list[Action]:
    """The actions of steps, by number."""
    return [(step.file, step.line) for step in steps]


def real_actions(real: Trace, prediction: Prediction) -> list[Action]:
    """The actions of the real steps, as the prediction would name them."""
    if not prediction.is_by_text:
        return numbers(real.steps)
    source = SourceText(real.program)
    return [source.line(step.file, step.line) for step in real.steps]
