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
from worldline.record.entry import as_marked, find_entry
from worldline.record.recording import read_program
from worldline.report.diagnosis_json import diagnosis_object
from worldline.report.diff_view import print_diagnosis
from worldline.rewrite import LEVELS, rewrite
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
    - `worldline diff prog.py p.jsonl` what `predict prog.py -o p.jsonl` has written
    - `worldline diff real.jsonl predicted.jsonl --at 14` around step 14
    - `worldline diff prog.py answer.cwm --html diff.html` step through both in a browser
    """
    if html is not None:
        check_writable(html)
    said = None if predicted.suffix.removeprefix(".") in format_names() else _read(predicted)
    trace = _real(real, isolation, said)
    prediction = _prediction(predicted, trace) if said is None else of_trace(said)
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


def _read(path: Path) -> Trace:
    with busy("reading"):
        return read(path)


def _real(path: Path, isolation: str, said: Trace | None) -> Trace:
    """A trace, or a program that is recorded: in smaller steps, if that is what the model was asked about."""
    if path.suffix != ".py":
        return _read(path)
    source = read_program(path)
    program = Program(source, find_entry(source, str(path)), str(path))
    if said is not None and (level := _level(program, said.program)):
        typer.echo(f"{path} was asked about in smaller steps: it is rewritten ({level}) here too", err=True)
        program = said.program
    with busy("recording"):
        found = truth(program, isolation=isolation).trace
    if not found.steps:
        raise UserError(f"{path} took no step: {found.ending.detail}", f"try: worldline record {path}")
    return found


def _level(program: Program, asked: Program) -> str:
    """The level of rewriting that makes one program the other; empty: none does."""
    if program.source == asked.source:
        return ""
    levels = (each for each in LEVELS if rewrite(as_marked(program), each).program.source == asked.source)
    return next(levels, "")


def _prediction(path: Path, real: Trace) -> Prediction:
    return of_text(read_program(path), real.program, format(path.suffix.removeprefix(".")), str(path))


def _hint(verdict: str, real: Path, predicted: Path, html: Path | None) -> str:
    if verdict == "exact":
        return f"worldline tokens {real} tells what this trace costs a model"
    if html is not None:
        return f"open {html} in a browser"
    return f"worldline diff {real} {predicted} --html diff.html steps through both in a browser"
