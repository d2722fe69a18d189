"""This file is what errors of a world model cost: docs/explanation/what-errors-cost.md and its curves.

    python benchmarks/degrading.py [--seeds N] [--rows ROWS.jsonl --limit N] [--folder docs/explanation]

Our own tasks are run by the real interpreter with errors of known kinds and rates (`bench/degrade`). With
--rows, the answers of those programs too, as `worldline collect` reads them.
"""

import argparse
import os
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import worldline
from worldline.bench.degrade import KINDS, TASKS, Curve, curves, degrade
from worldline.bench.degrade.degrading import CANDIDATES
from worldline.record.collect import read_rows
from worldline.report.charts import Chart, Point, Series, svg

PAGE = "what-errors-cost"
AT, MUCH = 0.01, 0.1  # the rates at which kinds are compared
ISOLATION = "process"

HEAD = """\
# What errors of a world model cost

A world model that is right about every step is the real interpreter. Here it is made wrong in known ways and
amounts, and everything else stays as it is: the programs, what is asked, and who uses the answers. What is
computed after an error is computed from the wrong state.

| kind | what is wrong | where, with probability p at each place |
|---|---|---|
| `state` | the value: a number off by one, a truth flipped, an element changed or dropped | values bound by `=`, `for` and `+=` |
| `string` | a character dropped, doubled or changed | those of them that are texts |
| `action` | the way that is taken | tests of `if` and `while`; a `for` going on or ending |
| `truncation` | no answer | after a budget of lines |

The programs are {tasks} small ones of our own (`src/worldline/bench/degrade/tasks.py`), {inputs} inputs in
all, {seeds} seeds each. An error is *absorbed* if the answer is right nevertheless. `no error` is the mean of
(1-p)^places over the programs: the accuracy if no error were ever absorbed.

For the ranking, each task has up to {candidates} candidates: the right program and mutants of it that give
other answers ({mutants} mutants in all). A candidate's score is the share of inputs on which its answer is the
wanted one. Tau-b compares the ranking by predicted scores with the one by true scores, a prediction that ties
all of them counting 0; `best is right` says how often the candidate ranked first is right, ties being shared.

95 % intervals: of accuracy and absorbed Wilson's over the runs, so they hold for these programs alone; of the
ranking resampled by whole tasks, and where all tasks have 1, Wilson's over the tasks.

Parameters, what methods change in place, and what happens inside one expression are never wrong here; see
`src/worldline/bench/degrade/places.py`. `state` includes texts, so its errors and those of `string` overlap.
"""  # noqa: E501 - a row of a table is one line


def percent(value: float | None, low: float | None = None, high: float | None = None) -> str:
    if value is None:
        return ""
    spread = "" if low is None or high is None else f" ({100 * low:.1f} to {100 * high:.1f})"
    return f"{100 * value:.1f} %{spread}"


