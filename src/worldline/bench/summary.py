"""This file is what a run comes to: shares with their intervals, by mode and by what problems differ in.

Outcome and process are always told side by side: a right answer need not come of right steps. Intervals are
Wilson's for shares of problems; frames of one trace are not independent and are resampled by traces
(diagnose/intervals.py). So are several samples of one problem: then intervals are resampled by problems.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from worldline.bench.exchange.pass_at_k import mean_pass_at_k
from worldline.bench.model import Benchmark, Label, Score, Table
from worldline.diagnose.calibration import Calibration, Sums, calibration_of
from worldline.diagnose.intervals import Interval, Ratio, bootstrap, total, wilson
from worldline.diagnose.table9 import Estimate, TraceMetrics, pooled

PASS_AT = (1, 5, 10, 100)


@dataclass(frozen=True, slots=True)
class Share:
    """How many of how many, and between what that may lie."""

    part: int
    whole: int
    interval: Interval | None

    @property
    def value(self) -> float:
        """The quotient; 0 if there is nothing."""
        return self.part / self.whole if self.whole else 0.0


@dataclass(frozen=True, slots=True)
class Group:
    """Scores that have something in common."""

    mode: str
    labels: Mapping[str, Label]  # that they share
    right: Share  # the outcome
    exact: Share | None  # the process; None: nobody was asked for steps
    by_reference: Share | None  # the benchmark's own published scoring
    steps_right: float  # median of the steps before the first error
    steps: float  # median of the real steps
    spent: float  # mean tokens a problem
    seconds: float  # all together
    flawed: int  # that could not be asked, and count as wrong


@dataclass(frozen=True, slots=True)
class Summary:
    """All that a run says."""

    count: int
    modes: tuple[Group, ...]  # one a mode
    groups: tuple[Group, ...]  # one a mode and value of the label that matters most
    pass_at: Mapping[str, Mapping[int, float]]  # by mode and k
    verdicts: Mapping[str, Mapping[str, int]]  # by mode
    kinds: Mapping[str, Mapping[str, int]]  # of divergences, by mode
    causes: Mapping[str, Mapping[str, int]]  # by mode
    table9: Mapping[str, Mapping[str, Estimate]]  # by mode
    calibration: Mapping[str, Calibration]  # by mode, where the model tells how sure it is
    disagreements: tuple[Score, ...]  # where value and reference scoring differ
    flawed: tuple[Score, ...]  # what could not be asked, and counts as wrong
    facts: Mapping[str, Mapping[str, Share]]  # shares that the benchmark itself counts, by mode
    own: Table | None = None  # the benchmark's own table


def summary(scores: Sequence[Score], by: Sequence[str] = ()) -> Summary:
    """Sum up a run; `by`: labels that groups are told apart by."""
    modes = _split(scores, lambda each: each.mode)
    used = [name for name in by if len({each.labels.get(name) for each in scores}) > 1]
    fine = _split(scores, lambda each: (each.mode, *(each.labels.get(name) for name in used)))
    groups = [_group(some, {name: some[0].labels.get(name, "") for name in used}) for some in fine if used]
    return Summary(
        len(scores),
        tuple(_group(some, {}) for some in modes),
        tuple(sorted(groups, key=_order)),
        {some[0].mode: _pass_at(some) for some in modes},
        {some[0].mode: _counts(each.verdict for each in some) for some in modes},
        {some[0].mode: _counts(each.kind for each in some) for some in modes},
        {some[0].mode: _counts(each.cause for each in some) for some in modes},
        {some[0].mode: table9_of(some) for some in modes},
        {some[0].mode: found for some in modes if (found := sureness_of(some)).count},
        tuple(each for each in scores if _is_disputed(each)),
        tuple(each for each in scores if each.flaw),
        {some[0].mode: _own_shares(some) for some in modes},
    )


def summary_of(benchmark: Benchmark, scores: Sequence[Score]) -> Summary:
    """Sum up a run of a benchmark."""
    found = summary(scores, benchmark.by)
    return found if benchmark.table is None else replace(found, own=benchmark.table(scores))


def _counts(words: Iterable[str]) -> dict[str, int]:
    return dict(Counter(word for word in words if word).most_common())


def _split(scores: Sequence[Score], key: Callable[[Score], Hashable]) -> list[list[Score]]:
    found: dict[Hashable, list[Score]] = {}
    for each in scores:
        found.setdefault(key(each), []).append(each)
    return list(found.values())


def _group(scores: Sequence[Score], labels: Mapping[str, Label]) -> Group:
    referenced = [each for each in scores if each.is_right_by_reference is not None]
    return Group(
        scores[0].mode,
        labels,
        share_of(scores, lambda each: each.is_right),
        share_of(scores, lambda each: each.is_exact) if any(each.steps for each in scores) else None,
        share_of(referenced, lambda each: bool(each.is_right_by_reference)) if referenced else None,
        median(each.steps_right for each in scores),
        median(each.steps for each in scores),
        sum(each.spent for each in scores) / len(scores),
        sum(each.seconds for each in scores),
        sum(bool(each.flaw) for each in scores),
    )


def share_of(scores: Sequence[Score], is_so: Callable[[Score], bool]) -> Share:
    """Of scores: with Wilson's interval, or resampled by problems where these have several samples."""
    by_problem = [Ratio(sum(map(is_so, some)), len(some)) for some in _split(scores, lambda each: each.id)]
    found = total(by_problem)
    is_plain = all(each.whole == 1 for each in by_problem)
    return Share(found.part, found.whole, wilson(found) if is_plain else bootstrap(by_problem))


