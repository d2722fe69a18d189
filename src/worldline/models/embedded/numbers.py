"""This file is arithmetic with every hidden hop written down.

The two numbers stand digit beside digit, the least one first, each pair before its place. An answer names the
place before it writes what belongs there:

    +, -      the digit, and whether one is carried or borrowed (`c3`: 3, carry one); numbers of different
              sign are compared first, then the smaller is taken from the larger
    *         of which one factor is a digit. For each digit of the other: both digits, their product, the
              digit of it with what is carried, the name under which that is kept (`K3`), what is carried on
    //, %     by at most 10, from the highest digit on: the rest so far, the digit, the divisor, then the new
              rest and the digit of the quotient; `stop` and the result, one further down (or the rest's
              complement) for a negative number
    <, == ..  the comparison of the digits so far, from the least one on; then True or False

Longer factors and divisors are several questions (paper.py).
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from worldline.models.embedded.columns import (
    LESS,
    Pairs,
    aligned,
    comparing,
    one_more,
    plain,
    signed,
    taken,
    with_carry,
)
from worldline.models.embedded.prompts import MINUS, PLUS, UnclearError, digits, sign
from worldline.models.embedded.vocabulary import C0, D0, DIGITS, E0, END, FALSE, IDS, K0, TRUE

LEFT, RIGHT, ERROR, STOP = (IDS[name] for name in ("left", "right", "error", "stop"))
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
DIVISOR = 10  # up to it, divisions are learnt by heart
PLACES = DIGITS + 8


class LongError(UnclearError):
    """Two numbers that take more than one question."""

    def __init__(self, operator: str, left: int, right: int) -> None:
        super().__init__(f"{operator} of long numbers")
        self.operator, self.left, self.right = operator, left, right


def check(operator: str, left: int, right: int) -> None:
    """Refuse what was not learnt."""
    is_long = {
        "*": min(abs(left), abs(right)) > 9,
        "//": not 0 <= right <= DIVISOR,
        "%": not 0 <= right <= DIVISOR,
    }
    if is_long.get(operator, False):
        raise LongError(operator, left, right)


def answer(operator: str, left: int, right: int) -> list[int]:
    """What is to be written."""
    if operator in COMPARISONS:
        return [*comparing(aligned(left, right)), _truth(operator, left, right), END]
    if operator == "+":
        return _sum(left, right, right < 0)
    if operator == "-":
        return _sum(left, right, right >= 0)
    if operator == "*":
        return _product(left, right)
    return _divided(operator, left, right)


def result(operator: str, told: Sequence[int]) -> int | bool | None:
    """What an answer says; None is an error (of a division by zero)."""
    body = list(told)
    if body == [ERROR]:
        return None
    if operator in COMPARISONS:
        if not body or body[-1] not in (TRUE, FALSE):
            raise UnclearError("no truth value")
        return body[-1] == TRUE
    if operator in ("//", "%"):
        if STOP not in body:
            raise UnclearError("no result")
        body = body[body.index(STOP) + 1 :]
    if not body or body[-1] not in (PLUS, MINUS):
        raise UnclearError("no sign")
    number = kept(body[:-1]) if operator == "*" else written(body[:-1])
    return -number if body[-1] == MINUS else number


def written(told: Sequence[int]) -> int:
    """The number whose digits were written after their places; what was written last counts."""
    return _number({place - E0: digit for place, digit in pairwise(told) if E0 <= place < E0 + PLACES})


def kept(told: Sequence[int]) -> int:
    """The number whose digits were written before their names."""
    return _number({name - K0: digit for digit, name in pairwise(told) if K0 <= name < K0 + PLACES})


def _number(tokens: Mapping[int, int]) -> int:
    found = {}
    for place, token in tokens.items():
        if D0 <= token < D0 + 10 or C0 <= token < C0 + 10:
            found[place] = token - (D0 if token < C0 else C0)
    if not found or set(found) != set(range(len(found))):
        raise UnclearError("no number")
    return int("".join(str(found[place]) for place in sorted(found, reverse=True)))


def plain_number(value: int) -> list[int]:
    """A number as an answer that has no sign."""
    return plain(digits(value))


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


def _sum(left: int, right: int, is_negative: bool) -> list[int]:
    """The sum of `left` and the second number, whose sign (after a minus) is given."""
    pairs = aligned(left, right)
    if (left < 0) == is_negative:
        found, carry = [], 0
        for index, (one, other) in enumerate(pairs):
            carry, token = with_carry(one + other + carry)
            found += [E0 + index, token]
        if carry:
            found += [E0 + len(pairs), D0 + 1]
        return [*found, sign(left) if left else signed(is_negative and right != 0), END]
    found = comparing(pairs)
    is_left = found[-1] != LESS
    found.append(LEFT if is_left else RIGHT)
    found += taken(pairs if is_left else [(other, one) for one, other in pairs])
    is_zero = _is_zero(pairs)
    result_is_negative = not is_zero and ((left < 0) if is_left else is_negative)
    return [*found, signed(result_is_negative), END]


def _is_zero(pairs: Pairs) -> bool:
    return all(one == other for one, other in pairs)


def _product(left: int, right: int) -> list[int]:
    is_left = len(digits(left)) < len(digits(right))
    factor, other = (left, right) if is_left else (right, left)
    found, carried = [LEFT if is_left else RIGHT], 0
    for index, one in enumerate([*digits(other), 0]):  # the last one takes what is carried
        tens, least = divmod(one * abs(factor), 10)
        more, digit = with_carry(least + carried)
        carried = tens + more
        found += [E0 + index, D0 + one, D0 + abs(factor), D0 + tens, D0 + least, digit, K0 + index]
        found.append(D0 + carried)
    return [*found, signed((left < 0) != (right < 0) and left * right != 0), END]


def _divided(operator: str, left: int, right: int) -> list[int]:
    if right == 0:
        return [ERROR, END]
    found, rest = [], 0
    for index, (one, _) in reversed(list(enumerate(aligned(left, right)))):
        found += [E0 + index, D0 + rest, D0 + one, D0 + right % 10]
        digit, rest = divmod(rest * 10 + one, right)
        found += [D0 + rest, D0 + digit, E0 + index]
    found.append(STOP)
    is_rounded = left < 0 and rest > 0
    if operator == "%":
        shown = taken(aligned(right, rest)) if is_rounded else plain(digits(rest))
        return [*found, *shown, PLUS, END]
    quotient = digits(abs(left) // right)
    shown = one_more(quotient) if is_rounded else plain(quotient)
    return [*found, *shown, signed(left < 0 and left // right != 0), END]
