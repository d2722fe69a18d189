"""This file is what a program really does, as far as a prediction of it needs to be compared."""

from dataclasses import dataclass, replace

from worldline.record import Limits, Options, record
from worldline.trace.model import Ending, Program, Trace

MAX_STEPS = 20_000
"""Steps recorded unless a prediction is longer: models run out of tokens long before."""


@dataclass(frozen=True, slots=True)
class Truth:
    """The real trace, perhaps only its beginning, and how the program ends in any case."""

    trace: Trace
    ending: Ending


def truth(
    program: Program, steps: int = 0, isolation: str = "process", limits: Limits | None = None
) -> Truth:
    """Record a program for the comparison with a prediction of so many steps.

    Objects are shown by their own `__repr__`, as models have learnt it; that runs code of the program's.
    Where that takes more than MAX_STEPS, and more than twice the prediction, the rest is run without looking.
    """
    options = Options(max_value=None, user_repr=True, max_steps=max(MAX_STEPS, 2 * steps))
    trace = record(program, options, limits, isolation).trace
    if trace.ending.kind not in ("steps", "size"):
        return Truth(trace, trace.ending)
    rest = record(program, replace(options, engine="none"), limits, isolation)
    return Truth(trace, rest.ending)
