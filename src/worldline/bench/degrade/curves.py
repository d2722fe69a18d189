"""This file is records of degraded programs -> one row for each kind and rate: answers and rankings.

The intervals of shares are Wilson's, over the runs: seeds of one program are no other programs, so they hold
for these programs alone. Those of tau and of best-of-K are resampled by whole tasks. A task's tau is the mean
over its seeds; a prediction that ties all candidates says nothing about them and has a tau of 0. What has a
flaw is not counted, and told by `Curve.flaws`.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from worldline.bench.degrade.model import KINDS, Degraded
from worldline.bench.degrade.ranking import best_is_right, tau_b
from worldline.diagnose.intervals import Interval, Ratio, bootstraps, wilson

_MILLION = 1_000_000  # a mean in millionths, as a ratio of whole numbers


@dataclass(frozen=True, slots=True)
class Curve:
    """What errors of one kind at one rate cost."""

    kind: str
    rate: float  # or the budget of lines
    problems: int  # right programs with an input
    runs: int  # of these, all seeds
    right: int  # runs whose answer is the real one
    accuracy: float
    accuracy_low: float
    accuracy_high: float
    unanswered: int  # runs without an answer
    places: float  # where an error could happen, mean over the problems
    untouched: (
        float | None
    )  # the share of runs without any error that is to be expected: mean of (1-p)^places
    erring: int  # runs with an error at least
    absorbed: float | None  # of these, the share that is right nevertheless
    absorbed_low: float | None
    absorbed_high: float | None
    tasks: int = 0  # with candidates to rank
    tau: float | None = None
    tau_low: float | None = None
    tau_high: float | None = None
    best: float | None = None  # how often the candidate ranked first is right
    best_low: float | None = None
    best_high: float | None = None
    flaws: int = 0


def curves(records: Iterable[Degraded]) -> list[Curve]:
    """One row for each kind and rate, in the order of `KINDS`."""
    groups: dict[tuple[str, float], list[Degraded]] = defaultdict(list)
    for record in records:
        groups[(record.kind, record.rate)].append(record)
    order = sorted(groups, key=lambda key: (KINDS.index(key[0]), key[1]))
    return [_curve(kind, rate, groups[(kind, rate)]) for kind, rate in order]


def _curve(kind: str, rate: float, records: Sequence[Degraded]) -> Curve:
    sound = [record for record in records if not record.flaw]
    own = [record for record in sound if record.candidate == 0]
    right = Ratio(sum(sum(record.right) for record in own), sum(len(record.right) for record in own))
    erring = [
        is_right
        for record in own
        for is_right, errors in zip(record.right, record.errors, strict=True)
        if errors
    ]
    kept = Ratio(sum(erring), len(erring))
    is_chance = kind != "truncation"
    accuracy, absorbed = wilson(right), wilson(kept)
    rankings = _rankings(sound)
    spread = bootstraps({name: [_ratio(value) for value in values] for name, values in rankings.items()})
    tau, best = rankings["tau"], rankings["best"]
    return Curve(
        kind,
        rate,
        len(own),
        right.whole,
        right.part,
        right.value or 0.0,
        accuracy.low if accuracy else 0.0,
        accuracy.high if accuracy else 1.0,
        sum(sum(record.stops.values()) for record in own),
        fmean([record.places for record in own]) if own else 0.0,
        fmean([(1 - rate) ** record.places for record in own]) if own and is_chance else None,
        kept.whole,
        kept.value,
        *_ends(absorbed),
        len(tau),
        fmean(tau) if tau else None,
        *_ends(spread["tau"]),
        fmean(best) if best else None,
        *_ends(spread["best"]),
        len(records) - len(sound),
    )


def _rankings(records: Sequence[Degraded]) -> dict[str, list[float]]:
    """Tau and best-of-K of each task, mean over the seeds."""
    tasks: dict[str, dict[int, list[Degraded]]] = defaultdict(lambda: defaultdict(list))
    for record in records:
        tasks[record.task][record.candidate].append(record)
    found: dict[str, list[float]] = {"tau": [], "best": []}
    for name in sorted(tasks):  # by name: the order in which tasks are ready must not matter
        rows = list(tasks[name].values())
        true = [fmean([record.is_hit for record in row]) for row in rows]
        if len(set(true)) < 2:
            continue
        predicted = [_scores(row) for row in rows]
        by_seed = list(zip(*predicted, strict=True))
        found["tau"].append(fmean([tau_b(true, scores) or 0.0 for scores in by_seed]))
        is_right = [score == 1 for score in true]
        found["best"].append(fmean([best_is_right(scores, is_right) for scores in by_seed]))
    return found


def _scores(row: Sequence[Degraded]) -> list[float]:
    """The predicted score of a candidate by each seed: the share of inputs on which it is a hit."""
    return [fmean(hits) for hits in zip(*(record.hits for record in row), strict=True)]


def _ratio(value: float) -> Ratio:
    return Ratio(round(value * _MILLION), _MILLION)


def _ends(interval: Interval | None) -> tuple[float | None, float | None]:
    return (interval.low, interval.high) if interval else (None, None)
