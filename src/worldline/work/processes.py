"""This file is the engine of one machine: worker processes, each with a pipe of its own.

The pools of the standard library cannot say whose task it was that killed a worker, and give up all the
others with it. Here a worker that dies costs nothing but what it had not finished: that is tried again by a
new one, at most `ATTEMPTS` times in all.
"""

import ctypes
import json
import multiprocessing
import os
import signal
import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from worldline.errors import UserError
from worldline.work.engines import ATTEMPTS, Job, Lost, Result, Task, worker

PR_SET_PDEATHSIG = 1
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
"""There is a worker for each core: threads of numpy's own would be in their way."""
_START = multiprocessing.get_context("spawn")


@dataclass(slots=True)
class _Batch:
    """Tasks that are not done yet."""

    tasks: list[Task]
    attempts: int = 0


@dataclass(slots=True)
class _Hand:
    """A worker process and what it is doing."""

    process: BaseProcess
    pipe: Connection
    batch: _Batch


def run(job: Job, batches: Sequence[Sequence[Task]], jobs: int) -> Iterator[Result | Lost]:
    """Do all batches on this machine."""
    waiting = deque(_Batch(list(batch)) for batch in batches)
    hands: list[_Hand] = []
    try:
        while waiting or hands:
            while waiting and len(hands) < jobs:
                hands.append(_hired(job, waiting.popleft()))
            for ready in wait([hand.pipe for hand in hands]):
                hand = next(each for each in hands if each.pipe is ready)
                yield from _heard(hand, hands, waiting)
    finally:
        for hand in hands:
            _dismissed(hand)


def _hired(job: Job, batch: _Batch) -> _Hand:
    ours, theirs = _START.Pipe()
    process = _START.Process(
        target=_work, args=(job.worker, json.dumps(job.setup), theirs), name="worldline worker", daemon=False
    )
    process.start()
    theirs.close()
    hand = _Hand(process, ours, batch)
    _send(hand)
    return hand


def _send(hand: _Hand) -> None:
    hand.batch.attempts += 1
    with suppress(OSError):  # it has died already, which is noticed when it is listened to
        hand.pipe.send(json.dumps([task.item for task in hand.batch.tasks]))


def _heard(hand: _Hand, hands: list[_Hand], waiting: deque[_Batch]) -> Iterator[Result | Lost]:
    """One message of a worker: a result, that its batch is done, or that it is no more."""
    try:
        kind, content = hand.pipe.recv()
    except (EOFError, ConnectionError, OSError):
        hands.remove(hand)
        _dismissed(hand)
        yield from _again(hand.batch, f"its worker died (exit code {hand.process.exitcode})", waiting)
        return
    if kind == "result":
        key, value, attachment = content
        hand.batch.tasks = [task for task in hand.batch.tasks if task.key != key]
        yield Result(key, json.loads(value), attachment)
        return
    if kind == "wrong":  # input that no other worker could take either
        raise UserError(*content)
    if kind == "failed":
        yield from _again(hand.batch, content, waiting)
    if waiting:
        hand.batch = waiting.popleft()
        _send(hand)
    else:
        hands.remove(hand)
        _dismissed(hand)


def _again(batch: _Batch, why: str, waiting: deque[_Batch]) -> Iterator[Lost]:
    """Try what is left of a batch again: one by one, so that the item at fault takes no other with it."""
    if batch.attempts < ATTEMPTS:
        waiting.extend(_Batch([task], batch.attempts) for task in batch.tasks)
    else:
        yield from (Lost(task.key, why) for task in batch.tasks)


def _dismissed(hand: _Hand) -> None:
    hand.pipe.close()
    hand.process.join(0.2)
    if hand.process.is_alive():
        hand.process.terminate()
        hand.process.join(5.0)
    if hand.process.is_alive():
        hand.process.kill()
        hand.process.join()


def end_with_parent() -> None:
    """Be killed when the process that started this one ends, however that happens (Linux)."""
    library = ctypes.CDLL(None)
    if hasattr(library, "prctl"):
        library.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _work(name: str, setup: str, pipe: Connection) -> None:
    """The life of a worker: batches until the pipe ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who leads
    end_with_parent()
    for limit in THREADS:
        os.environ.setdefault(limit, "1")
    while True:
        try:
            batch = json.loads(pipe.recv())
        except (EOFError, ConnectionError, OSError):
            return
        try:
            for result in worker(name, setup)(batch):
                pipe.send(("result", (result.key, json.dumps(result.value), result.attachment)))
            pipe.send(("done", ""))
        except UserError as error:
            pipe.send(("wrong", (error.what, error.hint)))
        except (BrokenPipeError, ConnectionError):
            return
        except Exception:  # noqa: BLE001  # whatever it is, the others go on
            pipe.send(("failed", traceback.format_exc(limit=-3)))
