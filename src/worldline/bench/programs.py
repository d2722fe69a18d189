"""This file is the benchmark `programs`: programs of one's own, a folder of Python files or a JSONL file.

A file runs from the function that is marked `# << START_OF_TRACE`, else from `main()`, else as a script; a
row is what `worldline collect` reads. Results are told apart by the folder that a file is in.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from worldline.bench.model import Benchmark, Problem
from worldline.errors import UserError
from worldline.record.collect import read_rows
from worldline.record.entry import find_entry
from worldline.trace.model import Program

HINT = "give a folder of Python files, or a JSONL file of programs"


@dataclass(frozen=True, slots=True)
class Settings:
    """What may be set."""

    data: str = ""  # a folder of Python files, one of them, or a JSONL file of programs


def problems(settings: Settings, seed: int, isolation: str = "") -> Sequence[Problem]:
    """Each program once; one that does not parse counts as wrong."""
    if not settings.data:
        raise UserError("no programs are named", f"{HINT}: --data my_programs/")
    path = Path(settings.data)
    if not path.exists():
        raise UserError(f"{path} is not there", HINT)
    found = list(_of_files(path) if path.is_dir() or path.suffix == ".py" else _of_rows(path))
    if not found:
        raise UserError(f"{path} has no programs", HINT)
    return found


def _of_rows(path: Path) -> Iterator[Problem]:
    for row in read_rows(path):
        yield Problem(row.id, row.program, flaw=row.problem)


def _of_files(path: Path) -> Iterator[Problem]:
    root = path if path.is_dir() else path.parent
    for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
        name = file.relative_to(root).as_posix()
        labels = {"folder": file.parent.relative_to(root).as_posix()}
        try:
            source = file.read_text(encoding="utf-8")
            yield Problem(name, Program(source, find_entry(source, name), name), labels)
        except (OSError, UnicodeDecodeError) as error:
            yield Problem(name, None, labels, flaw=f"{name} cannot be read: {error}")
        except UserError as error:
            yield Problem(name, None, labels, flaw=error.what)


PROGRAMS = Benchmark("programs", "programs of one's own", Settings, problems, by=("folder",))
