"""This file is digits beside digits: what sums, products and divisions write in the same way."""

from collections.abc import Sequence

from worldline.models.embedded.prompts import MINUS, PLUS, digits
from worldline.models.embedded.vocabulary import C0, D0, E0, IDS

LESS, SAME, MORE_ = (IDS[name] for name in ("less", "same", "more"))
Pairs = Sequence[tuple[int, int]]


def aligned(left: int, right: int) -> list[tuple[int, int]]:
    """The digits of two numbers side by side, the least ones first."""
    ones, others = digits(left), digits(right)
    width = max(len(ones), len(others))
    ones += [0] * (width - len(ones))
    others += [0] * (width - len(others))
    return list(zip(ones, others, strict=True))


def with_carry(value: int) -> tuple[int, int]:
    """What is carried on, and the token of the digit that says so: `c3` is 3 with one to carry."""
    carry, digit = divmod(value, 10)
    return abs(carry), (C0 if carry else D0) + digit


def comparing(pairs: Pairs) -> list[int]:
    """How two numbers compare so far, digit by digit, whatever their signs."""
    found, now = [], SAME
    for index, (one, other) in enumerate(pairs):
        now = now if one == other else LESS if one < other else MORE_
        found += [E0 + index, now]
    return found


def taken(pairs: Pairs) -> list[int]:
    """The larger less the smaller."""
    found, borrow = [], 0
    for index, (one, other) in enumerate(pairs):
        borrow, token = with_carry(one - other - borrow)
        found += [E0 + index, token]
    return found


def one_more(several: Sequence[int]) -> list[int]:
    """A number and one."""
    found, carry = [], 1
    for index, digit in enumerate(several):
        carry, token = with_carry(digit + carry)
        found += [E0 + index, token]
    return [*found, E0 + len(several), D0 + 1] if carry else found


def plain(several: Sequence[int]) -> list[int]:
    """Digits after their places."""
    found: list[int] = []
    for index, digit in enumerate(several):
        found += (E0 + index, D0 + digit)
    return found


def signed(is_negative: bool) -> int:
    """The token of a sign."""
    return MINUS if is_negative else PLUS
