"""This file is a recipe to copy from: a small Transformer that learns to copy on one core."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy

from worldline.learn.networks import Shape
from worldline.learn.training.config import Batch, Options, Source, Stage, Training

SYMBOLS = 8
BAR = SYMBOLS  # the token between a text and its copy
LONGEST = 8


def copying(length: int = LONGEST, network: str = "transformer", seed: int = 0) -> Training:
    """`a b c | a b c`: short texts first, long ones once those are mastered."""
    learning = Options(
        iterations=600, batch=64, learning_rate=4e-3, seed=seed, evaluate_every=50, checkpoint_every=200
    )
    return Training(
        network=Shape(
            network=network, vocabulary=SYMBOLS + 1, width=32, layers=2, heads=2, context=2 * length
        ),
        sources=(
            Source("random", partial(copies, length=length, seed=seed), weight=3),
            Source("repeated", partial(copies, length=length, seed=seed, is_repeated=True), weight=1),
        ),
        evaluations={"copy": partial(accuracy, length=length)},
        stages=(Stage(0.5, until=0.95), Stage(1.0)),
        options=learning,
    )


def copies(  # noqa: PLR0913  # a stream has four
    iteration: int,
    rank: int,
    world: int,
    stage: Stage,
    *,
    length: int,
    seed: int = 0,
    is_repeated: bool = False,
) -> Batch:
    """One row: a text, the bar, the text again; only the copy counts."""
    generator = numpy.random.default_rng([seed, iteration, rank, is_repeated])
    size = max(2, round(length * stage.difficulty))
    text = generator.integers(SYMBOLS, size=1 if is_repeated else size)
    text = numpy.resize(text, size)
    row = numpy.concatenate([text, [BAR], text])
    weights = numpy.arange(len(row) - 1) >= size
    return Batch(row[:-1], row[1:], weights)


def accuracy(network: Any, stage: Stage, *, length: int) -> Mapping[str, float]:
    """The share of freshly drawn texts that are copied without an error."""
    import torch

    rows = [copies(1_000_000_000, row, 64, stage, length=length) for row in range(64)]
    ids_BT = torch.as_tensor(numpy.stack([row.ids_BT for row in rows]))
    targets_BT = torch.as_tensor(numpy.stack([row.targets_BT for row in rows]))
    weights_BT = torch.as_tensor(numpy.stack([row.weights_BT for row in rows]))
    device = next(network.parameters()).device
    is_right_BT = network(ids_BT.to(device)).argmax(-1).cpu() == targets_BT
    return {"exact": float((is_right_BT | ~weights_BT).all(1).float().mean())}
