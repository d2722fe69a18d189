"""This file is the trainer: one loop, the same weights to the bit however often it is broken off.

B rows, T tokens, V vocabulary, N all tokens of a batch. The loss is the mean cross entropy of the whole
batch, by the targets' weights, whatever number of processes and parts computes it. To the bit means: the same
machine, torch, number of threads and of processes; on a GPU, as far as its kernels are deterministic.
"""

import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from math import isnan
from pathlib import Path
from types import FrameType
from typing import Any

from worldline.errors import UserError, missing_extra
from worldline.learn.training import checkpoints, mixture
from worldline.learn.training.card import card
from worldline.learn.training.checkpoints import State
from worldline.learn.training.config import Batch, Training, check, check_processes
from worldline.learn.training.logs import Log, numbers
from worldline.learn.training.optimisation import Optimiser, learning_rate
from worldline.learn.training.processes import Processes, joined
from worldline.learn.training.randomness import borrowed, seed_all
from worldline.learn.training.setting import setting_of, versions
from worldline.learn.training.users_code import told_as
from worldline.work.alone import alone

Watch = Callable[[Mapping[str, Any]], None]
"""Called in the first process with the record of each iteration."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a run has come to."""

    folder: str
    is_finished: bool  # False: it was interrupted
    iteration: int  # how many are done
    parameters: int
    stage: int
    loss: float | None  # of the last iteration
    scores: Mapping[str, float | None]  # of the last evaluation; None: it was no number
    best: float | None  # score
    best_at: int  # after how many iterations


def train(config: Training, resume: bool = True, watch: Watch | None = None, command: str = "") -> Result:
    """Train, or go on with training.

    Args:
        config: everything.
        resume: go on with the run that is in the folder; without, a folder with a run is refused.
        watch: is told of each iteration.
        command: what gives this run again, for the model card.
    """
    check(config)
    try:
        import safetensors  # noqa: F401
        import torch  # noqa: F401
    except ImportError as error:
        raise missing_extra(error.name or "torch", "learn") from None
    processes = joined(config.options.device)
    with borrowed(), _signals(processes) as signals:
        check_processes(config.options, processes.world)
        run = _Run(config, processes, command)
        try:
            run.begin(resume)
            return run.go(signals, watch)
        finally:
            run.close()


class _Signals:
    """Whether somebody wants us to stop."""

    def __init__(self, is_alone: bool) -> None:
        self.is_set = False
        self._is_alone = is_alone

    def take(self, number: int, frame: FrameType | None) -> None:
        """Stop after this iteration; who asks twice is obeyed at once (torchrun itself asks twice)."""
        if self.is_set and self._is_alone:
            raise KeyboardInterrupt
        self.is_set = True


