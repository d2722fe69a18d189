"""This file is runs side by side: the same problems asked in other ways, or of other models, pair by pair."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from worldline.bench.model import Score
from worldline.bench.summary import Share, share
from worldline.diagnose.rewriting import mcnemar
from worldline.errors import UserError


@dataclass(frozen=True, slots=True)
class Side:
    """One run in one mode, beside the first of all."""

    name: str
    right: Share  # of the problems that all sides have
    exact: Share
    gains: int  # wrong in the first, right here
    losses: int
    p: float  # of McNemar's exact test, two-sided
    spent: float  # mean tokens a problem
    steps_right: float  # mean steps before the first error
    changed: tuple[str, ...]  # the problems that come out otherwise than in the first


def compare(runs: Mapping[str, Sequence[Score]]) -> list[Side]:
    """Compare runs over the problems (and seeds) that all of them have; each mode is a side of its own."""
    sides: dict[str, dict[tuple[str, int], Score]] = {}
    for name, scores in runs.items():
        modes = {each.mode for each in scores}
        for each in scores:
            side = name if len(modes) == 1 else each.mode if len(runs) == 1 else f"{name} ({each.mode})"
            sides.setdefault(side, {})[each.id, each.seed] = each
    if not sides:
        raise UserError("there is nothing to compare: the runs are empty", "finish them with worldline bench")
    shared = set.intersection(*(set(side) for side in sides.values()))
    if not shared:
        hint = "compare runs of one benchmark, with the same settings and seed"
        raise UserError("the runs have no problem in common", hint)
    keys = sorted(shared)
    first = next(iter(sides.values()))
    return [
        _side(name, [side[key] for key in keys], [first[key] for key in keys]) for name, side in sides.items()
    ]


def _side(name: str, here: Sequence[Score], first: Sequence[Score]) -> Side:
    pairs = list(zip(first, here, strict=True))
    gains = sum(not one.is_right and other.is_right for one, other in pairs)
    losses = sum(one.is_right and not other.is_right for one, other in pairs)
    count = len(here)
    return Side(
        name,
        share(sum(each.is_right for each in here), count),
        share(sum(each.is_exact for each in here), count),
        gains,
        losses,
        mcnemar(gains, losses),
        sum(each.spent for each in here) / count,
        sum(each.steps_right for each in here) / count,
        tuple(other.id for one, other in pairs if one.is_right != other.is_right),
    )
