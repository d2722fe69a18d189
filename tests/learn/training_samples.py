"""This file is runs small enough for tests: a tiny network with chance in it, two streams, two stages."""

import os
import signal
import sys
from functools import partial
from pathlib import Path

import numpy
import pytest

INSTALL = "pip install 'worldline[learn]'"
torch = pytest.importorskip("torch", reason=f"no torch: {INSTALL}")
pytest.importorskip("safetensors", reason=f"no safetensors: {INSTALL}")

from worldline.learn.training.config import Batch, Options, Source, Stage, Training  # noqa: E402
from worldline.learn.training.trainer import train  # noqa: E402

torch.set_num_threads(1)
VOCABULARY = 11
SMALL = Options(iterations=12, batch=8, warmup=3, checkpoint_every=4, evaluate_every=3, learning_rate=0.01)
CHILD = {
    **os.environ,
    "OMP_NUM_THREADS": "1",
    "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[2] / "src"), str(Path(__file__).parent)]),
}
MADE = ("model.safetensors", "best.safetensors", "log.jsonl")


class Tiny(torch.nn.Module):
    """Sees one token; tied weights, dropout, and a vector and a matrix that nothing uses."""

    def __init__(self, dropout=0.2, dtype=torch.float32):
        super().__init__()
        self.words = torch.nn.Embedding(VOCABULARY, 8, dtype=dtype)
        self.inner = torch.nn.Linear(8, 8, dtype=dtype)
        self.drop = torch.nn.Dropout(dropout)
        self.head = torch.nn.Linear(8, VOCABULARY, bias=False, dtype=dtype)
        self.head.weight = self.words.weight
        self.idle_vector = torch.nn.Parameter(torch.ones(3, dtype=dtype))
        self.idle_matrix = torch.nn.Parameter(torch.ones(3, 3, dtype=dtype))

    def forward(self, ids_BT):
        x_BTD = self.words(ids_BT)
        return self.head(x_BTD + self.drop(torch.tanh(self.inner(x_BTD))))


def counting(iteration, rank, world, stage, by=1):
    """Each token is the one before plus `by`; rows of all lengths, whose targets count differently."""
    generator = numpy.random.default_rng([iteration, rank, by])
    size = int(generator.integers(3, 6 + round(4 * stage.difficulty)))
    row = (generator.integers(VOCABULARY) + by * numpy.arange(size + 1)) % VOCABULARY
    return Batch(row[:-1], row[1:], generator.random(size))


def share_right(network, stage):
    """Draws random numbers as well, which must not change the run."""
    torch.rand(3)
    ids_BT = torch.arange(VOCABULARY)[None]
    right = (network(ids_BT).argmax(-1) == (ids_BT + 1) % VOCABULARY).double().mean()
    return {"right": float(right), "spare": 0.5}


def tiny(folder, stream=counting, evaluate=share_right, network=Tiny, **changes):
    from dataclasses import replace

    sources = (Source("ones", stream, 3), Source("twos", partial(counting, by=2), 1))
    stages = (Stage(0.5, until=0.05), Stage(1.0))
    options = replace(SMALL, folder=str(folder), **changes)
    return Training(network, sources, {"next": evaluate}, stages, options)


def made(folder):
    """The bytes that must not depend on how a run came about."""
    last = sorted((folder / "checkpoints").iterdir())[-1]
    told = {name: (folder / name).read_bytes() for name in MADE}
    return {**told, "optimiser": (last / "optimiser.safetensors").read_bytes()}


def killed_at(where, folder):
    """Train, and be killed: in a child process."""
    from worldline.learn.training import checkpoints

    def die():
        os.kill(os.getpid(), signal.SIGKILL)

    def stream(iteration, rank, world, stage):
        if where == "stream" and (iteration, rank) >= (6, 3):
            die()
        return counting(iteration, rank, world, stage)

    def evaluate(network, stage):
        if where == "evaluation" and (folder / "best.safetensors").exists():
            die()
        return share_right(network, stage)

    write = checkpoints.write

    def dying_write(path, text):
        if where == "checkpoint" and "000000008" in str(path):
            die()
        write(path, text)

    checkpoints.write = dying_write
    stream.__module__ = counting.__module__
    stream.__qualname__ = "counting"
    evaluate.__qualname__ = "share_right"
    train(tiny(folder, stream, evaluate))


if __name__ == "__main__":
    from training_samples import killed_at as run

    run(sys.argv[1], Path(sys.argv[2]))
