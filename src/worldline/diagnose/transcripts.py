"""This file is the diagnosis of many outputs of a model: rows in, diagnoses out, over all cores."""

import json
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from worldline.diagnose.diagnosis import Asked, Diagnosed, diagnose
from worldline.diagnose.prediction import of_text
from worldline.diagnose.table9 import Count
from worldline.diagnose.truth import truth
from worldline.errors import UserError
from worldline.formats import format
from worldline.record import Limits
from worldline.record.entry import MARKER, as_marked, call_entry, find_entry
from worldline.trace.model import Program

_LABELS = ("benchmark", "paper_cause", "paper_detail")


@dataclass(frozen=True, slots=True)
class Row:
    """One output of a model, and the program it is about."""

    program: Program
    output: str
    asked: Asked


@dataclass(frozen=True, slots=True)
class Failed:
    """A row that could not be diagnosed."""

    id: str
    why: str


def read_rows(path: Path) -> list[Row | Failed]:
    """The rows of a JSONL file with `id, program, output` and perhaps `call, expected, predicted`.

    A program that cannot be run is that row's own failure; a file that is none of rows is the user's mistake.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except FileNotFoundError:
        raise UserError(f"there is no file {path}", "check the path") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path} cannot be read: {error}", "transcripts are JSON lines in UTF-8") from None
    rows = [_row(line, f"{path} line {number}") for number, line in enumerate(lines, 1) if line.strip()]
    if not rows:
        raise UserError(f"{path} has no rows", "give one JSON object a line: id, program, output")
    return rows


def diagnose_rows(
    rows: Sequence[Row | Failed],
    isolation: str,
    limits: Limits,
    jobs: int | None = None,
    count: Count | None = None,
) -> Iterator[Diagnosed | Failed]:
    """A diagnosis for every row, in order; one that fails does not stop the others."""
    with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
        yield from pool.map(lambda row: diagnose_row(row, isolation, limits, count), rows)


def diagnose_row(
    row: Row | Failed, isolation: str, limits: Limits, count: Count | None = None
) -> Diagnosed | Failed:
    """Record the truth in the box and compare."""
    if isinstance(row, Failed):
        return row
    try:
        prediction = of_text(row.output, row.program, format("cwm"), row.asked.id)
        found = truth(row.program, len(prediction.trace.steps), isolation, limits)
        if not found.trace.steps:
            ending = found.ending
            told = ": ".join(filter(None, (ending.kind, ending.value, ending.detail)))
            return Failed(row.asked.id, f"the program took no step: {told}")
        return diagnose(found.trace, prediction, found.ending, row.asked, isolation, count)
    except UserError as error:
        return Failed(row.asked.id, error.what)
    except Exception as error:  # noqa: BLE001 - a fault of ours in one row must not cost the others
        return Failed(row.asked.id, f"internal error, please report it: {type(error).__name__}: {error}")


def _row(line: str, where: str) -> Row | Failed:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UserError(f"{where} is not JSON: {error}", "give one JSON object a line") from None
    if not isinstance(fields, dict):
        raise UserError(f"{where} is not a JSON object", "give one JSON object a line")
    missing = [name for name in ("id", "program", "output") if name not in fields]
    wrong = [name for name in ("program", "output") if not isinstance(fields.get(name), str)]
    if missing or wrong:
        what = f"has no {missing[0]!r}" if missing else f"has a {wrong[0]!r} that is no text"
        raise UserError(f"{where} {what}", "a row has at least id, program, output")
    name = str(fields["id"])
    labels = {key: str(fields[key]) for key in _LABELS if fields.get(key) is not None}
    asked = Asked(name, _text(fields.get("expected")), _text(fields.get("predicted")), labels)
    try:
        return Row(_program(fields["program"], _text(fields.get("call")) or ""), fields["output"], asked)
    except UserError as error:
        return Failed(name, error.what)


def _program(source: str, call: str) -> Program:
    """The program with its entry as the model saw it: the marked function, else the call in a `main`."""
    if not call.strip():
        return Program(source, find_entry(source, "program.py"))
    if MARKER not in source:
        return as_marked(Program(source, call_entry(source, "program.py", call)))
    try:
        return Program(source, find_entry(source, "program.py"))
    except UserError:  # the marked function takes arguments: the call has them
        return Program(source, call_entry(source, "program.py", call))


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) or value is None else repr(value)
