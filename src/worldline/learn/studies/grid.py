"""This file is the runner of studies: learning rates are swept for each arm, the best one gets more seeds.

How to write a study (`reveals.py` is one):
1. `study(is_quick) -> Study(name, work, arms, rates)`; put "worldline.learn.studies.mine:study" in `STUDIES`.
   An arm is what is compared: a name (letters, digits, `.`, `-`, `_`) and a setting of plain JSON values.
2. `work`, as "module:function", is called in a process of its own with one thread:
   `work(setting, folder) -> result`. The setting is the arm's with `learning_rate` and `seed`. It trains by
   `one_run.trained(config, folder)`, which gives the network and `facts` (parameters, loss, CPU seconds; put
   them into the result as `facts`: pages show them) and goes on where it was broken off. The result is plain
   JSON; `result["score"]` is a list of numbers, more is better, compared one after the other
   ([accuracy, -loss]), by which the learning rate is chosen: worked out on validation data, never on the test
   data that the rest of the result reports.
3. `run_study(study, folder, seeds, workers)` yields an `Outcome` for each run, those in the folder first. A
   result is kept as FOLDER/results/RUN.json; what is there is never done again. FOLDER/runs/RUN is the
   trainer's. A run whose loss is no longer a number has the outcome's `result` None, and ranks last.
4. `chosen(study, outcomes)` gives each arm its learning rate, `finals(study, outcomes)` each arm its outcomes
   at that rate, one a seed. Seed 0 is the run of the sweep, unless the sweep has a setting of its own
   (`Study.trial`: fewer iterations, say): then its runs only choose, and an arm may be in it alone
   (`Study.tried`). An arm that differs from another in little (it is trained for longer, say) may take that
   one's learning rate instead of a sweep of its own (`Study.follows`).
5. The page, with charts, is made in `report/studies/mine.py`, as `learn` may not import `report`: a function
   `page(study, outcomes, made) -> Page`, named in `PAGES` of `report/studies`; `parts.py` there is what pages
   share. `worldline study mine -o FOLDER` then does it all.
"""

import json
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from worldline.errors import UserError
from worldline.learn.studies.side_by_side import Job, side_by_side
from worldline.work.alone import alone


@dataclass(frozen=True, slots=True)
class Study:
    """What is compared."""

    name: str
    work: str  # "module:function": (setting, folder) -> result
    arms: Mapping[str, Mapping[str, Any]]  # name -> setting, plain JSON
    rates: Mapping[str, Sequence[float]]  # arm -> the learning rates of its sweep, if it has one
    trial: Mapping[str, Any] = field(default_factory=dict)  # what is set otherwise in the sweep
    tried: frozenset[str] = frozenset()  # arms that are in the sweep only, where its runs only choose
    follows: Mapping[str, str] = field(default_factory=dict)  # arm without a sweep -> whose rate it takes


@dataclass(frozen=True, slots=True)
class Run:
    """One training."""

    arm: str
    learning_rate: float
    seed: int
    setting: Mapping[str, Any]  # all of it
    is_trial: bool = False  # of a sweep whose runs only choose

    @property
    def name(self) -> str:
        """What its files are called."""
        return f"{self.arm}-lr{self.learning_rate:g}-{'trial' if self.is_trial else f'seed{self.seed}'}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run has come to."""

    run: Run
    result: Mapping[str, Any] | None  # None: the loss was no longer a number
    seconds: float  # by the clock, broken-off parts among them
    cpu_seconds: float
    versions: Mapping[str, str]

    @property
    def score(self) -> tuple[float, ...]:
        """By which learning rates are chosen; nothing is worse than no number."""
        return () if self.result is None else tuple(self.result["score"])


def runs_of(study: Study, seeds: int, outcomes: Sequence[Outcome]) -> list[Run]:
    """Every run that can be named already, done or not: the sweeps, and the seeds where the sweep is done."""
    sweeps = [_trial(study, arm, rate) for arm in study.arms for rate in study.rates.get(arm, ())]
    rates = chosen(study, outcomes)
    seeded = [
        _run(study, arm, rate, seed)
        for seed in range(seeds)
        for arm, rate in rates.items()
        if seed in _further(study, arm, seeds)
    ]
    return sweeps + seeded


def count(study: Study, seeds: int) -> int:
    """How many runs there will be."""
    return sum(len(study.rates.get(arm, ())) + len(_further(study, arm, seeds)) for arm in study.arms)


def chosen(study: Study, outcomes: Sequence[Outcome]) -> dict[str, float]:
    """The learning rate of each arm whose sweep is done: the best score; of equals the smallest."""
    found = {}
    for arm in study.arms:
        leader = study.follows.get(arm, arm)
        swept = sweep(study, outcomes, leader)
        if len(swept) == len(study.rates[leader]):
            found[arm] = max(sorted(swept), key=lambda rate: swept[rate].score)
    return found


def sweep(study: Study, outcomes: Sequence[Outcome], arm: str) -> dict[float, Outcome]:
    """An arm's outcomes of the sweep by learning rate, as far as they are there."""
    found = {each.run.name: each for each in outcomes}
    swept = {rate: found.get(_trial(study, arm, rate).name) for rate in study.rates.get(arm, ())}
    return {rate: each for rate, each in swept.items() if each is not None}


