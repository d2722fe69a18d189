"""This file is `worldline show`."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from worldline.errors import UserError
from worldline.report.listing import print_listing
from worldline.report.step_json import step_objects
from worldline.report.step_view import StepViews
from worldline.report.stepper import step_through
from worldline.trace.files import read


def show(
    file: Annotated[Path, typer.Argument(help="A trace: .jsonl or .parquet.")],
    at: Annotated[int | None, typer.Option(help="Show this step only, or start there.")] = None,
    hidden: Annotated[
        bool, typer.Option("--hidden", help="Also loop positions and names of one object.")
    ] = False,
    as_list: Annotated[bool, typer.Option("--list", help="Print a list instead of stepping.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a step, state complete.")] = False,
) -> None:
    """Look at a trace: the source with the current line, the variables with what changed.

    **Examples**

    - `worldline show f.jsonl` steps with the arrow keys in a terminal, prints a list elsewhere
    - `worldline show f.jsonl --list` the list, in a terminal too
    - `worldline show f.jsonl --at 14 --hidden` one step, with loop positions and shared objects
    - `worldline show f.jsonl --json | jq .locals` every step as a complete JSON object
    """
    trace = read(file)
    if at is not None and not 0 <= at < len(trace.steps):
        raise UserError(f"{file} has no step {at}", f"its steps are 0 to {len(trace.steps) - 1}")
    console = Console()
    if as_json:
        for record in step_objects(trace, hidden, at):
            typer.echo(json.dumps(record))
    elif not trace.steps:
        print_listing(console, trace)
    elif sys.stdin.isatty() and sys.stdout.isatty() and not as_list:
        step_through(console, trace, at or 0, hidden)
    elif at is None:
        print_listing(console, trace, show_hidden=hidden)
    else:
        console.print(StepViews(trace).view(at, (console.width, 30), hidden))
