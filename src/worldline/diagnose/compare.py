"""This file is whether a predicted step is the real one, and if not, in what."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from worldline.diagnose.model import Kind, WrongVariable
from worldline.diagnose.prediction import Action, Prediction, real_actions
from worldline.formats.cwm_agreement import neutral as neutral_text
from worldline.trace.model import Step, Trace
from worldline.trace.value import type_of

neutral = lru_cache(maxsize=4096)(neutral_text)


class Comparison:
    """Two traces side by side.

    What only differs between interpreters is equal (`cwm_agreement.neutral`). The state of `return` and
    `exception` steps is compared only where the prediction shows one: the format `cwm` has none.
    """

    def __init__(self, real: Trace, prediction: Prediction) -> None:
        self.real: Sequence[Step] = real.steps
        self.predicted: Sequence[Step] = prediction.trace.steps
        self.real_actions: Sequence[Action] = real_actions(real, prediction)
        self.predicted_actions: Sequence[Action] = prediction.actions

    def is_same_action(self, real: int, predicted: int) -> bool:
        """Whether two steps are the same kind of event on the same line."""
        return (
            self.real_actions[real] == self.predicted_actions[predicted]
            and self.real[real].event == self.predicted[predicted].event
        )

    def difference(self, real: int, predicted: int) -> Kind | None:
        """What is wrong about a predicted step first, in the order in which a format writes it."""
        is_state = self.real[real].event in ("call", "line")
        if is_state != (self.predicted[predicted].event in ("call", "line")):
            return "action"
        if self._has_other_state(real, predicted):
            return "state"
        if not self.is_same_action(real, predicted):
            return "action"
        same = is_state or is_same(self.real[real].value, self.predicted[predicted].value)
        return None if same else "value"

    def is_right(self, real: int, predicted: int) -> bool:
        """Whether nothing is wrong about a predicted step."""
        return self.is_same_action(real, predicted) and self.difference(real, predicted) is None

    def wrong_variables(self, real: int, predicted: int, before: Mapping[str, str]) -> list[WrongVariable]:
        """The variables that are not as they should be, in the order of the state, then invented ones."""
        return wrong_variables(self.real[real].locals, self.predicted[predicted].locals, before)

    def _has_other_state(self, real: int, predicted: int) -> bool:
        ours, theirs = self.real[real].locals, self.predicted[predicted].locals
        if ours == theirs or (not theirs and self.predicted[predicted].event in ("return", "exception")):
            return False
        return len(ours) != len(theirs) or any(
            name not in theirs or not is_same(value, theirs[name]) for name, value in ours.items()
        )


def wrong_variables(
    real: Mapping[str, str], predicted: Mapping[str, str], before: Mapping[str, str]
) -> list[WrongVariable]:
    """The variables of a state that are not as they should be."""
    found = [
        WrongVariable(name, value, predicted.get(name), type_of(value), before.get(name))
        for name, value in real.items()
        if name not in predicted or not is_same(value, predicted[name])
    ]
    invented = [
        WrongVariable(name, None, value, type_of(value), before.get(name))
        for name, value in predicted.items()
        if name not in real
    ]
    return found + invented


def is_same(real: str | None, predicted: str | None) -> bool:
    """Whether two value texts are equal but for what differs between interpreters."""
    if real == predicted:
        return True
    return real is not None and predicted is not None and neutral(real) == neutral(predicted)