def finals(study: Study, outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    """Each arm's outcomes at the chosen learning rate, by seed."""
    rates = chosen(study, outcomes)
    return {
        arm: sorted(
            (
                each
                for each in outcomes
                if (each.run.arm, each.run.learning_rate, each.run.is_trial) == (arm, rate, False)
            ),
            key=lambda each: each.run.seed,
        )
        for arm, rate in rates.items()
        if arm not in study.tried
    }


def run_study(
    study: Study,
    folder: Path,
    seeds: int = 3,
    workers: int = 2,
    watch: Callable[[Sequence[str]], None] | None = None,
) -> Generator[Outcome, None, None]:
    """Run what is not done yet, and yield every outcome.

    Args:
        study: what.
        folder: where everything is kept; the same call goes on there.
        seeds: how many an arm has at its best learning rate.
        workers: processes at once, of one thread each.
        watch: is told the names of the runs that are under way whenever they change.
    """
    _check(study, seeds, workers)
    with alone(folder):
        for part in ("results", "runs"):
            (folder / part).mkdir(exist_ok=True)
        outcomes = kept(study, folder, seeds)
        yield from tuple(outcomes)

        def waiting() -> Iterator[Job]:
            done = {each.run.name for each in outcomes}
            for run in runs_of(study, seeds, outcomes):
                if run.name not in done:
                    yield Job(run.name, study.work, run.setting, folder)

        for name in side_by_side(waiting, workers, watch):
            (run,) = (each for each in runs_of(study, seeds, outcomes) if each.name == name)
            outcomes.append(_kept(folder, run))
            yield outcomes[-1]


def kept(study: Study, folder: Path, seeds: int) -> list[Outcome]:
    """The outcomes that are in a folder: the sweeps, then the seeds that follow from them."""
    outcomes: list[Outcome] = []
    for _ in ("sweeps", "seeds"):
        done = {each.run.name for each in outcomes}
        for run in runs_of(study, seeds, outcomes):
            if run.name not in done and _place(folder, run).is_file():
                outcomes.append(_kept(folder, run))
    return outcomes


def add_command(folder: Path, command: str, seconds: float, runs: int) -> None:
    """Write down that a command has worked on this folder, and how long."""
    with (folder / "commands.jsonl").open("a", encoding="utf-8") as file:
        told = {"at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "command": command}
        file.write(json.dumps({**told, "seconds": round(seconds, 1), "runs": runs}) + "\n")


def commands(folder: Path) -> list[dict[str, Any]]:
    """The commands that have worked on a folder: `at`, `command`, `seconds`, `runs`."""
    path = folder / "commands.jsonl"
    if not path.is_file():
        return []
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.endswith("\n")]  # a full disk may cut the last one


def seconds_spent(folder: Path, name: str, is_quick: bool) -> float:
    """What the commands of a study have taken in a folder, which other ones may have worked in, too."""
    mine = (
        each["seconds"]
        for each in commands(folder)
        if each["command"].startswith(f"worldline study {name} ")
        and each["command"].endswith(" --quick") == is_quick
    )
    return float(sum(mine))


def _further(study: Study, arm: str, seeds: int) -> range:
    """The seeds of an arm that are not of its sweep."""
    if arm in study.tried:
        return range(0)
    return range(0 if study.trial or arm in study.follows else 1, seeds)


def _run(study: Study, arm: str, rate: float, seed: int) -> Run:
    return Run(arm, rate, seed, {**study.arms[arm], "learning_rate": rate, "seed": seed})


def _trial(study: Study, arm: str, rate: float) -> Run:
    """A run of the sweep."""
    first = _run(study, arm, rate, 0)
    return replace(first, setting={**first.setting, **study.trial}, is_trial=bool(study.trial))


def _check(study: Study, seeds: int, workers: int) -> None:
    if seeds < 1 or workers < 1:
        raise UserError(f"{seeds} seeds, {workers} workers", "both must be at least 1")
    swept = {arm for arm, rates in study.rates.items() if rates}
    if swept | study.follows.keys() != study.arms.keys() or not swept.issuperset(study.follows.values()):
        raise UserError(f"the study {study.name} has arms without learning rates", "give each arm its rates")
    if swept & study.follows.keys():
        raise UserError(f"the study {study.name} sweeps an arm that follows another", "let it do one of both")
    names = [run.name for run in runs_of(study, seeds, ())]
    if len(set(names)) < len(names):
        raise UserError(f"the study {study.name} has a learning rate twice", "name each one once")


def _place(folder: Path, run: Run) -> Path:
    return folder / "results" / f"{run.name}.json"


def _kept(folder: Path, run: Run) -> Outcome:
    """A result from its file, which must be this run's."""
    path = _place(folder, run)
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        old, *rest = (told[name] for name in ("setting", "result", "seconds", "cpu_seconds", "versions"))
    except (OSError, ValueError, KeyError, TypeError) as error:
        what = f"{path} cannot be read as a result: {type(error).__name__}: {error}"
        raise UserError(what, "remove it: the run is then done again") from None
    new = json.loads(json.dumps(run.setting))
    changed = [name for name in dict.fromkeys([*old, *new]) if old.get(name) != new.get(name)]
    if changed:
        hint = "give another folder for -o, or the setting it was begun with"
        raise UserError(f"{path} is of a run with another {', '.join(changed)}", hint)
    return Outcome(run, *rest)
