"""This file is `worldline export`."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from worldline.cli.writing import writing

_COUNTED = {"dataset": "traces", "llama": "network"}


def export(
    source: Annotated[Path, typer.Argument(help="A run (.db), or a folder of traces or of a training.")],
    to: Annotated[str, typer.Option(help="cruxeval, cruxeval-scored, lm-eval, dataset, llama.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="OUT", help="Where it goes.")],
    mode: Annotated[str | None, typer.Option(help="Which mode of the run, if it has several.")] = None,
    license: Annotated[str, typer.Option(metavar="NAME", help="Of the data set, such as cc-by-4.0.")] = "",
    weights: Annotated[str, typer.Option(help="Of a training: best, or model (those at the end).")] = "best",
    as_json: Annotated[bool, typer.Option("--json", help="What was written, as one JSON object.")] = False,
) -> None:
    """Write a run or recorded traces as the files of another tool.

    A run of a benchmark becomes CRUXEval's own files of answers (`cruxeval`) and scores
    (`cruxeval-scored`), or the logs of lm-evaluation-harness (`lm-eval`: OUT is a folder). A folder
    of collected traces becomes a Hugging Face data set (`dataset`: OUT is a folder) with its card. The
    folder of a training whose network is a Transformer becomes a Llama for `transformers`, with the same
    logits (`llama`: OUT is a folder; it needs torch).

    **Examples**

    - `worldline export run.db --to cruxeval -o generations.json` for CRUXEval's published scorer
    - `worldline export run.db --to lm-eval -o logs/` results_TIME.json and samples_TASK_TIME.jsonl
    - `worldline export traces/ --to dataset -o set/ --license cc-by-4.0` one row a trace, in Parquet
    - `worldline export run.db --to cruxeval-scored -o scored.json --mode forced`
    - `worldline export copying/ --to llama -o llama/` the folder of a training
    """
    from worldline.bench.exchange.export import Choices, Exported
    from worldline.bench.exchange.export import export as write

    if to == "llama":
        from worldline.learn.export import to_hugging_face

        with writing(output):
            names = to_hugging_face(source, output, weights)
        done = Exported(to, 1, tuple(str(output / name) for name in names))
    else:
        done = write(source, to, output, Choices(mode, license))
    if as_json:
        typer.echo(json.dumps(asdict(done)))
    rows = f"{done.rows} {_COUNTED.get(done.to, 'problems')}"
    typer.echo(f"{rows} as {done.to}: {', '.join(done.files)}", err=True)
