"""This file is arithmetic with every hidden hop written down.

The two numbers stand digit beside digit, the least one first, each pair before its place. An answer names the
place before it writes what belongs there:

    +, -      the digit, and whether one is carried or borrowed (`c3`: 3, carry one); numbers of different
              sign are compared first, then the smaller is taken from the larger
    *         a row for each digit of the shorter factor. For each digit of the other: both
              digits and their product, the place, what is carried, what the row before has there, what is
              carried on and the digit; at the end `stop` and the digits of the result
    //, %     by at most 10: from the highest digit on, the rest so far, the digit, the divisor, then the new
              rest and the digit of the quotient; then `stop` and the result, one further down (or the rest's
              complement) for a negative number. By more: the divisor is doubled three times; from the highest
              place on, what is left is compared with eight, four, two and one times the divisor, which is
              taken away where it fits and counted; then `stop` and the result
    <, == ..  the comparison of the digits so far, from the least one on; then True or False
"""

from collections.abc import Sequence
from itertools import pairwise

from worldline.models.embedded.prompts import MINUS, PLUS, UnclearError, digits, sign
from worldline.models.embedded.vocabulary import C0, D0, DIGITS, E0, END, FALSE, H0, IDS, K0, P0, TRUE

LESS, SAME, MORE_, LEFT, RIGHT, ROW, ERROR, STOP = (
    IDS[name] for name in ("less", "same", "more", "left", "right", "row", "error", "stop")
)
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
ARITHMETIC = ("+", "-", "*", "//", "%")
FACTOR = 4  # digits of the shorter factor
PRODUCT = 6  # digits of the longer one
SHORT_DIVISOR = 11
DIVISOR = 5  # digits
DOUBLINGS = 4  # once, twice, four times, eight times
LONGEST = 275  # tokens of an answer
PLACES = DIGITS + 8


def check(operator: str, left: int, right: int) -> None:
    """Refuse what was not learnt."""
    if operator == "*":
        shorter, longer = sorted((len(digits(left)), len(digits(right))))
        if shorter > FACTOR or longer > PRODUCT or len(_product(left, right)) > LONGEST:
            raise UnclearError("a large product")
    if operator in ("//", "%") and right:
        if right < 0:
            raise UnclearError("a negative divisor")
        is_long = right >= SHORT_DIVISOR
        if is_long and (len(digits(right)) > DIVISOR or len(_long_division(operator, left, right)) > LONGEST):
            raise UnclearError("a large quotient")


def answer(operator: str, left: int, right: int) -> list[int]:
    """What is to be written."""
    if operator in COMPARISONS:
        return [*comparing(left, right), _truth(operator, left, right), END]
    if operator == "+":
        return _sum(left, right, right < 0)
    if operator == "-":
        return _sum(left, right, right >= 0)
    if operator == "*":
        return _product(left, right)
    return _division(operator, left, right)


def result(operator: str, told: Sequence[int]) -> int | bool | None:
    """What an answer says; None is an error (of a division by zero)."""
    body = list(told)
    if body == [ERROR]:
        return None
    if operator in COMPARISONS:
        if not body or body[-1] not in (TRUE, FALSE):
            raise UnclearError("no truth value")
        return body[-1] == TRUE
    if operator in ("*", "//", "%"):
        if STOP not in body:
            raise UnclearError("no result")
        body = body[body.index(STOP) + 1 :]
    if not body or body[-1] not in (PLUS, MINUS):
        raise UnclearError("no sign")
    number = written(body[:-1])
    return -number if body[-1] == MINUS else number


def written(told: Sequence[int]) -> int:
    """The number whose digits were written after their positions; what was written last counts."""
    found: dict[int, int] = {}
    for place, digit in pairwise(told):
        is_digit = D0 <= digit < D0 + 10 or C0 <= digit < C0 + 10
        if E0 <= place < E0 + PLACES and is_digit:
            found[place - E0] = (digit - D0) if digit < C0 else (digit - C0)
    if not found or set(found) != set(range(len(found))):
        raise UnclearError("no number")
    return int("".join(str(found[place]) for place in sorted(found, reverse=True)))


def plain_number(value: int) -> list[int]:
    """A number as an answer that has no sign."""
    return _digits_of(digits(value))


def _digits_of(several: Sequence[int]) -> list[int]:
    found: list[int] = []
    for index, digit in enumerate(several):
        found += (E0 + index, D0 + digit)
    return found


