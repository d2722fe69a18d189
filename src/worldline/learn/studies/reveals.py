"""This file is the study of sparse reveals: which network tracks a permutation it does not see?

Some variables hold a permutation. A row of tokens begins with the whole state, a token a variable; each
action is one token and permutes the values; after every `spacing` actions the state is shown again. Only the
tokens of shown states are learnt. S3: three variables, all six permutations are actions. S5: five variables,
every sixth of the 120 permutations is: swaps, longer cycles and products of both. Spacings are mixed, one an
iteration, so that no row is padded; wider ones join one after the other (docs/LOG.md: what came without).

Training, validation and test rows are drawn apart; the latter two are the same for all runs.

What it does not cover: actions are random and one token each, there is no program text, and a state that is
shown is the true one, so an error does not live on beyond the next look.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import permutations
from math import factorial
from pathlib import Path
from typing import Any

from worldline.errors import UserError
from worldline.learn.networks import Shape, shape_of_size
from worldline.learn.studies.grid import Study
from worldline.learn.studies.one_run import trained
from worldline.learn.training.config import Batch, Options, Source, Stage, Training

GROUPS = ("S3", "S5")
SPACINGS = (1, 4, 8, 16)
"""Trained, the last three once the closer ones have had their time."""
JOINED = 0.45
"""The share of the iterations after which all spacings are trained, equally often."""
UNSEEN = 32
LENGTH = 32
"""Trained, in actions."""
LENGTHS = (32, 64, 128, 256)
SIZE = 100_000
TRAINED, VALIDATED, TESTED = range(3)
"""What rows are drawn for: they never share a generator."""

NETWORKS: Mapping[str, Mapping[str, Any]] = {
    "transformer": {"network": "transformer", "layers": 4, "heads": 2},
    "deltanet-positive": {"network": "deltanet", "layers": 2, "is_negative": False},
    "deltanet": {"network": "deltanet", "layers": 2, "is_negative": True},
    "deltaproduct": {"network": "deltaproduct", "layers": 2, "is_negative": True, "householders": 2},
    "hybrid": {"network": "hybrid", "layers": 2, "is_negative": True},
}
"""What a `Shape` has beside its size. More layers favour the Transformer; more heads would be too narrow."""

RATES = (2e-3, 4e-3, 8e-3)
TRANSFORMER_RATES = (1e-3, 2e-3, 4e-3, 8e-3)
ITERATIONS = 1800


def study(is_quick: bool = False) -> Study:
    """All networks on both groups; the quick one is too small to learn anything."""
    training = {"size": 8_000, "iterations": 4, "batch": 4, "rows": 2} if is_quick else {}
    arms = {
        f"{group}-{name}": {
            "group": group,
            "heads": 4,
            **network,
            "size": SIZE,
            "iterations": ITERATIONS,
            "batch": 16,
            "rows": 64,
            **training,
        }
        for group in GROUPS
        for name, network in NETWORKS.items()
    }
    rates: dict[str, Sequence[float]] = {
        arm: TRANSFORMER_RATES if "transformer" in arm else RATES for arm in arms
    }
    if is_quick:
        rates = {arm: each[: 2 if arm == "S3-deltanet" else 1] for arm, each in rates.items()}
    return Study("reveals", "worldline.learn.studies.reveals:work", arms, rates)


def work(setting: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Train one network, and look at how it does by spacing and length."""
    done = trained(config_of(setting), folder, "worldline study reveals")
    group, rows = setting["group"], setting["rows"]
    seen = [accuracy(done.network, group, (spacing, LENGTH), rows, VALIDATED) for spacing in SPACINGS]
    tested = [
        {
            "spacing": spacing,
            "length": length,
            **accuracy(done.network, group, (spacing, length), rows, TESTED),
        }
        for length in LENGTHS
        for spacing in (*SPACINGS, UNSEEN)
    ]
    score = [sum(each[name] for each in seen) / len(seen) for name in ("right", "loss")]
    return {"score": [score[0], -score[1]], "facts": dict(done.facts), "test": tested}


