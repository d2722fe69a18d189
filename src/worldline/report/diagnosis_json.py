"""This file is a diagnosis as a JSON object: the contract of `worldline diagnose` and `worldline diff`."""

from collections import Counter
from dataclasses import fields
from typing import Any

from worldline.diagnose.diagnosis import Diagnosed
from worldline.diagnose.intervals import Ratio
from worldline.diagnose.model import Alignment, Cause, Diagnosis
from worldline.diagnose.table9 import TraceMetrics, counted_pairs
from worldline.diagnose.transcripts import Failed


def diagnosis_object(found: Diagnosed | Failed) -> dict[str, Any]:
    """One row. A program that could not be recorded is no mistake of the model's: the data set's."""
    if isinstance(found, Failed):
        why = {"name": "dataset", "why": found.why, "weight": 1.0}
        return {**_EMPTY, "id": found.id, "cause": why, "causes": [why]}
    diagnosis = found.diagnosis
    divergence, cause, answer = diagnosis.divergence, diagnosis.cause, diagnosis.answer
    return {
        "id": diagnosis.id,
        "verdict": diagnosis.verdict,
        "frame": divergence.frame if divergence else None,
        "kind": divergence.kind if divergence else None,
        "line": divergence.line if divergence else None,
        "variables": [_variable(each) for each in divergence.variables if each.name] if divergence else [],
        "expected": divergence.expected if divergence else None,
        "predicted": divergence.predicted if divergence else None,
        "answer": {
            "real": answer.real,
            "given": answer.given,
            "correct": answer.correct,
            "expected": answer.expected,
        },
        "cause": _cause(cause) if cause else None,
        "steps_right": diagnosis.steps_right,
        "causes": [_cause(each) for each in diagnosis.causes],
        "fault": diagnosis.fault,
        "steps": {"real": len(diagnosis.real.steps), "predicted": len(diagnosis.predicted.steps)},
        "later": later(diagnosis),
        "tokens": diagnosis.tokens,
        "metrics": _metrics(found.metrics),
    }


_EMPTY: dict[str, Any] = {
    "id": "",
    "verdict": "unreadable",
    "frame": None,
    "kind": None,
    "line": None,
    "variables": [],
    "expected": None,
    "predicted": None,
    "answer": {"real": None, "given": None, "correct": None, "expected": None},
    "cause": None,
    "steps_right": 0,
    "causes": [],
    "fault": "dataset",
}


def later(diagnosis: Diagnosis) -> dict[str, Any]:
    """How it goes on from the first divergence: what is right again, what is carried along, what is new.

    What was never written, because the text was cut, is not counted.
    """
    alignment = diagnosis.alignment
    first = alignment.first_wrong
    counts: Counter[str] = Counter()
    is_whole = diagnosis.predicted.ending.kind != "open"
    pairs = counted_pairs(alignment, is_finished=is_whole)
    for pair in pairs[len(pairs) if first is None else first :]:
        counts[_kind(pair.real, pair.predicted, pair.is_right, pair.is_own)] += 1
    return {name: counts[name] for name in KINDS} | {"returns": _returns(alignment)}


KINDS = ("right", "own", "carried", "unjudged", "left out", "made up")
"""What a step from the divergence on may be."""


def _kind(real: int | None, predicted: int | None, is_right: bool, is_own: bool | None) -> str:
    if is_right:
        return "right"
    if predicted is None:
        return "left out"
    if is_own is not None:
        return "own" if is_own else "carried"
    return "made up" if real is None else "unjudged"


def _returns(alignment: Alignment) -> list[dict[str, int | None]]:
    """Where the model comes back to the true path, and for how many steps."""
    return [
        {"frame": alignment.pairs[each.start].real, "length": each.length} for each in alignment.recoveries
    ]


def _variable(wrong: Any) -> dict[str, Any]:
    return {
        "name": wrong.name,
        "expected": wrong.expected,
        "predicted": wrong.predicted,
        "type": wrong.type,
        "before": wrong.before,
    }


def _cause(cause: Cause) -> dict[str, Any]:
    return {"name": cause.name, "why": cause.why, "weight": cause.weight}


def _metrics(metrics: TraceMetrics) -> dict[str, list[int] | None]:
    return {field.name: _ratio(getattr(metrics, field.name)) for field in fields(metrics)}


def _ratio(ratio: Ratio | None) -> list[int] | None:
    """How many of how many."""
    return None if ratio is None else [ratio.part, ratio.whole]
