"""This file is from a statement and the values of its names to the question that is put to the network."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from worldline.models.embedded import items
from worldline.models.embedded import questions as ask
from worldline.models.embedded.objects import Generator, Walk
from worldline.models.embedded.prompts import KINDS, Handles, UnclearError
from worldline.models.embedded.questions import Question
from worldline.models.embedded.state import constant
from worldline.models.embedded.vocabulary import IDS, NONE, TYPES
from worldline.models.embedded.words import MISSING, Slots, apart, in_turn, literal, operator, words

SEQUENCES = (str, list, tuple, range)
SETS = (set, frozenset)
KEYED = (dict, *SETS)
CONVERSIONS = ("tuple", "list", "set", "frozenset")
WHOLE = (int, bool)  # True counts as 1


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far something is walked through: what it is, and how many items were taken."""

    container: Any
    taken: int
    upcoming: int = 0  # of a range: the number that would come next


def question(
    statement: ast.stmt, values: Mapping[str, Any], handles: Handles, cursor: Cursor | None = None
) -> Question:
    """What the network is asked about a statement; raises `UnclearError` where nothing can be asked.

    Args:
        statement: one atomic statement; of a compound one, its header counts.
        values: of its names.
        handles: the tokens of values, one `Handles` a question.
        cursor: of what a `for` or `next` walks through.
    """
    statement, values = apart(statement, values)
    tokens, slots = words(statement, values)
    return _Reader(tokens, slots, values, handles, cursor).statement(statement)


def are_names(targets: list[ast.expr]) -> bool:
    """Whether several things are assigned to names alone, not to places."""
    return all(isinstance(each, ast.Name) for each in targets)


