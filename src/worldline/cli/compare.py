"""This file is `worldline compare`."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from worldline.bench.compare import compare as compare_runs
from worldline.bench.run import scores_of
from worldline.cli.writing import tables
from worldline.errors import UserError
from worldline.report.bench_view import print_sides
from worldline.work.store import opened


def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Runs of one benchmark.")],
    as_json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """Put runs side by side over the problems that all of them have: gains, losses, and a paired test.

    The first run (and the first mode in it) is what the others are held against. A run with several modes is
    compared with itself.

    **Examples**

    - `worldline compare before.db after.db` did it help, and is that more than luck?
    - `worldline compare run.db --json | jq '.sides[] | [.name, .p]'` the modes of one run
    """
    found = {}
    settings = {}
    for path in runs:
        with opened(path) as store:
            name = path.stem if path.stem not in found else str(path)
            found[name] = scores_of(store)
            settings[name] = store.facts["setting"]
    names = {each["benchmark"] for each in settings.values()}
    if len(names) > 1:
        raise UserError(f"the runs are of {' and '.join(sorted(names))}", "compare runs of one benchmark")
    if len({each["data"] for each in settings.values()}) > 1:
        typer.echo("note: the runs have different problem sets; what they share is compared", err=True)
    sides = compare_runs(found)
    if as_json:
        typer.echo(json.dumps({"settings": settings, "sides": [asdict(side) for side in sides]}))
    else:
        print_sides(tables(), sides)
