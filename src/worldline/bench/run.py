"""This file is the verb `bench`: problems in modes are asked of a model, and every score is kept as it comes.

A run is one file (see work/store.py). Its setting is the benchmark with its settings, a hash of the problems,
the model, the seed, the budget and the isolation; the same setting goes on where it stopped, with other
modes, samples and limits as well. Every command that added to it is kept with the versions it ran on.
"""

import json
import platform
import re
import shlex
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import Any

import worldline
from worldline.bench.answers import answered_items, answers_name, is_answers
from worldline.bench.items import item_record, score_of
from worldline.bench.model import Benchmark, Item, Mode, Problem, Score
from worldline.bench.registry import data_hash
from worldline.errors import UserError
from worldline.models import engine_for, shared_model
from worldline.trace.jsonl import parse
from worldline.trace.model import Trace
from worldline.work.engines import Hands, Job, Lost, Task
from worldline.work.store import Store, opened

BATCH = 8  # problems that a model is asked about at once
WORKER = "worldline.bench.scoring:scorer"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be run."""

    benchmark: Benchmark
    settings: Any
    model: str  # as it is named on the command line
    modes: tuple[Mode, ...] = field(default_factory=lambda: (Mode(),))
    seed: int = 0  # of the problems, and of the first sample
    samples: int = 1  # of each problem and mode, with seeds of their own
    limit: int | None = None  # only so many problems
    max_tokens: int = 0  # a problem; 0: twice what the truth takes
    isolation: str = "process"
    engine: str = ""  # empty: what suits the model
    jobs: int = 0  # 0: all cores


def problems_of(plan: Plan) -> Sequence[Problem]:
    """All problems of a benchmark; two of the same id would be one."""
    found = plan.benchmark.problems(plan.settings, plan.seed, plan.isolation)
    if any(not each.id.isprintable() for each in found):
        raise UserError(f"{plan.benchmark.name} has an id that cannot be printed", "give it another one")
    if len({each.id for each in found}) < len(found):
        raise UserError(
            f"{plan.benchmark.name} has two problems of the same id", "give them ids of their own"
        )
    if not found:
        raise UserError(
            f"{plan.benchmark.name} has no problems with these settings", "change --set or --data"
        )
    return found


def items_of(plan: Plan, problems: Sequence[Problem]) -> list[Item]:
    """What is to be asked, problem by problem, so that what they share is recorded once."""
    chosen = problems[: plan.limit]
    if is_answers(plan.model):
        return answered_items(plan.model, chosen)
    seeds = range(plan.seed, plan.seed + plan.samples)
    return [Item(problem, mode, seed) for problem in chosen for mode in plan.modes for seed in seeds]


def facts_of(plan: Plan, problems: Sequence[Problem], command: Sequence[str]) -> dict[str, Any]:
    """All that a number needs beside it."""
    return {
        "setting": {
            "benchmark": plan.benchmark.name,
            "settings": asdict(plan.settings),
            "data": data_hash(problems),
            "model": answers_name(plan.model) if is_answers(plan.model) else shared_model(plan.model).name,
            "seed": plan.seed,
            "max_tokens": plan.max_tokens,
            "isolation": plan.isolation,
        },
        "history": {
            "command": shlex.join([Path(command[0]).name, *command[1:]] if command else []),
            "modes": [mode.name for mode in plan.modes],
            "versions": versions(),
        },
    }


def versions() -> dict[str, str]:
    """Of what takes part in a score."""
    found = {"worldline": worldline.__version__, "python": platform.python_version(), "os": platform.system()}
    for name in ("torch", "transformers", "tiktoken"):
        if name in sys.modules:
            found[name] = metadata.version(name)
    return found


def default_place(plan: Plan) -> Path:
    """A file in this folder that the same command finds again."""
    told = f"{plan.benchmark.name}-{plan.model}-{plan.seed}"
    settings = json.dumps(asdict(plan.settings), sort_keys=True) + str(plan.max_tokens) + plan.isolation
    name = re.sub(r"[^\w.=-]+", "-", told)[:60].strip("-")
    return Path(f"{name}-{sha256((told + settings).encode()).hexdigest()[:6]}.db")


def begun(
    plan: Plan, problems: Sequence[Problem], path: Path, command: Sequence[str]
) -> AbstractContextManager[Store]:
    """The store of a run, new or gone on with: to be used in a `with`."""
    check(plan)
    return opened(path, facts_of(plan, problems, command))


def check(plan: Plan) -> None:
    """Refuse what would not be what it looks like."""
    hot = [mode.options.temperature > 0 for mode in plan.modes]
    if is_answers(plan.model):
        if plan.samples > 1 or plan.modes != (Mode(),):
            raise UserError("answers of others are not asked for", "leave out samples, modes and temperature")
    elif plan.samples > 1 and not all(hot):
        raise UserError(
            "without a temperature, all samples are one", "give --temperature 0.8, or --samples 1"
        )
    if plan.benchmark.is_dense and any(mode.options.reveal != "dense" for mode in plan.modes):
        raise UserError(f"{plan.benchmark.name} needs all that a trace shows", "leave out --reveal")


def run(plan: Plan, items: Sequence[Item], store: Store) -> Iterator[Score | Lost]:
    """Do what the store does not have yet; each score is kept before it is given out."""
    done = store.keys()
    todo = [item for item in items if item.key not in done]
    tasks = [Task(item.key, item_record(item)) for item in todo]
    setup = {
        "model": plan.model,
        "benchmark": plan.benchmark.name,
        "isolation": plan.isolation,
        "max_tokens": plan.max_tokens,
    }
    hands = Hands(plan.engine or engine_for(plan.model), plan.jobs)
    for result in hands.do(Job(WORKER, setup), tasks, BATCH * len(plan.modes) * plan.samples):
        if isinstance(result, Lost):
            yield result
        elif "lost" in result.value:
            hint = result.value["hint"]
            yield Lost(result.key, f"{result.value['lost']}{f'; {hint}' if hint else ''}")
        elif store.put(result.key, result.value, result.attachment):
            yield score_of(result.value)


def scores_of(store: Store, keys: Collection[str] | None = None) -> list[Score]:
    """What a run has, or the part of it with these keys; modes in the order in which they were asked."""
    modes = [mode for each in store.facts["history"] for mode in each["modes"]]
    kept = [each for each in store.items() if keys is None or each.key in keys]
    found = [score_of(each.result) for each in kept]
    return sorted(found, key=lambda score: modes.index(score.mode) if score.mode in modes else len(modes))


def traces_of(store: Store, key: str) -> tuple[Trace, Trace] | None:
    """The real and the predicted trace of an item; None: they were too long to be kept."""
    text = store.attachment(key)
    if text is None:
        return None
    lines = text.splitlines(keepends=True)
    second = next(at for at in range(1, len(lines)) if lines[at].startswith(b'{"schema"'))
    return parse(lines[:second], "real"), parse(lines[second:], "predicted")
