"""This file is `worldline tokens`."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from worldline.cli.busy import busy
from worldline.formats import format_names
from worldline.report.token_cost import cost_object, print_costs, print_strings, string_costs, trace_costs
from worldline.tokens import tokenizer_names
from worldline.trace.files import read


def tokens(
    file: Annotated[Path, typer.Argument(help="A trace: .jsonl or .parquet.")],
    format: Annotated[list[str] | None, typer.Option("-f", help="Only this format; may be repeated.")] = None,
    tokenizer: Annotated[
        list[str] | None, typer.Option("-t", help="Only this tokenizer; may be repeated.")
    ] = None,
    strings: Annotated[
        bool, typer.Option("--strings", help="Also how the strings fall into tokens.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a row.")] = False,
) -> None:
    """Count what a trace costs a model: by format, by tokenizer, by part.

    **Examples**

    - `worldline tokens f.jsonl` every format and tokenizer
    - `worldline tokens f.jsonl -f cwm -f compact -t llama3` two formats, as CWM would read them
    - `worldline tokens f.jsonl --strings` characters against tokens, and what one edited character does
    """
    readers = tokenizer or tokenizer_names()
    with busy("counting"):
        trace = read(file)
        costs = trace_costs(trace, format or format_names(), readers)
        pieces = string_costs(trace, readers) if strings else []
    if as_json:
        for record in [*map(cost_object, costs), *map(asdict, pieces)]:
            typer.echo(json.dumps(record))
        return
    console = Console()
    print_costs(console, costs)
    if strings:
        print_strings(console, pieces)