def config_of(setting: Mapping[str, Any]) -> Training:
    """The training of a run."""
    group = setting["group"]
    like = Shape(
        network=setting["network"],
        vocabulary=vocabulary(group),
        width=2 * setting["heads"],
        layers=setting["layers"],
        heads=setting["heads"],
        context=width_of(group, min(SPACINGS), LENGTH),
        householders=setting.get("householders", 1),
        is_negative=setting.get("is_negative", True),
    )
    return Training(
        network=shape_of_size(setting["network"], setting["size"], like),
        sources=(
            Source(
                "reveals",
                partial(stream, group=group, seed=setting["seed"], iterations=setting["iterations"]),
            ),
        ),
        options=Options(
            iterations=setting["iterations"],
            batch=setting["batch"],
            learning_rate=setting["learning_rate"],
            seed=setting["seed"],
            checkpoint_every=100,
            device="cpu",
        ),
    )


def variables(group: str) -> int:
    """How many things are permuted."""
    if group not in GROUPS:
        raise UserError(f"no group {group!r}", f"there are: {', '.join(GROUPS)}")
    return int(group[1:])


def actions(group: str) -> list[tuple[int, ...]]:
    """What may happen: variable i takes the value of variable action[i]."""
    every = list(permutations(range(variables(group))))
    return every if group == "S3" else every[::6]


def vocabulary(group: str) -> int:
    """Actions first, then a token for each variable and value."""
    return len(actions(group)) + variables(group) ** 2


def width_of(group: str, spacing: int, length: int) -> int:
    """Tokens of a row, but for the last, which has no successor."""
    return variables(group) * (1 + length // spacing) + length - 1


def chance(group: str) -> float:
    """The share of states that a guess gets right."""
    return 1 / factorial(variables(group))


def row(group: str, spacing: int, length: int, place: Sequence[int]) -> tuple[list[int], list[bool]]:
    """The tokens of a row and which of them are to be learnt; `place` decides what is drawn."""
    import numpy

    generator = numpy.random.default_rng(place)
    many, known = variables(group), actions(group)
    state = tuple(int(value) for value in generator.permutation(many))
    chosen = generator.integers(len(known), size=length).tolist()

    def shown() -> list[int]:
        return [len(known) + many * at + value for at, value in enumerate(state)]

    tokens, is_learnt = shown(), [False] * many
    for done, action in enumerate(chosen, 1):
        state = tuple(state[source] for source in known[action])
        tokens.append(action)
        is_learnt.append(False)
        if done % spacing == 0:
            tokens += shown()
            is_learnt += [True] * many
    return tokens, is_learnt


def stream(  # noqa: PLR0913  # a stream has four
    iteration: int, rank: int, world: int, stage: Stage, *, group: str, seed: int, iterations: int
) -> Batch:
    """One row for training; all rows of an iteration have the same spacing."""
    import numpy

    known = SPACINGS[: 1 + int((len(SPACINGS) - 1) * iteration / (JOINED * iterations))]
    spacing = int(numpy.random.default_rng([TRAINED, seed, iteration]).choice(known))
    tokens, is_learnt = row(group, spacing, LENGTH, [TRAINED, seed, iteration, rank])
    made = numpy.array(tokens)
    return Batch(made[:-1], made[1:], numpy.array(is_learnt[1:], dtype=numpy.float32))


def accuracy(
    network: Any, group: str, place: tuple[int, int], rows: int, purpose: int, at_once: int = 16
) -> dict[str, float]:
    """The share of shown states that are wholly right, their mean loss a token, and how many there were.

    Each token is asked for with the true ones before it: a state is right so exactly if greedy decoding
    would write it. `place` is spacing and length.
    """
    import torch
    from torch.nn.functional import cross_entropy

    many, (spacing, length) = variables(group), place
    drawn = [row(group, spacing, length, [purpose, spacing, length, each]) for each in range(rows)]
    ids_BT = torch.tensor([tokens for tokens, _ in drawn])
    is_learnt_T = torch.tensor(drawn[0][1][1:])
    right, loss = 0, 0.0
    with torch.inference_mode():
        for part_BT in ids_BT.split(at_once):
            logits_NV = network(part_BT[:, :-1])[:, is_learnt_T].flatten(0, 1)
            targets_N = part_BT[:, 1:][:, is_learnt_T].flatten()
            loss += float(cross_entropy(logits_NV, targets_N, reduction="sum"))
            right += int((logits_NV.argmax(-1) == targets_N).view(-1, many).all(1).sum())
    states = rows * (length // spacing)
    return {"right": right / states, "loss": loss / (states * many), "states": states}
