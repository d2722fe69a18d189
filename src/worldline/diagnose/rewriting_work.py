"""This file is `intervene` as work: each problem with its arms is an item that any engine can do."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from worldline.diagnose.rewriting import BASELINE, BATCH, CONTROL, Outcome, intervene
from worldline.models import shared_model
from worldline.record.collect import Row
from worldline.rewrite import Level, check_level
from worldline.rollout.options import RolloutOptions
from worldline.trace.jsonl import program_of
from worldline.work.engines import Hands, Job, Lost, Result, Task, Worker

Done = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Asked:
    """How problems are asked."""

    model: str  # as it is named on the command line
    levels: tuple[Level, ...]
    options: RolloutOptions
    isolation: str


def intervene_by(hands: Hands, rows: Sequence[Row], asked: Asked, done: Done) -> Iterator[Outcome | Lost]:
    """Ask about every problem in every arm that is not done."""
    every = (BASELINE, CONTROL, *asked.levels)
    tasks = [
        Task(_key(row.id, arm), {"row": asdict(row), "arm": arm})
        for row in rows
        for arm in every
        if (row.id, arm) not in done
    ]
    job = Job("worldline.diagnose.rewriting_work:intervener", asdict(asked))
    for result in hands.do(job, tasks, BATCH * len(every)):
        yield result if isinstance(result, Lost) else Outcome(**result.value)


def intervener(setup: Mapping[str, Any]) -> Worker:
    """The worker: asks about problems in arms."""
    model = shared_model(setup["model"])
    levels = [check_level(name) for name in setup["levels"]]
    options = RolloutOptions(**setup["options"])

    def work(items: Sequence[Mapping[str, Any]]) -> Iterator[Result]:
        rows = {item["row"]["id"]: _row(item["row"]) for item in items}
        wanted = {(item["row"]["id"], item["arm"]) for item in items}
        every = {(name, arm) for name in rows for arm in (BASELINE, CONTROL, *levels)}
        done = frozenset(every - wanted)
        for each in intervene(list(rows.values()), model, levels, options, setup["isolation"], done):
            yield Result(_key(each.id, each.arm), asdict(each))

    return work


def _key(name: str, arm: str) -> str:
    return f"{name} | {arm}"


def _row(record: Mapping[str, Any]) -> Row:
    program = None if record["program"] is None else program_of(record["program"])
    return Row(record["id"], program, record["problem"])
