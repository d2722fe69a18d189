"""This file is the benchmarks of `worldline bench` that ask no model."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import typer

from worldline.bench.degrade import BUDGETS as LINES
from worldline.bench.degrade import KINDS, RATES, TASKS, Task, curves, degrade
from worldline.bench.model import changed
from worldline.bench.tokens import BUDGETS, budgets
from worldline.cli.busy import busy
from worldline.cli.writing import tables
from worldline.errors import UserError
from worldline.formats import format_names
from worldline.record.collect import Row, read_rows
from worldline.report.bench_view import budget_rows, curve_rows, print_rows
from worldline.rewrite import check_level


@dataclass(frozen=True, slots=True)
class TokenSettings:
    """What may be set."""

    formats: tuple[str, ...] = tuple(format_names())
    tokenizers: tuple[str, ...] = ("llama3",)
    budgets: tuple[int, ...] = BUDGETS
    limit: int = 0  # only so many rows; 0: all


def _tokens(data: str, chosen: Sequence[str], levels: Sequence[str], isolation: str, as_json: bool) -> None:
    if not data:
        raise UserError("the benchmark tokens needs programs", "give --data rows.jsonl")
    settings: TokenSettings = changed("tokens", TokenSettings(), chosen)
    rows = list(read_rows(Path(data)))[: settings.limit or None]
    found = []
    flaws: list[str] = []
    for level in levels:
        with busy(f"recording and counting{'' if level == 'none' else f' ({level})'}"):
            some, flawed = budgets(
                rows,
                settings.formats,
                settings.tokenizers,
                None if level == "none" else check_level(level),
                isolation,
                settings.budgets,
            )
        found += some
        flaws += flawed
    if as_json:
        typer.echo(json.dumps({"budgets": [asdict(each) for each in found], "flaws": flaws}))
    else:
        print_rows(tables(), budget_rows(found))
    for flaw in flaws:
        typer.echo(f"left out: {flaw}", err=True)


@dataclass(frozen=True, slots=True)
class DegradeSettings:
    """What may be set."""

    kinds: tuple[str, ...] = KINDS
    rates: tuple[float, ...] = RATES
    budgets: tuple[int, ...] = LINES
    seeds: int = 8
    limit: int = 0  # only so many tasks or rows; 0: all


def _degrade(data: str, chosen: Sequence[str], levels: Sequence[str], isolation: str, as_json: bool) -> None:
    if list(levels) != ["none"]:
        raise UserError("degraded programs are not rewritten", "leave out --rewrite")
    settings: DegradeSettings = changed("degrade", DegradeSettings(), chosen)
    work: Sequence[Task | Row] = list(read_rows(Path(data))) if data else TASKS
    work = work[: settings.limit or None]
    with busy(f"running {len(work)} programs with errors"):
        found = curves(
            degrade(work, settings.kinds, settings.rates, settings.seeds, isolation, settings.budgets)
        )
    if as_json:
        typer.echo(json.dumps([asdict(each) for each in found]))
    else:
        print_rows(tables(), curve_rows(found))


WITHOUT_MODEL: Mapping[str, Callable[[str, Sequence[str], Sequence[str], str, bool], None]] = {
    "tokens": _tokens,
    "degrade": _degrade,
}
"""By name: (data, settings, levels of rewriting, isolation, whether as JSON)."""
