"""This file is `worldline diff`."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from worldline.cli.busy import busy
from worldline.cli.writing import check_writable, write_html
from worldline.diagnose.diagnosis import Asked, diagnose
from worldline.diagnose.prediction import Prediction, of_text, of_trace
from worldline.diagnose.table9 import llama3_count
from worldline.diagnose.truth import truth
from worldline.errors import UserError
from worldline.formats import format, format_names
from worldline.record.entry import find_entry
from worldline.record.recording import read_program
from worldline.report.diagnosis_json import diagnosis_object
from worldline.report.diff_view import print_diagnosis
from worldline.trace.files import read
from worldline.trace.model import Program, Trace


def diff(
    real: Annotated[Path, typer.Argument(help="The truth: a trace, or a program (.py) to be recorded now.")],
    predicted: Annotated[Path, typer.Argument(help="A predicted trace, or a model's text (.cwm, .compact).")],
    at: Annotated[int | None, typer.Option(help="Look around this real step, not the divergence.")] = None,
    isolation: Annotated[
        str, typer.Option(help="For running on from believed states: process, strict, bwrap, sandlock.")
    ] = "process",
    html: Annotated[Path | None, typer.Option(metavar="OUT", help="Also write the time-travel page.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The diagnosis as one JSON object.")] = False,
) -> None:
    """Show the exact step at which a prediction leaves reality, and why. Exit code 1 if it does.

    **Examples**

    - `worldline diff real.jsonl predicted.jsonl` two traces
    - `worldline diff prog.py answer.cwm` what a model wrote against what the program does
    - `worldline diff real.jsonl predicted.jsonl --at 14` around step 14
    - `worldline diff prog.py answer.cwm --html diff.html` step through both in a browser
    """
    if html is not None:
        check_writable(html)
    trace = _real(real, isolation)
    prediction = _prediction(predicted, trace)
    if at is not None and not 0 <= at < len(trace.steps):
        raise UserError(f"{real} has no step {at}", f"its steps are 0 to {len(trace.steps) - 1}")
    with busy("comparing"):
        asked = Asked(predicted.name)
        found = diagnose(trace, prediction, asked=asked, isolation=isolation, count=llama3_count())
    if html is not None:
        write_html([found.diagnosis], html, f"{real.name} and {predicted.name}")
    if as_json:
        typer.echo(json.dumps(diagnosis_object(found)))
    else:
        print_diagnosis(Console(), found.diagnosis, at, _hint(found.diagnosis.verdict, real, predicted, html))
    raise typer.Exit(0 if found.diagnosis.verdict == "exact" else 1)


def _real(path: Path, isolation: str) -> Trace:
    if path.suffix != ".py":
        with busy("reading"):
            return read(path)
    source = read_program(path)
    with busy("recording"):
        found = truth(Program(source, find_entry(source, str(path)), str(path)), isolation=isolation).trace
    if not found.steps:
        raise UserError(f"{path} took no step: {found.ending.detail}", f"try: worldline record {path}")
    return found


def _prediction(path: Path, real: Trace) -> Prediction:
    name = path.suffix.removeprefix(".")
    if name in format_names():
        return of_text(read_program(path), real.program, format(name), str(path))
    with busy("reading"):
        return of_trace(read(path))


def _hint(verdict: str, real: Path, predicted: Path, html: Path | None) -> str:
    if verdict == "exact":
        return f"worldline tokens {real} tells what this trace costs a model"
    if html is not None:
        return f"open {html} in a browser"
    return f"worldline diff {real} {predicted} --html diff.html steps through both in a browser"
