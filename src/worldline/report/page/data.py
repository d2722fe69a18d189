"""This file is what the page knows: diagnoses as plain data for JSON, small enough to embed."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from worldline.diagnose.model import CAUSES, Diagnosis
from worldline.report.listing import ending_text
from worldline.report.page.facets import facet_data, facets
from worldline.report.page.steps import Table, packed, runs, status_runs

_PARTS = {"state": "state", "action": "next line", "value": "value", "format": "text"}


def page_data(diagnoses: Sequence[Diagnosis], title: str) -> dict[str, Any]:
    """All the page shows: bars, one row for each trace, and the traces packed."""
    groups = [facet_data(facet, diagnoses) for facet in facets(diagnoses)]
    rows = [
        _row(diagnosis, key, [numbers[index] for _, numbers in groups])
        for index, (diagnosis, key) in enumerate(zip(diagnoses, _keys(diagnoses), strict=True))
    ]
    return {
        "title": title,
        "causes": dict(CAUSES),
        "facets": [group for group, _ in groups],
        "rows": rows,
        "traces": [_trace(diagnosis) for diagnosis in diagnoses],
    }


def _keys(diagnoses: Sequence[Diagnosis]) -> Iterator[str]:
    """The ids; where one comes twice, each link must still lead to one trace."""
    seen: Counter[str] = Counter()
    for diagnosis in diagnoses:
        seen[diagnosis.id] += 1
        yield diagnosis.id if seen[diagnosis.id] == 1 else f"{diagnosis.id} ({seen[diagnosis.id]})"


def _row(diagnosis: Diagnosis, key: str, bars: list[int]) -> dict[str, Any]:
    cause, found = diagnosis.cause, diagnosis.divergence
    return {
        "id": key,
        "verdict": diagnosis.verdict,
        "cause": cause.name if cause else None,
        "why": cause.why if cause else None,
        "frame": found.frame if found else None,
        "total": len(diagnosis.real.steps),
        "right": diagnosis.steps_right,
        "correct": diagnosis.answer.correct,
        "tokens": diagnosis.tokens,
        "bars": bars,
        "statuses": status_runs(diagnosis.alignment),
        "first": _first_pair(diagnosis),
    }


def _first_pair(diagnosis: Diagnosis) -> int | None:
    """Where the view opens: the pair of the divergence, or the last one before a text that just ends."""
    if diagnosis.divergence is None:
        return None
    last = max(len(diagnosis.alignment.pairs) - 1, 0)
    first = diagnosis.alignment.first_wrong
    return last if first is None else first


def _parting(diagnosis: Diagnosis) -> list[tuple[str, str | None, str | None]]:
    """What differs at the divergence, as (name, real, predicted), where no pair of steps shows it.

    That is so where the text ends within a step that is wrong already, and where the alignment has found a
    better partner for the step that went wrong.
    """
    found, first = diagnosis.divergence, diagnosis.alignment.first_wrong
    pair = diagnosis.alignment.pairs[first] if first is not None else None
    is_shown = pair is not None and pair.real is not None and pair.predicted is not None
    if found is None or is_shown or found.kind == "budget":
        return []
    if found.variables:
        return [(each.name or _PARTS[found.kind], each.expected, each.predicted) for each in found.variables]
    return [] if found.predicted is None else [(_PARTS[found.kind], found.expected, found.predicted)]


def _trace(diagnosis: Diagnosis) -> dict[str, Any]:
    texts, changes = Table(), Table()
    real = packed(diagnosis.real.steps, texts, changes)
    predicted = packed(diagnosis.predicted.steps, texts, changes)
    program, found, answer = diagnosis.real.program, diagnosis.divergence, diagnosis.answer
    return {
        "files": [[program.path, program.source], *([each.path, each.source] for each in program.files)],
        "entry": program.entry.text,
        "texts": texts.values(),
        "changes": changes.values(),
        "real": real,
        "predicted": predicted,
        "pairs": runs(diagnosis.alignment.pairs),
        "kind": found.kind if found else None,
        "parting": _parting(diagnosis),
        "causes": [[each.name, each.why, each.weight] for each in diagnosis.causes],
        "answer": [answer.real, answer.given, answer.expected],
        "fault": diagnosis.fault,
        "endings": [ending_text(diagnosis.real.ending), ending_text(diagnosis.predicted.ending)],
        "by": [diagnosis.real.origin.by, diagnosis.predicted.origin.by],
        "labels": dict(diagnosis.labels),
    }
