"""This file is `worldline export`."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer


def export(
    source: Annotated[Path, typer.Argument(help="A run (.db), or a folder of traces.")],
    to: Annotated[str, typer.Option(help="cruxeval, cruxeval-scored, lm-eval, dataset.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="OUT", help="Where it goes.")],
    mode: Annotated[str | None, typer.Option(help="Which mode of the run, if it has several.")] = None,
    license: Annotated[str, typer.Option(metavar="NAME", help="Of the data set, such as cc-by-4.0.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="What was written, as one JSON object.")] = False,
) -> None:
    """Write a run or recorded traces as the files of another tool.

    A run of a benchmark becomes CRUXEval's own files of answers (`cruxeval`) and scores
    (`cruxeval-scored`), or the logs of lm-evaluation-harness (`lm-eval`: OUT is a folder). A folder
    of collected traces becomes a Hugging Face data set (`dataset`: OUT is a folder) with its card.

    **Examples**

    - `worldline export run.db --to cruxeval -o generations.json` for CRUXEval's published scorer
    - `worldline export run.db --to lm-eval -o logs/` results_TIME.json and samples_TASK_TIME.jsonl
    - `worldline export traces/ --to dataset -o set/ --license cc-by-4.0` one row a trace, in Parquet
    - `worldline export run.db --to cruxeval-scored -o scored.json --mode forced`
    """
    from worldline.bench.exchange.export import Choices
    from worldline.bench.exchange.export import export as write

    done = write(source, to, output, Choices(mode, license))
    if as_json:
        typer.echo(json.dumps(asdict(done)))
    rows = f"{done.rows} {'traces' if done.to == 'dataset' else 'problems'}"
    typer.echo(f"{rows} as {done.to}: {', '.join(done.files)}", err=True)
