"""This file is `worldline convert`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from worldline.cli.busy import busy
from worldline.errors import UserError
from worldline.formats import format_names
from worldline.formats.files import read_any, write_text
from worldline.trace import jsonl
from worldline.trace.files import SUFFIXES, write


def convert(
    file: Annotated[Path, typer.Argument(help="A trace (.jsonl, .parquet), or text in one of the formats.")],
    to: Annotated[str, typer.Option(help="jsonl, parquet, cwm, compact; default: by the suffix of -o.")] = "",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Where to; text goes to stdout else.")
    ] = None,
    program: Annotated[Path | None, typer.Option(help="The program, when FILE is text of a model.")] = None,
    prompt: Annotated[
        bool, typer.Option("--prompt", help="Put what a model is given before the text.")
    ] = False,
    stripped: Annotated[bool, typer.Option("--stripped", help="Without the special tokens of cwm.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --to jsonl.")] = False,
) -> None:
    """Write a trace another way: as a file for programs, or as the text a model reads and writes.

    **Examples**

    - `worldline convert f.jsonl --to cwm` as Meta's code world model writes it
    - `worldline convert f.jsonl --to compact --prompt` our short format, after its prompt
    - `worldline convert f.jsonl -o f.parquet` for data frames
    - `worldline convert answer.cwm --program prog.py -o predicted.jsonl` what a model wrote, as a trace
    """
    target = "jsonl" if as_json else to or (output.suffix.removeprefix(".") if output else "")
    files = [suffix.removeprefix(".") for suffix in SUFFIXES]
    if target not in [*files, *format_names()]:
        known = ", ".join([*files, *format_names()])
        raise UserError(f"it is not clear what to convert {file} to", f"give --to, one of: {known}")
    with busy("reading"):
        trace = read_any(file, program)
    if not trace.steps and trace.origin.kind == "predicted":
        raise UserError(f"{file} has no step: {trace.ending.detail}", "is it the text of this program?")
    if target not in files:
        write_text(trace, target, output, prompt=prompt, stripped=stripped)
    elif output is None and target == "jsonl":
        sys.stdout.writelines(line + "\n" for line in jsonl.lines(trace))
    elif output is None:
        raise UserError(f"{target} does not go to a terminal", "give a file: -o FILE.parquet")
    else:
        with busy("writing"):
            write(trace, output)
