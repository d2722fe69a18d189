"""This file is `worldline diagnose`."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from typer.core import TyperGroup

from worldline.cli.busy import busy
from worldline.cli.limits import HELP, parsed_limits
from worldline.cli.progress import counting
from worldline.cli.writing import check_writable, write_html, writing
from worldline.diagnose.diagnosis import Diagnosed
from worldline.diagnose.intervention import attribute_by_intervention
from worldline.diagnose.subject import subject as ready
from worldline.diagnose.table9 import llama3_count
from worldline.diagnose.transcripts import Failed, diagnose_rows, read_rows
from worldline.models import DEFAULT, preferred
from worldline.models import model as load_model
from worldline.record.box import choose
from worldline.record.entry import as_marked, call_entry, find_entry
from worldline.record.options import Options
from worldline.record.recording import read_program
from worldline.report.attribution_view import attribution_object, print_attribution
from worldline.report.diagnosis_json import diagnosis_object
from worldline.report.summary import print_summary, summary
from worldline.report.summary_page import summary_page
from worldline.rewrite import check_level
from worldline.rollout.options import RolloutOptions
from worldline.trace.model import Program

OTHER_FRAMES = "CWM writes comprehensions as frames, as CPython 3.11 has them; use 3.11 to compare with those"


class _ProgramFirst(TyperGroup):
    """`diagnose PROGRAM` is `diagnose program PROGRAM`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the name of the verb's usual form in front of a program."""
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            args = ["program", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown", cls=_ProgramFirst)


@app.callback()
def diagnose() -> None:
    """Find where and why predictions leave reality, and what would have helped.

    **Examples**

    - `worldline diagnose prog.py --model http:http://localhost:8000/v1` ask a model, and try every cure
    - `worldline diagnose transcripts outputs.jsonl` what many outputs of a model got wrong
    - `worldline diff real.jsonl predicted.jsonl` one prediction in detail
    """


@app.command()
def program(
    path: Annotated[Path, typer.Argument(metavar="PROGRAM", help="The program.")],
    model: Annotated[str, typer.Option(help="As for worldline predict.")] = DEFAULT,
    call: Annotated[str, typer.Option(help="This call of it, e.g. 'f(1, 2)'.")] = "",
    isolation: Annotated[str, typer.Option(help="For the truth: process, strict, ...")] = "process",
    as_json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """Ask a model for a trace; where it goes wrong, ask again with one thing changed at a time.

    Exit code 1 if it goes wrong.

    **Examples**

    - `worldline diagnose prog.py` the embedded model, on the program in atomic steps
    - `worldline diagnose prog.py --model faulty:stale=0.1,seed=3` which intervention makes it disappear
    - `worldline diagnose prog.py --call 'f(3)' --model hf:models/small --json`
    """
    source = read_program(path)
    entry = call_entry(source, str(path), call) if call else find_entry(source, str(path))
    subject = as_marked(Program(source, entry, str(path)))
    with busy("asking the model"):
        usual = preferred(model)
        options = RolloutOptions(usual.actions, context=usual.context, stop_below=usual.stop_below)  # type: ignore[arg-type]
        level = None if usual.rewrite == "none" else check_level(usual.rewrite)
        asked = ready(subject, level, isolation, is_trimmed=False)
        real = asked.real
        found = attribute_by_intervention(asked.program, load_model(model), real, options)
    if as_json:
        typer.echo(json.dumps(attribution_object(found, model)))
    else:
        print_attribution(Console(), found, real)
    raise typer.Exit(0 if found.divergence is None else 1)


@app.command()
def transcripts(
    file: Annotated[
        Path, typer.Argument(help="JSONL: id, program, output, and perhaps call, expected, predicted.")
    ],
    html: Annotated[Path | None, typer.Option(metavar="OUT", help="Write the page to look at.")] = None,
    markdown: Annotated[Path | None, typer.Option(metavar="OUT", help="Write tables as Markdown.")] = None,
    isolation: Annotated[
        str, typer.Option(help="strict (bwrap or sandlock, or refuse), bwrap, sandlock, process.")
    ] = "strict",
    limit: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help=HELP)] = None,
    jobs: Annotated[
        int | None, typer.Option("-j", "--jobs", min=1, help="At once; default: all cores.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a row.")] = False,
) -> None:
    """Diagnose what a model wrote, in the format `cwm` with its special tokens or with them stripped.

    The truth is recorded in a box. Every row gets a verdict: exact, diverged, cut or unreadable; the first
    step that is wrong, the kind of error, its cause with the evidence, and how the trace goes on from there.

    **Examples**

    - `worldline diagnose transcripts outputs.jsonl` counts, causes and metrics
    - `worldline diagnose transcripts outputs.jsonl --html report.html` to look at every step
    - `worldline diagnose transcripts outputs.jsonl --json | jq 'select(.cause.name == "stale")'`
    """
    level = choose(isolation)
    _, limits = parsed_limits(limit or (), Options())
    for path in filter(None, (html, markdown)):
        check_writable(path)
    rows = read_rows(file)
    if sys.version_info >= (3, 12):
        typer.echo(f"note: {OTHER_FRAMES}", err=True)
    found: list[Diagnosed] = []
    failed: list[Failed] = []
    is_interrupted = False
    with counting() as progress:
        bar = progress.add_task("diagnosing", total=len(rows))
        try:
            for each in diagnose_rows(rows, level, limits, jobs, llama3_count()):
                progress.advance(bar)
                (failed if isinstance(each, Failed) else found).append(each)  # type: ignore[arg-type]
                if as_json:
                    typer.echo(json.dumps(diagnosis_object(each)))
        except KeyboardInterrupt:
            is_interrupted = True  # what is finished is told all the same
    if not as_json and found:
        print_summary(Console(), summary(found))
    _write(found, html, markdown, file)
    for each in failed:
        typer.echo(f"{each.id} could not be diagnosed: {each.why}", err=True)
    told = f"{len(rows)} rows: {len(found)} diagnosed, {len(failed)} not; isolation: {level}"
    typer.echo(told + (f"; look at {html}" if html else ""), err=True)
    if is_interrupted:
        raise typer.Exit(130)
    raise typer.Exit(1 if failed else 0)


def _write(found: list[Diagnosed], html: Path | None, markdown: Path | None, file: Path) -> None:
    title = f"Diagnosis of {file.name}"
    if markdown is not None:
        command = f"worldline diagnose transcripts {file.name} --markdown {markdown.name}"
        with writing(markdown):
            markdown.write_text(summary_page(found, title, command), encoding="utf-8")
    if html is not None:
        write_html([each.diagnosis for each in found], html, title)
