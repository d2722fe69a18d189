"""This file is work on paper: what is too long or too far for one question is several short ones.

    *      a row for each digit of the shorter factor: the other one times that digit, and zeros behind it;
           the rows are added up
    //, %  the divisor is doubled three times. From the highest digit on, the rest with the digit behind it is
           compared with eight, four, two and one times the divisor, which is taken away where it fits
    **     a product after the other
    <<, >> doubled, or halved, so many times
    a, b = xs  the length, whether it is that of the names, and the items; one by one if they are many
    a, b = c, d; x = [a, b]  one by one if they are many
    xs[-7]  the length, the index added to it, and what is at that place
    &, |, ^  both are halved bit by bit; what comes of two bits is added up with the weight of their place

Each line on the paper is an answer of the network: a product with a digit, a sum, a difference, a comparison.
What is here is the order of the lines, and the writing of digits behind each other.
"""

import ast
from collections.abc import Generator as Asking
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from worldline.models.embedded.numbers import DIVISOR, LongError
from worldline.models.embedded.outcomes import Answer, Made, Raised, Value, Values
from worldline.models.embedded.prompts import Handles, UnclearError, digits
from worldline.models.embedded.questions import Question
from worldline.models.embedded.reading import Cursor, question
from worldline.models.embedded.words import MISSING, literal

ASKED = {sign: ast.parse(f"x = a {sign} b").body[0] for sign in ("+", "-", "*", "//", "%", ">=", "==")}
DOUBLED = (1, 2, 4, 8)
NEVER_ASKED: Mapping[type[ast.operator], str] = {
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}
"""Operators of which the network knows no sign."""
COMPARED = {"&": "==", "|": ">=", "^": "=="}
"""How the sum of two bits is compared with 2, 1 and 1."""
LENGTH = ast.parse("x = len(a)").body[0]
NEAR = 4  # an index that counts at most so far from the end is one question
MOST = 6  # names that one question gives values to, items that it puts together in order
KNOWN = (*range(MOST + 1), 8)  # items of a set or dict: these weights have not seen other numbers of them
TIMES = 64  # times that something is doubled, halved or multiplied


class _FailsError(Exception):
    """The network says that a line fails, so the statement does."""


def answered(
    statement: ast.stmt, values: Mapping[str, Any], cursor: Cursor | None = None
) -> Asking[Question, Answer, Answer]:
    """What comes of a statement: of one question, or of several; `UnclearError` where nothing is learnt."""
    place = _place(statement)
    if place is not None and _is_far(place, values):
        return (yield from _from_end(statement, place, values))
    if _is_unpacking(statement, values):
        return (yield from _unpacked(statement, values))
    if many := _many(statement):
        return (yield from _one_by_one(*many, values, _Paper()))
    operation = _never_asked(statement, values)
    if operation is None:
        try:
            asked = question(statement, values, Handles(), cursor)
        except LongError as long:
            operation = long.operator, long.left, long.right
        else:
            return (yield asked)
    paper = _Paper()
    try:
        number = yield from paper.worked_out(*operation)
    except _FailsError:
        return Answer(Raised(), paper.sure)
    return Answer(Value(number), paper.sure)


def _place(statement: ast.stmt) -> ast.Subscript | None:
    """Where a statement looks into a container, or changes it."""
    match statement:
        case ast.Assign(targets=[ast.Subscript() as place]) | ast.Delete(targets=[ast.Subscript() as place]):
            return place
        case ast.Assign(value=ast.Subscript() as place) | ast.Return(value=ast.Subscript() as place):
            return place
        case ast.Expr(value=ast.Subscript() as place):
            return place
    return None


def _number(node: ast.expr, values: Mapping[str, Any]) -> Any:
    return values.get(node.id) if isinstance(node, ast.Name) else literal(node)


def _is_far(place: ast.Subscript, values: Mapping[str, Any]) -> bool:
    """Whether an index counts far from the end of something that has one."""
    index, held = _number(place.slice, values), _number(place.value, values)
    return type(index) is int and index < -NEAR and isinstance(held, str | list | tuple)


