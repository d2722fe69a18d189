"""This file is text of any format in files: reading what a model wrote, writing what it should have."""

import sys
from pathlib import Path

from worldline.errors import UserError
from worldline.formats import Cut, Decoded, format, format_names
from worldline.record.entry import find_entry
from worldline.record.recording import read_program
from worldline.trace.ending import ending_of
from worldline.trace.files import SUFFIXES, read
from worldline.trace.model import Ending, Origin, Program, Trace


def read_any(path: Path, program: Path | None) -> Trace:
    """The trace in a file; text of a format (by suffix, as in answer.cwm) needs its program."""
    name = path.suffix.removeprefix(".")
    if path.suffix in SUFFIXES or name not in format_names():
        return read(path)
    if program is None:
        raise UserError(f"{path} is text of a model; its program is needed", "give it: --program PROGRAM.py")
    source = read_program(program)
    subject = Program(source, find_entry(source, str(program)), str(program))
    return predicted(format(name).decode(read_program(path), subject), subject, str(path))


def predicted(decoded: Decoded, program: Program, by: str) -> Trace:
    """What a model wrote, as a trace; where it breaks off or cannot be read is told by the ending."""
    problem = decoded.problem
    if problem is None:
        ending = ending_of(decoded.steps, program.source)
    elif isinstance(problem, Cut):
        where = f"step {problem.frame_number}, at character {problem.offset}"
        ending = Ending("open", detail=f"the text ends in {where}")
    else:
        where = f"step {problem.frame_number}, at character {problem.offset}"
        ending = Ending("open", detail=f"{where}: {problem.why}")
    return Trace(program, decoded.steps, ending, Origin("predicted", by))


def write_text(trace: Trace, name: str, output: Path | None, *, prompt: bool, stripped: bool) -> None:
    """Write a trace as text of format `name`, to a file or to stdout."""
    form = format(name)
    text = (form.prompt(trace.program) if prompt else "") + form.encode(trace)
    if stripped:
        from worldline.formats.cwm import stripped as without_tokens

        text = without_tokens(text, trace.program)
    if output is None:
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
    else:
        output.write_text(text, encoding="utf-8")
