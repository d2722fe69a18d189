"""This file is what a recorded step costs on disk: JSON lines and Parquet, on the three reference programs.

    python benchmarks/disk.py [--json] [PROGRAM.py ...]

A program is a file with a function `main`. Exit code 1 if Parquet takes more than 3 bytes a step.
"""

import argparse
import json
import runpy
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from worldline.record.engine import engine_name, record_function
from worldline.record.options import Options
from worldline.trace import files, jsonl
from worldline.trace.model import Ending, Entry, Origin, Program, Trace

PROGRAMS = Path(__file__).parent / "programs"
REFERENCE = tuple(PROGRAMS / name for name in ("int_loops.py", "strings_lists.py", "calls.py"))
OPTIONS = Options(max_value=None, max_steps=10**7, max_bytes=1 << 32)
TARGET = 3.0  # bytes a step, Parquet


def record(path: Path) -> Trace:
    """The trace of a program's `main`, recorded in this process."""
    source = path.read_text(encoding="utf-8")
    body = record_function(runpy.run_path(str(path))["main"], source=source, options=OPTIONS)
    records = ((number, json.loads(line)) for number, line in enumerate(body.splitlines(), 2))
    program = Program(source, Entry("function", "main"), path.name)
    origin = Origin("recorded", f"benchmarks/disk.py, engine {engine_name(OPTIONS)}")
    trace = jsonl.parse_body(records, program, origin, path.name)
    return Trace(trace.program, trace.steps, Ending("returned"), origin)


def timed(act: Callable[[], object]) -> tuple[object, float]:
    start = time.perf_counter()
    return act(), time.perf_counter() - start


def measure(path: Path, folder: Path) -> dict[str, object]:
    """Sizes and times of one program's trace in both kinds of file; each is read back and compared."""
    trace = record(path)
    row: dict[str, object] = {"program": path.stem, "steps": len(trace.steps)}
    for suffix in files.SUFFIXES:
        kind, target = suffix.removeprefix("."), folder / f"{path.stem}{suffix}"
        _, write_seconds = timed(lambda target=target: files.write(trace, target))
        again, read_seconds = timed(lambda target=target: files.read(target))
        row[kind] = {
            "bytes": target.stat().st_size,
            "bytes_a_step": round(target.stat().st_size / len(trace.steps), 3),
            "write_seconds": round(write_seconds, 2),
            "read_seconds": round(read_seconds, 2),
            "is_lossless": again == trace,
        }
    return row


def table(rows: list[dict[str, object]]) -> str:
    """The rows for people."""
    lines = [f"{'program':<16}{'steps':>9}{'file':>9}{'bytes':>12}{'a step':>9}{'write s':>9}{'read s':>8}"]
    for row in rows:
        for kind in ("jsonl", "parquet"):
            told = row[kind]
            lines.append(
                f"{row['program']:<16}{row['steps']:>9}{kind:>9}{told['bytes']:>12}{told['bytes_a_step']:>9.3f}"
                f"{told['write_seconds']:>9.2f}{told['read_seconds']:>8.2f}"
                + ("" if told["is_lossless"] else "  NOT LOSSLESS")
            )
    worst = max(row["parquet"]["bytes_a_step"] for row in rows)
    return "\n".join([*lines, f"Parquet takes at most {worst:.3f} bytes a step; the target is {TARGET:g}"])


def main() -> int:
    parser = argparse.ArgumentParser(description="Bytes a step on disk.")
    parser.add_argument("programs", nargs="*", type=Path, default=REFERENCE)
    parser.add_argument("--json", action="store_true", help="print one JSON object a program")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = [measure(path, Path(folder)) for path in given.programs]
    print("\n".join(map(json.dumps, rows)) if given.json else table(rows))
    good = all(row["parquet"]["bytes_a_step"] <= TARGET and row["parquet"]["is_lossless"] for row in rows)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
