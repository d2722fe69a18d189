"""This file is the verb `collect`: many programs over all cores, one bad row never stopping the others."""

import json
import os
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, TextIO

from worldline.errors import UserError
from worldline.record.box import Limits
from worldline.record.entry import call_entry, find_entry
from worldline.record.options import Options
from worldline.record.recording import record
from worldline.trace.model import Program

INDEX = "index.jsonl"


@dataclass(frozen=True, slots=True)
class Row:
    """One program of a data set; `problem` says why it cannot be run at all."""

    id: str
    program: Program | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Collected:
    """What became of one row."""

    id: str
    verdict: str  # how it ended ("returned", "raised", "time", ...), or "bad-row"
    result: str | None  # what was returned or raised
    steps: int
    seconds: float
    isolation: str
    file: str | None  # within the folder
    detail: str = ""


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of a JSONL file: `code` and `input` (the function is `f`), or `program` and perhaps `call`."""
    seen: set[str] = set()
    try:
        file = path.open(encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}", "give a JSONL file of programs") from None
    with file:
        for number, line in enumerate(file, 1):
            if line.strip():
                row = _row(line, number)
                if row.id in seen:
                    row = Row(f"{row.id}@line{number}", None, f"line {number}: {row.id!r} is there twice")
                seen.add(row.id)
                yield row


def _row(line: str, number: int) -> Row:
    name = f"line{number}"
    try:
        record = json.loads(line)
        name = str(record.get("id", name))
        return Row(name, program_of(record, f"{name}.py"))
    except (ValueError, AttributeError):
        return Row(name, None, f"line {number} is not a JSON object")
    except UserError as error:
        return Row(name, None, error.what)


def program_of(record: dict[str, Any], path: str = "program.py") -> Program:
    """The program a row stands for."""
    if isinstance(record.get("code"), str) and isinstance(record.get("input"), str):
        source = record["code"]
        return Program(source, call_entry(source, path, f"f({record['input']})"), path)
    source = record.get("program")
    if not isinstance(source, str):
        raise UserError("it has neither `code` and `input` nor `program`", "see `worldline collect --help`")
    call = record.get("call")
    stdin = record.get("stdin", "")
    if isinstance(call, str) and "START_OF_TRACE" not in source:
        return Program(source, call_entry(source, path, call, stdin), path)
    return Program(source, find_entry(source, path, stdin=stdin), path)


def collect(
    rows: Iterable[Row],
    folder: Path,
    options: Options,
    limits: Limits,
    isolation: str,
    jobs: int | None = None,
) -> Iterator[Collected]:
    """Record every row that `folder` does not have yet; results come as they are ready.

    Each is written to `folder` and noted in its index before it is given out, so that a collection that was
    interrupted goes on where it stopped.
    """
    folder.mkdir(parents=True, exist_ok=True)
    done = {entry.id: entry for entry in index(folder)}
    workers = jobs or os.cpu_count() or 1
    with ThreadPoolExecutor(workers) as pool, (folder / INDEX).open("a", encoding="utf-8") as notes:
        running: set[Future[Collected]] = set()
        try:
            for row in rows:
                if row.id in done:
                    yield done[row.id]
                    continue
                running.add(pool.submit(_collect_one, row, folder, options, limits, isolation))
                if len(running) >= 2 * workers:
                    running = yield from _noted(running, notes)
            while running:
                running = yield from _noted(running, notes)
        finally:
            for future in running:
                future.cancel()


def _noted(
    running: set[Future[Collected]], notes: TextIO
) -> Generator[Collected, None, set[Future[Collected]]]:
    """Wait for the next results, note each in the index and give it out; what is still running comes back."""
    finished, still = wait(running, return_when=FIRST_COMPLETED)
    for future in finished:
        entry = future.result()
        notes.write(json.dumps(asdict(entry)) + "\n")
        notes.flush()
        yield entry
    return still


def index(folder: Path) -> list[Collected]:
    """What a folder already holds; a line that breaks off is as if it were not there."""
    path = folder / INDEX
    if not path.exists():
        return []
    found = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        try:
            found.append(Collected(**json.loads(line)))
        except (ValueError, TypeError):
            continue
    return found


def _collect_one(row: Row, folder: Path, options: Options, limits: Limits, isolation: str) -> Collected:
    if row.program is None:
        return Collected(row.id, "bad-row", None, 0, 0.0, isolation, None, row.problem)
    try:
        recording = record(row.program, options, limits, isolation)
    except UserError as error:
        return Collected(row.id, "bad-row", None, 0, 0.0, isolation, None, error.what)
    name = f"{_file_name(row.id)}.jsonl"
    part = folder / f"{name}.part"
    recording.write(part)
    part.replace(folder / name)
    ending = recording.ending
    return Collected(
        row.id,
        ending.kind,
        ending.value,
        recording.steps,
        round(recording.seconds, 4),
        recording.origin.isolation,
        name,
        ending.detail,
    )


def _file_name(name: str) -> str:
    """A row's id as a file name: whatever could be a path is replaced."""
    safe = "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in name).lstrip(".")[:80]
    return safe if safe == name else f"{safe}-{sha256(name.encode()).hexdigest()[:8]}"