@dataclass(frozen=True, slots=True)
class _Reader:
    words: tuple[int, ...]
    slots: Slots
    values: Mapping[str, Any]
    handles: Handles
    cursor: Cursor | None

    def statement(self, node: ast.stmt) -> Question:
        match node:
            case ast.Assign(targets=[ast.Name()], value=value) | ast.Return(value=ast.expr() as value):
                return self.expression(value)
            case ast.Return():
                return ask.copied(self.words, None, self.handles)
            case ast.Assign(targets=[ast.Subscript(value=held, slice=index)], value=value):
                return self.placed(self.value(held), self.value(index), self.value(value))
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=value):
                return self.several(names, value)
            case ast.AugAssign(target=ast.Name() as target, op=op, value=value):
                return self.binary(operator(op), self.value(target), self.value(value))
            case ast.If(test=test) | ast.While(test=test) | ast.Assert(test=test):
                return self.test(test)
            case ast.For(target=ast.Name()):
                return self.next_item()
            case ast.Delete(targets=[ast.Subscript(value=held, slice=index)]):
                return self.removed(self.value(held), self.value(index), is_strict=True)
            case ast.Expr(value=value):
                return self.expressed(value)
        raise UnclearError("a statement that was not learnt")

    def expressed(self, node: ast.expr) -> Question:
        match node:
            case ast.Call():
                return self.called(node)
            case ast.Yield(value=value):
                return ask.copied(self.words, None if value is None else self.value(value), self.handles)
        return self.expression(node)

    def value(self, node: ast.expr) -> Any:
        """The value of a name or a literal."""
        if isinstance(node, ast.Name):
            if node.id in self.values:
                return self.values[node.id]
            if node.id in TYPES and node.id in KINDS:
                return KINDS[node.id]
            raise UnclearError(f"no value of {node.id}")
        found = literal(node)
        if found is MISSING:
            raise UnclearError("more than one thing at once")
        return found

    def one(self, node: ast.expr) -> Any:
        """The same where it counts which of several equal ones it is: of a literal there is one."""
        return self.value(node) if isinstance(node, ast.Name) else constant(self.value(node))

    def expression(self, node: ast.expr) -> Question:
        found = MISSING if isinstance(node, ast.Name) else literal(node)
        if found is not MISSING or isinstance(node, ast.Name):
            return ask.copied(self.words, self.value(node), self.handles)
        match node:
            case ast.BinOp(left=left, op=op, right=right):
                return self.binary(operator(op), self.value(left), self.value(right))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self.binary("-", 0, self.value(operand))
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return self.test(node)
            case ast.Subscript(value=held, slice=index) if not isinstance(index, ast.Slice):
                return self.item(self.value(held), self.value(index))
            case ast.Call():
                return self.called(node)
        return self.display(node)

    def display(self, node: ast.expr) -> Question:
        """A new container of values that are named."""
        kinds: dict[type[ast.expr], str] = {ast.List: "list", ast.Tuple: "tuple", ast.Set: "set"}
        match node:
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                return ask.made(self.words, kinds[type(node)], self.operands(parts), self.handles)
            case ast.Dict():
                return ask.made(self.words, "dict", self.operands(in_turn(node)), self.handles)
        raise UnclearError("an expression that was not learnt")

    def operands(self, items: list[ast.expr]) -> list[ask.Operand]:
        found = []
        for each in items:
            is_name = isinstance(each, ast.Name) and each.id in self.slots
            found.append((self.slots[each.id] if is_name else IDS["literal"], self.value(each)))  # type: ignore[attr-defined]
        return found

    def binary(self, sign: str, left: Any, right: Any) -> Question:
        if type(left) in WHOLE and type(right) in WHOLE:
            return ask.two_numbers(self.words, sign, int(left), int(right))
        if sign == "+" and type(left) is str and type(right) is str and len(right) == 1:
            return items.appended(self.words, left, right, self.handles)
        raise UnclearError("an operation on other values")

    def test(self, node: ast.expr) -> Question:
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                found = self.one if isinstance(op, ast.Is | ast.IsNot) else self.value
                return self.compared(operator(op), found(left), found(right))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return ask.truth_of(self.words, self.value(operand), True, self.handles)
        return ask.truth_of(self.words, self.value(node), False, self.handles)

    def compared(self, sign: str, left: Any, right: Any) -> Question:
        if sign in ("in", "not in"):
            if not isinstance(right, KEYED):
                raise UnclearError("a search")
            return items.contains(self.words, right, _hashable(left), sign == "not in", self.handles)
        is_whole = type(left) in WHOLE and type(right) in WHOLE and int in (type(left), type(right))
        if is_whole and sign not in ("is", "is not"):
            return ask.two_numbers(self.words, sign, int(left), int(right))
        if sign in ("==", "!="):
            is_text = type(left) is str and type(right) is str and len(left) > 1 and len(right) > 1
            numbers = (*WHOLE, float)
            is_mixed = type(left) in numbers and type(right) in numbers and type(left) is not type(right)
            is_alike = type(left) is type(right) or (isinstance(left, SETS) and isinstance(right, SETS))
            is_large = not isinstance(left, str | int | None) and is_alike and type(left) is not type
            if is_text or is_mixed or is_large:
                raise UnclearError("a comparison of whole values")
        return ask.two_atoms(self.words, sign, left, right, self.handles)

    def item(self, held: Any, index: Any) -> Question:
        if isinstance(held, dict):
            return items.item_at(self.words, held, _hashable(index), self.handles)
        if isinstance(held, SEQUENCES) and type(index) in WHOLE:
            return items.item(self.words, held, int(index), self.handles)
        raise UnclearError("an item of something else")

    def placed(self, held: Any, index: Any, value: Any) -> Question:
        if isinstance(held, dict):
            return items.key_set(self.words, held, _hashable(index), value, self.handles)
        if isinstance(held, list) and type(index) is int:
            return items.item_set(self.words, held, index, value, self.handles)
        raise UnclearError("an item of something else")

    def removed(self, held: Any, key: Any, *, is_strict: bool) -> Question:
        if isinstance(held, list) and type(key) is int:
            return items.item_removed(self.words, held, key, self.handles)
        if isinstance(held, dict | set):
            missing = ask.ERROR if is_strict else items.NOTHING
            return items.key_removed(self.words, held, _hashable(key), missing, self.handles)
        raise UnclearError("an item of something else")

    def several(self, names: list[ast.expr], value: ast.expr) -> Question:
        if not are_names(names):
            raise UnclearError("more than one thing at once")
        if isinstance(value, ast.Tuple) and literal(value) is MISSING:
            if len(value.elts) != len(names):
                raise UnclearError("other numbers of names and values")
            return ask.assigned(self.words, self.operands(value.elts), self.handles)
        held = self.value(value)
        if not isinstance(held, SEQUENCES):
            raise UnclearError("items of something else")
        return items.unpacked(self.words, held, len(names), self.handles)

    def next_item(self) -> Question:
        if self.cursor is None:
            raise UnclearError("a loop over something else")
        if isinstance(self.cursor.container, range):
            return items.next_number(self.words, self.cursor.upcoming, self.cursor.container)
        if not isinstance(self.cursor.container, SEQUENCES + KEYED):
            raise UnclearError("a loop over something else")
        return items.next_item(self.words, self.cursor.container, self.cursor.taken, self.handles)

    def called(self, node: ast.Call) -> Question:
        match node:
            case ast.Call(func=ast.Attribute(value=held, attr=name), args=args):
                return self.method(name, self.value(held), [self.value(each) for each in args])
            case ast.Call(func=ast.Name(id="next"), args=[_, _]):
                return self.next_item()
            case ast.Call(func=ast.Name(id="range"), args=args):
                return ask.made(self.words, "range", self.operands(args), self.handles)
            case ast.Call(func=ast.Name(id="isinstance"), args=[one, kinds]):
                return ask.is_one_of(self.words, self.value(one), self.value(kinds), self.handles)
            case ast.Call(func=ast.Name(id="hasattr"), args=[one, ast.Constant(value="keys")]):
                return ask.is_one_of(self.words, self.value(one), dict, self.handles)
            case ast.Call(func=ast.Name(id=name), args=[one]):
                return self.function(name, self.value(one))
            case ast.Call(func=ast.Name(id=name), args=[]) if name in (*CONVERSIONS, "dict"):
                return ask.made(self.words, name, [], self.handles)
        raise UnclearError(f"a call that was not learnt: {ast.unparse(node)[:60]}")

    def method(self, name: str, held: Any, arguments: list[Any]) -> Question:
        match name, held, arguments:
            case "append", list(), [value]:
                return items.appended(self.words, held, value, self.handles)
            case "copy", list() | dict() | set(), []:
                return items.converted(self.words, type(held).__name__, held, self.handles)
            case "pop", list(), []:
                return items.popped(self.words, held, self.handles)
            case "add", set(), [value]:
                return items.key_added(self.words, held, _hashable(value), self.handles)
            case "get", dict(), [key]:
                return items.item_at(self.words, held, _hashable(key), self.handles, NONE)
            case "discard", set(), [value]:
                return self.removed(held, value, is_strict=False)
        raise UnclearError(f"a method that was not learnt: {name} of {_kind(held)}")

    def function(self, name: str, value: Any) -> Question:
        if name == "len" and isinstance(value, SEQUENCES + KEYED):
            return items.length(self.words, value, self.handles)
        if name == "type":
            return ask.type_of(self.words, value, self.handles)
        if name == "ord" and type(value) is str and len(value) == 1:
            return ask.code_of(self.words, value, self.handles)
        if name == "chr" and type(value) is int:
            return ask.character_of(self.words, value, self.handles)
        if name == "next":
            return self.next_item()
        if name in CONVERSIONS and isinstance(value, SEQUENCES + KEYED):
            return items.converted(self.words, name, value, self.handles)
        if name == "iter" and isinstance(value, SEQUENCES + KEYED):
            return items.converted(self.words, "iterator", value, self.handles)
        if name == "iter" and isinstance(value, Walk | Generator):  # which is its own
            return ask.copied(self.words, value, self.handles)
        raise UnclearError(f"a function that was not learnt: {name} of {_kind(value)}")


def _kind(value: Any) -> str:
    """What a value is called in a reason."""
    return str(getattr(type(value), "shown_as", type(value).__name__))


def _hashable(key: Any) -> Any:
    try:
        hash(key)
    except TypeError:
        raise UnclearError("a key that cannot be one") from None
    return key
