"""This file is the first step at which a prediction leaves reality."""

import json
from collections.abc import Mapping

from worldline.diagnose.compare import Comparison, is_same, wrong_variables
from worldline.diagnose.model import Divergence, Kind, WrongVariable
from worldline.diagnose.prediction import Action, Prediction
from worldline.diagnose.unfinished import Unfinished, read_unfinished
from worldline.formats import Cut, Malformed
from worldline.formats.cwm_tokens import UNCHANGED
from worldline.trace.model import Trace, before_of
from worldline.trace.value import type_of


def first_divergence(real: Trace, prediction: Prediction) -> Divergence | None:
    """Where they part; None: every real step is there and right.

    Text that just ends is no mistake: it diverges only if what there is of its last step is wrong already.
    """
    compared = Comparison(real, prediction)
    count = min(len(compared.real), len(compared.predicted))
    for index in range(count):
        kind = compared.difference(index, index)
        if kind is not None:
            return _wrong_step(compared, index, kind)
    if count == len(compared.real):
        return None if real.ending.is_complete else _beyond(real, prediction)
    return _ended(compared, prediction)


def _wrong_step(compared: Comparison, index: int, kind: Kind) -> Divergence:
    step, said = compared.real[index], compared.predicted[index]
    if kind == "state":
        earlier = before_of(compared.real, index)
        before = earlier.locals if earlier is not None else {}
        variables = tuple(compared.wrong_variables(index, index, before))
        first = variables[0]
        return Divergence(index, index, kind, step.line, variables, first.expected, first.predicted)
    if kind == "value":
        wrong = (WrongVariable("", step.value, said.value, type_of(step.value or "None")),)
        return Divergence(index, index, kind, step.line, wrong, step.value, said.value)
    expected, predicted = compared.real_actions[index], compared.predicted_actions[index]
    return Divergence(
        index, index, kind, step.line, (), shown(step.event, expected), shown(said.event, predicted)
    )


def shown(event: str, action: Action) -> str:
    """An action in words: the source line or `line 7`, with the event unless that is a line."""
    text = action.strip() if isinstance(action, str) else f"line {action[1]}"
    return text if event == "line" else f"{event}: {text}"


def _beyond(real: Trace, prediction: Prediction) -> Divergence:
    """Nothing is wrong as far as reality is known: its recording was stopped by a limit."""
    count = len(real.steps)
    return Divergence(count, min(count, len(prediction.trace.steps)), "budget", None)


def _ended(compared: Comparison, prediction: Prediction) -> Divergence:
    """The prediction has no further step, but reality has."""
    index = len(compared.predicted)
    step, problem = compared.real[index], prediction.problem
    if isinstance(problem, Malformed):
        written = prediction.text[problem.offset : problem.offset + 200]
        return Divergence(index, index, "format", step.line, (), problem.why, written)
    if isinstance(problem, Cut):
        last = read_unfinished(prediction.text[problem.offset :]) if prediction.is_by_text else None
        wrong = _wrong_beginning(compared, index, last) if last is not None else None
        return wrong or Divergence(index, index, "budget", step.line)
    expected = shown(step.event, compared.real_actions[index])
    return Divergence(index, index, "action", step.line, (), expected, "the end of the trace")


def _wrong_beginning(compared: Comparison, index: int, last: Unfinished) -> Divergence | None:
    """What is wrong about a step whose text breaks off; None: nothing so far."""
    step = compared.real[index]
    action = compared.real_actions[index]
    if last.event not in (None, step.event):
        expected = shown(step.event, action)
        return Divergence(
            index, index, "action", step.line, (), expected, f"{last.event}: {last.source.strip()}"
        )
    if last.locals is None and not last.source:
        return None
    if last.locals is None:
        line, quote, value = last.source.partition('\n"')
        is_line = isinstance(action, str) and (action == line if quote else (action + "\n").startswith(line))
        if step.event in ("call", "line") or not is_line:
            expected = shown(step.event, action)
            return Divergence(index, index, "action", step.line, (), expected, line.strip())
        if json.dumps(step.value)[1:].startswith(value):
            return None
        said = _unescaped(value)
        wrong = (WrongVariable("", step.value, said, type_of(step.value or "None")),)
        return Divergence(index, index, "value", step.line, wrong, step.value, said)
    if step.event not in ("call", "line"):
        expected = shown(step.event, action)
        return Divergence(index, index, "action", step.line, (), expected, "a step with a state")
    variables = _wrong_so_far(compared, index, last)
    if variables:
        first = variables[0]
        return Divergence(index, index, "state", step.line, tuple(variables), first.expected, first.predicted)
    if isinstance(action, str) and not (action + "\n").startswith(last.source):
        expected = shown(step.event, action)
        return Divergence(index, index, "action", step.line, (), expected, last.source.strip())
    return None


def _wrong_so_far(compared: Comparison, index: int, last: Unfinished) -> list[WrongVariable]:
    """The variables that are wrong in a state that may break off."""
    step = compared.real[index]
    earlier = before_of(compared.real, index)
    before: Mapping[str, str] = earlier.locals if earlier is not None else {}
    previous = compared.predicted[index - 1].locals if index else {}
    shown_state = last.locals or {}
    state = {
        name: previous.get(name, value) if value == UNCHANGED else value
        for name, value in shown_state.items()
    }
    if last.is_complete:
        return wrong_variables(step.locals, state, before)
    found = wrong_variables({name: step.locals[name] for name in state if name in step.locals}, state, before)
    name, text = last.name, last.value
    if name is None:
        return found
    if text is None:
        is_name = any(json.dumps(each)[1:].startswith(name) for each in step.locals if each not in state)
        return found if is_name else [*found, WrongVariable(name, None, "", "?", None)]
    expected = step.locals.get(name)
    is_good = expected is not None and any(
        json.dumps(each)[1:].startswith(text)
        for each in (expected, *((UNCHANGED,) if is_same(expected, previous.get(name)) else ()))
    )
    if is_good:
        return found
    said = _unescaped(text)
    return [*found, WrongVariable(name, expected, said, type_of(expected or said), before.get(name))]


def _unescaped(text: str) -> str:
    """The beginning of a JSON string as text."""
    for shorter in range(min(6, len(text)) + 1):
        try:
            return str(json.loads(f'"{text[: len(text) - shorter]}"'))
        except ValueError:
            continue
    return text
