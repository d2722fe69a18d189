"""This file is the processes of one run: who we are among them, and what they add up.

Started by torchrun (which sets RANK, WORLD_SIZE, LOCAL_RANK and where to meet) or alone.
"""

import atexit
import os
from dataclasses import dataclass
from typing import Any

from worldline.errors import UserError


@dataclass(frozen=True, slots=True)
class Processes:
    """This process among all."""

    rank: int
    world: int
    device: Any

    @property
    def is_first(self) -> bool:
        """The only one that writes."""
        return self.rank == 0

    def add_up(self, values: Any) -> None:
        """Replace a tensor by the sum of everybody's."""
        if self.world > 1:
            import torch.distributed

            torch.distributed.all_reduce(values)

    def take_from_first(self, values: Any) -> None:
        """Replace a tensor by that of the first process."""
        if self.world > 1:
            import torch.distributed

            torch.distributed.broadcast(values, 0)

    def share(self, rows: int, parts: int) -> list[range]:
        """Which rows of an iteration are ours, in so many parts."""
        each = rows // (self.world * parts)
        first = self.rank * each * parts
        return [range(first + part * each, first + (part + 1) * each) for part in range(parts)]


def joined(device: str) -> Processes:
    """Meet the others, if there are any: gloo on CPUs, nccl on GPUs.

    They stay together until the process ends, as torchrun lets them meet only once; runs may follow on runs.

    Functions of `torch.distributed.nn` have the group as a default that is taken when the module is first
    imported, which an optimiser does. It is imported before there is a group: what they hold is never freed,
    and its threads would run on while the interpreter ends, where one that still holds a tensor aborts.
    """
    import torch.distributed
    import torch.distributed.nn

    world = int(os.environ.get("WORLD_SIZE", "1"))
    rank = int(os.environ.get("RANK", "0"))
    chosen = _device(device, int(os.environ.get("LOCAL_RANK", "0")))
    if world > 1 and not torch.distributed.is_initialized():
        torch.distributed.init_process_group("nccl" if chosen.type == "cuda" else "gloo")
        atexit.register(torch.distributed.destroy_process_group)
    return Processes(rank, world, chosen)


def _device(name: str, local_rank: int) -> Any:
    import torch

    has_gpu = torch.cuda.is_available()
    if name == "auto":
        name = "cuda" if has_gpu else "cpu"
    if name == "cuda":
        name = f"cuda:{local_rank}"
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:
        told = str(error).partition("\n")[0]
        raise UserError(f"no device {name!r} here: {told}", "device=cpu is always there") from None
    if device.type == "cuda":
        torch.cuda.set_device(device)
    return device
