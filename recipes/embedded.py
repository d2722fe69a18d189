"""This file is the recipes of the embedded model: `worldline train recipes/embedded.py:embedded -o embedded`.

All data is drawn while it trains (learn/data); lengths of containers grow once the shorter ones are mastered.
`permutation` is the same network for assignments of several names alone, in minutes: for several seeds.
"""

from dataclasses import replace
from functools import partial

from worldline.learn.data.rows import exactness, stream
from worldline.learn.networks import Shape
from worldline.learn.training.config import Options, Source, Stage, Training
from worldline.models.embedded.vocabulary import TOKENS


def embedded(width: int = 128, layers: int = 5, seed: int = 0) -> Training:
    """About a million parameters."""
    return Training(
        network=Shape("matching", vocabulary=len(TOKENS), width=width, layers=layers, heads=4, context=512),
        sources=(Source("statements", partial(stream, seed=seed)),),
        evaluations={"statements": partial(exactness, rows=64)},
        stages=(Stage(0.08, 0.9), Stage(0.16, 0.95), Stage(0.32, 0.97), Stage(0.6, 0.98), Stage(1.0)),
        options=Options(
            iterations=4000,
            batch=24,
            optimiser="muon",
            learning_rate=5e-3,
            warmup=100,
            final=0.02,
            seed=seed,
            evaluate_every=100,
            checkpoint_every=100,
            log_every=10,
            compile=True,
            score="statements.quick",
        ),
    )


def permutation(seed: int = 0) -> Training:
    """Only `a, b, c = c, a, b` and displays."""
    only = ("assignment", "display")
    return Training(
        network=Shape("matching", vocabulary=len(TOKENS), width=128, layers=3, heads=4, context=512),
        sources=(Source("assignments", partial(stream, seed=seed, only=only)),),
        evaluations={"assignments": partial(exactness, rows=64, only=only)},
        options=replace(
            embedded(seed=seed).options, iterations=400, batch=16, warmup=50, score="assignments.exact"
        ),
    )
