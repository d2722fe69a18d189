"""This file is how far a text agrees with a recorded trace, frame by frame and byte for byte."""

import re
from dataclasses import dataclass

from worldline.formats.cwm import CWM, frames, stripped
from worldline.formats.cwm_frames import has_tokens
from worldline.trace.model import Step, Trace

_VERSIONED = (
    (re.compile(r" at 0x[0-9a-f]+>"), ">"),
    (re.compile(r"<str_ascii_iterator object>"), "<str_iterator object>"),
    (re.compile(r"<module '([\w.]+)' (?:from '[^'>]*'|\(built-in\)|\(frozen\))>"), r"<module '\1'>"),
)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """The first frame in which a text is not what the trace gives."""

    frame_number: int  # counted from 0
    offset: int  # where it begins in the text
    real: str  # the frame as it should be; empty: the trace has ended
    written: str  # the frame in the text, or all the rest if no frame can be read there
    real_step: Step | None
    written_step: Step | None


def agreement(trace: Trace, text: str) -> Disagreement | None:
    """Where a text parts from the trace; None if every frame of the trace is there.

    What follows the last frame is not looked at, nor is what `neutral` takes away.

    Args:
        trace: the truth, recorded with the program's entry marked.
        text: what a model wrote, with its special tokens or without.
    """
    real = list(frames(trace))
    if not has_tokens(text):
        real = [stripped(frame, trace.program) for frame in real]
    decoded = CWM.decode(text, trace.program)
    for number, frame in enumerate(real):
        if number == len(decoded.spans):
            offset = decoded.spans[-1][1] if decoded.spans else 0
            return Disagreement(number, offset, frame, text[offset:], CWM.holds(trace).steps[number], None)
        start, end = decoded.spans[number]
        if neutral(text[start:end]) != neutral(frame):
            steps = CWM.holds(trace).steps[number], decoded.steps[number]
            return Disagreement(number, start, frame, text[start:end], *steps)
    return None


def neutral(text: str) -> str:
    """The text without what differs between interpreters: addresses, paths of modules, names of iterators."""
    for pattern, general in _VERSIONED:
        text = pattern.sub(general, text)
    return text
