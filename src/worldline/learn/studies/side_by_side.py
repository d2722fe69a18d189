"""This file is runs side by side: each a process of one thread, asked politely when it has to stop."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from worldline.errors import UserError

PATIENCE = 60.0  # seconds in which a run that is asked to stop may finish its iteration and save
POLL = 0.1
THREADS = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


@dataclass(frozen=True, slots=True)
class Job:
    """A run for a process of its own."""

    name: str
    work: str  # "module:function"
    setting: Mapping[str, Any]
    folder: Path


def side_by_side(
    waiting: Callable[[], Iterator[Job]], workers: int, watch: Callable[[Sequence[str]], None] | None = None
) -> Iterator[str]:
    """Yield the names of jobs as they are done.

    Args:
        waiting: the jobs that are not done; asked again whenever one is, as it may bring others.
        workers: how many at once.
        watch: is told which are under way whenever that changes.
    """
    running: dict[str, tuple[Job, subprocess.Popen[bytes]]] = {}
    try:
        while True:
            for job in waiting():
                if len(running) >= workers:
                    break
                if job.name not in running:
                    running[job.name] = job, _started(job)
            if watch is not None:
                watch(list(running))
            if not running:
                return
            name = _next_end(running)
            job, process = running.pop(name)
            if process.returncode:
                raise UserError(
                    f"the run {name} has failed: {_last_line(job)}",
                    f"all that it said is in {_errors(job)}; what is finished is kept",
                )
            yield name
    finally:
        _stop([process for _, process in running.values()])


def _started(job: Job) -> subprocess.Popen[bytes]:
    told = {"name": job.name, "work": job.work, "setting": job.setting, "folder": str(job.folder)}
    command = [sys.executable, "-m", "worldline.learn.studies.one_run", json.dumps(told)]
    path = os.pathsep.join(dict.fromkeys(each or os.getcwd() for each in sys.path))
    with _errors(job).open("wb") as errors:
        # A session of its own: a Ctrl-C in the terminal is ours to pass on, once.
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=errors,
            stderr=errors,
            env={**os.environ, **THREADS, "PYTHONPATH": path},
            start_new_session=True,
        )


def _next_end(running: Mapping[str, tuple[Job, "subprocess.Popen[bytes]"]]) -> str:
    while True:
        for name, (_, process) in running.items():
            if process.poll() is not None:
                return name
        time.sleep(POLL)


def _stop(processes: Sequence["subprocess.Popen[bytes]"]) -> None:
    """Ask them to stop, and wait; who does not in time, or when somebody has no patience, is killed."""
    for process in processes:
        process.terminate()
    try:
        until = time.monotonic() + PATIENCE
        for process in processes:
            process.wait(max(0.0, until - time.monotonic()))
    except subprocess.TimeoutExpired:
        pass
    finally:
        for process in processes:
            process.kill()
            process.wait()


def _errors(job: Job) -> Path:
    return job.folder / "runs" / f"{job.name}.err"


def _last_line(job: Job) -> str:
    lines = _errors(job).read_text(encoding="utf-8", errors="replace").split("\n")
    told = [line for line in lines if line.strip()]
    return told[-1].removeprefix("error: ") if told else "it said nothing"
