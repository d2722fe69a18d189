"""This file is the verb `collect`: many programs over all cores, one bad row never stopping the others."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

from worldline.errors import UserError
from worldline.record.box import Limits
from worldline.record.entry import call_entry, find_entry
from worldline.record.options import Options
from worldline.record.recording import record
from worldline.trace.jsonl import program_of as program_from
from worldline.trace.model import Program
from worldline.work.engines import ALL_CORES, Hands, Job, Lost, Result, Task, Worker

INDEX = "index.jsonl"
BATCH = 16  # rows that a worker is given at once, at most


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
        for number, line in enumerate(_decoded(file, path), 1):
            if line.strip():
                row = _row(line, number)
                if row.id in seen:
                    row = Row(f"{row.id}@line{number}", None, f"line {number}: {row.id!r} is there twice")
                seen.add(row.id)
                yield row


def _decoded(file: Iterable[str], path: Path) -> Iterator[str]:
    try:
        yield from file
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not in UTF-8: {error}", "give a JSONL file") from None


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
    hands: Hands = ALL_CORES,
) -> Iterator[Collected]:
    """Record every row that `folder` does not have yet; results come as they are ready.

    Each is written to `folder` and noted in its index before it is given out, so that a collection that was
    interrupted goes on where it stopped.

    Args:
        rows: what to record.
        folder: where the traces go.
        options: what to record of each.
        limits: of each.
        isolation: of the box.
        hands: who does it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    done = {entry.id: entry for entry in index(folder)}
    tasks = []
    for row in rows:
        if row.id in done:
            yield done[row.id]
        else:
            tasks.append(Task(row.id, {"id": row.id, "program": _plain(row.program), "problem": row.problem}))
    setup = {"options": asdict(options), "limits": asdict(limits), "isolation": isolation}
    job = Job("worldline.record.collect:recorder", setup)
    with (folder / INDEX).open("a", encoding="utf-8") as notes:
        for result in hands.do(job, tasks, BATCH):
            if isinstance(result, Lost):  # it is not noted, so that it is tried again the next time
                yield _lost(result, isolation)
                continue
            entry = Collected(**result.value)
            if result.attachment is not None and entry.file is not None:
                part = folder / f"{entry.file}.part"
                part.write_bytes(result.attachment)
                part.replace(folder / entry.file)
            notes.write(json.dumps(asdict(entry)) + "\n")
            notes.flush()
            yield entry


def _plain(program: Program | None) -> dict[str, Any] | None:
    return None if program is None else asdict(program)


def _lost(result: Lost, isolation: str) -> Collected:
    """A row whose recorder itself failed, each time that it was tried."""
    return Collected(result.key, "lost", None, 0, 0.0, isolation, None, result.why.strip().splitlines()[-1])


def recorder(setup: Mapping[str, Any]) -> Worker:
    """The worker: records rows."""
    options, limits = Options(**setup["options"]), Limits(**setup["limits"])

    def work(items: Sequence[Mapping[str, Any]]) -> Iterator[Result]:
        for item in items:
            program = None if item["program"] is None else program_from(item["program"])
            row = Row(item["id"], program, item["problem"])
            entry, trace = _recorded(row, options, limits, setup["isolation"])
            yield Result(row.id, asdict(entry), trace)

    return work


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


def _recorded(row: Row, options: Options, limits: Limits, isolation: str) -> tuple[Collected, bytes | None]:
    """What became of a row, and the text of its trace."""
    if row.program is None:
        return Collected(row.id, "bad-row", None, 0, 0.0, isolation, None, row.problem), None
    try:
        recording = record(row.program, options, limits, isolation)
    except UserError as error:
        return Collected(row.id, "bad-row", None, 0, 0.0, isolation, None, error.what), None
    text = BytesIO()
    recording.write_to(text)
    ending = recording.ending
    entry = Collected(
        row.id,
        ending.kind,
        ending.value,
        recording.steps,
        round(recording.seconds, 4),
        recording.origin.isolation,
        f"{_file_name(row.id)}.jsonl",
        ending.detail,
    )
    return entry, text.getvalue()


def _file_name(name: str) -> str:
    """A row's id as a file name: whatever could be a path is replaced."""
    safe = "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in name).lstrip(".")[:80]
    return safe if safe == name else f"{safe}-{sha256(name.encode()).hexdigest()[:8]}"
