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


def calibration(outcomes: Iterable[tuple[float, bool]], bins: int = BINS) -> Calibration:
    """Of pairs (probability, came out right); bins of equal width, 1 in the last."""
    found = list(outcomes)
    grouped: dict[int, list[tuple[float, bool]]] = {}
    for probability, is_right in found:
        grouped.setdefault(min(int(probability * bins), bins - 1), []).append((probability, is_right))
    rows = tuple(_bin(index, bins, grouped[index]) for index in sorted(grouped))
    count = len(found)
    error = sum(each.count * abs(each.sure - each.right) for each in rows) / count if count else 0.0
    brier = sum((probability - is_right) ** 2 for probability, is_right in found) / count if count else 0.0
    return Calibration(count, rows, error, brier)


def outcomes(rollout: Rollout, real: Trace) -> list[tuple[float, bool]]:
    """How sure the model was of each step that it was asked for, and whether that is right."""
    pairs = align(revealed(real, rollout.options.reveal), of_trace(rollout.trace)).pairs
    right = {pair.predicted: pair.is_right for pair in pairs if pair.predicted is not None}
    return [
        (sure.step, right[index])
        for index, sure in enumerate(rollout.sureness)
        if sure.step is not None and not sure.is_asked
    ]


def _bin(index: int, bins: int, members: Sequence[tuple[float, bool]]) -> Bin:
    count = len(members)
    sure = sum(probability for probability, _ in members) / count
    right = sum(is_right for _, is_right in members) / count
    return Bin(index / bins, (index + 1) / bins, count, sure, right)
