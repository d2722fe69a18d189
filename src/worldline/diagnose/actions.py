"""This file is why a prediction goes to another line than the program does."""

from dataclasses import replace

from worldline.diagnose.evidence import Found
from worldline.diagnose.model import Divergence
from worldline.diagnose.prediction import Prediction
from worldline.diagnose.statement import Statement, described, statement_at
from worldline.flow.loops import loops
from worldline.flow.position import first_illegal
from worldline.trace.model import Step, Trace, before_of, lines_of

_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")


def action_causes(real: Trace, prediction: Prediction, divergence: Divergence) -> list[Found]:
    """Illegal, or legal but not taken: at a loop, at a test, or at a line that raises."""
    at = divergence.frame
    steps = prediction.trace.steps
    said = steps[divergence.at] if divergence.at < len(steps) else None
    if said is None:
        return [_unfinished(real, prediction, divergence)]
    if said.line == 0:
        return [_illegal(divergence, "it is no line of the program")]
    found = first_illegal(real.program, [*real.steps[:at], _as_next(real, at, said)])
    if found is not None and found[0] == at:
        return [_illegal(divergence, found[1].reason)]
    return _legal(real, divergence, said)


def _unfinished(real: Trace, prediction: Prediction, divergence: Divergence) -> Found:
    """A line that the text breaks off in, or no line at all."""
    begun = (divergence.predicted or "").rpartition(": ")[2] if prediction.problem is not None else ""
    if not begun:
        place = _place(real.steps[divergence.frame])
        return _illegal(divergence, f"the trace ends where {place} is still to come")
    lines = [line.strip() for line in lines_of(real.program.source)]
    for number, line in enumerate(lines, 1):
        said = Step("line", number, {})
        steps = [*real.steps[: divergence.frame], _as_next(real, divergence.frame, said)]
        if line.startswith(begun) and first_illegal(real.program, steps) is None:
            why = f"the program goes to {divergence.expected!r}, the model begins with {begun!r}"
            return Found("wrong-branch", 1.0, why)
    is_known = any(line.startswith(begun) for line in lines)
    return _illegal(divergence, "it may not follow" if is_known else "it is no line of the program")


def _as_next(real: Trace, at: int, said: Step) -> Step:
    """The predicted step as a step of the running function, unless it is a call."""
    if said.event == "call" or at == 0:
        return said
    return replace(said, function=real.steps[at - 1].function, thread=real.steps[at].thread)


def _illegal(divergence: Divergence, why: str) -> Found:
    return Found("hallucinated-line", 1.0, f"{divergence.predicted!r} cannot come next: {why}")


def _legal(real: Trace, divergence: Divergence, said: Step) -> list[Found]:
    """Where the program could have gone, but did not."""
    at = divergence.frame
    step = real.steps[at]
    earlier = before_of(real.steps, at)
    statement = None if earlier is None else statement_at(real.program.source_of(earlier.file), earlier.line)
    went = f"the program goes to {divergence.expected!r}, the model to {divergence.predicted!r}"
    branch = Found("wrong-branch", 0.6, f"{_after(earlier)}{went}")
    if statement is None or earlier is None:
        return [branch]
    if step.function.rpartition(".")[2] in _COMPREHENSIONS and step.line == said.line:
        why = f"the comprehension on line {step.line} ends at another item; {went}"
        return [Found("lost-iteration", 0.7, why), replace(branch, weight=0.3)]
    if statement.is_for:
        taken = _items_taken(real, at, earlier.line)
        why = f"the `for` on line {earlier.line} has taken {taken} items; {went}"
        return [Found("lost-iteration", 0.7, why), replace(branch, weight=0.3)]
    if "exception" in (step.event, said.event):
        return [*_raising(statement, step, said), replace(branch, weight=0.2)]
    return [branch, *_hidden_in_test(statement)]


def _items_taken(real: Trace, at: int, line: int) -> int:
    """How many items the loop on a line has taken before a step."""
    *_, running = loops(real.program, real.steps[:at])
    return next((loop.position for loop in reversed(running) if loop.line == line), 0)


def _raising(statement: Statement, step: Step, said: Step) -> list[Found]:
    """An exception that was not foreseen, or is none."""
    operations = statement.operations()
    what = (
        f"raises {step.value}"
        if step.event == "exception"
        else f"raises nothing, the model said {said.value}"
    )
    if len(operations) > 1:
        name = "hidden-return" if statement.is_return else "hidden-composition"
        return [Found(name, 0.6, f"one of {len(operations)} operations ({described(operations)}) {what}")]
    name = "arithmetic" if any(each.kind == "operator" for each in operations) else "method-semantics"
    return [Found(name, 0.6, f"{described(operations) or 'the line'} {what}")]


def _hidden_in_test(statement: Statement) -> list[Found]:
    """What makes the outcome of a test hard to see."""
    operations = statement.operations()
    if len(operations) < 2:
        return []
    why = f"{len(operations)} operations decide the test ({described(operations)})"
    return [Found("hidden-composition", 0.3, why)]


def _after(earlier: Step | None) -> str:
    return "" if earlier is None else f"after line {earlier.line} "


def _place(step: Step) -> str:
    return f"{step.event} on line {step.line}"
