"""This file is a benchmark's run in the terminal, as Markdown and as JSON."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Literal

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from worldline.bench.compare import Side
from worldline.bench.degrade import Curve
from worldline.bench.model import Score
from worldline.bench.summary import Group, Share, Summary
from worldline.bench.tokens import Budget

MOST_TOLD = 10  # disagreements, and flaws


def shown(share: Share | None) -> str:
    """`90.0% [83,95]`."""
    if share is None:
        return ""
    low, high = (share.interval.low, share.interval.high) if share.interval else (0.0, 0.0)
    return f"{share.value:.1%} [{100 * low:.0f},{100 * high:.0f}]"


def group_rows(groups: Sequence[Group]) -> list[list[str]]:
    """A table of groups, its head first."""
    labels = list(dict.fromkeys(name for group in groups for name in group.labels))
    has_reference = any(group.by_reference for group in groups)
    reference = ["by reference"] if has_reference else []
    head = [*labels, "mode", "n", "answers", *reference, "all steps", "right steps", "tokens"]
    rows = [head]
    for group in groups:
        told = [str(group.labels.get(name, "")) for name in labels]
        extra = [shown(group.by_reference)] if has_reference else []
        steps = f"{group.steps_right:,.0f} of {group.steps:,.0f}" if group.exact is not None else ""
        cost = [steps, f"{group.spent:,.0f}"]
        rows.append(
            [*told, group.mode, str(group.right.whole), shown(group.right), *extra, shown(group.exact), *cost]
        )
    return rows


def print_summary(console: Console, found: Summary) -> None:
    """All of it, with what is worth a look."""
    print_rows(console, group_rows(found.modes))
    if found.groups:
        print_rows(console, group_rows(found.groups))
    for title, rows in _further(found):
        console.print(f"\n{title}", style="bold")
        print_rows(console, rows)
    for line in remarks(found):
        console.print(line, markup=False, soft_wrap=True)


def remarks(found: Summary) -> list[str]:
    """What could not be asked, and where two scorings differ, the first of each."""
    told = [f"{each.id} ({each.mode}) counts as wrong: {each.flaw}" for each in found.flawed[:MOST_TOLD]]
    more = len(found.flawed) - MOST_TOLD
    told += [f"... and {more} more that could not be asked"] if more > 0 else []
    told += [disagreement(each) for each in found.disagreements[:MOST_TOLD]]
    more = len(found.disagreements) - MOST_TOLD
    return told + ([f"... and {more} more on which the scorings differ"] if more > 0 else [])


def markdown(found: Summary) -> list[str]:
    """The same as lines of Markdown."""
    lines = table(group_rows(found.modes))
    if found.groups:
        lines += ["", *table(group_rows(found.groups))]
    for title, rows in _further(found):
        lines += ["", f"**{title}**", "", *table(rows)]
    return [*lines, "", *(f"- {line}" for line in remarks(found))]


def _further(found: Summary) -> Iterator[tuple[str, list[list[str]]]]:
    """The tables that only some runs have."""
    if any(len(each) > 1 for each in found.pass_at.values()):
        ks = sorted({k for each in found.pass_at.values() for k in each})
        head = ["mode", *(f"pass@{k}" for k in ks)]
        rows = [[mode, *(_percent(each.get(k)) for k in ks)] for mode, each in found.pass_at.items()]
        yield "Of several samples (unbiased estimator)", [head, *rows]
    yield from _counted("First divergence", found.kinds)
    yield from _counted("Causes", found.causes)
    if found.own is not None:
        yield found.own.title, [list(row) for row in found.own.rows]
    if any(found.facts.values()):
        rows = [
            [mode, name, f"{each.part}/{each.whole}", shown(each)]
            for mode, some in found.facts.items()
            for name, each in some.items()
        ]
        yield "The benchmark's own counts", [["mode", "what", "count", "share"], *rows]
    if found.calibration:
        rows = [
            [mode, f"{each.count:,}", f"{each.error:.4f}", f"{each.brier:.4f}"]
            for mode, each in found.calibration.items()
        ]
        yield "How well it knows what it knows", [["mode", "steps", "ECE", "Brier"], *rows]
    if any(found.table9.values()):
        names = list(dict.fromkeys(name for each in found.table9.values() for name in each))
        rows = [
            [
                name.replace("_", " "),
                *(_percent(each[name].value if name in each else None) for each in found.table9.values()),
            ]
            for name in names
        ]
        yield "Quality of traces (Table 9)", [["metric", *found.table9], *rows]


def _counted(title: str, counts: Mapping[str, Mapping[str, int]]) -> Iterator[tuple[str, list[list[str]]]]:
    names = list(dict.fromkeys(name for each in counts.values() for name in each))
    if names:
        rows = [[name, *(str(each.get(name, 0)) for each in counts.values())] for name in names]
        yield title, [["", *counts], *rows]


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"


def disagreement(score: Score) -> str:
    """One line about a problem on which the two scorings differ."""
    by_value, by_reference = (
        "right" if one else "wrong" for one in (score.is_right, score.is_right_by_reference)
    )
    told = f"{score.given!r}, Python gives {score.real!r}, the data set expects {score.expected!r}"
    return f"{score.id}: {by_value} by value, {by_reference} by reference: answered {told}"


def print_sides(console: Console, sides: Sequence[Side]) -> None:
    """Runs side by side."""
    print_rows(console, side_rows(sides))


def side_rows(sides: Sequence[Side]) -> list[list[str]]:
    """A table of runs, its head first."""
    rows = [["run", "n", "answers", "all steps", "gains", "losses", "p", "tokens"]]
    for at, side in enumerate(sides):
        changes = [str(side.gains), str(side.losses), f"{side.p:.3g}"] if at else ["", "", ""]
        count, cost = str(side.right.whole), f"{side.spent:,.0f}"
        rows.append([side.name, count, shown(side.right), shown(side.exact), *changes, cost])
    return rows


def budget_rows(found: Sequence[Budget]) -> list[list[str]]:
    """A table of token budgets, its head first."""
    cuts = list(found[0].cut)
    head = [
        "format",
        "tokenizer",
        "traces",
        "mean",
        "median",
        "largest",
        *(f"cut at {cut:,}" for cut in cuts),
    ]
    rows = [
        [
            *(f"{each.format}{f', {each.rewrite}' if each.rewrite else ''}", each.tokenizer, str(each.count)),
            *(f"{each.mean:,.0f}", f"{each.median:,.0f}", f"{each.largest:,}"),
            *(f"{each.cut[cut]} ({each.cut[cut] / each.count:.1%})" for cut in cuts),
        ]
        for each in found
    ]
    return [head, *rows]


def curve_rows(found: Sequence[Curve]) -> list[list[str]]:
    """A table of what errors cost, its head first."""
    head = ["error", "rate", "answers right", "errors absorbed", "Kendall's tau", "best of K is right"]
    rows = [
        [
            each.kind,
            f"{each.rate:,.0f} lines" if each.kind == "truncation" else f"{each.rate:g}",
            f"{each.accuracy:.1%} [{100 * each.accuracy_low:.0f}, {100 * each.accuracy_high:.0f}] "
            f"{each.right}/{each.runs}",
            _percent(each.absorbed),
            "" if each.tau is None else f"{each.tau:.3f}",
            _percent(each.best),
        ]
        for each in found
    ]
    return [head, *rows]


def print_rows(console: Console, rows: Sequence[Sequence[str]]) -> None:
    """A table whose head is its first row."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for at, name in enumerate(rows[0]):
        is_text = at == 0 or name in ("mode", "what")
        justify: Literal["left", "right"] = "left" if is_text else "right"
        width = max(min(len(row[at]), 9) for row in rows)
        table.add_column(name, justify=justify, no_wrap=not is_text, min_width=width if is_text else None)
    for row in rows[1:]:
        table.add_row(*map(escape, row))
    console.print(table)


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a Markdown table whose head is its first row."""
    lines = [f"| {' | '.join(each.replace('|', chr(92) + '|') for each in row)} |" for row in rows]
    return [lines[0], "|---" * len(rows[0]) + "|", *lines[1:]]


def summary_object(found: Summary, facts: Mapping[str, Any]) -> dict[str, Any]:
    """For JSON: every share with its interval, and where the numbers come from."""
    told = asdict(found)
    told["disagreements"] = [each.id for each in found.disagreements]
    told["flawed"] = {each.id: each.flaw for each in found.flawed}
    return {"run": dict(facts), "summary": told}
