"""This file is a folder of recorded traces as a Hugging Face data set, and the way back.

A row is a trace: what one searches and filters by (`COLUMNS`), the steps as text of the format `cwm`, and in
`trace` the whole of it as our JSON lines, from which it is read back without loss. Row groups are written as
they fill, and one trace at a time is in memory.

Not covered: a lone surrogate, which the type `string` cannot hold, is escaped everywhere but in `trace`.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from worldline.bench.exchange.data_card import Facts, card, check_license
from worldline.bench.exchange.hub import fetched
from worldline.bench.exchange.runs import natural
from worldline.errors import UserError, missing_extra
from worldline.formats import format
from worldline.record.collect import INDEX, Collected, index
from worldline.trace import jsonl
from worldline.trace.files import read
from worldline.trace.model import Trace

COLUMNS = {
    "id": "of the program, within the set",
    "source": "the program's text",
    "entry": "where it starts: a call, a function's name, a script or a test",
    "entry_kind": "call, function, script or test",
    "stdin": "what it was given to read",
    "steps": "how many",
    "ending": "how it ended: returned, raised, exited, or the limit that stopped it",
    "value": "what it returned or raised",
    "python": "the version that ran it",
    "recorder": "what recorded it",
    "isolation": "of the box it ran in: bwrap, sandlock or process",
    "cwm": "the steps in the format cwm",
    "trace": "the whole trace as JSON lines",
}
GROUP_ROWS = 1000
GROUP_CHARACTERS = 1 << 25
SHARD_CHARACTERS = 1 << 30
_HUB_ID = re.compile(r"[\w.-]+/[\w.-]+")


@dataclass(frozen=True, slots=True)
class Written:
    """What went into a data set."""

    rows: int
    steps: int
    left_out: int  # rows of the collection that have no trace
    files: tuple[str, ...]


def write_dataset(
    traces: Path, folder: Path, license: str = "", command: str = "", shard: int = SHARD_CHARACTERS
) -> Written:
    """Write the traces that `worldline collect` left in a folder as a data set.

    Args:
        traces: the folder of traces.
        folder: of the data set; it must not hold one already.
        license: as the Hub names it, such as "mit"; empty: the card says that it is unknown.
        command: how the set was made, for the card.
        shard: so many characters go into one file.
    """
    check_license(license)
    entries = _entries(traces)
    data = folder / "data"
    if any(data.glob("*.parquet")):
        raise UserError(f"{folder} holds a data set already", "give another folder")
    data.mkdir(parents=True, exist_ok=True)
    shards = _Shards(data, shard)
    facts = Facts(command=command, license=license)
    try:
        for entry in entries:
            trace = read(traces / str(entry.file))
            facts = facts.with_trace(trace)
            shards.add(_row(entry.id, trace))
        files = shards.finished()
    finally:
        shards.dropped()
    left_out = len({entry.id for entry in index(traces)}) - len(entries)
    (folder / "README.md").write_text(card(facts, COLUMNS, left_out), encoding="utf-8", errors="replace")
    return Written(facts.rows, facts.steps, left_out, files)


def _entries(traces: Path) -> list[Collected]:
    """What a folder of traces holds, in the order of the ids."""
    if not (traces / INDEX).is_file():
        raise UserError(
            f"{traces} holds no traces: it has no {INDEX}", "make them: worldline collect ROWS -o DIR"
        )
    entries = {entry.id: entry for entry in index(traces) if entry.file}
    if not entries:
        raise UserError(f"{traces} holds no trace", "see why: its index tells the verdict of every row")
    return sorted(entries.values(), key=lambda entry: natural(entry.id))


def _row(name: str, trace: Trace) -> dict[str, Any]:
    program, origin = trace.program, trace.origin
    row = {
        "id": name,
        "source": program.source,
        "entry": program.entry.text,
        "entry_kind": program.entry.kind,
        "stdin": program.entry.stdin,
        "steps": len(trace.steps),
        "ending": trace.ending.kind,
        "value": trace.ending.value,
        "python": origin.python,
        "recorder": origin.by,
        "isolation": origin.isolation,
        "cwm": format("cwm").encode(trace),
        "trace": "".join(line + "\n" for line in jsonl.lines(trace)),
    }
    return {key: _shown(value) if isinstance(value, str) else value for key, value in row.items()}


def _shown(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


class _Shards:
    """The Parquet files of a data set while they are written; their names are known when all are."""

    def __init__(self, folder: Path, limit: int) -> None:
        self._folder = folder
        self._limit = limit
        self._paths: list[Path] = []
        self._writer: Any = None
        self._rows: list[dict[str, Any]] = []
        self._characters = 0  # of the rows that wait
        self._written = 0  # of the file that is open

    def add(self, row: dict[str, Any]) -> None:
        """Take a row; a full row group is written."""
        self._rows.append(row)
        self._characters += sum(len(value) for value in row.values() if isinstance(value, str))
        if len(self._rows) >= GROUP_ROWS or self._characters >= min(GROUP_CHARACTERS, self._limit):
            self._flush()

    def finished(self) -> tuple[str, ...]:
        """Write what waits and give all files their names."""
        self._flush()
        self._close()
        total = len(self._paths)
        names = tuple(f"train-{number:05}-of-{total:05}.parquet" for number in range(total))
        for path, name in zip(self._paths, names, strict=True):
            path.replace(self._folder / name)
        return names

    def dropped(self) -> None:
        """Leave nothing that has no name."""
        self._close()
        for path in self._paths:
            path.unlink(missing_ok=True)
        with suppress(OSError):
            self._folder.rmdir()  # only if nothing is in it

    def _flush(self) -> None:
        if not self._rows:
            return
        arrow, parquet = _pyarrow()
        schema = arrow.schema(
            [(name, arrow.int64() if name == "steps" else arrow.large_string()) for name in COLUMNS]
        )
        if self._writer is None:
            self._paths.append(self._folder / f"train-{len(self._paths):05}.partial")
            self._writer = parquet.ParquetWriter(self._paths[-1], schema, compression="zstd")
        self._writer.write_table(arrow.Table.from_pylist(self._rows, schema))
        self._written += self._characters
        self._rows, self._characters = [], 0
        if self._written >= self._limit:
            self._close()

    def _close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._writer, self._written = None, 0


def read_dataset(source: str | Path) -> Iterator[tuple[str, Trace]]:
    """The ids and traces of a data set: of its folder, of one Parquet file, or of the Hub by `owner/name`."""
    arrow, parquet = _pyarrow()
    for path in _files(source):
        try:
            with parquet.ParquetFile(path) as file:
                _check_columns(file.schema_arrow.names, path)
                for batch in file.iter_batches(batch_size=16, columns=["id", "trace"]):
                    for row in batch.to_pylist():
                        lines = row["trace"].encode().splitlines(keepends=True)
                        yield row["id"], jsonl.parse(lines, f"{path}, trace {row['id']!r},")
        except (arrow.ArrowException, OSError) as error:
            what = f"{path} is not a whole Parquet file ({type(error).__name__})"
            raise UserError(what, "it was cut or changed: fetch or write it again") from None


def _check_columns(names: Sequence[str], path: Path) -> None:
    if not {"id", "trace"} <= set(names):
        what = f"{path} holds no traces of ours: it has no column `trace`"
        raise UserError(what, "give a data set that `worldline export --to dataset` wrote")


def _files(source: str | Path) -> list[Path]:
    path = Path(source)
    if path.is_file():
        return [path]
    if not path.exists() and isinstance(source, str) and _HUB_ID.fullmatch(source):
        path = fetched(source, "*.parquet")
    found = sorted(path.glob("data/*.parquet")) or sorted(path.glob("*.parquet"))
    if not found:
        raise UserError(f"{source} holds no Parquet files", "give a data set's folder, file or Hub id")
    return found


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise missing_extra("pyarrow", "data") from None
    return pyarrow, pyarrow.parquet
