"""This file is a trained network packed for shipping: one numpy file, matrices in half precision.

`models/embedded/network.py` reads it without torch. The weights are rounded once, here; a network in torch
with the packed weights computes the same up to the order of additions.
"""

import json
from pathlib import Path
from typing import Any

from worldline.errors import UserError
from worldline.learn.training import checkpoints
from worldline.models.embedded.vocabulary import TOKENS

LARGEST = 10_000_000  # bytes


def pack(folder: Path, output: Path, which: str = "best") -> int:
    """Write the weights of a run, and say how many bytes they take.

    Args:
        folder: of the run.
        output: FILE.npz.
        which: the `best` weights, or those at the end (`model`).
    """
    import numpy

    network = checkpoints.trained(folder, which)
    shape = network.shape
    if shape.vocabulary != len(TOKENS):
        what = f"{folder} has a vocabulary of {shape.vocabulary} tokens, not of {len(TOKENS)}"
        raise UserError(what, "train it by recipes/embedded.py")
    about = {
        "layers": shape.layers,
        "heads": shape.heads,
        "theta": shape.theta,
        "tokens": shape.vocabulary,
        "parameters": sum(each.numel() for each in network.parameters()),
        "made": _made(folder, which),
    }
    kept: dict[str, Any] = {
        name: (each.half() if each.dim() > 1 else each.float()).numpy()
        for name, each in checkpoints.weights_of(network).items()
    }
    with output.open("wb") as file:
        numpy.savez_compressed(file, about=json.dumps(about), **kept)
    size = output.stat().st_size
    if size > LARGEST:
        output.unlink()
        raise UserError(f"{size:,} bytes are more than {LARGEST:,}", "train a smaller network")
    return size


def _made(folder: Path, which: str) -> dict[str, Any]:
    """What gives the weights again."""
    run = checkpoints.facts(folder)
    options = run["setting"]["options"]
    return {
        "weights": which,
        "commands": [each["command"] for each in run["history"]],
        "versions": run["history"][-1]["versions"],
        **{name: options[name] for name in ("seed", "iterations", "batch")},
    }
