"""This file is the verb `record`: a program goes into a box, what it did comes out as a Trace."""

import json
import mmap
import os
import shutil
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

import worldline
from worldline.errors import UserError
from worldline.record import child
from worldline.record.box import Job, Limits, Outcome, choose, interpreter, run
from worldline.record.engine import engine_name, python_version
from worldline.record.entry import call_entry, find_entry, parsed
from worldline.record.options import Options
from worldline.record.sink import RESERVE
from worldline.trace import jsonl
from worldline.trace.model import Ending, Origin, Program, Trace

PACKAGE = Path(worldline.__file__).resolve().parent.parent
ENDINGS = frozenset({"returned", "raised", "exited", "memory", "output", "steps", "size"})
FLAGS = ("-s", "-P", "-S", "-B", "-X", "utf8")
"""As isolated as `python -I`, which would also ignore the fixed hash seed."""
ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "PATH": "/usr/bin:/bin",
    "MALLOC_ARENA_MAX": "2",  # or a dozen threads would use up the address space they may have
}
INTERRUPTED = "interrupted from the keyboard"
ENGINES = {"c": "C core", "python": "pure twin", "none": "not stepped"}


@dataclass(frozen=True)
class Recording:
    """What came out of the box: the lines as they were written, and how it ended."""

    program: Program
    origin: Origin
    ending: Ending
    body: bytes  # the lines of the steps, whole ones only
    seconds: float

    @cached_property
    def trace(self) -> Trace:
        """The lines, read; where the program has spoilt its own record, those before."""
        records: list[tuple[int, dict[str, Any]]] = []
        ending = self.ending
        for number, line in enumerate(self.body.splitlines(), 2):
            record = _object(line)
            if record is None or "end" in record:
                ending = Ending("violation", detail=f"line {number} of its record is not JSON, or forged")
                break
            records.append((number, record))
        try:
            trace = jsonl.parse_body(iter(records), self.program, self.origin, self.program.path)
        except UserError as error:
            ending = Ending("violation", detail=error.what)
            trace = Trace(self.program, (), ending, self.origin)
        return replace(trace, ending=ending)

    @property
    def steps(self) -> int:
        """How many steps there are."""
        return self.body.count(b'\n{"event":') + self.body.startswith(b'{"event":')

    def write(self, path: Path) -> None:
        """Write a JSONL file without reading the steps first."""
        with path.open("wb") as file:
            self.write_to(file)

    def write_to(self, file: BinaryIO) -> None:
        """Write the lines of a JSONL file."""
        end = {"end": self.ending.kind, "value": self.ending.value, "detail": self.ending.detail}
        file.write(json.dumps(jsonl.header(self.program, self.origin)).encode() + b"\n")
        file.write(self.body)
        file.write(json.dumps(end).encode() + b"\n")


def record(
    program: Program,
    options: Options | None = None,
    limits: Limits | None = None,
    isolation: str = "process",
    roots: tuple[Path, ...] = (),
) -> Recording:
    """Run a program in a box and record it.

    Args:
        program: what to run; its path need not exist.
        options: what to record of it.
        limits: on time, memory and so on.
        isolation: "bwrap", "sandlock", "process", or "strict": the first two, or refuse.
        roots: folders whose files are the user's own: visible in the box, importable, stepped into.
    """
    options = options or Options()
    level = choose(isolation)
    if program.entry.kind != "test":
        parsed(program.source, program.path)
    origin = Origin(
        "recorded",
        f"worldline {worldline.__version__}, {ENGINES[engine_name(options)]}",
        python_version(),
        level,
        {key: value for key, value in asdict(options).items() if key in ("max_value", "user_repr", "fold")},
    )
    with _exchange(options.max_bytes) as (folder, sink):
        job = _job(program, options, folder, roots)
        try:
            outcome = run(job, limits or Limits(), level)
        except KeyboardInterrupt:
            body, _ = _read(sink)
            return Recording(program, origin, Ending("open", detail=INTERRUPTED), body, 0.0)
        body, end = _read(sink)
    if program.entry.kind == "test" and end and str(end.get("value")).startswith("NoSuchTest("):
        raise UserError(f"pytest finds no test {program.entry.text}", "list them: pytest --collect-only -q")
    return Recording(program, origin, _ending(outcome, end), body, outcome.seconds)


