"""This file is the traces of a run, diagnosed: what a report shows step by step."""

from collections.abc import Iterator, Sequence

from worldline.bench.items import score_of
from worldline.bench.model import Score
from worldline.bench.run import traces_of
from worldline.diagnose.diagnosis import Asked, diagnose
from worldline.diagnose.model import Diagnosis
from worldline.diagnose.prediction import of_trace
from worldline.work.store import Store

Chosen = tuple[str, Score]


def chosen(store: Store, most: int) -> list[Chosen]:
    """The items to show: those that went wrong first, then the others; each by its key."""
    every = [(kept.key, score_of(kept.result)) for kept in store.items()]
    traced = [each for each in every if each[1].verdict]
    return sorted(traced, key=lambda each: (each[1].is_right, each[1].is_exact, each[0]))[:most]


def diagnosed(store: Store, items: Sequence[Chosen], isolation: str) -> Iterator[Diagnosis]:
    """Each with where and why it leaves reality, and how it goes on from there."""
    for key, score in items:
        traces = traces_of(store, key)
        if traces is None:
            continue
        real, predicted = traces
        labels = {"mode": score.mode, **{name: str(value) for name, value in score.labels.items()}}
        asked = Asked(key, expected=score.expected, labels=labels)
        yield diagnose(real, of_trace(predicted), asked=asked, isolation=isolation).diagnosis
