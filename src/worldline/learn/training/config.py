"""This file is what a training run is told: the network, the data, what is evaluated, and the numbers.

B rows, T tokens of a row. Nothing here needs torch: a recipe can be read where there is none.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from worldline.errors import UserError

SCHEDULES = ("cosine", "constant")
OPTIMISERS = ("adamw", "muon")
PRECISIONS = ("fp32", "bf16")


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows to learn from: numpy arrays or tensors of one shape. A single row may come without its B."""

    ids_BT: Any
    targets_BT: Any  # the token that is to follow each
    weights_BT: Any  # how much each target counts; 0: not at all


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of the curriculum."""

    difficulty: float = 1.0  # share of the full difficulty; what it means is the stream's business
    until: float = 1.0  # the score at which the next stage begins


Stream = Callable[[int, int, int, Stage], Batch]
"""(iteration, rank, world, stage) -> share `rank` of the `world` shares of that iteration's data.

It must be a pure function: that is what lets a run go on anywhere. The trainer asks for one row at a time,
with the row's number and the batch size as `rank` and `world`, so that the data does not depend on the number
of processes. A share may have several rows all the same, as long as all shares have equally many.
"""

Evaluate = Callable[[Any, Stage], Mapping[str, float]]
"""(network, stage) -> scores, more is better. The network is in evaluation mode, without gradients."""


@dataclass(frozen=True, slots=True)
class Source:
    """A stream in the mixture."""

    name: str
    stream: Stream
    weight: float = 1.0  # share of the rows, beside the weights of the others


@dataclass(frozen=True, slots=True)
class Options:
    """The numbers: what `--set NAME=VALUE` may change."""

    iterations: int = 1000
    batch: int = 32  # rows of one iteration, of all processes together
    accumulation: int = 1  # parts in which a process computes its rows, to save memory
    learning_rate: float = 2e-3  # the highest
    warmup: int = 50  # iterations until it is reached
    schedule: str = "cosine"  # or constant
    final: float = 0.1  # share of the learning rate that is left at the end of the cosine
    weight_decay: float = 0.1  # of matrices only
    clip: float = 1.0  # longest gradient; 0: as it comes
    optimiser: str = "adamw"  # or muon: for matrices that are no embeddings, AdamW for the rest
    betas: tuple[float, float] = (0.9, 0.95)  # of AdamW
    seed: int = 0
    precision: str = "fp32"  # or bf16: autocast, the weights stay in fp32
    device: str = "auto"
    compile: bool = False  # torch.compile: pays in long runs whose rows all have one width
    checkpoint_every: int = 500
    evaluate_every: int = 0  # 0: only at the end
    score: str = ""  # which one decides about stages and the best weights; empty: the first
    log_every: int = 1
    tensorboard: bool = False
    start: str = ""  # FILE.safetensors: weights to begin with, instead of random ones
    folder: str = ""  # where everything goes


@dataclass(frozen=True, slots=True)
class Training:
    """A whole run."""

    network: Any  # a shape of `learn/networks`, or a callable that builds a module: ids_BT -> logits_BTV
    sources: tuple[Source, ...]
    evaluations: Mapping[str, Evaluate] = field(default_factory=dict)
    stages: tuple[Stage, ...] = (Stage(),)
    options: Options = field(default_factory=Options)


def check(config: Training) -> None:
    """Refuse what cannot be trained."""
    _check_parts(config)
    if not config.sources:
        raise UserError("there is nothing to learn from", "give sources, with weights above 0")
    negative = [source.name for source in config.sources if source.weight < 0]
    if negative:
        raise UserError(f"sources have weights below 0: {', '.join(negative)}", "give weights above 0")
    if sum(source.weight for source in config.sources) <= 0:
        raise UserError("all sources have weight 0", "give one of them a weight above 0")
    if not config.stages:
        raise UserError("there is no stage", "leave stages out for a run without a curriculum")
    if len(config.stages) > 1 and not (config.evaluations and config.options.evaluate_every):
        raise UserError("stages need an evaluation", "give evaluations, and evaluate_every=100")
    score = config.options.score
    if score and not any(score.startswith(f"{name}.") for name in config.evaluations):
        hint = f"write it like {next(iter(config.evaluations), 'EVALUATION')}.NAME"
        raise UserError(f"no evaluation gives a score {score!r}", hint)
    _check_options(config.options)


def _check_parts(config: Training) -> None:
    """Refuse parts of another kind than a recipe has."""
    for name, kind in (("sources", Source), ("stages", Stage)):
        parts = getattr(config, name)
        if not isinstance(parts, tuple | list) or not all(isinstance(each, kind) for each in parts):
            told = f"{name} of a Training must be a tuple of {kind.__name__}s"
            raise UserError(told, f"write it like {name}=({kind.__name__}(...),)")
    if isinstance(config.network, str):
        hint = f'write it like network=Shape("{config.network}", vocabulary=9, ...)'
        raise UserError("the network of a Training is a Shape, or a callable that builds a module", hint)


def _check_options(options: Options) -> None:
    if options.schedule not in SCHEDULES:
        raise UserError(f"no schedule {options.schedule!r}", f"there are: {', '.join(SCHEDULES)}")
    if options.optimiser not in OPTIMISERS:
        raise UserError(f"no optimiser {options.optimiser!r}", f"there are: {', '.join(OPTIMISERS)}")
    if options.precision not in PRECISIONS:
        raise UserError(f"no precision {options.precision!r}", f"there are: {', '.join(PRECISIONS)}")
    for name in ("iterations", "batch", "accumulation", "checkpoint_every", "log_every"):
        if getattr(options, name) < 1:
            raise UserError(f"{name} is {getattr(options, name)}", f"write it like {name}=8")
    if len(options.betas) != 2 or not all(0 <= beta < 1 for beta in options.betas):
        raise UserError("betas are not two numbers below 1", "write them like betas=0.9,0.95")
    if options.seed >= 2**63:
        raise UserError(f"the seed {options.seed} is too large", "take one below 2**63")
    if not options.folder:
        raise UserError("where shall the weights go?", "give -o FOLDER")


def check_processes(options: Options, world: int) -> None:
    """Refuse a batch that the processes cannot share evenly."""
    if options.batch % (world * options.accumulation):
        told = f"{options.batch} rows do not divide into {world} processes x {options.accumulation} parts"
        raise UserError(told, f"write it like batch={world * options.accumulation * 8}")
