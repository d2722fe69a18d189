"""This file is studies small enough for tests: work that is a formula, and work that trains."""

import os
import signal
import time
from pathlib import Path

from worldline.errors import UserError
from worldline.learn.studies.grid import Study

ARMS = {"one": {"best": 0.1}, "two": {"best": 0.3}}
RATES = (0.1, 0.2, 0.3)


def formula(setting, folder):
    """Best where the learning rate is the arm's; says how often it was asked, and in which circumstances."""
    folder.mkdir(exist_ok=True)
    with (folder / "asked").open("a") as file:
        file.write("x")
    if setting.get("is_broken"):
        raise UserError("this work is broken", "mend it")
    if setting.get("is_mad"):
        raise ZeroDivisionError("mad")
    score = [1.0 - abs(setting["learning_rate"] - setting["best"]), 0.0]
    return {"score": score, "seed": setting["seed"], "threads": os.environ["OMP_NUM_THREADS"]}


def slow(setting, folder):
    """Tells that it runs, then would take forever."""
    folder.mkdir(exist_ok=True)
    (folder / "pid").write_text(str(os.getpid()))
    time.sleep(600)


def training(setting, folder):
    """Trains the tiny network; with `dies`, the first time is killed half way."""
    from training_samples import counting, share_right, tiny

    from worldline.learn.studies.one_run import trained

    mark = Path(f"{folder}.died")

    def stream(iteration, rank, world, stage):
        if setting.get("dies") and iteration == 8 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), getattr(signal, setting["dies"]))
        if setting.get("is_bad") and iteration == 5:
            return _infinite(counting(iteration, rank, world, stage))
        return counting(iteration, rank, world, stage)

    stream.__module__, stream.__qualname__ = counting.__module__, counting.__qualname__
    config = tiny(folder, stream, learning_rate=setting["learning_rate"], seed=setting["seed"])
    done = trained(config, folder, "a command")
    return {"score": [share_right(done.network, None)["right"]], "facts": done.facts}


def _infinite(batch):
    from dataclasses import replace

    return replace(batch, weights_BT=batch.weights_BT * float("inf"))


def study(work, **setting):
    return Study(
        "sample",
        f"study_samples:{work}",
        {name: {**own, **setting} for name, own in ARMS.items()},
        dict.fromkeys(ARMS, RATES),
    )
