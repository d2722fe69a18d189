"""This file is runs side by side: the same problems asked in other ways, or of other models, pair by pair."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from worldline.bench.model import Score
from worldline.bench.summary import Share, share_of
from worldline.diagnose.rewriting import mcnemar
from worldline.errors import UserError


@dataclass(frozen=True, slots=True)
class Side:
    """One run in one mode, beside the first of all."""

    name: str
    right: Share  # of the problems that all sides have
    exact: Share | None  # None: nobody was asked for steps
    gains: int  # problems that are right more often than in the first
    losses: int  # less often
    p: float  # of McNemar's exact test, two-sided (a sign test where problems have several samples)
    spent: float  # mean tokens a problem
    steps_right: float  # mean steps before the first error
    changed: tuple[str, ...]  # the problems that come out otherwise than in the first


def compare(runs: Mapping[str, Sequence[Score]]) -> list[Side]:
    """Compare runs over the problems that all of them have; each mode is a side of its own.

    A problem is the same if all that is asked is the same, not its id alone. Where it was asked several
    times, its share of right answers is what is compared.
    """
    sides: dict[str, dict[tuple[str, str], list[Score]]] = {}
    for name, scores in runs.items():
        modes = {each.mode for each in scores}
        for each in scores:
            side = name if len(modes) == 1 else each.mode if len(runs) == 1 else f"{name} ({each.mode})"
            sides.setdefault(side, {}).setdefault((each.id, each.asked), []).append(each)
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


def _side(name: str, here: Sequence[list[Score]], first: Sequence[list[Score]]) -> Side:
    pairs = [(_right(one), _right(other)) for one, other in zip(first, here, strict=True)]
    gains = sum(before < after for before, after in pairs)
    losses = sum(before > after for before, after in pairs)
    every = [each for some in here for each in some]
    return Side(
        name,
        share_of(every, lambda each: each.is_right),
        share_of(every, lambda each: each.is_exact) if any(each.steps for each in every) else None,
        gains,
        losses,
        mcnemar(gains, losses),
        sum(each.spent for each in every) / len(every),
        sum(each.steps_right for each in every) / len(every),
        tuple(some[0].id for some, (before, after) in zip(here, pairs, strict=True) if before != after),
    )


def _right(scores: Sequence[Score]) -> Fraction:
    """The share of right answers to one problem."""
    return Fraction(sum(each.is_right for each in scores), len(scores))
