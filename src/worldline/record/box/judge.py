"""This file is the judge: it starts a box, watches it, stops it at a limit, and says which one it was.

It waits for events (output, the end) and looks at tasks, memory and files in between, so that a job which
stays within its limits is never slowed down and its end is seen at once.
"""

import contextlib
import os
import select
import signal
import time

from worldline.errors import UserError
from worldline.record.box import census
from worldline.record.box.job import LEVELS, Job, Limits, Outcome, Verdict
from worldline.record.box.nursery import Box, start
from worldline.record.box.streams import Streams

_LOOK_SECONDS = 0.05
_LOOK_SHARE = 10  # looking takes one part in ten of a processor at most, unless that would be too seldom:
_LOOK_SELDOM = 0.25


def run(job: Job, limits: Limits, isolation: str) -> Outcome:
    """Run `job` at the level `isolation` (see `choose`) until its end; nothing of it is left running."""
    if isolation not in LEVELS:
        raise UserError(f"no isolation level called {isolation!r}", f"there are: {', '.join(LEVELS)}")
    if not os.access(job.command[0], os.X_OK):
        raise UserError(f"{job.command[0]} is not a program that can be run", "name it by its absolute path")
    with contextlib.ExitStack() as stack:
        streams = Streams(job.stdin, limits.output)
        stack.callback(streams.close)
        kills = census.oom_kills()
        known = set() if job.exchange is None else census.inodes([str(job.exchange)])
        box = stack.enter_context(start(job, limits, streams, isolation))
        started = time.monotonic()
        verdict = _watch(box, streams, limits, known)
        seconds = time.monotonic() - started
        box.end()
        streams.drain()
        code, number = box.status(streams.text()[1])
        if verdict is None and streams.is_over:
            verdict = "output"
        if verdict is None and census.bytes_written(box.folders, known) > limits.files:
            verdict = "files"
        if verdict is not None:
            code, number = None, int(signal.SIGKILL)
        else:
            verdict = _how_it_ended(code, number, census.oom_kills() > kills)
        detail = _detail(verdict, code, number, limits)
        return Outcome(verdict, code, number, *streams.text(), seconds, isolation, detail)


def _watch(box: Box, streams: Streams, limits: Limits, known: set[int]) -> Verdict | None:
    """Wait for the command's end (None) or for the first limit that it meets."""
    ready = select.poll()
    ready.register(box.ended, select.POLLIN)
    streams.watch(ready)
    now = time.monotonic()
    deadline, look = now + limits.seconds, now + _LOOK_SECONDS
    while True:
        for descriptor, _ in ready.poll(max(0.0, min(deadline, look) - now) * 1000):
            if descriptor == box.ended:
                return None
            if not streams.read(descriptor):
                ready.unregister(descriptor)
            if streams.is_over:
                return "output"
        now = time.monotonic()
        if now >= deadline:
            return "time"
        if now >= look:
            over = _over(box, limits, known)
            if over:
                return over
            spent = time.monotonic() - now
            look = now + min(_LOOK_SELDOM, max(_LOOK_SECONDS, spent * _LOOK_SHARE))


def _over(box: Box, limits: Limits, known: set[int]) -> Verdict | None:
    held = census.take(box.root, limits.memory)
    if held.tasks > limits.processes:
        return "processes"
    if held.memory > limits.memory:
        return "memory"
    return "files" if census.bytes_written(box.folders, known) > limits.files else None


def _how_it_ended(code: int | None, number: int | None, is_out_of_memory: bool) -> Verdict:
    if code is not None:
        return "finished"
    if number == signal.SIGKILL and is_out_of_memory:
        return "memory"
    if number == signal.SIGXFSZ:
        return "files"
    return "violation" if number in (None, signal.SIGSYS) else "crashed"


def _detail(verdict: Verdict, code: int | None, number: int | None, limits: Limits) -> str:
    return {
        "finished": f"it exited with code {code}",
        "crashed": f"it died of {_name(number)}",
        "time": f"it ran longer than {limits.seconds:g} s",
        "memory": f"it used more than {limits.memory} bytes of memory",
        "output": f"it wrote more than {limits.output} bytes of output",
        "processes": f"it had more than {limits.processes} processes and threads",
        "files": f"it wrote more than {limits.files} bytes of files",
        "violation": "a system call filter killed it" if number else "it destroyed its supervisor",
    }[verdict]


def _name(number: int | None) -> str:
    try:
        return signal.Signals(number or 0).name
    except ValueError:
        return f"signal {number}"
