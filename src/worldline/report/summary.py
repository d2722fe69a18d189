"""This file is what many diagnoses say together: counts, Table-9 metrics, published labels against ours."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from worldline.diagnose.diagnosis import Diagnosed
from worldline.diagnose.labels import Confusion, confusion
from worldline.diagnose.model import Diagnosis
from worldline.diagnose.table9 import Estimate, pooled
from worldline.report.diagnosis_json import KINDS, later

NO_CAUSE = "(none)"
METRICS = {
    "output": "output match",
    "trace_format": "valid trace format",
    "finished": "finished traces",
    "frame_format": "valid frames",
    "json": "valid JSON",
    "keys": "key match",
    "keys_and_values": "key and value match",
    "states": "state exact match",
    "actions": "action exact match",
    "state_tokens": "mean state length, tokens",
    "action_tokens": "mean action length, tokens",
}


@dataclass(frozen=True, slots=True)
class Summary:
    """A set of diagnoses, counted."""

    total: int
    verdicts: dict[str, int]
    kinds: dict[str, int]
    causes: dict[str, int]
    faults: dict[str, int]
    later: dict[str, int]  # steps from the first divergence on
    metrics: dict[str, Estimate]
    labels: Confusion | None  # published labels against our causes; None: there are none


def summary(found: Sequence[Diagnosed]) -> Summary:
    """Count."""
    diagnoses = [each.diagnosis for each in found]
    labelled = [each for each in diagnoses if each.labels.get("paper_cause")]
    diverged = [later(each) for each in diagnoses if each.verdict == "diverged"]
    return Summary(
        len(found),
        _counted(each.verdict for each in diagnoses),
        _counted(each.divergence.kind if each.divergence else "(exact)" for each in diagnoses),
        _counted(_cause(each) for each in diagnoses),
        _counted(each.fault for each in diagnoses),
        {name: sum(each[name] for each in diverged) for name in KINDS},
        pooled([each.metrics for each in found]),
        confusion((each.labels["paper_cause"], _cause(each)) for each in labelled) if labelled else None,
    )


def print_summary(console: Console, told: Summary) -> None:
    """Print it as tables."""
    for title, counts in _tables(told):
        table = Table(title=title, title_justify="left", box=None, padding=(0, 1), show_header=False)
        table.add_column(justify="right")
        table.add_column()
        table.add_column(style="cyan")
        most = max(counts.values(), default=1) or 1
        for name, count in counts.items():
            table.add_row(str(count), name, "█" * round(30 * count / most))
        console.print(table)
    table = Table(title="Table-9 metrics (95 % interval)", title_justify="left", box=None, padding=(0, 1))
    for name in ("metric", "value", "interval", "n"):
        table.add_column(name, justify="left" if name == "metric" else "right")
    for name, estimate in told.metrics.items():
        table.add_row(METRICS[name], *estimated(name, estimate))
    console.print(table)
    if told.labels is not None:
        agreed = ", ".join(f"{count} {name}" for name, count in told.labels.agreements.items())
        console.print(f"published labels against ours: {agreed}")


def estimated(name: str, estimate: Estimate) -> tuple[str, str, str]:
    """The value, its interval and the number of cases, as text."""
    is_share = not name.endswith("_tokens")

    def shown(value: float) -> str:
        return f"{value:.1%}" if is_share else f"{value:.1f}"

    value = "–" if estimate.value is None else shown(estimate.value)
    bounds = estimate.interval
    interval = "–" if bounds is None else f"{shown(bounds.low)} to {shown(bounds.high)}"
    return value, interval, str(estimate.ratio.whole)


def _tables(told: Summary) -> list[tuple[str, dict[str, int]]]:
    return [
        (f"verdicts ({told.total} predictions)", told.verdicts),
        ("kinds of first divergence", told.kinds),
        ("causes", told.causes),
        ("whose fault", told.faults),
        ("steps from the divergence on", told.later),
    ]


def _cause(diagnosis: Diagnosis) -> str:
    return diagnosis.cause.name if diagnosis.cause else NO_CAUSE


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(Counter(names).most_common())
