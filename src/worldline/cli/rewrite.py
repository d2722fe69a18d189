"""This file is `worldline rewrite`."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from worldline.cli.busy import busy
from worldline.cli.writing import check_writable, writing
from worldline.record.box import choose
from worldline.record.entry import call_entry, find_entry
from worldline.record.recording import read_program
from worldline.rewrite import Rewritten, check_level
from worldline.rewrite import rewrite as rewrite_program
from worldline.rewrite.check import CheckOptions, Verdict
from worldline.rewrite.check import check as check_program
from worldline.trace.model import Program


def rewrite(
    program: Annotated[Path, typer.Argument(help="The program.")],
    level: Annotated[
        str, typer.Option(help="expressions, strings or atomic; each includes those before it.")
    ] = "atomic",
    call: Annotated[str, typer.Option(help="For --check: this call of it, e.g. 'f(1, 2)'.")] = "",
    check: Annotated[bool, typer.Option("--check", help="Run both, and compare what they do.")] = False,
    inputs: Annotated[int, typer.Option(min=1, help="For --check: the call and others like it.")] = 20,
    seed: Annotated[int, typer.Option(help="For --check: of the other calls.")] = 0,
    explain: Annotated[bool, typer.Option("--explain", help="Say what is left as it was, and why.")] = False,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="OUT.py; else to the screen.")] = None,
    isolation: Annotated[str, typer.Option(help="For --check: process, strict, ...")] = "process",
    as_json: Annotated[bool, typer.Option("--json", help="All of it as one JSON object.")] = False,
) -> None:
    """Make hidden state visible: the same behaviour in smaller steps.

    Exit code 1 if --check finds a difference; then nothing is written.

    **Examples**

    - `worldline rewrite prog.py` every method and built-in function as steps that can be followed
    - `worldline rewrite prog.py --level expressions` one operation a line, no more
    - `worldline rewrite prog.py --call 'f("ab", 3)' --check -o out.py` only if both do the same
    - `worldline rewrite prog.py --explain` what is left as it was, and why
    """
    source = read_program(program)
    entry = call_entry(source, str(program), call) if call else find_entry(source, str(program))
    found = rewrite_program(Program(source, entry, str(program)), check_level(level))
    verdict = None
    if check:
        with busy("running both"):
            verdict = check_program(
                found.original,
                found.program,
                n=inputs,
                seed=seed,
                options=CheckOptions(isolation=choose(isolation)),
            )
    is_wrong = verdict is not None and not verdict.equal
    if output is not None and not is_wrong:
        check_writable(output)
        with writing(output):
            output.write_text(found.program.source, encoding="utf-8")
    if as_json:
        typer.echo(json.dumps(_object(found, verdict)))
    elif explain:
        _explain(found)
    elif output is None and not is_wrong:
        typer.echo(found.program.source, nl=False)
    if verdict is not None:
        typer.echo(_told(verdict), err=True)
    raise typer.Exit(1 if is_wrong else 0)


def _object(found: Rewritten, verdict: Verdict | None) -> dict[str, Any]:
    return {
        "level": found.level,
        "source": found.program.source,
        "lines": found.lines,
        "left": [asdict(each) for each in found.left],
        "microcode": found.microcode,
        "check": None if verdict is None else asdict(verdict),
    }


def _explain(found: Rewritten) -> None:
    for left in found.left:
        typer.echo(f"{found.original.path} line {left.line}: {left.what}: {left.why}")
    many = f"{len(found.left)} places are" if len(found.left) != 1 else "one place is"
    told = f"{many} left as they were" if found.left else "nothing is left as it was"
    typer.echo(told, err=True)


def _told(verdict: Verdict) -> str:
    skipped = "".join(f"; {count} not counted: {why}" for why, count in verdict.reasons.items())
    if verdict.difference is not None:
        return (
            f"not the same{skipped}\n{verdict.difference}\nThis is a mistake of worldline: please report it."
        )
    if not verdict.equal:
        return f"nothing could be compared{skipped}"
    return f"the same on {verdict.inputs} inputs{skipped}"