def _from_end(
    statement: ast.stmt, place: ast.Subscript, values: Mapping[str, Any]
) -> Asking[Question, Answer, Answer]:
    """An index far from the end: the length, the index added to it, and what is there."""
    paper = _Paper()
    length = yield from paper.length(_number(place.value, values))
    try:
        found = yield from paper.line("+", length, _number(place.slice, values))
    except _FailsError:
        found = -1
    if found < 0:
        return Answer(Raised(), paper.sure)
    counted = ast.Subscript(place.value, ast.Constant(found), place.ctx)
    changed = copy(statement)
    if isinstance(statement, ast.Delete) or getattr(statement, "targets", [None])[0] is place:
        changed.targets = [counted]  # type: ignore[attr-defined]
    else:
        changed.value = counted  # type: ignore[attr-defined]
    answer = yield question(changed, values, Handles())
    return Answer(answer.outcome, paper.sure * answer.probability)


def _is_unpacking(statement: ast.stmt, values: Mapping[str, Any]) -> bool:
    match statement:
        case ast.Assign(targets=[ast.Tuple()], value=ast.Name(id=name)):
            return isinstance(values.get(name), str | list | tuple)
    return False


def _unpacked(statement: ast.stmt, values: Mapping[str, Any]) -> Asking[Question, Answer, Answer]:
    """Items to names: the length, whether there are as many names, and what each gets."""
    paper = _Paper()
    names = len(statement.targets[0].elts)  # type: ignore[attr-defined]
    length = yield from paper.length(_number(statement.value, values))  # type: ignore[attr-defined]
    try:
        is_fitting = yield from paper.test("==", length, names)
    except _FailsError:
        is_fitting = False
    if not is_fitting:
        return Answer(Raised(), paper.sure)
    if names > MOST:
        held: ast.expr = statement.value  # type: ignore[attr-defined]
        items = [ast.Subscript(held, ast.Constant(at)) for at in range(names)]
        return (yield from _one_by_one("", items, values, paper))
    answer = yield question(statement, values, Handles())
    return Answer(answer.outcome, paper.sure * answer.probability)


def _many(statement: ast.stmt) -> tuple[str, Sequence[ast.expr]] | None:
    """What is put together, if one question has not learnt so many items: the type (none: names), the items.

    Sets and dicts are not put together so: which of their keys are equal is for one question to say.
    """
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=items)):
            return ("", items) if len(names) == len(items) > MOST else None
    display = getattr(statement, "value", None)
    match display:
        case ast.List(elts=items) | ast.Tuple(elts=items) if len(items) > MOST:
            kind = "list" if isinstance(display, ast.List) else "tuple"
            return (kind, items) if literal(display) is MISSING else None
        case ast.Set(elts=items) | ast.Dict(values=items) if len(items) not in KNOWN:
            if literal(display) is MISSING:
                raise UnclearError("a display of many items")
    return None


def _one_by_one(
    kind: str, parts: Sequence[ast.expr], values: Mapping[str, Any], paper: "_Paper"
) -> Asking[Question, Answer, Answer]:
    """What many names get, or a new container of that type, each item asked for alone."""
    found = []
    for part in parts:
        answer = yield question(ast.Assign([ast.Name("x")], part), values, Handles())
        paper.sure *= answer.probability
        if not isinstance(answer.outcome, Value):
            return Answer(Raised(), paper.sure)
        found.append(answer.outcome.value)
    return Answer(Made(kind, tuple(found)) if kind else Values(tuple(found)), paper.sure)


def _never_asked(statement: ast.stmt, values: Mapping[str, Any]) -> tuple[str, int, int] | None:
    """The operation of a statement, and its numbers, if the network has no word for it."""
    match statement:
        case ast.Assign(targets=[ast.Name()], value=ast.BinOp(left=one, op=op, right=other)):
            pass
        case ast.Return(value=ast.BinOp(left=one, op=op, right=other)):
            pass
        case ast.AugAssign(target=ast.Name() as one, op=op, value=other):
            pass
        case _:
            return None
    left, right = (_number(each, values) for each in (one, other))
    if type(op) not in NEVER_ASKED or type(left) is not int or type(right) is not int:
        return None
    return NEVER_ASKED[type(op)], left, right


@dataclass(slots=True)
class _Paper:
    sure: float = 1.0

    def length(self, value: Any) -> Asking[Question, Answer, int]:
        """How many items the network says that something has."""
        answer = yield question(LENGTH, {"a": value}, Handles())
        self.sure *= answer.probability
        if not isinstance(answer.outcome, Value) or type(answer.outcome.value) is not int:
            raise UnclearError("no length")
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
        answer = yield question(ASKED[sign], {"a": left, "b": right}, Handles())
        self.sure *= answer.probability
        if isinstance(answer.outcome, Raised):
            raise _FailsError
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