def record_file(
    path: Path,
    call: str = "",
    options: Options | None = None,
    limits: Limits | None = None,
    isolation: str = "process",
) -> Trace:
    """Record a program in a file: one call of it, else its marked function, else `main()`, else all of it."""
    source = read_program(path)
    entry = call_entry(source, str(path), call) if call else find_entry(source, str(path))
    program = Program(source, entry, str(path))
    return record(program, options, limits, isolation, (path.resolve().parent,)).trace


@contextmanager
def _exchange(max_bytes: int) -> Iterator[tuple[Path, int]]:
    """A folder for the job's files, with the sink at its full size and open; removed afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="worldline-"))
    sink = os.open(folder / "sink", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.truncate(sink, max_bytes + RESERVE)
        yield folder, sink
    finally:
        os.close(sink)
        shutil.rmtree(folder, ignore_errors=True)


def _job(program: Program, options: Options, folder: Path, roots: tuple[Path, ...]) -> Job:
    """The recording of a program."""
    description = {
        "path": str(Path(program.path).resolve()) if roots else program.path,
        "options": asdict(options),
        "roots": [str(root) for root in roots],
    }
    return boxed(child.__file__, program, description, folder, roots)


def boxed(
    script: str, program: Program, more: dict[str, Any], folder: Path, roots: tuple[Path, ...] = ()
) -> Job:
    """A script of ours that runs a program in a box: the command, and all it may see.

    Args:
        script: the file to run; it gets the path of a JSON file with all that it has to know.
        program: what it runs.
        more: what it has to know beside the program and the sink.
        folder: for this job alone, with the file `sink` in it.
        roots: folders whose files are the user's own.
    """
    installed = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    description = {
        "source": program.source,
        "path": program.path,
        "entry": asdict(program.entry),
        "package": str(PACKAGE),
        "installed": installed,
        "sink": str(folder / "sink"),
        **more,
    }
    (folder / "job.json").write_text(json.dumps(description), encoding="utf-8")
    executable, readable = interpreter()
    return Job(
        command=(executable, *FLAGS, script, str(folder / "job.json")),
        exchange=folder,
        readable=(*readable, PACKAGE, *map(Path, dict.fromkeys(installed)), *roots),
        stdin=program.entry.stdin.encode(),
        env=ENVIRONMENT,
        cwd=str(roots[0]) if roots else None,
    )


def _read(sink: int) -> tuple[bytes, dict[str, Any] | None]:
    """The whole lines up to the first zero byte, less the record of the end, which comes back by itself.

    Nothing of it is trusted: a line that is no JSON object ends the reading.
    """
    with mmap.mmap(sink, 0, prot=mmap.PROT_READ) as view:
        stop = view.find(b"\0")
        stop = view.rfind(b"\n", 0, len(view) if stop < 0 else stop) + 1
        body = view[:stop]
    start = body.rfind(b"\n", 0, max(len(body) - 1, 0)) + 1
    end = _object(body[start:])
    return (body[:start], end) if end is not None and "end" in end else (body, None)


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _ending(outcome: Outcome, end: dict[str, Any] | None) -> Ending:
    """How it ended: a limit that the box enforced comes first, then what the child said."""
    if outcome.verdict != "finished" and outcome.verdict != "crashed":
        return Ending(outcome.verdict, detail=outcome.detail)
    if end is None:
        last = outcome.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        return Ending("crashed", detail="; ".join([outcome.detail, *last]))
    value = end.get("value")
    if end["end"] not in ENDINGS or not (value is None or isinstance(value, str)):
        return Ending("violation", detail="the program wrote into its own record")
    return Ending(end["end"], value)


BYTE_ORDER_MARK = "\ufeff"  # some editors begin a file with it


def read_program(path: Path) -> str:
    """The text of a program file."""
    try:
        return path.read_text(encoding="utf-8").removeprefix(BYTE_ORDER_MARK)
    except FileNotFoundError:
        raise UserError(f"there is no file {path}", "check the path") from None
    except IsADirectoryError:
        raise UserError(f"{path} is a folder", "give a program in it") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path} cannot be read: {error}", "programs are UTF-8 text") from None
