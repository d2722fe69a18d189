"""This file is what the pages of studies share: tables, mean and range, the sweep, how it was made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from worldline.learn.studies.grid import Outcome, Study, chosen, finals, sweep
from worldline.report.charts import Chart


@dataclass(frozen=True, slots=True)
class Made:
    """How a page came about."""

    command: str  # that gives it again
    seeds: int
    workers: int
    seconds: float  # that the commands took, by the clock


@dataclass(frozen=True, slots=True)
class Page:
    """A page in Markdown and its charts; `![what it shows](part)` puts a chart into it."""

    text: str
    charts: Mapping[str, Chart] = field(default_factory=dict)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [f"| {' | '.join(cells)} |" for cells in (head, *rows)]
    return "\n".join([lines[0], "|" + "---|" * len(head), *lines[1:]])


def spread(values: Sequence[float], form: str = ".3f") -> str:
    """The mean, and from where to where the values go."""
    if not values:
        return "none"
    low, high = format(min(values), form), format(max(values), form)
    mean = format(fmean(values), form)
    return mean if low == high else f"{mean} ({low}..{high})"


def sweep_table(study: Study, outcomes: Sequence[Outcome], form: str = ".3f") -> str:
    """The first number of the score at every learning rate, the chosen one in bold."""
    rates = sorted({rate for each in study.rates.values() for rate in each})
    best = chosen(study, outcomes)
    rows = []
    for arm in study.rates:
        swept = sweep(study, outcomes, arm)
        cells = []
        for rate in rates:
            if rate not in swept:
                cells.append("")
                continue
            score = swept[rate].score
            told = format(score[0], form) if score else "diverged"
            cells.append(f"**{told}**" if best.get(arm) == rate else told)
        rows.append([arm, *cells])
    return table(["arm", *(f"{rate:g}" for rate in rates)], rows)


def edge_note(study: Study, outcomes: Sequence[Outcome]) -> str:
    """Which arms have the smallest or largest learning rate that was tried: a better one may lie beyond."""
    best = chosen(study, outcomes)
    found = [arm for arm, each in study.rates.items() if best.get(arm) in (min(each), max(each))]
    if not found:
        return "No arm is best at an end of the sweep."
    return f"Best at an end of the sweep, so that a better one may lie beyond: {', '.join(found)}."


def diverged(study: Study, outcomes: Sequence[Outcome]) -> dict[str, list[str]]:
    """The runs that have come to nothing, by arm: what is left says little about the arm."""
    lost = {
        arm: [each.run.name for each in ended if each.result is None]
        for arm, ended in finals(study, outcomes).items()
    }
    return {arm: names for arm, names in lost.items() if names}


def diverged_note(lost: Mapping[str, Sequence[str]]) -> list[str]:
    """Which they are, and what follows, as a paragraph; none if there are none."""
    names = ", ".join(name for each in lost.values() for name in each)
    told = (
        f"**Diverged** (the loss was no longer a number): {names}. All numbers are of the other seeds, so "
        "that no order is told for these arms.\n"
    )
    return [told] if lost else []


def cost_table(study: Study, outcomes: Sequence[Outcome]) -> str:
    """Parameters, training and what it cost, for each arm at its learning rate."""
    rows = []
    for arm, each in finals(study, outcomes).items():
        done = [outcome.result for outcome in each if outcome.result is not None]
        facts = [result["facts"] for result in done]
        rows.append(
            [
                arm,
                ", ".join(sorted({f"{one['parameters']:,}" for one in facts})),
                f"{chosen(study, outcomes)[arm]:g}",
                ", ".join(
                    f"{outcome.run.seed}{'' if outcome.result is not None else ' (diverged)'}"
                    for outcome in each
                ),
                spread([one["cpu_seconds"] for one in facts], ".0f"),
            ]
        )
    return table(["arm", "parameters", "learning rate", "seeds", "CPU s of a training"], rows)


def made_by(made: Made, outcomes: Sequence[Outcome]) -> str:
    """The last paragraph: command, time, versions."""
    cpu = sum(each.cpu_seconds for each in outcomes) / 60
    versions = sorted({f"{name} {number}" for each in outcomes for name, number in each.versions.items()})
    return (
        f"Made by `{made.command}`: {len(outcomes)} runs, {made.seconds / 60:.0f} minutes with "
        f"{made.workers} at once, {cpu:.0f} minutes of one thread in all, on a CPU; {', '.join(versions)}."
    )
