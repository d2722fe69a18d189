"""This file is how likely given texts are as the next, all of them read at once after their common prompt.

R rows, T tokens, V vocabulary.
"""

import math
from collections.abc import Sequence
from typing import Any

from worldline.models.hf_cache import Block
from worldline.models.hf_choices import Path
from worldline.models.hf_decode import Read


def score_paths(
    network: Any, read: Sequence[Read], paths: Sequence[list[Path]], batch: int
) -> list[list[float]]:
    """The log-probability of each path after its prompt.

    Args:
        network: a causal model of transformers.
        read: the prompts.
        paths: of each prompt.
        batch: how many paths are read together at most.
    """
    scores = [[_first(one, path) for path in group] for one, group in zip(read, paths, strict=True)]
    longer = [(at, n) for at, group in enumerate(paths) for n, path in enumerate(group) if len(path.ids) > 1]
    # Paths of like length together: what fills up a shorter one is computed for nothing.
    longer.sort(key=lambda place: len(paths[place[0]][place[1]].ids))
    for start in range(0, len(longer), batch):
        some = longer[start : start + batch]
        rests = _rests(network, [read[at] for at, _ in some], [paths[at][n] for at, n in some])
        for (at, n), rest in zip(some, rests, strict=True):
            scores[at][n] += rest
    return scores


def by_choice(choices: Sequence[str], paths: Sequence[Path], scores: Sequence[float]) -> tuple[float, ...]:
    """The log-probability of each choice, with whichever of its stops."""
    sums = dict.fromkeys(choices, -math.inf)
    for path, score in zip(paths, scores, strict=True):
        sums[path.choice] = _added(sums[path.choice], score)
    return tuple(sums[choice] for choice in choices)


def _first(read: Read, path: Path) -> float:
    if not path.ids:
        return 0.0
    logits_V = read.logits_V
    return float(logits_V[path.ids[0]] - logits_V.logsumexp(-1))


def _rests(network: Any, read: Sequence[Read], paths: Sequence[Path]) -> list[float]:
    """The log-probability of all tokens of each path but the first."""
    import torch

    longest = max(len(path.ids) for path in paths)
    padded = [[*path.ids, *[0] * (longest - len(path.ids))] for path in paths]
    ids_RT = torch.tensor(padded, device=network.device)
    block = Block(network, [(one.pairs, one.length) for one in read])
    logits_RTV = block.feed(ids_RT[:, :-1], every=True)
    asked_RT = logits_RTV.gather(2, ids_RT[:, 1:, None])[:, :, 0] - logits_RTV.logsumexp(-1)
    lengths = torch.tensor([[len(path.ids) - 1] for path in paths], device=network.device)
    counts = torch.arange(longest - 1, device=network.device)[None] < lengths
    rests: list[float] = asked_RT.double().where(counts, 0.0).sum(1).tolist()
    return rests


def _added(one: float, other: float) -> float:
    """The logarithm of the sum of two probabilities."""
    high, low = max(one, other), min(one, other)
    return high if low == -math.inf else high + math.log1p(math.exp(low - high))
