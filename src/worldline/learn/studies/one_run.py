"""This file is one run of a study, in a process of its own: `python -m worldline.learn.studies.one_run JOB`.

JOB is a JSON object: name, work, setting, folder. What comes of it is FOLDER/results/NAME.json, whole or not
at all. Who asks politely (SIGTERM) has the trainer finish its iteration and save; when the parent is gone,
the run ends in the same way.
"""

import json
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from worldline.errors import UserError
from worldline.learn.training import checkpoints
from worldline.learn.training.config import Training
from worldline.learn.training.optimisation import Diverged
from worldline.learn.training.setting import versions
from worldline.learn.training.trainer import train

INTERRUPTED = 130


class Interrupted(Exception):
    """The run was asked to stop, and can go on."""


@dataclass(frozen=True, slots=True)
class Trained:
    """A network at the end of its training."""

    network: Any  # in evaluation mode
    facts: Mapping[str, Any]  # parameters, iterations, loss, cpu_seconds: plain JSON


def trained(config: Training, folder: Path, command: str = "") -> Trained:
    """Train in a folder, or go on there; `cpu_seconds` is of the training alone, all parts of it."""
    config = replace(config, options=replace(config.options, folder=str(folder)))
    clock = folder.with_name(f"{folder.name}.cpu")
    before = float(clock.read_text(encoding="utf-8")) if clock.is_file() else 0.0
    began = time.process_time()
    result = train(config, command=command)
    spent = before + time.process_time() - began
    checkpoints.write(clock, repr(spent))
    if not result.is_finished:
        raise Interrupted
    facts = {"parameters": result.parameters, "iterations": result.iteration, "loss": result.loss}
    return Trained(_network(config, folder), {**facts, "cpu_seconds": round(spent, 2)})


def work_off(job: Mapping[str, Any]) -> None:
    """Do the run and keep its result."""
    folder = Path(job["folder"])
    place, clock = folder / "runs" / job["name"], folder / "runs" / f"{job['name']}.clock"
    before = json.loads(clock.read_text(encoding="utf-8")) if clock.is_file() else [0.0, 0.0]
    began = time.monotonic(), time.process_time()
    module, _, name = job["work"].partition(":")
    result: Any = None
    try:
        result = getattr(import_module(module), name)(job["setting"], place)
    except Diverged as error:
        sys.stderr.write(f"{error}\n")
    finally:
        spent = before[0] + time.monotonic() - began[0], before[1] + time.process_time() - began[1]
        checkpoints.write(clock, json.dumps(spent))
    told = {"name": job["name"], "setting": job["setting"], "result": result, "versions": versions()}
    seconds = {"seconds": round(spent[0], 2), "cpu_seconds": round(spent[1], 2)}
    checkpoints.write(folder / "results" / f"{job['name']}.json", json.dumps({**told, **seconds}))
    shutil.rmtree(place / "checkpoints", ignore_errors=True)
    for each in (clock, clock.with_suffix(".cpu")):  # a run that is done again begins at 0
        each.unlink(missing_ok=True)


def _network(config: Training, folder: Path) -> Any:
    if not callable(config.network):
        return checkpoints.trained(folder, "model")
    network = config.network()
    checkpoints.load_weights(network, folder / "model.safetensors")
    return network.eval()


def _end_with_parent() -> None:
    """Stop as politely as one is asked to when nobody waits for the result any more."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()


def main() -> None:
    """Do the run that is told as the only argument."""
    _end_with_parent()
    try:
        work_off(json.loads(sys.argv[1]))
    except Interrupted:
        sys.exit(INTERRUPTED)
    except UserError as error:
        sys.stderr.write(f"error: {error.what}\n")
        sys.exit(2)


if __name__ == "__main__":
    from worldline.learn.studies.one_run import (
        main as begin,
    )  # or every exception there is would be there twice

    begin()
