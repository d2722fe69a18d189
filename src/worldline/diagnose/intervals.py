"""This file is shares and means with their 95 % intervals.

Two cases are told apart. Rows of a set are taken as independent, so a share of rows gets Wilson's interval.
Frames of one trace are not independent (one wrong value is carried along), so a ratio over frames is
resampled by whole traces: a cluster bootstrap, percentiles of `resamples` draws with a fixed seed.

What it does not cover: several test cases of one problem (HumanEval) are taken as independent rows, though
they are not quite; the percentile interval of a handful of traces is too narrow, as it always is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from statistics import NormalDist

CONFIDENCE = 0.95
RESAMPLES = 2000
SEED = 0


@dataclass(frozen=True, slots=True)
class Ratio:
    """A share (hits of cases) or a mean (a sum of cases); ratios of several traces may be added."""

    part: int
    whole: int

    @property
    def value(self) -> float | None:
        """The quotient; None if there is no case."""
        return self.part / self.whole if self.whole else None

    def __add__(self, other: "Ratio") -> "Ratio":
        """The two taken together."""
        return Ratio(self.part + other.part, self.whole + other.whole)


@dataclass(frozen=True, slots=True)
class Interval:
    """From where to where the true value lies, with a confidence of 95 %."""

    low: float
    high: float


def total(ratios: Sequence[Ratio]) -> Ratio:
    """All taken together."""
    return Ratio(sum(ratio.part for ratio in ratios), sum(ratio.whole for ratio in ratios))


def wilson(share: Ratio, confidence: float = CONFIDENCE) -> Interval | None:
    """Wilson's score interval of a share of independent cases; None if there is no case."""
    if not share.whole:
        return None
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    n, p = share.whole, share.part / share.whole
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    low = 0.0 if share.part == 0 else max(0.0, middle - half)
    high = 1.0 if share.part == n else min(1.0, middle + half)
    return Interval(min(low, p), max(high, p))


def bootstrap(clusters: Sequence[Ratio], *, resamples: int = RESAMPLES, seed: int = SEED) -> Interval | None:
    """The interval of one ratio whose cases come in clusters; None with fewer than two that have cases."""
    return bootstraps({"": clusters}, resamples=resamples, seed=seed)[""]


def bootstraps(
    columns: Mapping[str, Sequence[Ratio]], *, resamples: int = RESAMPLES, seed: int = SEED
) -> dict[str, Interval | None]:
    """The intervals of several ratios over the same clusters, by the same draws.

    The point estimate is always inside: an interval that misses it, as percentiles may with few and uneven
    clusters, is widened up to it. A share that is the same in all clusters, 0 or 1, has no spread to
    resample: it gets Wilson's interval over the clusters, as if each were one case.
    """
    count = max((len(column) for column in columns.values()), default=0)
    random = Random(seed)
    everyone = range(count)
    draws = [random.choices(everyone, k=count) for _ in range(resamples)] if count else []
    return {name: _percentiles(column, draws) for name, column in columns.items()}


def _percentiles(column: Sequence[Ratio], draws: Sequence[Sequence[int]]) -> Interval | None:
    point = total(column)
    cases = [ratio for ratio in column if ratio.whole]
    if point.value is None or len(cases) < 2:
        return None
    if point.part in (0, point.whole) and all(ratio.part in (0, ratio.whole) for ratio in cases):
        return wilson(Ratio(len(cases) if point.part else 0, len(cases)))
    parts, wholes = [ratio.part for ratio in column], [ratio.whole for ratio in column]
    drawn = []
    for places in draws:
        whole = sum(map(wholes.__getitem__, places))
        if whole:
            drawn.append(sum(map(parts.__getitem__, places)) / whole)
    drawn.sort()
    outside = (1 - CONFIDENCE) / 2
    low = drawn[int(outside * (len(drawn) - 1))]
    high = drawn[-1 - int(outside * (len(drawn) - 1))]
    return Interval(min(low, point.value), max(high, point.value))
