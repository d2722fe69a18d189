"""This file is arithmetic with every hidden hop written down.

The two numbers stand digit beside digit, the least one first, each pair before its place. An answer names the
place before it writes what belongs there:

    +, -      the digit, and whether one is carried or borrowed (`c3`: 3, carry one); numbers of different
              sign are compared first, then the smaller is taken from the larger
    *         a row for each digit of the shorter factor. For each digit of the other: both digits, their
              product, that with what is carried, the name under which a digit of the sum is kept (`K3`), what
              is there, the new digit, its name again, what is carried on; then `stop` and the result
    //, %     see division.py
    <, == ..  the comparison of the digits so far, from the least one on; then True or False
"""

from collections.abc import Sequence
from itertools import pairwise

from worldline.models.embedded.columns import (
    LESS,
    MORE_,
    SAME,
    Pairs,
    aligned,
    comparing,
    named,
    plain,
    signed,
    taken,
    with_carry,
)
from worldline.models.embedded.division import DIVISOR, SHORT, divided
from worldline.models.embedded.prompts import MINUS, PLUS, UnclearError, digits, sign
from worldline.models.embedded.vocabulary import C0, D0, DIGITS, E0, END, FALSE, IDS, K0, TRUE

LEFT, RIGHT, ROW, ERROR, STOP = (IDS[name] for name in ("left", "right", "row", "error", "stop"))
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
FACTOR = 4  # digits of the shorter factor
PRODUCT = 6  # digits of the longer one
LONGEST = 288  # tokens of an answer
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
        if len(digits(right)) > DIVISOR or (right >= SHORT and len(divided(operator, left, right)) > LONGEST):
            raise UnclearError("a large quotient")


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
    return divided(operator, left, right)


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
    return plain(digits(value))


def codes(left: int, right: int) -> list[int]:
    """The numbers of two characters, digit beside digit from the highest on, and which is less so far."""
    found, now = [], SAME
    for index in (2, 1, 0):
        one, other = left // 10**index % 10, right // 10**index % 10
        if now == SAME and one != other:
            now = LESS if one < other else MORE_
        found += [E0 + index, D0 + one, D0 + other, now]
    return found


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
    rows, ones = digits(factor), digits(other)
    found, kept = [LEFT if is_left else RIGHT], [0] * (len(ones) + len(rows) + 1)
    for row, times in enumerate(rows):
        found += [ROW, E0 + row, D0 + times, D0]
        carried = 0
        for index, one in enumerate([*ones, 0]):  # the last one takes what is carried
            tens, least = divmod(one * times, 10)
            first, added = with_carry(least + carried)
            total = (least + carried) % 10 + kept[index + row]
            second, token = with_carry(total)
            name = K0 + index + row
            found += [E0 + index, D0 + one, D0 + times, D0 + tens, D0 + least, added]
            found += [name, D0 + kept[index + row], token, name]
            kept[index + row], carried = total % 10, tens + first + second
            found.append(D0 + carried)
    is_negative = ((left < 0) != (right < 0)) and left != 0 and right != 0
    return [*found, STOP, *named(K0, plain(kept[: len(ones) + len(rows)])), signed(is_negative), END]
