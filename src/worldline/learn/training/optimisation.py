"""This file is the optimiser: torch's AdamW or Muon, the learning rate, and all gradients in one row.

The gradients of all parameters are views of one flat tensor, so that processes add them up in one go. Muon is
for matrices; embeddings and vectors are AdamW's in any case.
"""

import math
from typing import Any

from worldline.errors import UserError
from worldline.learn.training.config import Options
from worldline.learn.training.processes import Processes


def learning_rate(options: Options, iteration: int) -> float:
    """Of an iteration, counted from 0."""
    if iteration < options.warmup:
        return options.learning_rate * (iteration + 1) / options.warmup
    if options.schedule == "constant":
        return options.learning_rate
    done = (iteration - options.warmup) / max(1, options.iterations - options.warmup)
    cosine = (1 + math.cos(math.pi * min(done, 1.0))) / 2
    return options.learning_rate * (options.final + (1 - options.final) * cosine)


class Diverged(UserError):
    """The loss, or its gradient, is no longer a number."""


class Optimiser:
    """AdamW on the parameters of one network, or Muon on its matrices and AdamW on the rest.

    Args:
        network: a module; its parameters must be of one type.
        options: the numbers.
        processes: with whom gradients are added up.
    """

    def __init__(self, network: Any, options: Options, processes: Processes) -> None:
        import torch

        self.named = {name: each for name, each in network.named_parameters() if each.requires_grad}
        kinds = {each.dtype for each in self.named.values()}
        if len(kinds) != 1:
            told = ", ".join(sorted(map(str, kinds))) or "none at all"
            raise UserError(f"the network has parameters of several types: {told}", "build it in fp32")
        self._options = options
        self._processes = processes
        sizes = [each.numel() for each in self.named.values()]
        self._row = torch.zeros(sum(sizes) + 1, dtype=kinds.pop(), device=processes.device)
        for each, part in zip(self.named.values(), self._row[:-1].split(sizes), strict=True):
            each.grad = part.view_as(each)
        self._kinds = self._made(network)
        self._of = {
            id(parameter): each
            for each in self._kinds
            for group in each.param_groups
            for parameter in group["params"]
        }

    def _made(self, network: Any) -> list[Any]:
        """Torch's optimisers, which share the parameters among them."""
        import torch

        options = self._options
        tables = {id(each.weight) for each in network.modules() if isinstance(each, torch.nn.Embedding)}
        is_muon = options.optimiser == "muon"
        shared: dict[str, list[Any]] = {"muon": [], "decaying": [], "others": []}
        for each in self.named.values():
            is_orthogonal = is_muon and each.dim() == 2 and id(each) not in tables
            shared["muon" if is_orthogonal else "decaying" if each.dim() >= 2 else "others"].append(each)
        groups = [
            {"params": shared["decaying"], "weight_decay": options.weight_decay},
            {"params": shared["others"], "weight_decay": 0.0},
        ]
        found: list[Any] = []
        if any(group["params"] for group in groups):
            found.append(
                torch.optim.AdamW(
                    [group for group in groups if group["params"]],
                    lr=options.learning_rate,
                    betas=tuple(options.betas),
                    fused=self._processes.device.type in ("cpu", "cuda"),
                )
            )
        if shared["muon"]:
            found.append(
                torch.optim.Muon(
                    shared["muon"],
                    lr=options.learning_rate,
                    weight_decay=options.weight_decay,
                    adjust_lr_fn="match_rms_adamw",
                )
            )
        return found

    def begin(self) -> None:
        """Forget the gradients."""
        self._row.zero_()

    def add_loss(self, loss: Any) -> None:
        """The loss of a part, whose gradients are added to those so far."""
        loss.backward()
        self._row[-1] += loss.detach().to(self._row.dtype)

    def finish(self, iteration: int) -> tuple[float, float]:
        """Add up everybody's gradients, clip them, and take the step: the loss and the gradient's norm."""
        self._processes.add_up(self._row)
        norm = float(self._row[:-1].norm())
        loss = float(self._row[-1])
        if not (math.isfinite(norm) and math.isfinite(loss)):
            raise Diverged(
                f"iteration {iteration}: loss {loss}, gradient norm {norm}",
                "begin again with a smaller learning_rate, a longer warmup or clip=1",
            )
        if self._options.clip and norm > self._options.clip:
            self._row[:-1].mul_(self._options.clip / norm)
        for each in self._kinds:
            for group in each.param_groups:
                group["lr"] = learning_rate(self._options, iteration)
            each.step()
        return loss, norm

    def state(self) -> dict[str, Any]:
        """All that it remembers, as named tensors."""
        return {
            f"{kind}.{name}": value.detach().cpu().contiguous()
            for name, parameter in self.named.items()
            for each in self._kinds
            for kind, value in each.state.get(parameter, {}).items()
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Take over what `state` gave."""
        for full, value in state.items():
            kind, _, name = full.partition(".")
            parameter = self.named[name]
            device = "cpu" if kind == "step" and parameter.device.type == "cpu" else parameter.device
            self._of[id(parameter)].state[parameter][kind] = value.to(device)
