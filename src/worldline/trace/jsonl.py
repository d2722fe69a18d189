"""This file is traces as JSON lines: a header, a line for each step's change, and how it ended.

The schema is written down in docs/reference/trace-files.md. A file whose end is missing (the recording was
killed) still reads: the steps up to there, with the ending "open". Nothing that is read is trusted: what does
not fit the schema is a UserError that names the line.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, get_args

from worldline.errors import UserError
from worldline.trace.delta import Delta, apply, deltas
from worldline.trace.model import (
    EVENTS,
    Ending,
    EndingKind,
    Entry,
    EntryKind,
    Origin,
    Program,
    SourceFile,
    Step,
    Trace,
)

SCHEMA = "worldline.trace"
VERSION = 1

Record = dict[str, Any]

_KINDS: dict[str, type] = {
    **dict.fromkeys(("line", "frame", "depth", "thread", "file", "step"), int),
    **dict.fromkeys(("function", "value", "out", "end", "detail", "path", "source"), str),
    **dict.fromkeys(("language", "text", "stdin", "by", "python", "isolation"), str),
    **dict.fromkeys(("set", "options", "program", "origin", "entry"), dict),
    **dict.fromkeys(("del", "shared", "args", "files"), list),
}
"""The JSON type of each key; only `value` may be null."""


def header(program: Program, origin: Origin) -> Record:
    """The first line of a file."""
    return {"schema": SCHEMA, "version": VERSION, "program": asdict(program), "origin": asdict(origin)}


def end_record(ending: Ending) -> Record:
    """The last line of a file."""
    return {"end": ending.kind, "value": ending.value, "detail": ending.detail}


def delta_record(delta: Delta) -> Record:
    """One step's line; keys that say "as before" are left out."""
    record: Record = {"event": delta.event, "line": delta.line}
    if delta.frame is not None:
        record["frame"] = delta.frame
    for key in ("depth", "function", "thread", "file"):
        if getattr(delta, key) is not None:
            record[key] = getattr(delta, key)
    if delta.gone:
        record["del"] = list(delta.gone)
    if delta.set:
        record["set"] = dict(delta.set)
    if delta.shared is not None:
        record["shared"] = [list(group) for group in delta.shared]
    if delta.value is not None:
        record["value"] = delta.value
    if delta.output:
        record["out"] = delta.output
    return record


def lines(trace: Trace) -> Iterator[str]:
    """The file's lines, without line ends."""
    yield json.dumps(header(trace.program, trace.origin))
    for delta in deltas(trace.steps):
        yield json.dumps(delta_record(delta), separators=(",", ":"))
    yield json.dumps(end_record(trace.ending))


def write(trace: Trace, path: Path) -> None:
    """Write a trace to `path`."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines(trace))


def read(path: Path) -> Trace:
    """Read a trace, whole or a prefix; a file that is no trace is a UserError naming the line."""
    with path.open("rb") as file:
        return parse(file, str(path))


def parse(source: Iterable[bytes], name: str = "<trace>") -> Trace:
    """The trace that these lines hold. A last line that breaks off is dropped."""
    records = _records(source, name)
    _, first = next(records, (0, {}))
    program, origin = parse_header(first, name)
    return parse_body(records, program, origin, name)


def parse_header(record: Record, name: str) -> tuple[Program, Origin]:
    """The program and the origin that a file's header names."""
    if type(record) is not dict or record.get("schema") != SCHEMA:
        raise UserError(
            f"{name} is not a trace file: its header has no schema {SCHEMA!r}",
            "make one with `worldline record PROGRAM.py -o FILE`",
        )
    if record.get("version") != VERSION:
        raise UserError(
            f"{name} has version {record.get('version')} of the schema, this worldline reads {VERSION}",
            "record it again, or install the worldline that wrote it",
        )
    try:
        _check(record)
        return program_of(record["program"]), _origin(record["origin"])
    except (KeyError, TypeError) as error:
        raise _misfit(f"the header of {name}", error) from None


