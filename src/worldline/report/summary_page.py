"""This file is a set of diagnoses as a page of Markdown: what was found, against what was published."""

from collections.abc import Iterable, Iterator, Sequence

from worldline.diagnose.diagnosis import Diagnosed
from worldline.diagnose.labels import Confusion, agreement
from worldline.diagnose.model import CAUSES, Diagnosis
from worldline.report.summary import METRICS, NO_CAUSE, Summary, estimated, summary

_FAULTS = {
    "model": "the model is wrong",
    "budget": "the text ends before the trace does",
    "extraction": "the model is right; its answer was extracted or scored wrongly",
    "dataset": "the expectation is not what Python gives",
    "nobody": "the answer counts as right",
}


def summary_page(found: Sequence[Diagnosed], title: str, command: str, note: str = "") -> str:
    """The page."""
    told = summary(found)
    parts = [
        f"# {title}",
        f"Made by `{command}`; {told.total} predictions. {note}".rstrip(),
        *_counts(told),
        *_metrics(told),
        *(_labels(told.labels) if told.labels is not None else ()),
        *_nobody([each.diagnosis for each in found]),
        *_rows([each.diagnosis for each in found]),
    ]
    return "\n\n".join(parts) + "\n"


def _counts(told: Summary) -> Iterator[str]:
    yield "## What goes wrong first"
    yield _table(("verdict", "predictions"), told.verdicts.items())
    yield _table(("kind", "predictions"), told.kinds.items())
    rows = [(name, CAUSES.get(name, "the trace is right"), count) for name, count in told.causes.items()]
    yield _table(("cause", "meaning", "predictions"), rows)
    faults = [(name, _FAULTS[name], count) for name, count in told.faults.items()]
    yield _table(("fault", "meaning", "predictions"), faults)
    yield "## How it goes on"
    yield (
        "Steps from the first divergence on, in diverged traces. *Own* does not follow from what the model "
        "said before (the program was run on from the state that the model believed), *carried* does."
    )
    yield _table(("step", "count"), told.later.items())


def _metrics(told: Summary) -> Iterator[str]:
    yield "## Table-9 metrics"
    yield "Our definitions are in `diagnose/table9.py`; a set of failures scores far below a whole benchmark."
    rows = [(METRICS[name], *estimated(name, estimate)) for name, estimate in told.metrics.items()]
    yield _table(("metric", "value", "95 % interval", "n"), rows)


def _labels(labels: Confusion) -> Iterator[str]:
    yield "## Published labels against ours"
    agreed = ", ".join(f"{count} {name}" for name, count in labels.agreements.items())
    yield f"Of {labels.total} rows: {agreed} (our reading of the labels: `diagnose/labels.py`)."
    causes = list(labels.cause_totals)
    rows = [(label, *map(_count, counts), total) for label, counts, total in labels.rows()]
    yield _table(("published", *causes, "all"), rows)


def _nobody(diagnoses: Sequence[Diagnosis]) -> Iterator[str]:
    found = [each for each in diagnoses if each.fault in ("extraction", "dataset")]
    yield "## Failures that are nobody's"
    if not found:
        yield "None."
        return
    yield "The model is right, but the row counts as a failure."
    yield _table(
        ("id", "fault", "evidence"),
        [(each.id, each.fault, _why(each, each.fault)) for each in found],
    )


def _why(diagnosis: Diagnosis, name: str) -> str:
    return next((each.why for each in diagnosis.causes if each.name == name), "")


def _rows(diagnoses: Sequence[Diagnosis]) -> Iterator[str]:
    yield "## Every prediction"
    rows = [
        (
            each.id,
            each.verdict,
            each.divergence.kind if each.divergence else "",
            f"{each.steps_right}/{len(each.real.steps)}{'' if each.real.ending.is_complete else '+'}",
            each.cause.name if each.cause else NO_CAUSE,
            each.labels.get("paper_cause", ""),
            agreement(each.labels.get("paper_cause", ""), each.cause.name if each.cause else NO_CAUSE),
        )
        for each in diagnoses
    ]
    yield _table(("id", "verdict", "kind", "steps right", "cause", "published", "agreement"), rows)


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for row in rows:
        lines.append("| " + " | ".join(_cell(each) for each in row) + " |")
    return "\n".join(lines)


def _cell(value: object) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")


def _count(count: int) -> str:
    return str(count) if count else ""
