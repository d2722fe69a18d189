"""This file is the list of engines that do work, and what they are given: batches of items for a worker.

A worker is named by "module:function": a function that takes a setup (JSON) and gives another one, which
takes the items of a batch (JSON) and yields a `Result` for each. So workers can be started anywhere, hold
what is costly to load (a model), and nothing but text crosses between them and us.
"""

import json
import os
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any, Protocol

from worldline import plugins
from worldline.errors import UserError

ENTRY_POINTS = "worldline.engines"
ENGINES = {
    "here": "worldline.work.engines:here",
    "processes": "worldline.work.processes:run",
    "ray": "worldline.work.ray_cluster:run",
}
"""Each names a function like `Engine`."""
ATTEMPTS = 3  # a batch whose worker dies is tried again, as often as this in all


@dataclass(frozen=True, slots=True)
class Result:
    """What a worker makes of one item."""

    key: str
    value: Mapping[str, Any]  # JSON
    attachment: bytes | None = None


@dataclass(frozen=True, slots=True)
class Lost:
    """An item whose worker died or failed each time that it was tried."""

    key: str
    why: str


@dataclass(frozen=True, slots=True)
class Task:
    """An item to be done."""

    key: str
    item: Mapping[str, Any]  # JSON; what the worker gets


@dataclass(frozen=True, slots=True)
class Job:
    """Who does the work, with what."""

    worker: str  # "module:function"
    setup: Mapping[str, Any]  # JSON


@dataclass(frozen=True, slots=True)
class Hands:
    """Who does it: which engine, and how many at once."""

    engine: str = "processes"
    jobs: int = 0  # 0: as many as there are cores

    @property
    def count(self) -> int:
        """How many at once."""
        return self.jobs or os.cpu_count() or 1

    def do(self, job: Job, tasks: Sequence[Task], most: int) -> "Iterator[Result | Lost]":
        """Do all tasks, at most so many to a batch, but such that all have something to do."""
        size = max(1, min(most, -(-len(tasks) // (4 * self.count))))
        if tasks:
            yield from engine(self.engine)(job, batches(tasks, size), self.count)


ALL_CORES = Hands()
Worker = Callable[[Sequence[Mapping[str, Any]]], Iterator[Result]]


class Engine(Protocol):
    """Does batches in any order, and gives out results as they come: each by itself, or a batch at a time."""

    def __call__(self, job: Job, batches: Sequence[Sequence[Task]], jobs: int) -> Iterator[Result | Lost]:
        """Do all batches, `jobs` at a time."""


def engine(name: str) -> Engine:
    """The engine of that name."""
    found: Engine = plugins.load(ENGINES, ENTRY_POINTS, name)
    return found


def here(job: Job, batches: Sequence[Sequence[Task]], jobs: int) -> Iterator[Result | Lost]:
    """Everything in this process, batch after batch: for models that do several things at once."""
    for batch in batches:
        waiting = {task.key for task in batch}
        items = json.loads(json.dumps([task.item for task in batch]))
        try:
            for result in worker(job.worker, json.dumps(job.setup))(items):
                waiting.discard(result.key)
                yield result
        except UserError:
            raise
        except Exception:  # noqa: BLE001  # whatever it is, the others go on
            why = traceback.format_exc(limit=-3)
            yield from (Lost(key, why) for key in sorted(waiting))


def batches(tasks: Sequence[Task], size: int) -> list[list[Task]]:
    """Tasks by the handful."""
    return [list(tasks[start : start + size]) for start in range(0, len(tasks), size)]


@lru_cache(maxsize=2)
def worker(name: str, setup: str) -> Worker:
    """The worker of that name, made once a process and setup (as JSON)."""
    module, _, attribute = name.partition(":")
    made: Worker = getattr(import_module(module), attribute)(json.loads(setup))
    return made
