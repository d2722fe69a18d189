"""This file is traces as Parquet with zstd: the changes of the JSON lines as columns, about a byte a step.

The schema is written down in docs/reference/trace-files.md. What makes it small: only changes are stored, a
long text as an edit (see edits.py), and in plain pages of one column each zstd finds the repetition that
loops leave. A file is written whole or not at all; a recording that may be killed belongs in JSON lines.
Not covered: whole numbers of more than 64 bits.
"""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from worldline.errors import UserError, missing_extra
from worldline.trace import jsonl
from worldline.trace.delta import Delta, apply, deltas
from worldline.trace.edits import Edit, Texts
from worldline.trace.model import EVENTS, Trace

KEY = b"worldline.trace"
"""The file's metadata under this key is the header and the ending, as JSON."""

_WHOLE = ("line", "frame", "depth", "thread", "file")
_COLUMNS = ("event", *_WHOLE, "function", "del", "set", "shared", "value", "out")
_LEVEL = 15  # of zstd; 19 is 2% smaller at twice the time
_PAGE_BYTES = 16 << 20  # zstd finds no repetition beyond a page
_BATCH_STEPS = 1 << 18
_BATCH_CHARACTERS = 1 << 27  # well below the two billion bytes an arrow array can hold

Row = tuple[Any, ...]


def write(trace: Trace, path: Path) -> None:
    """Write a trace to `path`, which is replaced only when all is written."""
    arrow, _ = _pyarrow()
    partial = path.with_name(path.name + ".partial")
    try:
        try:
            _write(trace, partial, arrow.string())
        except UnicodeEncodeError:  # a lone surrogate, which the type `string` cannot hold
            _write(trace, partial, arrow.binary())
        os.replace(partial, path)
    except OverflowError:
        raise UserError(
            f"{path} cannot hold this trace: it has a number of more than 64 bits",
            "write JSON lines: a path that ends in .jsonl",
        ) from None
    finally:
        partial.unlink(missing_ok=True)


def read(path: Path) -> Trace:
    """Read a trace; a file that is none is a UserError."""
    _pyarrow()
    with path.open("rb") as file:
        return _read(file, str(path))


def _read(binary: BinaryIO, name: str) -> Trace:
    arrow, parquet = _pyarrow()
    try:
        with parquet.ParquetFile(binary, page_checksum_verification=True) as file:
            header = json.loads((file.metadata.metadata or {}).get(KEY, b"{}"))
            program, origin = jsonl.parse_header(header, name)
            decode = _decoding(arrow, file.schema_arrow, name)
            rows = (row for batch in file.iter_batches() for row in _rows(batch, decode))
            steps = tuple(apply(_changes(rows, len(program.files))))
            return Trace(program, steps, jsonl.parse_end(header["ending"]), origin)
    except (arrow.ArrowException, OSError, ValueError) as error:
        raise UserError(
            f"{name} is not a whole Parquet file ({type(error).__name__})",
            "it was cut or changed: write it again from the program or the JSON lines",
        ) from None
    except (KeyError, TypeError) as error:
        raise UserError(
            f"{name} does not fit the schema: {error}", "see docs/reference/trace-files.md"
        ) from None


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise missing_extra("pyarrow", "data") from None
    return pyarrow, pyarrow.parquet


def _schema(arrow: Any, text: Any) -> Any:
    """The columns, where `text` is the type of texts."""

    def many(kind: Any) -> Any:
        return arrow.list_(arrow.field("element", kind, nullable=False))

    edit = [("name", text), *((key, arrow.int32()) for key in ("back", "head", "tail")), ("text", text)]
    kinds = dict.fromkeys(_COLUMNS, text) | dict.fromkeys(_WHOLE, arrow.int64())
    kinds["del"] = many(text)
    kinds["set"] = many(arrow.struct([arrow.field(*pair, nullable=False) for pair in edit]))
    kinds["shared"] = many(many(text))
    return arrow.schema(
        [arrow.field(name, kinds[name], nullable=name not in ("event", "line")) for name in _COLUMNS]
    )


