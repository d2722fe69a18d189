"""This file is the next step of a trace as the embedded model says it, or one that it knows nothing of."""

from collections.abc import Generator as Asking
from dataclasses import dataclass

from worldline.models.embedded.outcomes import Answer
from worldline.models.embedded.program import Source
from worldline.models.embedded.questions import Question
from worldline.models.embedded.state import Frame, State
from worldline.trace.model import Event

UNSURE = 1e-3  # the probability of a step that cannot be asked about


@dataclass(frozen=True, slots=True)
class Next:
    """The next step of a trace, and the state after it."""

    event: Event
    line: int
    state: State
    value: str | None = None  # of a return or an exception
    probability: float = 1.0
    why: str = ""  # the model is not sure


Steps = Asking[Question, Answer, Next]


def unsure(state: State, source: Source, why: str) -> Next:
    """Any step that may come; the state is changed in place."""
    frame = state.frames[-1] if state.frames else Frame(source.entry, 1)
    following = source.following(frame.line, frame.function)
    if not following and state.frames:
        state.frames.pop()
        state.event, state.value = "return", None
        return Next("return", frame.line, state, "None", UNSURE, why)
    frame.line = following[0] if following else frame.line
    state.event = "line"
    return Next("line", frame.line, state, None, UNSURE, why)