def codes(left: int, right: int) -> list[int]:
    """The numbers of two characters, digit beside digit from the highest on, and which is less so far."""
    found, now = [], SAME
    for index in (2, 1, 0):
        one, other = left // 10**index % 10, right // 10**index % 10
        if now == SAME and one != other:
            now = LESS if one < other else MORE_
        found += [E0 + index, D0 + one, D0 + other, now]
    return found


def _aligned(left: int, right: int) -> list[tuple[int, int]]:
    ones, others = digits(left), digits(right)
    width = max(len(ones), len(others))
    ones += [0] * (width - len(ones))
    others += [0] * (width - len(others))
    return list(zip(ones, others, strict=True))


def _truth(operator: str, left: int, right: int) -> int:
    found = {
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
        "==": left == right,
        "!=": left != right,
    }[operator]
    return TRUE if found else FALSE


def comparing(left: int, right: int) -> list[int]:
    """How two numbers compare so far, digit by digit, whatever their signs."""
    return _comparing(_aligned(left, right))


def _comparing(pairs: Sequence[tuple[int, int]]) -> list[int]:
    found, now = [], SAME
    for index, (one, other) in enumerate(pairs):
        now = now if one == other else LESS if one < other else MORE_
        found += [E0 + index, now]
    return found


def _sum(left: int, right: int, is_negative: bool) -> list[int]:
    """The sum of `left` and the second number, whose sign (after a minus) is given."""
    pairs = _aligned(left, right)
    if (left < 0) == is_negative:
        found, carry = [], 0
        for index, (one, other) in enumerate(pairs):
            carry, digit = divmod(one + other + carry, 10)
            found += [E0 + index, (C0 if carry else D0) + digit]
        if carry:
            found += [E0 + len(pairs), D0 + 1]
        return [*found, sign(left) if left else _sign(is_negative and right != 0), END]
    found = _comparing(pairs)
    is_left = found[-1] != LESS
    found.append(LEFT if is_left else RIGHT)
    found += _taken(pairs if is_left else [(other, one) for one, other in pairs])
    is_zero = found_is_zero(pairs)
    result_is_negative = not is_zero and ((left < 0) if is_left else is_negative)
    return [*found, _sign(result_is_negative), END]


def found_is_zero(pairs: Sequence[tuple[int, int]]) -> bool:
    """Whether both numbers are as large."""
    return all(one == other for one, other in pairs)


def _sign(is_negative: bool) -> int:
    return MINUS if is_negative else PLUS


def _taken(pairs: Sequence[tuple[int, int]]) -> list[int]:
    """The larger less the smaller."""
    found, borrow = [], 0
    for index, (one, other) in enumerate(pairs):
        rest = one - other - borrow
        borrow = int(rest < 0)
        found += [E0 + index, (C0 if borrow else D0) + rest % 10]
    return found


