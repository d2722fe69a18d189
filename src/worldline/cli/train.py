"""This file is `worldline train`."""

import json
import os
import shlex
import sys
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from worldline.cli.progress import counting
from worldline.learn.training.recipes import default_folder, recipe


def train(
    target: Annotated[
        str,
        typer.Argument(
            metavar="RECIPE",
            help="FILE.py:NAME, a function that returns a Training; FILE.py: the one called as the file.",
        ),
    ],
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the recipe, or an option."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="FOLDER: kept, and gone on with.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The result as one JSON object.")] = False,
) -> None:
    """Train a network by a recipe.

    The same command goes on where it stopped, to the bit. The folder holds the weights (safetensors), the log
    (JSON lines) and a model card. A recipe is Python code, and is run: train by recipes that you trust.

    **Examples**

    - `worldline train recipes/example.py:copying -o copying`
    - `worldline train recipes/example.py:copying --set length=6 --set iterations=200 --set seed=1`
    - `worldline train recipes/embedded.py -o embedded` the model that ships
    - `torchrun --nproc-per-node 2 -m worldline.cli train recipes/example.py:copying -o copying`
    """
    from worldline.learn.training.trainer import train as train_by

    config = recipe(target, set_ or ())
    folder = str(output or config.options.folder or default_folder(target, set_ or ()))
    config = replace(config, options=replace(config.options, folder=folder))
    is_first = os.environ.get("RANK", "0") == "0"
    with counting(is_shown=is_first) as progress:
        bar = progress.add_task("training", total=config.options.iterations)

        def watch(record: Mapping[str, Any]) -> None:
            told = f"loss {record['loss']:.4f}, {record['tokens_per_second']:,.0f} tokens/s"
            progress.update(bar, completed=record["iteration"], description=told)

        result = train_by(config, watch=watch, command=shlex.join(["worldline", *sys.argv[1:]]))
    if not is_first:
        raise typer.Exit(0 if result.is_finished else 130)
    if as_json:
        typer.echo(json.dumps(asdict(result)))
    elif result.loss is not None:
        scores = "".join(
            f", {name} {'no number' if value is None else format(value, '.4f')}"
            for name, value in result.scores.items()
        )
        typer.echo(f"{result.iteration} iterations, loss {result.loss:.4f}{scores}")
    if not result.is_finished:
        at = f"{result.iteration} of {config.options.iterations} iterations"
        typer.echo(f"interrupted after {at}; go on with the same command and -o {folder}", err=True)
        raise typer.Exit(130)
    typer.echo(f"the weights are in {folder}", err=True)
