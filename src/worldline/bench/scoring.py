"""This file is the worker of a benchmark: items are asked of a model and scored.

A score has two sides: the outcome (the answer is the value that Python gives) and the process (every step is
right). A budget that is not given is twice what the true trace takes, in the model's own tokens: a cap that
has nothing to do with the trace makes failures of its own. What the model could not be asked is no score.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields, replace
from typing import Any

from worldline.bench.answers import is_answers, score_answers
from worldline.bench.items import item_of, score_record
from worldline.bench.model import Benchmark, Item, Score
from worldline.bench.registry import benchmark as load_benchmark
from worldline.diagnose.align import align
from worldline.diagnose.answers import Told, extract, judge
from worldline.diagnose.calibration import outcomes, sums
from worldline.diagnose.causes import attribute
from worldline.diagnose.divergence import first_divergence
from worldline.diagnose.model import Divergence
from worldline.diagnose.prediction import Prediction, of_text, of_trace
from worldline.diagnose.subject import Subject, subject
from worldline.diagnose.table9 import TraceMetrics, trace_metrics
from worldline.errors import UserError
from worldline.formats.cwm import CWM
from worldline.formats.cwm_prompt import checked
from worldline.formats.reveal import revealed
from worldline.models import Failed, Model, shared_model
from worldline.rollout.model import NoAnswer, OutOfBudget, Rollout
from worldline.rollout.options import RolloutOptions
from worldline.rollout.rollout import predict_all, told
from worldline.trace.jsonl import lines
from worldline.trace.model import Ending, Trace
from worldline.trace.value import is_cut
from worldline.work.engines import Result, Worker

SLACK = 1024  # tokens and steps beyond twice what the truth takes
MOST_ATTACHED = 64 << 20  # bytes of the two traces; longer ones are not kept
VERDICTS = {"budget": "cut", "format": "unreadable"}


@dataclass(frozen=True, slots=True)
class _Ready:
    """An item that can be asked."""

    item: Item
    subject: Subject
    options: RolloutOptions  # with its budget


def scorer(setup: Mapping[str, Any]) -> Worker:
    """The worker: `model`, `benchmark`, `isolation`, and `max_tokens` (0: by the true trace)."""
    chosen, isolation = load_benchmark(setup["benchmark"]), setup["isolation"]
    asked = None if is_answers(setup["model"]) else shared_model(setup["model"])

    def work(records: Sequence[Mapping[str, Any]]) -> Iterator[Result]:
        items = [item_of(record) for record in records]
        if asked is None:
            scores = score_answers(items, chosen, isolation)
            for item, score in zip(items, scores, strict=True):
                yield Result(item.key, score_record(score))
        else:
            yield from score_items(items, asked, chosen, isolation, setup["max_tokens"])

    return work


def score_items(
    items: Sequence[Item], model: Model, benchmark: Benchmark, isolation: str, max_tokens: int = 0
) -> Iterator[Result]:
    """Ask a model about items, and score what it says; many are asked at once."""
    groups: dict[RolloutOptions, list[_Ready]] = {}
    in_words = [each for each in items if each.problem.program is None and not each.problem.flaw]
    yield from _talked(in_words, model, benchmark, isolation)
    for item in (each for each in items if each.problem.program is not None or each.problem.flaw):
        try:
            ready = _ready(item, model, benchmark, isolation, max_tokens)
        except UserError as error:
            yield Result(item.key, score_record(_flawed(item, error.what)))
        else:
            groups.setdefault(ready.options, []).append(ready)
    for options, members in groups.items():
        programs = [each.subject.program for each in members]
        started = time.monotonic()
        rollouts = predict_all(programs, model, options, [each.subject.real for each in members])
        seconds = (time.monotonic() - started) / len(members)  # they are asked together
        for ready, rollout in zip(members, rollouts, strict=True):
            cost = replace(rollout.cost, seconds=round(seconds, 4))
            yield _result(ready, replace(rollout, cost=cost), benchmark)


def _talked(items: Sequence[Item], model: Model, benchmark: Benchmark, isolation: str) -> Iterator[Result]:
    """Problems that are asked in words."""
    if not items:
        return
    assert benchmark.talk is not None
    for item, score in zip(items, benchmark.talk(items, model, isolation), strict=True):
        if isinstance(score, Failed):
            yield Result(item.key, {"lost": score.what, "hint": score.hint})
        else:
            yield Result(item.key, score_record(score))


def _ready(item: Item, model: Model, benchmark: Benchmark, isolation: str, max_tokens: int) -> _Ready:
    if item.problem.program is None:
        raise UserError(item.problem.flaw)
    is_trimmed = item.mode.options.context != "state"
    found = subject(item.problem.program, item.mode.rewrite, isolation, benchmark.max_steps, is_trimmed)
    checked(found.program)
    if not _has_answer(found.real, benchmark):
        kind = found.real.ending.kind
        more = f" after {len(found.real.steps):,} of them" if kind == "steps" else ""
        raise UserError(f"it has no answer to compare with: its recording ends with {kind!r}{more}")
    steps = min(_rounded(2 * len(found.real.steps) + SLACK), benchmark.max_steps)
    tokens = max_tokens or _enough(found.real, benchmark.max_steps, model)
    options = replace(item.mode.options, max_tokens=tokens, max_steps=steps, seed=item.seed)
    return _Ready(item, found, options)


def _has_answer(real: Trace, benchmark: Benchmark) -> bool:
    kind = real.ending.kind
    return kind in ("returned", "raised") or (benchmark.has_endless and kind == "steps")


def _cut(rollout: Rollout, most: int) -> Rollout:
    """A rollout of a program that perhaps never ends, as far as its truth is known."""
    if len(rollout.trace.steps) <= most:
        return rollout
    trace = replace(rollout.trace, steps=rollout.trace.steps[:most], ending=Ending("open", detail="cut"))
    return replace(rollout, trace=trace, text="", sureness=rollout.sureness[:most], stop=OutOfBudget("steps"))


def _enough(real: Trace, most: int, model: Model) -> int:
    """Twice the tokens of the true trace, as far as it is asked for."""
    asked = replace(real, steps=real.steps[:most])
    return _rounded(2 * model.count(CWM.encode(asked)) + SLACK)


def _rounded(number: int) -> int:
    """The next power of two, so that problems of about the same size are asked together."""
    return 1 << (number - 1).bit_length()


def _blank(item: Item) -> Score:
    """The score of an item, before it is asked."""
    problem = item.problem
    return Score(problem.id, item.mode.name, item.seed, problem.labels, False, False, asked=problem.asked)


def _flawed(item: Item, flaw: str) -> Score:
    problem = item.problem
    parts = {name: problem.facts[name] for name in ("functions",) if name in problem.facts}
    return replace(_blank(item), flaw=flaw, facts=parts)


def _result(ready: _Ready, rollout: Rollout, benchmark: Benchmark) -> Result:
    if isinstance(rollout.stop, NoAnswer):
        return Result(ready.item.key, {"lost": rollout.stop.what, "hint": rollout.stop.hint})
    real = revealed(ready.subject.real, ready.options.reveal)
    if benchmark.has_endless:
        rollout = _cut(rollout, len(real.steps))
    score = score_rollout(ready.item, ready.subject, real, rollout)
    if benchmark.judge is not None:
        score = replace(score, is_right_by_reference=benchmark.judge(score, ready.item.problem))
    if benchmark.rescore is not None:
        score = benchmark.rescore(score, ready.item.problem, rollout, real)
    return Result(ready.item.key, score_record(score), _attached(real, rollout.trace))


def score_rollout(item: Item, asked: Subject, real: Trace, rollout: Rollout) -> Score:
    """Score one rollout against the truth."""
    program = rollout.trace.program
    prediction = (
        of_text(rollout.text, program, CWM, rollout.model) if rollout.text else of_trace(rollout.trace)
    )
    found = first_divergence(real, prediction)
    verdict = "exact" if found is None else VERDICTS.get(found.kind, "diverged")
    value = real.ending.value if real.ending.is_complete and not is_cut(real.ending.value or "") else None
    judged = judge(Told(value, extract(prediction), None, item.problem.expected), verdict)  # type: ignore[arg-type]
    metrics = trace_metrics(real, prediction, align(real, prediction), judged.is_right)
    score = replace(
        _blank(item),
        is_right=judged.is_right,
        is_exact=found is None,
        verdict=verdict,
        steps=len(real.steps),
        steps_right=len(real.steps) if found is None else found.frame,
        given=judged.answer.given,
        real=value,
        expected=item.problem.expected,
        seconds=rollout.cost.seconds,
        spent=rollout.cost.spent,
        asks=rollout.cost.asks,
        peak=rollout.cost.peak,
        questions=rollout.cost.questions,
        stop=told(rollout.stop),
        isolation=real.origin.isolation,
        table9=_counts(metrics),
        sureness=sums(outcomes(rollout, asked.real)),
    )
    return score if found is None else _blamed(score, asked, real, prediction, found)


def _blamed(score: Score, asked: Subject, real: Trace, prediction: Prediction, found: Divergence) -> Score:
    """With where it goes wrong, and why."""
    causes = attribute(real, prediction, found)
    return replace(
        score,
        kind=found.kind,
        line=asked.original_line(found.frame, found.line),
        cause=causes[0].name if causes else "",
        why=causes[0].why if causes else "",
    )


def _counts(metrics: TraceMetrics) -> dict[str, tuple[int, int]]:
    found = {field.name: getattr(metrics, field.name) for field in fields(metrics)}
    return {name: astuple(ratio) for name, ratio in found.items() if ratio is not None}


def _attached(real: Trace, predicted: Trace) -> bytes | None:
    """Both traces, so that a report need not ask or record again."""
    text = "".join(f"{line}\n" for trace in (real, predicted) for line in lines(trace)).encode()
    return text if len(text) <= MOST_ATTACHED else None