def _write(trace: Trace, path: Path, text: Any) -> None:
    arrow, parquet = _pyarrow()
    head = jsonl.header(trace.program, trace.origin) | {"ending": jsonl.end_record(trace.ending)}
    columns = _schema(arrow, text)
    encode = _encoded if text == arrow.binary() else list
    with (
        path.open("wb") as binary,
        parquet.ParquetWriter(
            binary,
            columns,
            compression="zstd",
            compression_level=_LEVEL,
            use_dictionary=False,
            write_statistics=False,
            write_page_checksum=True,
            store_schema=False,
            data_page_size=_PAGE_BYTES,
        ) as file,
    ):
        file.add_key_value_metadata({KEY: json.dumps(head)})
        for batch in _batches(trace):
            cells = map(encode, zip(*batch, strict=True))
            arrays = [arrow.array(values, field.type) for field, values in zip(columns, cells, strict=True)]
            file.write_batch(arrow.record_batch(arrays, schema=columns))


def _batches(trace: Trace) -> Iterator[list[Row]]:
    """The rows, so many at a time as go into one row group."""
    rows: list[Row] = []
    texts = Texts()
    characters = frame = 0
    for delta in deltas(trace.steps):
        frame = frame if delta.frame is None else delta.frame
        edits = [texts.edit(frame, name, text) for name, text in delta.set.items()]
        characters += sum(len(edit.text) for edit in edits) + len(delta.value or "") + len(delta.output)
        rows.append(_row(delta, edits))
        if len(rows) >= _BATCH_STEPS or characters >= _BATCH_CHARACTERS:
            yield rows
            rows, characters = [], 0
    if rows:
        yield rows


def _row(delta: Delta, edits: list[Edit]) -> Row:
    """The values of one step, in the order of the columns."""
    return (
        delta.event,
        delta.line,
        delta.frame,
        delta.depth,
        delta.thread,
        delta.file,
        delta.function,
        delta.gone or None,
        [edit._asdict() for edit in edits] or None,
        delta.shared,
        delta.value,
        delta.output or None,
    )


def _rows(batch: Any, decode: Callable[[Any], Any]) -> Iterator[Row]:
    return zip(*(decode(batch.column(name).to_pylist()) for name in _COLUMNS), strict=True)


def _changes(rows: Iterator[Row], files: int) -> Iterator[Delta]:
    texts = Texts()
    frame = 0
    for event, line, at, depth, thread, file, function, gone, edits, shared, value, output in rows:
        if event not in EVENTS:
            raise TypeError(f"{event!r} is no event")
        if not 0 <= (file or 0) <= files:
            raise TypeError(f"there is no file number {file}")
        frame = frame if at is None else at
        yield Delta(
            event=event,
            line=line,
            set={edit["name"]: texts.whole(frame, Edit(**edit)) for edit in edits or ()},
            gone=tuple(gone or ()),
            value=value,
            frame=at,
            depth=depth,
            function=function,
            thread=thread,
            file=file,
            shared=None if shared is None else tuple(map(tuple, shared)),
            output=output or "",
        )


def _decoding(arrow: Any, columns: Any, name: str) -> Callable[[Any], Any]:
    """What turns the cells of a column into text, by the type that the file's columns have."""
    if columns.equals(_schema(arrow, arrow.string())):
        return lambda value: value
    if columns.equals(_schema(arrow, arrow.binary())):
        return _decoded
    raise UserError(f"the columns of {name} are not those of a trace", "see docs/reference/trace-files.md")


def _encoded(value: Any) -> Any:
    """Every text in a column as bytes; lone surrogates pass."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    if isinstance(value, list | tuple):
        return [_encoded(item) for item in value]
    return {key: _encoded(item) for key, item in value.items()} if isinstance(value, dict) else value


def _decoded(value: Any) -> Any:
    """The opposite of `_encoded`."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogatepass")
    if isinstance(value, list):
        return [_decoded(item) for item in value]
    return {key: _decoded(item) for key, item in value.items()} if isinstance(value, dict) else value
