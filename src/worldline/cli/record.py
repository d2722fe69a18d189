"""This file is `worldline record`."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from worldline.cli.busy import busy
from worldline.cli.limits import HELP, parsed_limits
from worldline.errors import UserError
from worldline.record.entry import call_entry, find_entry
from worldline.record.options import Engine, Options
from worldline.record.recording import INTERRUPTED, Recording, read_program
from worldline.record.recording import record as record_program
from worldline.report.listing import ending_text, print_listing
from worldline.trace.files import write
from worldline.trace.model import Entry, Program


def record(
    program: Annotated[Path | None, typer.Argument(help="The program; not needed with --pytest.")] = None,
    args: Annotated[list[str] | None, typer.Argument(help="Arguments of a script, after --.")] = None,
    call: Annotated[str, typer.Option(help="Record this call, e.g. 'f(1, 2)'.")] = "",
    pytest: Annotated[str, typer.Option(metavar="NODEID", help="Record this test of your own code.")] = "",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write to FILE.jsonl or .parquet.")
    ] = None,
    stdin: Annotated[Path | None, typer.Option(help="A file to give as standard input.")] = None,
    isolation: Annotated[
        str, typer.Option(help="process, bwrap, sandlock, or strict: one of the last two.")
    ] = "process",
    limit: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help=HELP)] = None,
    user_repr: Annotated[
        bool, typer.Option("--user-repr", help="Show objects by their own __repr__.")
    ] = False,
    fold: Annotated[
        bool, typer.Option("--fold", help="No steps inside comprehensions: one shape on all Pythons.")
    ] = False,
    engine: Annotated[str, typer.Option(help="auto, c, or python: the pure twin.")] = "auto",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the trace as JSON lines; with -o, a summary.")
    ] = False,
) -> None:
    """Record what a program really does, step by step.

    **Examples**

    - `worldline record prog.py` the function marked `# << START_OF_TRACE`, else `main()`, else the script
    - `worldline record prog.py --call 'f([3, 1], k=2)' -o f.jsonl` one call, to a file
    - `worldline record script.py -o run.parquet -- --size 10` a script with arguments
    - `worldline record solve.py --stdin input.txt --limit time=5` with input and a time limit
    - `worldline record --pytest tests/test_sort.py::test_empty -o t.jsonl` a test of your own code
    """
    options = Options(user_repr=user_repr, fold=fold, engine=_engine(engine))
    options, limits = parsed_limits(limit or (), options)
    subject, roots = _subject(program, tuple(args or ()), call, pytest, stdin)
    with busy("recording"):
        recording = record_program(subject, options, limits, isolation, roots)
    _deliver(recording, output, as_json)
    talk = f"{recording.steps} steps in {recording.seconds:.2f} s, {ending_text(recording.ending)}"
    typer.echo(f"{talk}; isolation: {recording.origin.isolation}", err=True)
    if recording.ending.detail == INTERRUPTED:
        raise typer.Exit(130)
    if not recording.ending.is_complete:
        raise typer.Exit(1)


def _engine(name: str) -> Engine:
    if name not in ("auto", "c", "python"):
        raise UserError(f"--engine {name!r} is none of auto, c, python", "leave it out to take the fastest")
    return name  # type: ignore[return-value]


def _subject(
    path: Path | None, args: tuple[str, ...], call: str, pytest: str, stdin: Path | None
) -> tuple[Program, tuple[Path, ...]]:
    """The program that the command line means, and the folders whose files are the user's."""
    if pytest:
        file = Path(pytest.partition("::")[0])
        return Program(read_program(file), Entry("test", pytest), str(file)), (Path.cwd(),)
    if path is None:
        raise UserError("no program was given", "worldline record PROGRAM.py, or --pytest NODEID")
    source = read_program(path)
    given = read_program(stdin) if stdin else ""
    entry = call_entry(source, str(path), call, given) if call else find_entry(source, str(path), args, given)
    return Program(source, entry, str(path)), (path.resolve().parent,)


def _deliver(recording: Recording, output: Path | None, as_json: bool) -> None:
    if output is None:
        if as_json or not sys.stdout.isatty():
            recording.write_to(sys.stdout.buffer)
        else:
            print_listing(Console(), recording.trace)
        return
    if output.suffix == ".jsonl":
        recording.write(output)
    else:
        write(recording.trace, output)
    if as_json:
        ending = recording.ending
        summary = {
            "file": str(output),
            "steps": recording.steps,
            "verdict": ending.kind,
            "result": ending.value,
        }
        summary |= {"isolation": recording.origin.isolation, "seconds": round(recording.seconds, 4)}
        typer.echo(json.dumps(summary))
