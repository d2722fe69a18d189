"""This file is whether a model is right as often as it is sure: reliability, expected error, Brier score."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from worldline.diagnose.align import align
from worldline.diagnose.prediction import of_trace
from worldline.formats.reveal import revealed
from worldline.rollout.model import Rollout
from worldline.trace.model import Trace

BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """The steps of which a model was about equally sure."""

    low: float
    high: float
    count: int
    sure: float  # mean probability that the model gave
    right: float  # share that is right


@dataclass(frozen=True, slots=True)
class Calibration:
    """How well probabilities and outcomes go together."""

    count: int
    bins: tuple[Bin, ...]  # those that have steps
    error: float  # expected calibration error: mean distance of sure and right, weighted by steps
    brier: float  # mean squared distance of each probability from its outcome


Sums = tuple[int, float, int, float]
"""Of one bin: how many steps, and added up: probabilities, right ones, squared distances."""


def calibration(outcomes: Iterable[tuple[float, bool]], bins: int = BINS) -> Calibration:
    """Of pairs (probability, came out right); bins of equal width, 1 in the last."""
    return calibration_of([sums(outcomes, bins)])


def sums(outcomes: Iterable[tuple[float, bool]], bins: int = BINS) -> list[Sums]:
    """What is to be kept of the outcomes of one rollout so that several can be taken together."""
    found: list[Sums] = [(0, 0.0, 0, 0.0)] * bins
    for probability, is_right in outcomes:
        index = min(int(probability * bins), bins - 1)
        count, sure, right, squares = found[index]
        distance = (probability - is_right) ** 2
        found[index] = (count + 1, sure + probability, right + is_right, squares + distance)
    return found


def calibration_of(several: Sequence[Sequence[Sums]]) -> Calibration:
    """Of the sums of several rollouts, which have equally many bins."""
    bins = max(map(len, several), default=0)
    rows = []
    squares = 0.0
    for index in range(bins):
        members = [each[index] for each in several if each]
        count = sum(member[0] for member in members)
        squares += sum(member[3] for member in members)
        if count:
            sure = sum(member[1] for member in members) / count
            right = sum(member[2] for member in members) / count
            rows.append(Bin(index / bins, (index + 1) / bins, count, sure, right))
    every = sum(row.count for row in rows)
    error = sum(row.count * abs(row.sure - row.right) for row in rows)
    return Calibration(every, tuple(rows), error / every if every else 0.0, squares / every if every else 0.0)


def outcomes(rollout: Rollout, real: Trace) -> list[tuple[float, bool]]:
    """How sure the model was of each step that it was asked for, and whether that is right."""
    pairs = align(revealed(real, rollout.options.reveal), of_trace(rollout.trace)).pairs
    right = {pair.predicted: pair.is_right for pair in pairs if pair.predicted is not None}
    return [
        (sure.step, right[index])
        for index, sure in enumerate(rollout.sureness)
        if sure.step is not None and not sure.is_asked
    ]