def _product(left: int, right: int) -> list[int]:
    is_left = len(digits(left)) < len(digits(right))
    factor, other = (left, right) if is_left else (right, left)
    rows, ones = digits(factor), digits(other)
    found, before = [LEFT if is_left else RIGHT], [0] * (len(ones) + len(rows) + 1)
    for row, times in enumerate(rows):
        found.append(ROW)
        carry = 0
        for index, one in enumerate([*ones, 0]):  # the last one takes the carry
            place, kept = E0 + index + row, before[index + row]
            after, digit = divmod(one * times + carry + kept, 10)
            found += [E0 + index, D0 + one, D0 + times, D0 + one * times // 10, D0 + one * times % 10]
            found += [place, D0 + carry, D0 + kept, D0 + after, D0 + digit, place]
            before[index + row], carry = digit, after
    found += [STOP]
    for index, digit in enumerate(before[: len(ones) + len(rows)]):
        found += [E0 + index, D0 + digit]
    is_negative = ((left < 0) != (right < 0)) and left != 0 and right != 0
    return [*found, _sign(is_negative), END]


def _division(operator: str, left: int, right: int) -> list[int]:
    if right == 0:
        return [ERROR, END]
    if right >= SHORT_DIVISOR:
        return _long_division(operator, left, right)
    quotient, rest = divmod(abs(left), right)
    found = [*_by_digit(abs(left), right), STOP]
    is_rounded = left < 0 and rest > 0
    if operator == "%":
        digits_found = _taken(_aligned(right, rest)) if is_rounded else plain_number(rest)
        return [*found, *digits_found, PLUS, END]
    digits_found = _one_more(digits(quotient)) if is_rounded else plain_number(quotient)
    return [*found, *digits_found, _sign(left < 0 and left // right != 0), END]


def _one_more(several: Sequence[int]) -> list[int]:
    found, carry = [], 1
    for index, digit in enumerate(several):
        carry, now = divmod(digit + carry, 10)
        found += [E0 + index, (C0 if carry else D0) + now]
    return [*found, E0 + len(several), D0 + 1] if carry else found


def _by_digit(left: int, right: int) -> list[int]:
    found, rest = [], 0
    for index, (one, _) in reversed(list(enumerate(_aligned(left, right)))):
        found += [E0 + index, D0 + rest, D0 + one, D0 + right % 10]
        quotient, rest = divmod(rest * 10 + one, right)
        found += [D0 + rest, D0 + quotient, E0 + index]
    return found


def _long_division(operator: str, left: int, right: int) -> list[int]:
    """Eight, four, two and one times the divisor, at each place, are taken away where they fit."""
    division = _Division([one for one, _ in _aligned(left, right)], digits(right))
    quotient = division.divided()
    rest = division.rest[: len(division.divisor)]
    found = [*division.found, STOP]
    is_rounded = left < 0 and any(rest)
    if left < 0:
        found += _looked_over(rest)
    if operator == "%":
        shown = _taken(_aligned(right, abs(left) % right)) if is_rounded else _digits_of(rest)
        return [*found, *_named(K0, shown), PLUS, END]
    shown = _one_more(quotient) if is_rounded else _digits_of(quotient)
    return [*found, *_named(P0, shown), _sign(left < 0 and left // right != 0), END]


class _Division:
    """What is written on the way: `K3` names a digit of the rest, `H13` one of twice the divisor."""

    def __init__(self, number: list[int], divisor: list[int]) -> None:
        self.rest = [*number, 0]
        self.divisor = divisor
        self.multiples = [[*divisor, 0]]
        self.found: list[int] = []

    def divided(self) -> list[int]:
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
        """The number, the divisor, and what it is doubled, and doubled again."""
        for index, digit in enumerate(self.rest):
            self.found += [E0 + index, D0 + digit, K0 + index]
        for index, digit in enumerate(self.multiples[0]):
            self.found += [E0 + index, D0 + digit, H0 + index]
        for doubled in range(1, DOUBLINGS):
            carry, row = 0, []
            for index, digit in enumerate(self.multiples[-1]):
                carry, now = divmod(2 * digit + carry, 10)
                row.append(now)
                self.found += [
                    _multiple(doubled - 1, index),
                    (C0 if carry else D0) + now,
                    _multiple(doubled, index),
                ]
            self.multiples.append(row)

    def _fits(self, doubled: int, place: int) -> bool:
        """The comparison from the highest digit to the first that differs."""
        for index in reversed(range(len(self.divisor) + 1)):
            one, other = self.rest[place + index], self.multiples[doubled][index]
            told = SAME if one == other else LESS if one < other else MORE_
            self.found += [K0 + place + index, _multiple(doubled, index), told]
            if one != other:
                return one > other
        return True

    def _take(self, doubled: int, place: int) -> None:
        borrow = 0
        for index, other in enumerate(self.multiples[doubled]):
            left = self.rest[place + index] - other - borrow
            borrow = int(left < 0)
            self.rest[place + index] = left % 10
            token = K0 + place + index
            self.found += [_multiple(doubled, index), token, (C0 if borrow else D0) + left % 10, token]


def _multiple(doubled: int, index: int) -> int:
    """The name of a digit of a multiple of the divisor."""
    return H0 + 10 * doubled + index


def _looked_over(rest: Sequence[int]) -> list[int]:
    """The digits of the rest again, and whether one is not 0, which counts if the number is negative."""
    found, now = [], SAME
    for index, digit in enumerate(rest):
        now = MORE_ if digit else now
        found += [K0 + index, D0 + digit, K0 + index, now]
    return found


def _named(first: int, shown: Sequence[int]) -> list[int]:
    """Digits after their places, each after the name under which it was kept."""
    found: list[int] = []
    for index, (place, digit) in enumerate(zip(shown[::2], shown[1::2], strict=True)):
        found += [first + index, place, digit]
    return found
