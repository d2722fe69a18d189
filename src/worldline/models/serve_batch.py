"""This file is how requests of many clients become one call of the model: what comes together goes together.

One thread talks to the model, so a model need not be safe for threads. What arrives while it is busy, and a
few milliseconds after the first, makes the next batch. No more clients are waited for than there are, nor
than came together before: one that asks alone never waits.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Literal

from worldline.errors import UserError
from worldline.models.model import Ask, Completion, Failed, Model

Kind = Literal["complete", "score"]
Answer = Completion | tuple[float, ...] | Failed


@dataclass(frozen=True, slots=True)
class _Job:
    kind: Kind
    asks: tuple[Ask, ...]
    answers: "Future[list[Any]]"


class Batches:
    """Asks a model for many at once.

    Args:
        model: the one to ask.
        clients: how many are connected.
        gather: seconds to wait for others after the first.
        most: asks in one call of the model.
    """

    def __init__(self, model: Model, clients: Callable[[], int], gather: float, most: int) -> None:
        self.calls: list[int] = []  # how many asks each call of the model had
        self._model = model
        self._clients = clients
        self._recent: deque[int] = deque(maxlen=3)  # how many clients the last batches had
        self._gather = gather
        self._most = most
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name="worldline-serve-model", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """How many requests the model has not been asked yet."""
        return self._jobs.qsize()

    def complete(self, asks: Sequence[Ask]) -> list[Completion | Failed]:
        """The model's answers."""
        return self._put("complete", asks)

    def score(self, asks: Sequence[Ask]) -> list[tuple[float, ...] | Failed]:
        """The model's scores."""
        return self._put("score", asks)

    def close(self) -> None:
        """Finish what is under way, and no more; who waits is told."""
        self._jobs.put(None)
        self._thread.join(timeout=5)

    def _put(self, kind: Kind, asks: Sequence[Ask]) -> list[Any]:
        if not asks:
            return []
        answers: Future[list[Any]] = Future()
        self._jobs.put(_Job(kind, tuple(asks), answers))
        return answers.result()

    def _work(self) -> None:
        while (first := self._jobs.get()) is not None:
            batch, is_last = self._gathered(first)
            self._recent.append(len(batch))
            for kind, method in (("complete", self._model.complete), ("score", self._model.score)):
                self._answer([job for job in batch if job.kind == kind], method)
            if is_last:
                break
        self._refuse_the_rest()

    def _gathered(self, first: _Job) -> tuple[list[_Job], bool]:
        batch, count = [first], len(first.asks)
        until = time.monotonic() + self._gather
        expected = min(self._clients(), max(self._recent, default=self._most))
        while count < self._most:
            is_all = len(batch) >= expected
            try:
                job = self._jobs.get(timeout=0.0 if is_all else max(0.0, until - time.monotonic()))
            except Empty:
                break
            if job is None:
                return batch, True
            batch.append(job)
            count += len(job.asks)
        return batch, False

    def _answer(self, jobs: list[_Job], method: Callable[[Sequence[Ask]], list[Any]]) -> None:
        """One call for all; if it fails, one for each, so that nobody pays for another's mistake."""
        asks = [ask for job in jobs for ask in job.asks]
        if not asks:
            return
        try:
            answers = self._called(method, asks)
        except Exception as error:  # noqa: BLE001 - whatever a model raises is told to who asked
            if len(jobs) == 1:
                jobs[0].answers.set_exception(error)
            else:
                for job in jobs:
                    self._answer([job], method)
            return
        at = 0
        for job in jobs:
            job.answers.set_result(answers[at : at + len(job.asks)])
            at += len(job.asks)

    def _called(self, method: Callable[[Sequence[Ask]], list[Any]], asks: list[Ask]) -> list[Any]:
        self.calls.append(len(asks))
        answers = method(asks)
        if len(answers) != len(asks):
            raise RuntimeError(f"the model gave {len(answers)} answers to {len(asks)} requests")
        return answers

    def _refuse_the_rest(self) -> None:
        while True:
            try:
                job = self._jobs.get_nowait()
            except Empty:
                return
            if job is not None:
                job.answers.set_exception(UserError("the server is closing"))
