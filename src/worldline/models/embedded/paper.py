"""This file is work on paper: what is too long or too far for one question is several short ones.

    a * b, //, %, **, <<, >>, &, |, ^  of long numbers: line by line (arithmetic.py)
    a, b = xs  the length, whether it is that of the names, and the items; one by one if they are many
    a, b = c, d; x = [a, b]; x = {a: b}  one by one if they are many
    xs[-7]  the length, the index added to it, and what is at that place
    c < d  of characters: their numbers, and how these compare

What is here is which questions a statement becomes; what each line says is an answer of the network.
"""

import ast
from collections.abc import Generator as Asking
from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any

from worldline.models.embedded.arithmetic import CODE, LENGTH, FailsError, Paper
from worldline.models.embedded.numbers import LongError
from worldline.models.embedded.outcomes import Answer, Made, Raised, Value, Values
from worldline.models.embedded.prompts import Handles, UnclearError
from worldline.models.embedded.questions import Question
from worldline.models.embedded.reading import Cursor, are_names, question
from worldline.models.embedded.words import MISSING, in_turn, literal

NEVER_ASKED: Mapping[type[ast.operator], str] = {
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}
"""Operators of which the network knows no sign."""
NEAR = 4  # an index that counts at most so far from the end is one question
SURE = 0.99  # below it an item is asked about once more, by the length of what holds it
MOST = 6  # names that one question gives values to, items that it puts together in order


def answered(
    statement: ast.stmt, values: Mapping[str, Any], cursor: Cursor | None = None
) -> Asking[Question, Answer, Answer]:
    """What comes of a statement: of one question, or of several; `UnclearError` where nothing is learnt."""
    place = _place(statement)
    if place is not None and _is_far(place, values):
        return (yield from _from_end(statement, place, values))
    if _is_unpacking(statement, values):
        return (yield from _unpacked(statement, values))
    if field := _characters(statement, values):
        return (yield from _in_order(statement, field, values))
    if many := _many(statement):
        return (yield from _one_by_one(*many, values, Paper()))
    operation = _never_asked(statement, values)
    if operation is None:
        try:
            asked = question(statement, values, Handles(), cursor)
        except LongError as long:
            operation = long.operator, long.left, long.right
        else:
            answer = yield asked
            if place is None or not (isinstance(answer.outcome, Raised) or answer.probability < SURE):
                return answer
            return (yield from _doubted(answer, place, values))
    paper = Paper()
    try:
        number = yield from paper.worked_out(*operation)
    except FailsError:
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
    paper = Paper()
    length = yield from paper.count(LENGTH, _number(place.value, values))
    try:
        found = yield from paper.line("+", length, _number(place.slice, values))
    except FailsError:
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


def _doubted(
    answer: Answer, place: ast.Subscript, values: Mapping[str, Any]
) -> Asking[Question, Answer, Answer]:
    """An index that is said to fail, or an item that is not sure: it must go together with the length."""
    index, held = _number(place.slice, values), _number(place.value, values)
    if type(index) is not int or index < 0 or not isinstance(held, str | list | tuple):
        return answer
    paper = Paper(answer.probability)
    length = yield from paper.count(LENGTH, held)
    try:
        is_behind = yield from paper.test(">=", index, length)
    except FailsError:
        is_behind = False
    if is_behind != isinstance(answer.outcome, Raised):
        raise UnclearError("an index that does not go together with the length")
    return Answer(answer.outcome, paper.sure)


def _characters(statement: ast.stmt, values: Mapping[str, Any]) -> str:
    """Where a statement asks for the order of two characters, if it does."""
    for field in ("test", "value"):
        match getattr(statement, field, None):
            case ast.Compare(
                left=left, ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE()], comparators=[right]
            ):
                both = _number(left, values), _number(right, values)
                return field if all(type(each) is str and len(each) == 1 for each in both) else ""
    return ""


def _in_order(statement: ast.stmt, field: str, values: Mapping[str, Any]) -> Asking[Question, Answer, Answer]:
    """The order of two characters: that of their numbers."""
    paper = Paper()
    compared: ast.Compare = getattr(statement, field)
    numbers = {}
    for name, part in ((" left", compared.left), (" right", compared.comparators[0])):  # no program has these
        numbers[name] = yield from paper.count(CODE, _number(part, values))
    changed = copy(statement)
    one, other = map(ast.Name, numbers)
    setattr(changed, field, ast.Compare(one, compared.ops, [other]))
    answer = yield question(changed, numbers, Handles())
    return Answer(answer.outcome, paper.sure * answer.probability)


def _is_unpacking(statement: ast.stmt, values: Mapping[str, Any]) -> bool:
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Name(id=name)):
            return are_names(names) and isinstance(values.get(name), str | list | tuple)
    return False


def _unpacked(statement: ast.stmt, values: Mapping[str, Any]) -> Asking[Question, Answer, Answer]:
    """Items to names: the length, whether there are as many names, and what each gets."""
    paper = Paper()
    names = len(statement.targets[0].elts)  # type: ignore[attr-defined]
    length = yield from paper.count(LENGTH, _number(statement.value, values))  # type: ignore[attr-defined]
    try:
        is_fitting = yield from paper.test("==", length, names)
    except FailsError:
        is_fitting = False
    if not is_fitting:
        return Answer(Raised(), paper.sure)
    if names > MOST:
        held: ast.expr = statement.value  # type: ignore[attr-defined]
        items = [ast.Subscript(held, ast.Constant(at)) for at in range(names)]
        return (yield from _one_by_one("", items, values, paper))
    answer = yield question(statement, values, Handles())
    if isinstance(answer.outcome, Raised):
        raise UnclearError("as many names as items, and yet it fails")
    return Answer(answer.outcome, paper.sure * answer.probability)


def _many(statement: ast.stmt) -> tuple[str, Sequence[ast.expr]] | None:
    """What is put together, if one question has not learnt so many items: the type (none: names), the items.

    Those of a dict are its keys and values in turn.
    """
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=items)):
            is_many = len(names) == len(items) > MOST and are_names(names)
            return ("", items) if is_many else None
    display = getattr(statement, "value", None)
    match display:
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            pass
        case ast.Dict():
            items = in_turn(display)
        case _:
            return None
    is_many = len(items) > MOST and literal(display) is MISSING
    return (type(display).__name__.lower(), items) if is_many else None


def _one_by_one(
    kind: str, parts: Sequence[ast.expr], values: Mapping[str, Any], paper: Paper
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
