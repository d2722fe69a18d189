"""This file is whether a predicted step is the real one, and if not, in what."""

import ast
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from worldline.diagnose.model import Kind, WrongVariable
from worldline.diagnose.prediction import Action, Prediction, real_actions
from worldline.formats.cwm_agreement import neutral as neutral_text
from worldline.formats.cwm_tokens import UNCHANGED
from worldline.trace.model import Step, Trace, before_of
from worldline.trace.value import type_of

_MODULE = re.compile(r"(?<=['<])(?:__main__|program)\.")
_OBJECT = re.compile(r"<(?P<name>\w+)(?: (?P<inside>.*))?>\Z", re.DOTALL)


@lru_cache(maxsize=4096)
def neutral(text: str) -> str:
    """The text without what differs between interpreters, and without the program's own module."""
    return _MODULE.sub("", neutral_text(text))


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
        return wrong_variables(self.real[real].locals, self._said(real, predicted), before)

    def _said(self, real: int, predicted: int) -> Mapping[str, str]:
        """The predicted state; `..` where the format wants the value stands for the one before."""
        said = self.predicted[predicted].locals
        if UNCHANGED not in said.values():
            return said
        earlier = before_of(self.real, real)
        before = earlier.locals if earlier is not None else {}
        return {
            name: before.get(name, value) if value == UNCHANGED else value for name, value in said.items()
        }

    def _has_other_state(self, real: int, predicted: int) -> bool:
        ours, theirs = self.real[real].locals, self._said(real, predicted)
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


_CLASS = re.compile(r"<class '([\w.]+)'>")


def is_same(real: str | None, predicted: str | None) -> bool:
    """Whether two value texts are equal but for what differs between interpreters.

    That is: addresses, paths of modules, the module that the program is, the order of a set's elements (it
    hangs on the hashes), and how an object without a `__repr__` of its own is written.
    """
    if real == predicted:
        return True
    if real is None or predicted is None:
        return False
    ours, theirs = neutral(real), neutral(predicted)
    return (
        ours == theirs
        or _is_same_object(ours, theirs)
        or ("{" in ours and _in_order(ours) == _in_order(theirs))
    )


def _is_same_object(real: str, predicted: str) -> bool:
    """`<C x=1>` and `<C object>`; `<L [1, 2]>`, of a class that is a list, and `[1, 2]`."""
    ours = _OBJECT.match(real)
    if ours is None:
        return False
    return predicted == f"<{ours['name']} object>" or predicted == ours["inside"]


@lru_cache(maxsize=1024)
def _in_order(text: str) -> str:
    """A literal (in which classes may be) with the elements of its sets sorted; other text as it is."""
    try:
        tree = ast.parse(_CLASS.sub(r"'class \1'", text), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text
    sets = [node for node in ast.walk(tree) if isinstance(node, ast.Set)]
    for node in reversed(sets):
        node.elts.sort(key=ast.dump)
    return ast.dump(tree) if sets else text