def share(part: int, whole: int) -> Share:
    """With Wilson's interval."""
    return Share(part, whole, wilson(Ratio(part, whole)))


def _order(group: Group) -> tuple[object, ...]:
    """By label before mode; numbers by size."""
    told = [(0, value, "") if isinstance(value, int) else (1, 0, value) for value in group.labels.values()]
    return (*told, group.mode)


def _pass_at(scores: Sequence[Score]) -> dict[int, float]:
    counts = [
        (len(some), sum(each.is_right for each in some)) for some in _split(scores, lambda each: each.id)
    ]
    fewest = min(count for count, _ in counts)
    return {k: mean_pass_at_k(counts, k) for k in sorted({*PASS_AT, fewest}) if k <= fewest}


def table9_of(scores: Sequence[Score]) -> dict[str, Estimate]:
    """The metrics of trace quality, of the scores that have traces."""
    traced = [each for each in scores if each.table9]
    metrics = [
        TraceMetrics(**{name: Ratio(*counts) for name, counts in each.table9.items()}) for each in traced
    ]
    return pooled(metrics) if metrics else {}


def sureness_of(scores: Sequence[Score]) -> Calibration:
    """How well the model knows what it knows."""
    several: list[list[Sums]] = [[tuple(each) for each in score.sureness] for score in scores]  # type: ignore[misc]
    return calibration_of([each for each in several if each])


def _is_disputed(score: Score) -> bool:
    return score.is_right_by_reference is not None and score.is_right_by_reference != score.is_right


def _own_shares(scores: Sequence[Score]) -> dict[str, Share]:
    """What a benchmark counts in its `facts`: pairs of part and whole are added up, words are counted."""
    pairs: dict[str, list[int]] = {}
    words: Counter[str] = Counter()
    for score in scores:
        for name, value in ({} if score.flaw else score.facts).items():
            if isinstance(value, list) and len(value) == 2 and all(isinstance(one, int) for one in value):
                before = pairs.get(name, [0, 0])
                pairs[name] = [before[0] + value[0], before[1] + value[1]]
            elif isinstance(value, str):
                words[f"{name}: {value}"] += 1
    counted = {name: share(part, whole) for name, (part, whole) in pairs.items()}
    return counted | {name: share(count, len(scores)) for name, count in words.items()}