@contextmanager
def _signals(processes: Processes) -> Iterator[_Signals]:
    """Take Ctrl-C and polite ends as a wish, so that no iteration is broken off half done."""
    found = _Signals(processes.world == 1)
    if threading.current_thread() is not threading.main_thread():
        yield found
        return
    before = {each: signal.signal(each, found.take) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield found
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


class _Run:
    """A run that holds its network, its optimiser and its log."""

    def __init__(self, config: Training, processes: Processes, command: str) -> None:
        self.config = config
        self.options = config.options
        self.processes = processes
        self.folder = Path(config.options.folder)
        self.setting = setting_of(config)
        self.history = {
            "command": command,
            "versions": versions(),
            "processes": processes.world,
            "device": str(processes.device),
        }
        self.state = State()
        self.log: Log | None = None
        self.held = ExitStack()  # the folder, kept from others
        seed_all(self.options.seed)
        with told_as("the network"):
            self.network = _built(config.network, self.options.seed).to(processes.device)
        self.reads = _compiled(self.network) if self.options.compile else self.network
        self.optimiser = Optimiser(self.network, self.options, processes)
        self.parameters = sum(each.numel() for each in self.network.parameters())
        self.vocabulary: int | None = getattr(config.network, "vocabulary", None)

    def begin(self, resume: bool) -> None:
        """Make the folder, or take over what is there."""
        refusal: UserError | None = None
        if self.processes.is_first:
            try:
                checkpoints.check_place(self.folder)
                self.held.enter_context(alone(self.folder))
                checkpoints.begin(self.folder, self.setting, self.history, not resume)
                checkpoints.latest(self.folder)
            except UserError as error:
                refusal = error
        self._agree(refusal)
        found = checkpoints.latest(self.folder)
        self._check_folder(found)
        if found is not None:
            self.state, remembered = checkpoints.load(found, self.network)
            self.optimiser.restore(remembered)
        elif self.options.start:
            checkpoints.load_weights(self.network, Path(self.options.start))
        for tensor in checkpoints.weights_of(self.network).values():
            self.processes.take_from_first(tensor)
        if self.processes.is_first:
            self.log = Log(self.folder, self.state.iteration, self.state.log_bytes, self.options.tensorboard)

    def go(self, signals: _Signals, watch: Watch | None) -> Result:
        """Iterate until the end, or until somebody wants us to stop."""
        self.network.train()
        is_stopped = False
        while self.state.iteration < self.options.iterations and not is_stopped:
            record, is_stopped = self._iterate(signals)
            is_stopped = is_stopped or (signals.is_set and self.processes.world == 1)
            if self.state.iteration % self.options.checkpoint_every == 0 or is_stopped or self._is_at_end():
                self._save()
            if watch is not None and self.processes.is_first:
                watch(record)
        if self._is_at_end() and self.processes.is_first:
            checkpoints.save_tensors(self.folder / "model.safetensors", checkpoints.weights_of(self.network))
            self._tell()
        state = self.state
        best = None if state.best is None else state.best[1]
        place = (self.parameters, state.stage, state.loss, numbers(state.scores), best, state.best_at)
        return Result(str(self.folder), self._is_at_end(), state.iteration, *place)

    def close(self) -> None:
        """Close the log, and let others into the folder."""
        if self.log is not None:
            self.log.close()
        self.held.close()

    def _is_at_end(self) -> bool:
        return self.state.iteration >= self.options.iterations

    def _iterate(self, signals: _Signals) -> tuple[dict[str, Any], bool]:
        """One iteration: its record, and whether to stop."""
        import torch

        began = time.perf_counter()
        iteration = self.state.iteration
        seed_all(self.options.seed, iteration, self.processes.rank)
        stage = self.config.stages[self.state.stage]
        sources = self.config.sources
        chosen = mixture.choice(sources, self.options.seed, iteration, self.options.batch)
        parts: list[Batch] = []
        refusal: UserError | None = None
        try:
            parts += (
                mixture.batch_of(sources, chosen, iteration, rows, stage, self.vocabulary)
                for rows in self.processes.share(self.options.batch, self.options.accumulation)
            )
        except UserError as error:
            refusal = error
        sums = torch.tensor(
            [
                sum(float(part.weights_BT.double().sum()) for part in parts),
                sum(part.ids_BT.numel() for part in parts),
                signals.is_set,
                refusal is not None,
            ],
            dtype=torch.float64,
        ).to(self.processes.device)
        self.processes.add_up(sums)
        weight, tokens, wishes, refusals = sums.tolist()
        if refusals:
            raise refusal or UserError("another process has stopped", "see what it says")
        if weight <= 0:
            raise UserError(f"iteration {iteration}: all targets have weight 0", "look at the streams")
        self.optimiser.begin()
        for part in parts:
            self.optimiser.add_loss(self._loss(part) / weight)
        loss, norm = self.optimiser.finish(iteration)
        self.state = replace(self.state, iteration=iteration + 1, loss=loss)
        record: dict[str, Any] = {
            "iteration": iteration + 1,
            "loss": loss,
            "learning_rate": learning_rate(self.options, iteration),
            "gradient_norm": norm,
            "stage": self.state.stage,
        }
        seconds = time.perf_counter() - began
        speed = {"tokens_per_second": round(tokens / seconds, 1), "seconds": round(seconds, 6)}
        self._evaluate(record)
        is_shown = (iteration + 1) % self.options.log_every == 0 or "scores" in record
        if self.log is not None and is_shown:
            self.log.add(record, speed)
        return {**record, **speed}, wishes > 0

    def _loss(self, part: Batch) -> Any:
        """The sum of the weighted cross entropies."""
        import torch
        from torch.nn.functional import cross_entropy

        device = self.processes.device
        is_half = self.options.precision == "bf16"
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=is_half):
            logits_BTV = self.reads(part.ids_BT.to(device))
        logits_BTV = logits_BTV.to(torch.promote_types(logits_BTV.dtype, torch.float32))
        losses_N = cross_entropy(
            logits_BTV.flatten(0, 1), part.targets_BT.to(device).flatten(), reduction="none"
        )
        return (losses_N * part.weights_BT.to(device, losses_N.dtype).flatten()).sum()

    def _evaluate(self, record: dict[str, Any]) -> None:
        """Score the network if it is time: the best weights are kept, a stage that is mastered is left."""
        import torch

        done, every = self.state.iteration, self.options.evaluate_every
        is_time = self._is_at_end() or (every and done % every == 0)
        if not self.config.evaluations or not is_time:
            return
        stage = torch.tensor([self.state.stage], device=self.processes.device)
        refusal: UserError | None = None
        if self.processes.is_first:
            try:
                record["scores"] = self._scores()
                stage += self._judged(record["scores"])
            except UserError as error:
                refusal = error
        self._agree(refusal)
        self.processes.take_from_first(stage)
        self.state = replace(self.state, stage=int(stage))

    def _scores(self) -> dict[str, float]:
        import torch

        self.network.eval()
        stage = self.config.stages[self.state.stage]
        found: dict[str, float] = {}
        with torch.no_grad():
            for name, evaluate in self.config.evaluations.items():
                with told_as(f"the evaluation {name} after {self.state.iteration} iterations"):
                    scores = evaluate(self.network, stage)
                    if not isinstance(scores, Mapping):
                        raise UserError(f"the evaluation {name} gives {scores!r}", "return {NAME: number}")
                    found |= {f"{name}.{key}": float(value) for key, value in scores.items()}
        self.network.train()
        return found

    def _judged(self, scores: dict[str, float]) -> int:
        """Keep the weights if they are the best so far (a later stage counts more): stages to go up."""
        if not scores:
            raise UserError("the evaluations give no score", "return {NAME: number} from one of them")
        name = self.options.score or next(iter(scores))
        if name not in scores:
            raise UserError(f"no evaluation gives a score {name!r}", f"there are: {', '.join(scores)}")
        rank = self.state.stage, scores[name]
        self.state = replace(self.state, scores=scores)
        is_better = self.state.best is None or rank > self.state.best
        if is_better and not isnan(scores[name]):
            self.state = replace(self.state, best=rank, best_at=self.state.iteration)
            about = f"{name} {scores[name]!r} after {self.state.iteration} iterations"
            weights = checkpoints.weights_of(self.network)
            checkpoints.save_tensors(self.folder / "best.safetensors", weights, about)
        is_last = self.state.stage == len(self.config.stages) - 1
        return int(not is_last and scores[name] >= self.config.stages[self.state.stage].until)

    def _save(self) -> None:
        """Write a checkpoint, and the model card."""
        if self.log is None:
            return
        self.state = replace(self.state, log_bytes=self.log.sync())
        checkpoints.save(self.folder, self.state, self.network, self.optimiser.state())
        self._tell()

    def _tell(self) -> None:
        """Write the model card."""
        told = card(self.folder.name, self.state, self.setting, self.history, self.parameters)
        checkpoints.write(self.folder / "README.md", told)

    def _check_folder(self, found: Path | None) -> None:
        """Refuse folders that are not one: all processes have to go on from the same checkpoint."""
        import torch

        ours = int(found.name) if found is not None else 0
        first = torch.tensor([float(ours)], device=self.processes.device)
        self.processes.take_from_first(first)
        differ = torch.tensor([float(ours != first.item())], device=self.processes.device)
        self.processes.add_up(differ)
        if differ.item():
            told = f"process {self.processes.rank} sees iteration {ours}, the first one {int(first)}"
            raise UserError(f"{self.folder}: {told}", "let all processes see the same folder")

    def _agree(self, refusal: UserError | None) -> None:
        """Stop all processes if the first one has to."""
        import torch

        is_bad = torch.tensor([float(refusal is not None)], device=self.processes.device)
        self.processes.take_from_first(is_bad)
        if refusal is not None:
            raise refusal
        if is_bad.item():
            raise UserError("the first process has stopped", "see what it says")


def _built(network: Any, seed: int) -> Any:
    """A module, from a callable that builds it or from a shape."""
    if callable(network):
        return network()
    from worldline.learn.networks import build

    return build(network, seed)


def _compiled(network: Any) -> Any:
    """The same network, translated for rows of one width: a minute at the start, then faster."""
    import torch

    return torch.compile(network)