def parse_body(records: Iterator[tuple[int, Record]], program: Program, origin: Origin, name: str) -> Trace:
    """The rest of a trace, after its header."""
    changes: list[Delta] = []
    files = list(program.files)
    late: dict[int, str] = {}
    ending = Ending("open", detail="the file ends before the program does")
    for number, record in records:
        try:
            _check(record)
            if "event" in record:
                changes.append(_delta(record, len(files)))
            elif "out" in record:
                step = record.get("step", len(changes) - 1)
                late[step] = late.get(step, "") + record["out"]
            elif "path" in record:
                files.append(SourceFile(record["path"], record["source"]))
            elif "end" in record:
                ending = parse_end(record)
        except (KeyError, TypeError) as error:
            raise _misfit(f"{name} line {number}", error) from None
    steps = tuple(_with_output(apply(changes), late))
    return Trace(replace(program, files=tuple(files)), steps, ending, origin)


def parse_end(record: Record) -> Ending:
    """How a trace ended; a record of another shape is a TypeError."""
    _check(record)
    _one_of(record["end"], get_args(EndingKind))
    return Ending(record["end"], record.get("value"), record.get("detail", ""))


def _with_output(steps: Iterator[Step], late: dict[int, str]) -> Iterator[Step]:
    for number, step in enumerate(steps):
        yield replace(step, output=step.output + late[number]) if number in late else step


def _records(source: Iterable[bytes], name: str) -> Iterator[tuple[int, Record]]:
    for number, text in enumerate(source, 1):
        if not text.strip():
            continue
        try:
            record = json.loads(text)
        except (ValueError, RecursionError):
            if not text.endswith(b"\n"):
                return  # the writer was killed in the middle of this line
            raise UserError(
                f"{name} line {number} is not JSON", "the lines before it are good; record it again"
            ) from None
        if not isinstance(record, dict):
            raise UserError(f"{name} line {number} is not a JSON object", "see docs/reference/trace-files.md")
        yield number, record


def program_of(record: Record) -> Program:
    """The program of a record, as `asdict` writes it."""
    _check(record)
    entry = record["entry"]
    _check(entry)
    _one_of(entry["kind"], get_args(EntryKind))
    return Program(
        source=record["source"],
        entry=Entry(entry["kind"], entry["text"], _strings(entry.get("args", [])), entry.get("stdin", "")),
        path=record["path"],
        language=record["language"],
        files=tuple(_file(file) for file in record.get("files", ())),
    )


def _file(record: Record) -> SourceFile:
    _check(record)
    return SourceFile(record["path"], record["source"])


def _origin(record: Record) -> Origin:
    _check(record)
    _one_of(record["kind"], ("recorded", "predicted"))
    get = record.get
    return Origin(record["kind"], record["by"], get("python", ""), get("isolation", ""), get("options", {}))


def _delta(record: Record, files: int) -> Delta:
    _one_of(record["event"], EVENTS)
    get = record.get
    shared = get("shared")
    changed = get("set", {})
    if not all(type(text) is str for text in changed.values()):
        raise TypeError("'set' holds something that is not text")
    if not 0 <= get("file", 0) <= files:
        raise TypeError(f"there is no file number {get('file')}")
    return Delta(
        event=record["event"],
        line=record["line"],
        set=changed,
        gone=_strings(record["del"]) if "del" in record else (),
        value=get("value"),
        frame=get("frame"),
        depth=get("depth"),
        function=get("function"),
        thread=get("thread"),
        file=get("file"),
        shared=None if shared is None else tuple(map(_strings, shared)),
        output=get("out", ""),
    )


def _check(record: Record) -> None:
    """Raise a TypeError where a key has a value of another type than the schema says."""
    if type(record) is not dict:
        raise TypeError("an object is expected")
    for key, value in record.items():
        kind = _KINDS.get(key)
        if kind is not None and type(value) is not kind and not (value is None and key == "value"):
            raise TypeError(f"{key!r} is not of type {kind.__name__}")


def _strings(values: Any) -> tuple[str, ...]:
    if type(values) is not list or not all(type(value) is str for value in values):
        raise TypeError("a list of texts is expected")
    return tuple(values)


def _one_of(word: object, words: tuple[str, ...]) -> None:
    if word not in words:
        raise TypeError(f"{word!r} is none of {', '.join(words)}")


def _misfit(where: str, error: Exception) -> UserError:
    missing = f"the key {error} is missing" if isinstance(error, KeyError) else str(error)
    return UserError(f"{where} does not fit the schema: {missing}", "see docs/reference/trace-files.md")
