"""This file is why a prediction leaves reality: causes with their evidence, the likeliest first.

A cause is read off the step, its statement, its values and its tokens, never off the prose around the trace.
The rule behind the order: a value that is nearly right (one character, one element, one off) is a slip in
that kind of value; a value that is quite another one is an operation misunderstood, or too many at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from worldline.diagnose.actions import action_causes
from worldline.diagnose.apart import FAMILIES, changed_elements, slip
from worldline.diagnose.evidence import Found, string_evidence, weighed
from worldline.diagnose.model import Cause, Divergence, WrongVariable
from worldline.diagnose.prediction import Prediction
from worldline.diagnose.statement import Operation, Statement, described, statement_at
from worldline.formats.cwm_tokens import UNCHANGED
from worldline.trace.model import Step, Trace, before_of
from worldline.trace.value import raised, type_of


def attribute(real: Trace, prediction: Prediction, divergence: Divergence) -> tuple[Cause, ...]:
    """Every cause that may explain the divergence, the likeliest first; their weights make 1."""
    if divergence.kind == "budget":
        return (Cause("budget", _budget(real, prediction, divergence)),)
    if divergence.kind == "format":
        return (Cause("format", f"step {divergence.frame} cannot be read: {divergence.expected}"),)
    if divergence.kind == "action":
        return weighed(action_causes(real, prediction, divergence))
    return weighed(_Wrong(real, prediction, divergence).causes())


def _budget(real: Trace, prediction: Prediction, divergence: Divergence) -> str:
    steps = len(real.steps)
    if divergence.frame >= steps and not real.ending.is_complete:
        return (
            f"the recording of the truth was stopped by the limit on {real.ending.kind} after {steps} steps"
        )
    size = f" and {len(prediction.text)} characters" if prediction.text else ""
    more = "" if real.ending.is_complete else "more than "
    return f"the text ends after {divergence.at} right steps{size}; the trace takes {more}{steps} steps"


@dataclass(frozen=True, slots=True)
class _Wrong:
    """A wrong state or value."""

    real: Trace
    prediction: Prediction
    divergence: Divergence

    def causes(self) -> list[Found]:
        """What may have led to it."""
        found = self._scope()
        variable = self._main_variable()
        found += self._left_loop() + self._stale(variable) + self._iteration(variable)
        if variable.expected is not None and variable.predicted is not None:
            found += self._value(variable, raised(variable.expected), raised(variable.predicted))
        return found

    @property
    def step(self) -> Step:
        """The real step."""
        return self.real.steps[self.divergence.frame]

    def _main_variable(self) -> WrongVariable:
        """The wrong variable that the statement changed, else the first one that has both values."""
        statement = self._statement()
        targets = statement.targets() if statement is not None else set()
        both = [each for each in self.divergence.variables if None not in (each.expected, each.predicted)]
        changed = [each for each in both if each.name in targets]
        return (changed or both or list(self.divergence.variables))[0]

    def _statement(self) -> Statement | None:
        """The statement whose effect the step shows."""
        step = self.step
        if step.event in ("return", "exception"):
            return statement_at(self.real.program.source_of(step.file), step.line)
        if step.event == "call":
            caller = next((each for each in reversed(self.real.steps[: self.divergence.frame])), None)
        else:
            caller = before_of(self.real.steps, self.divergence.frame)
        if caller is None or caller.event == "call":
            return None
        return statement_at(self.real.program.source_of(caller.file), caller.line)

    def _scope(self) -> list[Found]:
        """Variables that are not of this place."""
        variables = self.divergence.variables
        missing = [each.name for each in variables if each.predicted is None]
        invented = [each.name for each in variables if each.expected is None]
        found = []
        if missing or invented:
            parts = [f"{', '.join(missing)} left out"] * bool(missing)
            parts += [f"{', '.join(invented)} invented"] * bool(invented)
            weight = 0.9 if len(missing) + len(invented) == len(variables) else 0.5
            found.append(Found("scope", weight, " and ".join(parts) + self._other_frame()))
        swapped = _swapped(variables)
        if swapped is not None:
            found.append(Found("scope", 0.9, f"{swapped[0]} has the value of {swapped[1]}, and the reverse"))
        return found

    def _other_frame(self) -> str:
        """Whether the variables are those of another running function."""
        step = self.step
        said = set(self.prediction.trace.steps[self.divergence.at].locals) if self._has_step() else set()
        for other in reversed(self.real.steps[: self.divergence.frame]):
            if said and other.frame != step.frame and set(other.locals) == said:
                return f": these are the variables of {other.function}"
        return ""

    def _has_step(self) -> bool:
        return self.divergence.at < len(self.prediction.trace.steps)

    def _stale(self, variable: WrongVariable) -> list[Found]:
        """Said to be unchanged, or written out as it was before."""
        if variable.before is None or variable.predicted != variable.before:
            return []
        if variable.expected == variable.before:
            return []
        now, old = _short(variable.expected), _short(variable.before)
        why = f"{variable.name} is still {old}, though the line made it {now}"
        return [Found("stale", 0.9 if self._says_unchanged(variable.name) else 0.5, why)]

    def _says_unchanged(self, name: str) -> bool:
        """Whether the model wrote `..`, or had to write the value out because the scope had changed."""
        prediction = self.prediction
        if not prediction.spans or not self._has_step():
            return True
        before = prediction.trace.steps[self.divergence.at - 1].event if self.divergence.at else "call"
        text = prediction.text[slice(*prediction.spans[self.divergence.at])]
        return f'"{name}": "{UNCHANGED}"' in text or before in ("call", "return")

    def _left_loop(self) -> list[Found]:
        """A `for` loop that is left where it goes on, or the reverse: line and state are both wrong."""
        statement = self._statement()
        if statement is None or not statement.is_for or not self._has_step() or self.step.event != "line":
            return []
        said = self.prediction.trace.steps[self.divergence.at]
        body = range(statement.node.lineno + 1, (statement.node.end_lineno or 0) + 1)
        if said.line == self.step.line or (said.line in body) == (self.step.line in body):
            return []
        went = "leaves the loop" if self.step.line in body else "goes round once more"
        return [Found("lost-iteration", 1.5, f"the model {went} on line {statement.node.lineno}")]

    def _iteration(self, variable: WrongVariable) -> list[Found]:
        """A loop variable that has the item of another iteration."""
        statement = self._statement()
        if statement is None or not statement.is_for or variable.name not in statement.targets():
            return []
        said, near = variable.predicted, self._items_around(variable.name)
        if said is None or said not in near:
            return []
        where = "an earlier" if near[said] < 0 else "a later"
        right = _short(variable.expected)
        why = f"{variable.name} is {_short(said)}, the item of {where} iteration, not {right}"
        return [Found("lost-iteration", 0.7, why)]

    def _items_around(self, name: str) -> dict[str, int]:
        """The values of a loop variable one iteration before and a few after, in this activation."""
        at, step = self.divergence.frame, self.step
        found: dict[str, int] = {}
        earlier = before_of(self.real.steps, at)
        if earlier is not None and name in earlier.locals:
            found[earlier.locals[name]] = -1
        for later in self.real.steps[at + 1 : at + 200]:
            if later.frame == step.frame and later.line == step.line and later.event == "line":
                found.setdefault(later.locals.get(name, ""), 1)
                if len(found) > 3:
                    break
        return found

    def _value(self, variable: WrongVariable, expected: str, predicted: str) -> list[Found]:
        """A value that came out wrong: a slip in it, or an operation misunderstood."""
        statement = self._statement()
        is_made_here = variable.name == "" or (statement is not None and variable.name in statement.targets())
        operations = statement.operations(variable.name) if statement is not None and is_made_here else []
        near = slip(expected, predicted)
        found = self._of_kind(expected, predicted, near, operations)
        return found + self._of_operations(statement, operations, expected, predicted, bool(near))

    def _of_kind(
        self, expected: str, predicted: str, near: str, operations: Sequence[Operation]
    ) -> list[Found]:
        """The cause that fits the kind of value."""
        family = FAMILIES.get(type_of(expected)) or FAMILIES.get(type_of(predicted), "container-value")
        is_small = len(operations) == 0 or (
            len(operations) == 1 and operations[0].kind in ("operator", "item")
        )
        weight = 0.6 if near or is_small else 0.25
        what = near or f"{_short(predicted)} instead of {_short(expected)}"
        if family == "string-value":
            return [Found(family, weight, f"{what}; {string_evidence(expected, predicted)}")]
        found = [Found(family, weight, what)]
        inner = [pair for pair in changed_elements(expected, predicted) if type_of(pair[0]) == "str"]
        if family == "container-value" and inner and all(slip(*pair) for pair in inner):
            why = f"in an element {slip(*inner[0])}; {string_evidence(*inner[0])}"
            found.append(Found("string-value", weight + 0.05, why))
        return found

    def _of_operations(
        self,
        statement: Statement | None,
        operations: Sequence[Operation],
        expected: str,
        predicted: str,
        is_near: bool,
    ) -> list[Found]:
        """The causes that fit what the line computes."""
        if statement is None or not operations:
            return []
        calls = [each for each in operations if each.kind in ("method", "function")]
        outcome = f"{_short(expected)}, predicted {_short(predicted)}"
        found = []
        if calls:
            alone = len(operations) == 1
            weight = (0.3 if is_near else 0.6) if alone else 0.2
            found.append(Found("method-semantics", weight, f"{described(calls)} gives {outcome}"))
        if len(operations) > 1 or operations[0].kind == "comprehension":
            name = "hidden-return" if statement.is_return else "hidden-composition"
            count = f"{len(operations)} operations" if len(operations) > 1 else "a whole loop"
            why = f"{count} in one {'return' if statement.is_return else 'line'} ({described(operations)})"
            found.append(Found(name, 0.25 if is_near else 0.5, f"{why} give {outcome}"))
        return found


def _swapped(variables: Sequence[WrongVariable]) -> tuple[str, str] | None:
    """Two variables that have each other's values."""
    for index, one in enumerate(variables):
        for other in variables[index + 1 :]:
            if one.expected == other.predicted and one.predicted == other.expected and one.expected:
                return one.name, other.name
    return None


def _short(text: str | None, most: int = 60) -> str:
    """A value for a sentence."""
    if text is None:
        return "nothing"
    return text if len(text) <= most else f"{text[: most - 1]}…"
