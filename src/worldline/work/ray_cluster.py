"""This file is the engine of a cluster: batches as Ray tasks, on whatever Ray this session is connected to.

`RAY_ADDRESS` names the cluster, as always with Ray; without it, one is started on this machine for as long as
the work takes. Workers need Worldline installed. One that dies is replaced by Ray and its batch done again;
a result counts once, since the store keeps the first.
"""

import json
import os
import socket
from collections.abc import Iterator, Sequence
from typing import Any

from worldline.errors import UserError, missing_extra
from worldline.work.engines import ATTEMPTS, Job, Lost, Result, Task, worker

PATIENCE = 10.0  # seconds that a cluster has to answer
SETTLED = 0.5  # seconds that one waits for the next batch before looking again


def run(job: Job, batches: Sequence[Sequence[Task]], jobs: int) -> Iterator[Result | Lost]:
    """Do all batches on a cluster, `jobs` at a time."""
    ray = _ray()
    is_ours = not ray.is_initialized()
    if is_ours:
        _join(ray, jobs)
    try:
        yield from _driven(ray, job, batches, jobs)
    finally:
        if is_ours:
            ray.shutdown()


def _ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError:
        raise missing_extra("ray", "ray") from None
    return ray


def _join(ray: Any, jobs: int) -> None:
    address = os.environ.get("RAY_ADDRESS")
    _check_reachable(address or "")
    options: dict[str, Any] = {"address": address} if address else {"num_cpus": jobs}
    try:
        ray.init(**options, include_dashboard=False, log_to_driver=False, configure_logging=False)
    except (ConnectionError, ValueError, RuntimeError) as error:
        what = f"there is no Ray at {address}: {error}" if address else f"Ray does not start: {error}"
        raise UserError(what, "start one with `ray start --head`, or use --engine processes") from None


def _check_reachable(address: str) -> None:
    """Ray itself would wait for minutes."""
    host, mark, port = address.rpartition("://")[2].rpartition(":")
    if not mark or not port.isdigit():
        return
    try:
        socket.create_connection((host, int(port)), timeout=PATIENCE).close()
    except OSError as error:
        hint = "start one with `ray start --head`, unset RAY_ADDRESS, or use --engine processes"
        raise UserError(f"there is no Ray at {address}: {error}", hint) from None


def _driven(ray: Any, job: Job, batches: Sequence[Sequence[Task]], jobs: int) -> Iterator[Result | Lost]:
    setup = json.dumps(job.setup)
    task = ray.remote(max_retries=ATTEMPTS - 1, num_cpus=1)(_work)
    waiting = [list(batch) for batch in reversed(batches)]
    running: dict[Any, list[Task]] = {}
    while waiting or running:
        while waiting and len(running) < 2 * jobs:
            batch = waiting.pop()
            running[task.remote(job.worker, setup, json.dumps([each.item for each in batch]))] = batch
        ready, _ = ray.wait(list(running), timeout=SETTLED)
        for reference in ready:
            yield from _told(ray, reference, running.pop(reference), waiting)


def _told(ray: Any, reference: Any, batch: list[Task], waiting: list[list[Task]]) -> Iterator[Result | Lost]:
    try:
        found = ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, UserError):
            raise UserError(error.cause.what, error.cause.hint) from None
        why = str(error).strip().splitlines()[-1]
    except ray.exceptions.RayError as error:
        why = f"its worker died {ATTEMPTS} times: {str(error).strip().splitlines()[0]}"
    else:
        yield from (Result(key, json.loads(value), attachment) for key, value, attachment in found)
        return
    if len(batch) > 1:  # so that the item at fault takes no other with it
        waiting.extend([each] for each in batch)
    else:
        yield Lost(batch[0].key, why)


def _work(name: str, setup: str, items: str) -> list[tuple[str, str, bytes | None]]:
    found = worker(name, setup)(json.loads(items))
    return [(each.key, json.dumps(each.value), each.attachment) for each in found]
