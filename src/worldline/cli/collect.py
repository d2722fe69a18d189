"""This file is `worldline collect`."""

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from worldline.cli.limits import HELP, parsed_limits
from worldline.cli.progress import counting
from worldline.record.box import choose
from worldline.record.collect import collect as collect_rows
from worldline.record.collect import read_rows
from worldline.record.options import Options
from worldline.work.engines import Hands


def collect(
    rows: Annotated[Path, typer.Argument(help="A JSONL file of programs.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Where the traces go.")],
    isolation: Annotated[
        str, typer.Option(help="strict (bwrap or sandlock, or refuse), bwrap, sandlock, process.")
    ] = "strict",
    limit: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help=HELP)] = None,
    jobs: Annotated[
        int | None, typer.Option("-j", "--jobs", min=1, help="At once; default: all cores.")
    ] = None,
    engine: Annotated[str, typer.Option(help="processes, ray (a cluster), here.")] = "processes",
    fold: Annotated[bool, typer.Option("--fold", help="No steps inside comprehensions.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a row.")] = False,
) -> None:
    """Record many programs, over all cores, each in a box of its own.

    Rows are JSON objects with `code` and `input` (the function is `f`, as in CRUXEval), or `program` with
    perhaps `call` and `stdin`; `id` names them. What DIR already has is not recorded again.

    **Examples**

    - `worldline collect cruxeval.jsonl -o traces/` records every row, isolated from your files and network
    - `worldline collect rows.jsonl -o traces/ --json | jq 'select(.verdict != "returned")'`
    - `worldline collect mine.jsonl -o traces/ --isolation process --limit time=30` your own programs
    """
    options, limits = parsed_limits(limit or (), Options(fold=fold))
    level = choose(isolation)
    todo = list(read_rows(rows))
    verdicts: Counter[str] = Counter()
    with counting() as progress:
        bar = progress.add_task("recording", total=len(todo))
        is_interrupted = False
        try:
            for entry in collect_rows(todo, output, options, limits, level, Hands(engine, jobs or 0)):
                verdicts[entry.verdict] += 1
                progress.advance(bar)
                if as_json:
                    typer.echo(json.dumps(asdict(entry)))
        except KeyboardInterrupt:
            is_interrupted = True
    summary = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common())
    typer.echo(f"{len(todo)} rows: {summary or 'none'}; isolation: {level}; traces in {output}", err=True)
    if is_interrupted:
        typer.echo("interrupted; go on with the same command", err=True)
        raise typer.Exit(130)
    if verdicts["lost"]:
        typer.echo("the recorder itself failed for some; the same command tries them again", err=True)
        raise typer.Exit(1)
