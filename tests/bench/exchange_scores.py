"""This file is made-up scores and runs of them, for the tests of what other tools are given."""

from dataclasses import asdict
from pathlib import Path

from worldline.bench.model import Score
from worldline.work.store import opened

MODE = "free"
FACTS = {
    "setting": {"benchmark": "cruxeval", "model": "http:host/v1#model=org/tiny", "modes": [MODE]},
    "command": "worldline bench cruxeval",
    "python": "3.11.7",
}


def made(name, seed, is_right, given="1", reference=None, mode=MODE, **more):
    """A score of one item."""
    facts = {"labels": {"length": 3}, "is_exact": is_right, "real": "1", "expected": "1", **more}
    return Score(
        id=name,
        mode=mode,
        seed=seed,
        is_right=is_right,
        given=given,
        is_right_by_reference=reference,
        **facts,
    )


def run_file(path: Path, scores, facts=FACTS) -> Path:
    """A finished run, as the bench writes it."""
    with opened(path, facts) as store:
        for score in scores:
            store.put(f"{score.id} | {score.mode} | {score.seed}", asdict(score))
    return path
