"""Training that is killed, interrupted, and shared by two processes: real processes and real signals."""

import json
import re
import signal
import subprocess
import sys
import time

import pytest
from training_samples import CHILD, Tiny, made, tiny, torch, train

from interrupts import heed_interrupts

load_file = pytest.importorskip("safetensors.torch").load_file

RECIPE = """
import time
from functools import partial
from training_samples import Tiny, counting, tiny, torch

def slow(pause=0.0):
    def stream(*place):
        time.sleep(pause)
        return counting(*place)
    return tiny("", stream, iterations=40)

def exact():
    return tiny("", network=partial(Tiny, 0.0, torch.float64), iterations=30)

def single():
    return tiny("", network=partial(Tiny, 0.0), iterations=30)

def broken():
    def stream(iteration, rank, world, stage):
        if iteration == 2 and rank > 3:  # of the second process
            raise ValueError("no such row")
        return counting(iteration, rank, world, stage)
    return tiny("", stream, iterations=30)
"""
BOTH = """
import atexit, os, pathlib

def left():  # at the very end: what was registered first comes last
    names = [path.read_text().strip() for path in pathlib.Path("/proc/self/task").glob("*/comm")]
    pathlib.Path("left" + os.environ["RANK"]).write_text(" ".join(sorted(names)))

atexit.register(left)
from command import a
for kind in ("exact", "single"):
    a([f"recipe.py:{kind}", "-o", f"both/{kind}", "--json"], standalone_mode=False)
"""
COMMAND = "import typer; from worldline.cli.train import train; a = typer.Typer(); a.command()(train)"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recipe")
    (folder / "recipe.py").write_text(RECIPE)
    (folder / "both.py").write_text(BOTH)
    (folder / "command.py").write_text(COMMAND)
    train(tiny(folder / "whole"))
    return folder


@pytest.mark.parametrize("where", ["stream", "evaluation", "checkpoint"])
def test_a_run_that_is_killed_comes_to_the_same_bytes(place, tmp_path, where):
    folder = tmp_path / "run"
    program = f"{__file__.rpartition('/')[0]}/training_samples.py"
    child = subprocess.run([sys.executable, program, where, folder], env=CHILD, timeout=600, check=False)
    assert child.returncode == -signal.SIGKILL
    assert not (folder / "model.safetensors").exists()
    left = [path for path in (folder / "checkpoints").iterdir() if path.name.startswith(".")]
    assert bool(left) == (where == "checkpoint")
    result = train(tiny(folder))
    assert result.is_finished
    assert made(folder) == made(place / "whole")
    assert not any(path.name.startswith(".") for path in (folder / "checkpoints").iterdir())


def test_an_interrupt_saves_and_tells_how_to_go_on(place, tmp_path):
    run = [
        sys.executable,
        "-c",
        "import command; command.a()",
        "recipe.py:slow",
        "-o",
        tmp_path / "run",
        "--json",
    ]
    child = subprocess.Popen(
        [*run, "--set", "pause=0.01"],
        cwd=place,
        env=CHILD,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_interrupts,
    )
    log = tmp_path / "run" / "log.jsonl"
    until = time.monotonic() + 600
    while time.monotonic() < until and not (log.exists() and log.read_bytes().count(b"\n") >= 5):
        time.sleep(0.02)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=600)
    assert child.returncode == 130, err
    assert "go on with the same command" in err
    assert "Traceback" not in err
    told = json.loads(out)
    assert not told["is_finished"]
    assert 5 <= told["iteration"] < 40
    assert (
        tmp_path / "run" / "checkpoints" / f"{told['iteration']:09d}"
    ).is_dir()  # at once, not at the next
    again = subprocess.run(run, cwd=place, env=CHILD, capture_output=True, text=True, timeout=600, check=True)
    assert json.loads(again.stdout)["is_finished"]
    train(tiny(tmp_path / "whole", iterations=40))
    assert made(tmp_path / "run") == made(tmp_path / "whole")


@pytest.fixture(scope="module")
def both(place):
    """Two runs, one after the other, each of two processes."""
    start = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "both.py"]
    ran = subprocess.run(
        [sys.executable, *start], cwd=place, env=CHILD, capture_output=True, text=True, timeout=600
    )
    assert ran.returncode == 0, ran.stderr
    told = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [each["is_finished"] for each in told] == [True, True]  # the first process alone talks
    return place / "both"


def test_an_error_of_one_process_stops_all_and_is_told_once(place):
    (place / "one.py").write_text("import command; command.a()")
    start = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "one.py"]
    run = [sys.executable, *start, "recipe.py:broken", "-o", "broken"]
    ran = subprocess.run(run, cwd=place, env=CHILD, capture_output=True, text=True, timeout=600)
    assert ran.returncode != 0
    told = r"UserError: the stream ones, iteration 2, row [4-7]: ValueError: no such row"
    assert len(re.findall(told, ran.stderr)) == 1, ran.stderr
    assert "UserError: another process has stopped" in ran.stderr
    assert "gloo" not in ran.stderr.lower()


def test_no_thread_of_the_group_outlives_it(both):
    assert ["gloo" in (both.parent / f"left{rank}").read_text() for rank in range(2)] == [False, False]


@pytest.mark.parametrize(("kind", "tolerance"), [("exact", 1e-12), ("single", 1e-5)])
def test_two_processes_learn_what_one_learns(both, tmp_path, kind, tolerance):
    dtype = torch.float64 if kind == "exact" else torch.float32
    folders = both / kind, tmp_path / "alone"
    train(tiny(folders[1], network=lambda: Tiny(0.0, dtype), iterations=30))
    logs = [[json.loads(line) for line in (each / "log.jsonl").read_text().splitlines()] for each in folders]
    assert [each["iteration"] for each in logs[0]] == list(range(1, 31))
    for name in ("loss", "gradient_norm"):
        ours, theirs = ([each[name] for each in log] for log in logs)
        assert ours == pytest.approx(theirs, rel=tolerance, abs=tolerance)
    assert [each["stage"] for each in logs[0]] == [each["stage"] for each in logs[1]]
    weights = [load_file(each / "model.safetensors") for each in folders]
    assert weights[0].keys() == weights[1].keys()
    for name, ours in weights[0].items():
        assert float((ours - weights[1][name]).abs().max()) <= 10 * tolerance
    assert "2 process(es)" in (folders[0] / "README.md").read_text()
