"""This file is `worldline doctor`."""

import json
from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from worldline.report.doctor import examine

MARKS = {"good": "[green]✓[/]", "missing": "[yellow]–[/]", "bad": "[red]✗[/]"}


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a finding.")] = False,
) -> None:
    """Look at this machine: the C core, the boxes (by trying forbidden things in them), the extras.

    Exit code 1 if programs of others cannot be recorded safely here.

    **Examples**

    - `worldline doctor`
    - `worldline doctor --json | jq 'select(.state != "good")'`
    """
    findings = examine()
    if as_json:
        for finding in findings:
            typer.echo(json.dumps(asdict(finding)))
    else:
        table = Table(box=None, padding=(0, 1))
        for column in ("", "what", "found", "what next"):
            table.add_column(column)
        for finding in findings:
            table.add_row(MARKS[finding.state], finding.what, finding.found, finding.hint)
        Console().print(table)
    if any(finding.state == "bad" for finding in findings):
        raise typer.Exit(1)
