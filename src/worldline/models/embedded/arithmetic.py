"""This file is arithmetic on paper: what is too long for one question, line by line.

    *      a row for each digit of the shorter factor: the other one times that digit, and zeros behind it;
           the rows are added up
    //, %  the divisor is doubled three times. From the highest digit on, the rest with the digit behind it is
           compared with eight, four, two and one times the divisor, which is taken away where it fits
    **     a product after the other
    <<, >> doubled, or halved, so many times
    &, |, ^  both are halved bit by bit; what comes of two bits is added up with the weight of their place

Each line on the paper is an answer of the network: a product with a digit, a sum, a difference, a comparison.
What is here is the order of the lines, and the writing of digits behind each other.
"""

import ast
from collections.abc import Generator as Asking
from dataclasses import dataclass
from typing import Any

from worldline.models.embedded.numbers import DIVISOR
from worldline.models.embedded.outcomes import Answer, Raised, Value
from worldline.models.embedded.prompts import Handles, UnclearError, digits
from worldline.models.embedded.questions import Question
from worldline.models.embedded.reading import question

ASKED = {sign: ast.parse(f"x = a {sign} b").body[0] for sign in ("+", "-", "*", "//", "%", ">=", "==")}
DOUBLED = (1, 2, 4, 8)
COMPARED = {"&": "==", "|": ">=", "^": "=="}
"""How the sum of two bits is compared with 2, 1 and 1."""
LENGTH, CODE = (ast.parse(f"x = {name}(a)").body[0] for name in ("len", "ord"))
TIMES = 64  # times that something is doubled, halved or multiplied


class FailsError(Exception):
    """The network says that a line fails, so the statement does."""


@dataclass(slots=True)
class Paper:
    """Lines so far."""

    sure: float = 1.0  # of all of them

    def count(self, statement: ast.stmt, value: Any) -> Asking[Question, Answer, int]:
        """The number that the network says something has: its length, or its code."""
        answer = yield question(statement, {"a": value}, Handles())
        self.sure *= answer.probability
        if not isinstance(answer.outcome, Value) or type(answer.outcome.value) is not int:
            raise UnclearError("no number")
        return answer.outcome.value

    def line(self, sign: str, left: int, right: int) -> Asking[Question, Answer, int]:
        """The number that the network says two others make."""
        told = yield from self.told(sign, left, right)
        if type(told) is not int:
            raise UnclearError("no number")
        return told

    def test(self, sign: str, left: int, right: int) -> Asking[Question, Answer, bool]:
        """Whether the network says that it is so."""
        told = yield from self.told(sign, left, right)
        if type(told) is not bool:
            raise UnclearError("no truth value")
        return told

    def told(self, sign: str, left: int, right: int) -> Asking[Question, Answer, object]:
        """What the network says that two numbers make."""
        answer = yield question(ASKED[sign], {"a": left, "b": right}, Handles())
        self.sure *= answer.probability
        if isinstance(answer.outcome, Raised):
            raise FailsError
        return answer.outcome.value if isinstance(answer.outcome, Value) else None

    def worked_out(self, sign: str, left: int, right: int) -> Asking[Question, Answer, int]:
        """What comes out in the end."""
        if sign == "*":
            return (yield from self.product(left, right))
        if sign in ("**", "<<", ">>"):
            return (yield from self.repeated(sign, left, right))
        if sign in ("&", "|", "^"):
            return (yield from self.bit_by_bit(sign, left, right))
        if right < 0:
            return (yield from self.turned(sign, left, right))
        if right <= DIVISOR:
            return (yield from self.line(sign, left, right))
        size = left if left >= 0 else (yield from self.turned_round(left))
        quotient, rest = yield from self.divided(size, right)
        if left >= 0:
            return quotient if sign == "//" else rest
        return (yield from self.rounded(sign, quotient, rest, right))

    def product(self, left: int, right: int) -> Asking[Question, Answer, int]:
        """A row for each digit of the shorter factor, added up."""
        shorter, longer = sorted((left, right), key=abs)
        total: int | None = None
        for place, digit in enumerate(digits(shorter)):
            row = yield from self.line("*", longer, -digit if shorter < 0 else digit)
            shifted = int(f"{row}{'0' * place}")
            total = shifted if total is None else (yield from self.line("+", total, shifted))
        return total or 0

    def turned(self, sign: str, left: int, right: int) -> Asking[Question, Answer, int]:
        """By a negative number: both get the other sign, and the rest gets it back."""
        turned = yield from self.line("-", 0, left)
        found = yield from self.worked_out(sign, turned, (yield from self.turned_round(right)))
        return (yield from self.line("-", 0, found)) if sign == "%" else found

    def turned_round(self, number: int) -> Asking[Question, Answer, int]:
        """A negative number without its sign."""
        found = yield from self.line("-", 0, number)
        if found < 0:
            raise UnclearError("a sign that stays")
        return found

    def divided(self, left: int, right: int) -> Asking[Question, Answer, tuple[int, int]]:
        """The quotient and the rest of positive numbers."""
        if not (yield from self.test(">=", left, right)):
            return 0, left
        multiples = [right]
        for _ in DOUBLED[1:]:
            multiples.append((yield from self.line("+", multiples[-1], multiples[-1])))
        shown, first = str(left), len(digits(right)) - 1
        quotient, rest = "0", int(shown[:first] or "0")
        for digit in shown[first:]:
            rest, count = int(f"{rest}{digit}"), 0
            for times, multiple in reversed(list(zip(DOUBLED, multiples, strict=True))):
                if (yield from self.test(">=", rest, multiple)):
                    rest = yield from self.line("-", rest, multiple)
                    count = yield from self.line("+", count, times)
            if not 0 <= count <= 9:
                raise UnclearError("no digit of a quotient")
            quotient += str(count)
        return int(quotient), rest

    def rounded(self, sign: str, quotient: int, rest: int, right: int) -> Asking[Question, Answer, int]:
        """The division of a negative number goes down, not towards 0."""
        is_even = yield from self.test("==", rest, 0)
        if sign == "%":
            return rest if is_even else (yield from self.line("-", right, rest))
        found = yield from self.line("-", 0, quotient)
        return found if is_even else (yield from self.line("-", found, 1))

    def repeated(self, sign: str, left: int, right: int) -> Asking[Question, Answer, int]:
        """Multiplied, doubled or halved so many times."""
        if not 0 <= right <= TIMES:
            raise UnclearError("too often")
        found = 1 if sign == "**" else left
        for _ in range(right):
            if sign == "**":
                found = yield from self.product(found, left)
            elif sign == "<<":
                found = yield from self.line("+", found, found)
            else:
                found = yield from self.line("//", found, 2)
        return found

    def bit_by_bit(self, sign: str, left: int, right: int) -> Asking[Question, Answer, int]:
        """From the lowest bits on."""
        if left < 0 or right < 0:
            raise UnclearError("bits of a negative number")
        total, weight = 0, 1
        for _ in range(TIMES + 1):
            if not left and not right:
                return total
            one, other = (yield from self.line("%", left, 2)), (yield from self.line("%", right, 2))
            both = yield from self.line("+", one, other)
            if (yield from self.test(COMPARED[sign], both, 2 if sign == "&" else 1)):
                total = yield from self.line("+", total, weight)
            left, right = (yield from self.line("//", left, 2)), (yield from self.line("//", right, 2))
            weight = yield from self.line("+", weight, weight)
        raise UnclearError("too many bits")
