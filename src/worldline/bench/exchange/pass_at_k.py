"""This file is pass@k: how likely one of `k` answers is right, told from `n` answers of which `c` are.

It is the unbiased estimator, 1 - C(n-c, k) / C(n, k): the share of all choices of `k` out of the `n` answers
that hold a right one. It is computed with whole numbers, so that no product of small factors loses digits.
"""

from collections.abc import Iterable
from fractions import Fraction
from math import comb


def pass_at_k(n: int, c: int, k: int) -> float:
    """The chance that one of `k` answers is right.

    Args:
        n: how many answers there are.
        c: how many of them are right.
        k: how many may be given; not more than there are, because less than that tells nothing of it.
    """
    return float(_exact(n, c, k))


def mean_pass_at_k(counts: Iterable[tuple[int, int]], k: int) -> float:
    """The mean over problems, each told as (answers, right answers); of no problem it is a ValueError."""
    each = [_exact(n, c, k) for n, c in counts]
    if not each:
        raise ValueError("pass@k of no problem")
    return float(sum(each, Fraction(0)) / len(each))


def _exact(n: int, c: int, k: int) -> Fraction:
    if not 0 <= c <= n or not 1 <= k <= n:
        raise ValueError(f"pass@{k} cannot be told from {n} answers of which {c} are right")
    return 1 - Fraction(comb(n - c, k), comb(n, k))
