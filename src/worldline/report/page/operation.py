"""This file is the one place where the page learns which operation went wrong."""

from worldline.diagnose.model import Diagnosis, Divergence
from worldline.diagnose.statement import described, statement_at
from worldline.trace.model import Step


def operation_of(diagnosis: Diagnosis) -> str:
    """The outermost operation of the statement that the model got wrong; empty: there is none to name."""
    found = diagnosis.divergence
    step = _ran_before(diagnosis.real.steps, found) if found else None
    if found is None or step is None:
        return ""
    statement = statement_at(diagnosis.real.program.source_of(step.file), step.line)
    if statement is None:
        return ""
    name = found.variables[0].name or None if found.variables else None
    operations = statement.operations(name)
    if operations:
        return described(operations[:1])
    return "for" if statement.is_for else "return" if statement.is_return else "no operation"


def _ran_before(steps: tuple[Step, ...], found: Divergence) -> Step | None:
    """The step whose effect is wrong: the last one of the same activation."""
    if found.kind in ("format", "budget") or found.frame >= len(steps):
        return None
    here = steps[found.frame]
    earlier = (step for step in reversed(steps[: found.frame]) if step.frame == here.frame)
    return next((step for step in earlier if step.event == "line"), None)
