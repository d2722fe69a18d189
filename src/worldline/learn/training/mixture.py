"""This file is the mixed data of an iteration: which stream each row is of, and rows as padded tensors.

B rows, T tokens. Rows are padded on the right with token 0 and weight 0, which a causal network does not see.
"""

from collections.abc import Sequence
from typing import Any

from worldline.errors import UserError
from worldline.learn.training.config import Batch, Source, Stage
from worldline.learn.training.users_code import told_as

_CHOICE = 0x57, 0x4C, 0x4D
"""Nobody else's: numpy takes `[seed, iteration]` for the same seed as `[seed, iteration, 0]`."""


def choice(sources: Sequence[Source], seed: int, iteration: int, rows: int) -> list[int]:
    """The number of the source of each row: the same for whoever asks."""
    if len(sources) == 1:
        return [0] * rows
    import numpy

    weights = numpy.array([source.weight for source in sources], dtype=numpy.float64)
    generator = numpy.random.default_rng([seed, iteration, *_CHOICE])
    return [int(each) for each in generator.choice(len(sources), size=rows, p=weights / weights.sum())]


def batch_of(
    sources: Sequence[Source],
    chosen: Sequence[int],
    iteration: int,
    rows: range,
    stage: Stage,
    vocabulary: int | None = None,
) -> Batch:
    """These rows of an iteration as one batch of tensors.

    Args:
        sources: all.
        chosen: the source of every row there is.
        iteration: which.
        rows: of these.
        stage: of the curriculum.
        vocabulary: how many tokens there are, if that is known.
    """
    found = []
    for row in rows:
        source = sources[chosen[row]]
        place = f"the stream {source.name}, iteration {iteration}, row {row}"
        with told_as(place):
            share = tensors(source.stream(iteration, row, len(chosen), stage), source.name)
        found.append(share)
        if vocabulary is not None:
            _check_tokens(found[-1], vocabulary, place)
    return padded(found)


def _check_tokens(batch: Batch, vocabulary: int, place: str) -> None:
    for name, ids_BT in (("ids", batch.ids_BT), ("targets", batch.targets_BT)):
        if ids_BT.numel() and not 0 <= int(ids_BT.min()) <= int(ids_BT.max()) < vocabulary:
            worst = int(ids_BT.min()) if int(ids_BT.min()) < 0 else int(ids_BT.max())
            raise UserError(f"{place}: token {worst} among {name}", f"the network has 0 to {vocabulary - 1}")


def tensors(batch: Batch, name: str) -> Batch:
    """A batch of arrays as a batch of tensors, with its B."""
    import torch

    ids_BT = torch.as_tensor(batch.ids_BT).long()
    targets_BT = torch.as_tensor(batch.targets_BT).long()
    weights_BT = torch.as_tensor(batch.weights_BT)
    if not ids_BT.shape == targets_BT.shape == weights_BT.shape or ids_BT.dim() not in (1, 2):
        shapes = ", ".join(str(tuple(each.shape)) for each in (ids_BT, targets_BT, weights_BT))
        raise UserError(
            f"the stream {name} gives ids, targets and weights of shapes {shapes}",
            "they must be B x T, all three alike",
        )
    if ids_BT.dim() == 1:
        return Batch(ids_BT[None], targets_BT[None], weights_BT[None])
    return Batch(ids_BT, targets_BT, weights_BT)


def padded(batches: Sequence[Batch]) -> Batch:
    """Batches of tensors as one, as long as the longest."""
    import torch
    from torch.nn.functional import pad

    longest = max(each.ids_BT.shape[1] for each in batches)

    def joined(parts: Sequence[Any]) -> Any:
        return torch.cat([pad(part_BT, (0, longest - part_BT.shape[1])) for part_BT in parts])

    return Batch(
        joined([each.ids_BT for each in batches]),
        joined([each.targets_BT for each in batches]),
        joined([each.weights_BT for each in batches]),
    )
