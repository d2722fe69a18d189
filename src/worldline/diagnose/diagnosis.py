"""This file is the verb `diagnose`: a real trace and a prediction of it give a Diagnosis."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from worldline.diagnose.align import align
from worldline.diagnose.answers import Judgement, Told, extract, judge
from worldline.diagnose.beliefs.judge import judge as judge_beliefs
from worldline.diagnose.causes import attribute
from worldline.diagnose.divergence import first_divergence
from worldline.diagnose.model import Alignment, Cause, Diagnosis, Divergence, Pair, Verdict
from worldline.diagnose.prediction import Prediction
from worldline.diagnose.table9 import Count, TraceMetrics, trace_metrics
from worldline.trace.model import Ending, Trace
from worldline.trace.value import is_cut

_VERDICTS: Mapping[str, Verdict] = {"budget": "cut", "format": "unreadable"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What is known about a prediction beside its text."""

    id: str = ""
    expected: str | None = None  # the answer, by the data set
    taken: str | None = None  # what others took for the model's answer
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Diagnosed:
    """A diagnosis and the metrics of its trace."""

    diagnosis: Diagnosis
    metrics: TraceMetrics


def diagnose(
    real: Trace,
    prediction: Prediction,
    ending: Ending | None = None,
    asked: Asked | None = None,
    isolation: str = "process",
    count: Count | None = None,
) -> Diagnosed:
    """Where and why a prediction leaves reality, and how it goes on from there.

    Args:
        real: the truth, perhaps only the beginning of it.
        prediction: what a model said.
        ending: how the program ends, if `real` does not tell it.
        asked: the identifier, the expected answer and the like.
        isolation: of the box in which the program is run on from states that the model believed.
        count: counts tokens; without it there are no lengths.
    """
    asked = asked or Asked()
    divergence = first_divergence(real, prediction)
    verdict = _verdict(divergence)
    alignment = _judged(real, prediction, align(real, prediction), divergence, isolation)
    judgement = _answered(ending or real.ending, prediction, asked, verdict)
    causes = attribute(real, prediction, divergence) if divergence is not None else ()
    diagnosis = Diagnosis(
        asked.id,
        real,
        prediction.trace,
        verdict,
        divergence,
        alignment,
        _with_fault(causes, judgement),
        judgement.answer,
        judgement.fault,
        count(prediction.text) if count is not None and prediction.text else None,
        asked.labels,
    )
    return Diagnosed(diagnosis, trace_metrics(real, prediction, alignment, judgement.is_right, count))


def _verdict(divergence: Divergence | None) -> Verdict:
    return "exact" if divergence is None else _VERDICTS.get(divergence.kind, "diverged")


def _answered(ending: Ending, prediction: Prediction, asked: Asked, verdict: Verdict) -> Judgement:
    value = ending.value if ending.is_complete and not is_cut(ending.value or "") else None
    return judge(Told(value, extract(prediction), asked.taken, asked.expected), verdict)


def _with_fault(causes: tuple[Cause, ...], judgement: Judgement) -> tuple[Cause, ...]:
    """The causes, and whose fault it is where that is neither the model's nor the budget's."""
    if judgement.cause is None:
        return causes
    return (*causes, replace(judgement.cause, weight=0.0)) if causes else (judgement.cause,)


def _judged(
    real: Trace, prediction: Prediction, alignment: Alignment, divergence: Divergence | None, isolation: str
) -> Alignment:
    """The alignment with, for every wrong step, whether it follows from what the model said before."""
    if divergence is None or divergence.kind in ("budget", "format"):
        return alignment
    wrong = [pair for pair in alignment.pairs if not pair.is_right and pair.predicted is not None]
    shared = {
        pair.predicted: real.steps[pair.real].shared
        for pair in alignment.pairs
        if pair.predicted is not None and pair.real is not None and real.steps[pair.real].shared
    }
    wanted = [pair.predicted for pair in wrong if pair.predicted is not None]
    follows = judge_beliefs(real.program, prediction.trace.steps, wanted, shared, isolation)
    return Alignment(tuple(_own(pair, follows) for pair in alignment.pairs))


def _own(pair: Pair, follows: Mapping[int, object]) -> Pair:
    told = follows.get(pair.predicted) if pair.predicted is not None else None
    answer = getattr(told, "follows", None)
    return pair if answer is None else replace(pair, is_own=not answer)
