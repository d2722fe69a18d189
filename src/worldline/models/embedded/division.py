"""This file is divisions with every hidden hop written down.

By at most 10: from the highest digit on, the rest so far, the digit, the divisor, then the new rest and the
digit of the quotient. By more: the divisor is doubled three times; from the highest place on, what is left is
compared with eight, four, two and one times the divisor, which is taken away where it fits and counted.

Then `stop` and the result, one further down (or the rest's complement) for a negative number. What was kept
under a name (`K3`: a digit of the rest, `H13`: one of twice the divisor) stands before that name. A name of
the rest is written again after it was looked up, so that it is always found at its last place.
"""

from worldline.models.embedded.columns import (
    LESS,
    MORE_,
    SAME,
    aligned,
    named,
    one_more,
    plain,
    signed,
    taken,
    with_carry,
)
from worldline.models.embedded.prompts import PLUS, digits
from worldline.models.embedded.vocabulary import D0, E0, END, H0, IDS, K0, P0

ROW, ERROR, STOP = (IDS[name] for name in ("row", "error", "stop"))
SHORT = 11  # divisors below are learnt by heart
DIVISOR = 5  # digits
DOUBLINGS = 4  # once, twice, four times, eight times


def divided(operator: str, left: int, right: int) -> list[int]:
    """The answer to `//` or `%`."""
    if right == 0:
        return [ERROR, END]
    if right >= SHORT:
        return _by_rows(operator, left, right)
    quotient, rest = divmod(abs(left), right)
    found = [*_by_digit(abs(left), right), STOP]
    is_rounded = left < 0 and rest > 0
    if operator == "%":
        shown = taken(aligned(right, rest)) if is_rounded else plain(digits(rest))
        return [*found, *shown, PLUS, END]
    shown = one_more(digits(quotient)) if is_rounded else plain(digits(quotient))
    return [*found, *shown, signed(left < 0 and left // right != 0), END]


def _by_digit(left: int, right: int) -> list[int]:
    found, rest = [], 0
    for index, (one, _) in reversed(list(enumerate(aligned(left, right)))):
        found += [E0 + index, D0 + rest, D0 + one, D0 + right % 10]
        quotient, rest = divmod(rest * 10 + one, right)
        found += [D0 + rest, D0 + quotient, E0 + index]
    return found


def _by_rows(operator: str, left: int, right: int) -> list[int]:
    division = _Division([one for one, _ in aligned(left, right)], digits(right))
    quotient = division.run()
    rest = division.rest[: len(division.divisor)]
    found = [*division.found, STOP]
    is_rounded = left < 0 and any(rest)
    if left < 0:
        found += _looked_over(rest)
    if operator == "%":
        shown = taken(aligned(right, abs(left) % right)) if is_rounded else plain(rest)
        return [*found, *named(K0, shown), PLUS, END]
    shown = one_more(quotient) if is_rounded else plain(quotient)
    return [*found, *named(P0, shown), signed(left < 0 and left // right != 0), END]


class _Division:
    """What is written on the way."""

    def __init__(self, number: list[int], divisor: list[int]) -> None:
        self.rest = [*number, 0]
        self.divisor = divisor
        self.multiples = [[*divisor, 0]]
        self.found: list[int] = []

    def run(self) -> list[int]:
        """The digits of the quotient, the least one first."""
        self._write_down()
        quotient = [0] * (len(self.rest) - len(self.divisor))
        for place in reversed(range(len(quotient))):
            for doubled in reversed(range(DOUBLINGS)):
                self.found += [ROW, D0 + 2**doubled]
                if self._fits(doubled, place):
                    self._take(doubled, place)
                    quotient[place] += 2**doubled
                self.found += [D0 + quotient[place], P0 + place]
        return quotient

    def _write_down(self) -> None:
        """The number, the divisor, and that doubled, and doubled again."""
        for index, digit in enumerate(self.rest):
            self.found += [E0 + index, D0 + digit, K0 + index]
        for index, digit in enumerate(self.multiples[0]):
            self.found += [E0 + index, D0 + digit, H0 + index]
        for doubled in range(1, DOUBLINGS):
            carry, row = 0, []
            for index, digit in enumerate(self.multiples[-1]):
                now = 2 * digit + carry
                carry, token = with_carry(now)
                row.append(now % 10)
                self.found += [_multiple(doubled - 1, index), token, _multiple(doubled, index)]
            self.multiples.append(row)

    def _fits(self, doubled: int, place: int) -> bool:
        """The comparison from the highest digit to the first that differs."""
        for index in reversed(range(len(self.divisor) + 1)):
            one, other = self.rest[place + index], self.multiples[doubled][index]
            told = SAME if one == other else LESS if one < other else MORE_
            name = K0 + place + index
            self.found += [name, D0 + one, name, _multiple(doubled, index), told]
            if one != other:
                return one > other
        return True

    def _take(self, doubled: int, place: int) -> None:
        borrow = 0
        for index, other in enumerate(self.multiples[doubled]):
            before = self.rest[place + index]
            left = before - other - borrow
            borrow, token = with_carry(left)
            self.rest[place + index] = left % 10
            name = K0 + place + index
            self.found += [_multiple(doubled, index), D0 + other, name, D0 + before, token, name]


def _multiple(doubled: int, index: int) -> int:
    """The name of a digit of a multiple of the divisor."""
    return H0 + 10 * doubled + index


def _looked_over(rest: list[int]) -> list[int]:
    """The digits of the rest again, and whether one is not 0, which counts if the number is negative."""
    found, now = [], SAME
    for index, digit in enumerate(rest):
        now = MORE_ if digit else now
        found += [K0 + index, D0 + digit, K0 + index, now]
    return found
