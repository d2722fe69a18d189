"""This file is how a prediction lies beside reality, beyond the first step that differs.

Steps are paired one to one as long as they are on the same line; a wrong value on the right line breaks
nothing. Where the lines part, or a run of steps would be right one place further, the nearest place is
looked for where both are on the same line in the same state again; failing that, where they are on the same
lines for a while. What is skipped on the way is paired as far as it goes, the rest was left out by the model
or made up by it.

Time and memory are linear in the length of the traces: the search ahead is bounded, and no step of the
prediction is searched for twice.
"""

from bisect import bisect_left
from collections.abc import Hashable, Sequence

from worldline.diagnose.compare import Comparison, neutral
from worldline.diagnose.model import Alignment, Pair
from worldline.diagnose.prediction import Action, Prediction
from worldline.trace.model import Step, Trace

FAR = 5_000  # steps looked ahead for the same line in the same state
NEAR = 48  # steps looked ahead for the same lines
RUN = 3  # lines that must be the same then
TRIES = 8  # equal steps that are tried


def align(real: Trace, prediction: Prediction) -> Alignment:
    """Pair the steps of two traces."""
    return Alignment(tuple(_Aligner(Comparison(real, prediction)).pairs()))


class _Aligner:
    def __init__(self, comparison: Comparison) -> None:
        self._compared = comparison
        self._count = len(comparison.real), len(comparison.predicted)
        self._real = 0
        self._predicted = 0
        self._found: list[Pair] = []
        self._keys: list[Hashable] | None = None  # of predicted steps, made when first needed
        self._places: dict[Hashable, list[int]] = {}  # of real steps, by key
        self._searched = 0  # predicted steps before this one are nowhere ahead in reality

    def pairs(self) -> list[Pair]:
        """Everything, in order."""
        compared = self._compared
        while self._real < self._count[0] and self._predicted < self._count[1]:
            is_same = compared.is_same_action(self._real, self._predicted)
            is_right = is_same and compared.difference(self._real, self._predicted) is None
            shift = None if is_right else self._shift(is_same)
            if shift is not None and shift != (0, 0):
                self._skip(*shift)
            elif is_same:
                self._pair(is_right)
            else:
                break
        self._finish()
        return self._found

    def _pair(self, is_right: bool) -> None:
        self._found.append(Pair(self._real, self._predicted, is_right))
        self._real += 1
        self._predicted += 1

    def _skip(self, real: int, predicted: int) -> None:
        """Go on that many steps further; as many as there are on both sides are paired, and wrong."""
        for _ in range(min(real, predicted)):
            self._pair(is_right=False)
        for _ in range(real - predicted):
            self._found.append(Pair(self._real, None, is_right=False))
            self._real += 1
        for _ in range(predicted - real):
            self._found.append(Pair(None, self._predicted, is_right=False))
            self._predicted += 1

    def _finish(self) -> None:
        """What is left after the two have parted for good, or one has ended."""
        if self._real < self._count[0] and self._predicted < self._count[1]:
            self._pair(is_right=False)
        self._skip(self._count[0] - self._real, 0)
        self._skip(0, self._count[1] - self._predicted)

    def _shift(self, is_same_line: bool) -> tuple[int, int] | None:
        """How far to go on each side to where the two meet again."""
        if not is_same_line:
            return self._same_state(FAR) or self._same_lines()
        if self._is_right_soon():
            return None
        shift = self._same_state(NEAR)
        is_better = shift is not None and self._are_right(self._real + shift[0], self._predicted + shift[1])
        return shift if is_better else None

    def _is_right_soon(self) -> bool:
        """Whether the prediction is right again on one of the next lines without any shift."""
        return any(
            self._compared.is_right(self._real + more, self._predicted + more)
            for more in range(1, RUN + 1)
            if self._real + more < self._count[0] and self._predicted + more < self._count[1]
        )

    def _are_right(self, real: int, predicted: int) -> bool:
        """Whether several steps from here on are right, or all that are left."""
        count = min(RUN, self._count[0] - real, self._count[1] - predicted)
        return all(self._compared.is_right(real + more, predicted + more) for more in range(count))

    def _same_state(self, ahead: int) -> tuple[int, int] | None:
        """The nearest place with the same line and the same state, and the same line after it."""
        self._index()
        best: tuple[int, int] | None = None
        at = self._predicted if ahead == NEAR else max(self._predicted, self._searched)
        stop = min(self._count[1], self._predicted + ahead)
        while at < stop and (best is None or at - self._predicted < sum(best)):
            place = self._next_place(at, ahead)
            if place is not None:
                shift = place - self._real, at - self._predicted
                best = shift if best is None or sum(shift) < sum(best) else best
            elif best is None and ahead == FAR:
                self._searched = at + 1
            at += 1
        return best

    def _next_place(self, predicted: int, ahead: int) -> int | None:
        """The next real step that equals a predicted one."""
        keys = self._keys or []
        places = self._places.get(keys[predicted], [])
        first = bisect_left(places, self._real)
        for place in places[first : first + TRIES]:
            if place - self._real > ahead:
                return None
            if self._goes_on(place + 1, predicted + 1):
                return place
        return None

    def _goes_on(self, real: int, predicted: int) -> bool:
        if real >= self._count[0] or predicted >= self._count[1]:
            return True
        return self._compared.is_same_action(real, predicted)

    def _same_lines(self) -> tuple[int, int] | None:
        for total in range(1, NEAR + 1):
            for real in range(total + 1):
                if self._is_run(self._real + real, self._predicted + total - real):
                    return real, total - real
        return None

    def _is_run(self, real: int, predicted: int) -> bool:
        if real + RUN > self._count[0] or predicted + RUN > self._count[1]:
            return False
        return all(self._compared.is_same_action(real + more, predicted + more) for more in range(RUN))

    def _index(self) -> None:
        if self._keys is None:
            compared = self._compared
            self._keys = _keys(compared.predicted, compared.predicted_actions)
            for place, key in enumerate(_keys(compared.real, compared.real_actions)):
                self._places.setdefault(key, []).append(place)


def _keys(steps: Sequence[Step], actions: Sequence[Action]) -> list[Hashable]:
    """One key a step: equal keys, equal steps (but for a collision of hashes)."""
    return [_key(step, action) for step, action in zip(steps, actions, strict=True)]


def _key(step: Step, action: Action) -> Hashable:
    if step.event in ("call", "line"):
        state = frozenset((name, _plain(value)) for name, value in step.locals.items())
        return hash((step.event, action, state))
    return hash((step.event, action, _plain(step.value or "")))


def _plain(value: str) -> str:
    return neutral(value) if "<" in value else value
