"""This file is two rankings of the same candidates -> how far they agree."""

from collections.abc import Sequence
from itertools import combinations
from math import sqrt


def tau_b(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Kendall's tau-b: pairs in the same order less pairs in the other, with ties taken into account.

    None if one of the two has nothing but ties: then there is no ranking to agree with.
    """
    both = tied_first = tied_second = 0
    pairs = list(combinations(zip(first, second, strict=True), 2))
    for (a, x), (b, y) in pairs:
        both += _sign(a - b) * _sign(x - y)
        tied_first += a == b
        tied_second += x == y
    ranked = (len(pairs) - tied_first) * (len(pairs) - tied_second)
    return both / sqrt(ranked) if ranked else None


def best_is_right(predicted: Sequence[float], is_right: Sequence[bool]) -> float:
    """How often the candidate ranked first is right; among several that are first, each is as likely."""
    best = max(predicted)
    firsts = [right for score, right in zip(predicted, is_right, strict=True) if score == best]
    return sum(firsts) / len(firsts)


def _sign(difference: float) -> int:
    return (difference > 0) - (difference < 0)