def number(value: float | None, low: float | None, high: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" + ("" if low is None or high is None else f" ({low:.3f} to {high:.3f})")


def answers_table(found: Sequence[Curve]) -> str:
    lines = ["| kind | p | runs | accuracy | no error | absorbed | no answer | places |", "|" + "---|" * 8]
    for row in found:
        cells = (
            row.kind,
            f"{row.rate:g}",
            f"{row.runs:,}",
            percent(row.accuracy, row.accuracy_low, row.accuracy_high),
            percent(row.untouched),
            percent(row.absorbed, row.absorbed_low, row.absorbed_high),
            str(row.unanswered),
            f"{row.places:.1f}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def ranking_table(found: Sequence[Curve], name: str) -> str:
    lines = [f"| kind | {name} | tasks | tau-b | best is right |", "|" + "---|" * 5]
    for row in found:
        tau = number(row.tau, row.tau_low, row.tau_high)
        best = percent(row.best, row.best_low, row.best_high)
        lines.append(f"| {row.kind} | {row.rate:g} | {row.tasks} | {tau} | {best} |")
    return "\n".join(lines)


def truncation_table(found: Sequence[Curve]) -> str:
    lines = ["| lines | runs | accuracy | tau-b | best is right |", "|" + "---|" * 5]
    for row in found:
        accuracy = percent(row.accuracy, row.accuracy_low, row.accuracy_high)
        tau, best = (
            number(row.tau, row.tau_low, row.tau_high),
            percent(row.best, row.best_low, row.best_high),
        )
        lines.append(f"| {row.rate:g} | {row.runs} | {accuracy} | {tau} | {best} |")
    return "\n".join(lines)


def series(found: Sequence[Curve], measure: str) -> list[Series]:
    """One a kind, without rate 0, which has no place on a logarithmic axis."""
    made = []
    for kind in dict.fromkeys(row.kind for row in found):
        rows = [row for row in found if row.kind == kind and row.rate > 0]
        ends = [(getattr(row, f"{measure}_low"), getattr(row, f"{measure}_high")) for row in rows]
        points = [
            Point(row.rate, getattr(row, measure), low, high)
            for row, (low, high) in zip(rows, ends, strict=True)
        ]
        made.append(Series(kind, tuple(points)))
    return made


def charts(found: Sequence[Curve], seeds: int) -> dict[str, Chart]:
    chance = [row for row in found if row.kind != "truncation"]
    cut = [row for row in found if row.kind == "truncation"]
    rate = "errors for each place"

    def chart(title: str, x_title: str, y_title: str, lines: list[Series]) -> Chart:
        return Chart(
            title=title,
            x_title=x_title,
            y_title=y_title,
            series=tuple(lines),
            is_log_x=True,
            y_range=(0.0, 1.0),
            kind="lines",
            note=f"{len(TASKS)} tasks, {seeds} seeds where there is chance, 95 % intervals",
        )

    best = [Series("best candidate is right", each.points) for each in series(cut, "best")]
    right = [Series("answers", each.points) for each in series(cut, "accuracy")]
    return {
        "answers": chart("Answers that stay right", rate, "accuracy", series(chance, "accuracy")),
        "ranking": chart("Ranking of candidates", rate, "Kendall's tau-b", series(chance, "tau")),
        "truncation": chart("Traces that are cut", "lines that may run", "share that is right", right + best),
    }


def compared(found: Sequence[Curve]) -> str:
    """The order of kinds on other programs."""
    rows = sorted((row for row in found if row.rate == AT), key=lambda row: row.accuracy)
    costs = ", ".join(
        f"`{row.kind}` {100 * (1 - row.accuracy):.1f} points "
        f"({100 * (1 - row.accuracy_high):.1f} to {100 * (1 - row.accuracy_low):.1f}; "
        f"{row.places:.1f} places)"
        for row in rows
    )
    return f" On the other programs above the same rate costs {costs}." if rows else ""


def conclusion(found: Sequence[Curve], given: Sequence[Curve]) -> str:
    """Which kind costs most, by the numbers."""
    rows = {row.kind: row for row in found if row.rate == AT and row.kind != "truncation"}
    large = {row.kind: row for row in found if row.rate == MUCH and row.kind != "truncation"}
    ordered = sorted(rows.values(), key=lambda row: row.accuracy)
    worst, other = ordered[:2]
    costs = ", ".join(
        f"`{row.kind}` {100 * (1 - row.accuracy):.1f} points of accuracy "
        f"({100 * (1 - row.accuracy_high):.1f} to {100 * (1 - row.accuracy_low):.1f}) "
        f"and {1 - row.tau:.3f} of tau"
        for row in ordered
    )
    places = ", ".join(
        f"{row.places:.1f} of `{kind}` ({100 * (1 - row.accuracy) / row.places:.2f} points each)"
        for kind, row in rows.items()
    )
    frail, next_frail = sorted(large.values(), key=lambda row: row.absorbed)[:2]
    kept = ", ".join(
        f"`{kind}` {percent(row.absorbed, row.absorbed_low, row.absorbed_high)}"
        for kind, row in large.items()
    )
    first = (
        f"Errors of `{worst.kind}` cost most for each unit of rate"
        if worst.accuracy_high < other.accuracy_low
        else f"Errors of `{worst.kind}` and `{other.kind}` cost most for each unit of rate, and their "
        "intervals overlap"
    )
    second = (
        f"it is one of `{frail.kind}` that costs most"
        if frail.absorbed_high < next_frail.absorbed_low
        else f"`{frail.kind}` and `{next_frail.kind}` cost most, and their intervals overlap"
    )
    return (
        f"{first}: at {100 * AT:g} % a place, {costs}. Much of the difference between kinds is how often "
        f"there is a chance to err: the mean places of a run are {places}.{compared(given)} Of runs with an "
        f"error at least, {second}: at {100 * MUCH:g} % a place, what is right all the same is {kept}. "
        f"Truncation has no rate to compare "
        f"by: it costs nothing from the length of the run on, and everything below. All this is for small "
        f"programs and for independent mistakes of these sizes; a real model's need be neither, and then "
        f"the order of kinds may be another one."
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--rows", type=Path)
    parser.add_argument("--limit", type=int, default=100)
    parser.add_argument("--folder", type=Path, default=Path("docs/explanation"))
    options = parser.parse_args()
    started = time.monotonic()
    records = list(degrade(TASKS, seeds=options.seeds, isolation=ISOLATION))
    found = curves(records)
    wrong = len({(record.task, record.candidate) for record in records if record.candidate})
    chance = [row for row in found if row.kind != "truncation"]
    cut = [row for row in found if row.kind == "truncation"]
    inputs = sum(len(task.calls) for task in TASKS)
    facts = {"tasks": len(TASKS), "inputs": inputs, "seeds": options.seeds}
    parts = [HEAD.format(**facts, candidates=CANDIDATES, mutants=wrong)]
    parts += ["## Answers\n", answers_table(chance), f"\n![accuracy by rate]({PAGE}-answers.svg)\n"]
    parts += ["## Ranking\n", ranking_table(chance, "p"), f"\n![tau by rate]({PAGE}-ranking.svg)\n"]
    parts += ["## Truncation\n", truncation_table(cut), f"\n![truncation]({PAGE}-truncation.svg)\n"]
    command = f"python benchmarks/degrading.py --seeds {options.seeds}"
    given: list[Curve] = []
    if options.rows:
        rows = islice(read_rows(options.rows), options.limit)
        given = curves(degrade(rows, KINDS[:3], seeds=options.seeds, isolation=ISOLATION))
        name = f"the first {given[0].problems + given[0].flaws} rows of {options.rows.name}"
        parts += [f"## Answers of other programs: {name}\n", answers_table(given), ""]
        if given[0].flaws:
            parts += [f"{given[0].flaws} of them could not be degraded and are not counted.\n"]
        command += f" --rows {options.rows.name} --limit {options.limit}"
    parts += ["## What matters most\n", conclusion(found, given), ""]
    seeds = f"seeds 0 to {options.seeds - 1}, isolation {ISOLATION}, worldline {worldline.__version__}"
    parts += [f"Made by `{command}`; {seeds}."]
    (options.folder / f"{PAGE}.md").write_text("\n".join(parts) + "\n", encoding="utf-8")
    for part, chart in charts(found, options.seeds).items():
        (options.folder / f"{PAGE}-{part}.svg").write_text(svg(chart, part), encoding="utf-8")
    print(f"{PAGE}.md in {time.monotonic() - started:.0f} s on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
