"""This file is a question as the network sees it, and each kind of question about values.

Every function gives a `Question`: the tokens, the right answer, and how an answer is read.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from worldline.models.embedded import numbers
from worldline.models.embedded.objects import Opaque
from worldline.models.embedded.outcomes import (
    Made,
    Outcome,
    Raised,
    Stopped,
    Value,
    Values,
)
from worldline.models.embedded.prompts import (
    Handles,
    UnclearError,
    atom,
    block,
    number,
    pair,
    position,
    type_token,
)
from worldline.models.embedded.vocabulary import (
    ANSWER,
    DOCUMENT,
    END,
    FALSE,
    IDS,
    MORE,
    P0,
    QUESTION,
    TRUE,
    TYPES,
)

ERROR, STOP, LEFT, RIGHT, LITERAL = (IDS[name] for name in ("error", "stop", "left", "right", "literal"))
_TYPES = frozenset(IDS[name] for name in TYPES)
_ANY_TYPE = IDS["int"]
"""How a type is shown where it only counts that it is one: the data knows this one there."""
Words = Sequence[int]  # the tokens of a statement
ASCII = 128


@dataclass(frozen=True, slots=True)
class Question:
    """One statement on one state."""

    kind: str
    container: tuple[int, ...]  # the block of its container, if it looks into one
    asked: tuple[int, ...]  # the statement and its operands
    right: Callable[[], list[int]]  # the answer, its `end` included
    read: Callable[[Sequence[int]], Outcome]  # takes an answer without its `end`

    @property
    def prompt(self) -> tuple[int, ...]:
        """All that the network is shown."""
        return (DOCUMENT, *self.container, QUESTION, *self.asked, ANSWER)


def asked_about(
    kind: str,
    asked: Sequence[int],
    right: Callable[[], list[int]],
    read: Callable[[Sequence[int]], Outcome],
    container: Sequence[int] = (),
) -> Question:
    """A question of these tokens."""
    return Question(kind, tuple(container), tuple(asked), right, read)


def two_numbers(words: Words, operator: str, left: int, right: int) -> Question:
    """Arithmetic or a comparison."""
    numbers.check(operator, left, right)

    def read(told: Sequence[int]) -> Outcome:
        found = numbers.result(operator, told)
        return Raised() if found is None else Value(found)

    return asked_about(
        f"int {operator}", [*words, *pair(left, right)], lambda: numbers.answer(operator, left, right), read
    )


def two_atoms(words: Words, operator: str, left: Any, right: Any, handles: Handles) -> Question:
    """A comparison of two values that are one token each."""
    is_named = not {*words} & _TYPES  # of two types with names it counts only whether they are one
    one, other = (
        handles.one_of_many(each) if is_named and isinstance(each, type) else handles.atom(each)
        for each in (left, right)
    )
    if operator not in ("==", "!=", "is", "is not"):
        raise UnclearError("an order of other values")
    truth = (one == other) == (operator in ("==", "is"))
    asked = [*words, LEFT, one, RIGHT, other]
    answer = [other, TRUE if truth else FALSE, END]
    return asked_about(f"two {operator}", asked, lambda: answer, read_truth)


def _truth(kind: str, asked: Sequence[int], truth: bool, container: Sequence[int] = ()) -> Question:
    return asked_about(kind, asked, lambda: [TRUE if truth else FALSE, END], read_truth, container)


def read_truth(told: Sequence[int]) -> Outcome:
    """Reads an answer that ends with True or False."""
    if not told or told[-1] not in (TRUE, FALSE):
        raise UnclearError("no truth value")
    return Value(told[-1] == TRUE)


def truth_of(words: Words, value: Any, is_negated: bool, handles: Handles) -> Question:
    """Whether a value counts as true."""
    if isinstance(value, float | complex | bytes):
        raise UnclearError("a kind of value that was not learnt")
    truth = bool(value) != is_negated
    if type(value) is int and atom(value) is None:
        return _truth("truth", [*words, *number(value)], truth)
    if hasattr(value, "__len__") and atom(value) is None:
        return _truth("truth", words, truth, block(value, handles, "head"))
    return _truth("truth", [*words, _ANY_TYPE if isinstance(value, type) else handles.atom(value)], truth)


def copied(words: Words, value: Any, handles: Handles) -> Question:
    """A value as it is."""
    told = handles.atom(value)
    return asked_about("copy", [*words, told], lambda: [told, END], value_reader(handles))


def value_reader(handles: Handles, places: int = 0) -> Callable[[Sequence[int]], Outcome]:
    """Reads a value after so many positions."""

    def read(told: Sequence[int]) -> Outcome:
        if told and told[-1] == ERROR:
            return Raised()
        if list(told) == [STOP]:
            return Stopped()
        if len(told) < places + 1:
            raise UnclearError("no value")
        return Value(handles.value(told[-1]))

    return read


Operand = tuple[int, Any]
"""The token that names it (`N3`, or `literal`) and its value."""


def assigned(words: Words, operands: Sequence[Operand], handles: Handles) -> Question:
    """Several values to several names at once, in their order."""
    asked, answer = _display(words, operands, handles)
    return asked_about("assign", asked, lambda: [*answer, END], _read_display(handles))


def made(words: Words, kind: str, operands: Sequence[Operand], handles: Handles) -> Question:
    """A new container of several values."""
    asked, answer = _display(words, operands, handles)

    def read(told: Sequence[int]) -> Outcome:
        if not told or told[0] not in map(IDS.get, TYPES):
            raise UnclearError("no type")
        found = _read_display(handles)(told[1:])
        assert isinstance(found, Values)
        return Made(TYPES[told[0] - IDS[TYPES[0]]], found.values)

    return asked_about("make", asked, lambda: [IDS[kind], *answer, END], read)


def _display(words: Words, operands: Sequence[Operand], handles: Handles) -> tuple[list[int], list[int]]:
    """A statement with its literals written out and the values of its names, and what they are in order."""
    literals = [handles.atom(value) for name, value in operands if name == LITERAL]
    if len(literals) != list(words).count(LITERAL):
        raise UnclearError("a display that cannot be written down")
    shown = [literals.pop(0) if word == LITERAL else word for word in words]
    for name, value in {name: value for name, value in operands if name != LITERAL}.items():
        shown += (handles.atom(value), name)
    answer: list[int] = []
    for index, (name, value) in enumerate(operands):
        told = handles.atom(value)
        answer += (position(index), told if name == LITERAL else name, told)
    return shown, answer


def _read_display(handles: Handles) -> Callable[[Sequence[int]], Outcome]:
    def read(told: Sequence[int]) -> Outcome:
        if len(told) % 3 or list(told[::3]) != list(range(P0, P0 + len(told) // 3)):
            raise UnclearError("no list of values")
        return Values(tuple(handles.value(token) for token in told[2::3]))

    return read


def type_of(words: Words, value: Any, handles: Handles) -> Question:
    """The type of a value."""
    told = type_token(value)
    operand, shown = _typed(value, handles)

    def read(answer: Sequence[int]) -> Outcome:
        if list(answer) == [IDS["iterator"]]:  # there are as many types of them as of containers
            return Value(type(iter(getattr(value, "container", ()))))
        if list(answer) == [IDS["object"]] and isinstance(value, BaseException):  # none of the types it knows
            return Value(type(value))
        if list(answer) == [IDS["object"]] and type(value) is not object:
            raise UnclearError("a type that was not learnt")
        return value_reader(handles)(answer)

    return asked_about("type", [*words, *operand], lambda: [told, END], read, shown)


def _typed(value: Any, handles: Handles) -> tuple[list[int], list[int]]:
    """A value of which the type counts: as an operand, or as a container (also a single character)."""
    if isinstance(value, type):
        return [_ANY_TYPE], []
    if atom(value) is not None and type(value) is not str:
        return [handles.atom(value)], []
    if type(value) is int:
        return number(value), []
    if hasattr(value, "__len__"):
        return [], block(value, handles, "head")
    return [], [type_token(value), MORE]


def is_one_of(words: Words, value: Any, kinds: Any, handles: Handles) -> Question:
    """Whether a value is of a type, or of one of several."""
    several = kinds if isinstance(kinds, tuple) else (kinds,)
    tokens = [atom(each) for each in several if isinstance(each, type)]
    if None in tokens or len(tokens) != len(several) or object in several or isinstance(value, Opaque):
        raise UnclearError("a type that was not learnt")
    told = type_token(value)
    of_it = [told, IDS["int"]] if told == IDS["bool"] else [told]
    truth = any(each in tokens for each in of_it)
    operand, shown = _typed(value, handles)
    asked = [*words, *operand, RIGHT, *dict.fromkeys(each for each in tokens if each is not None)]
    answer = [told, TRUE if truth else FALSE, END]
    return asked_about("isinstance", asked, lambda: answer, read_truth, shown)


def code_of(words: Words, character: str, handles: Handles) -> Question:
    """The number of a character; one beyond ASCII has no token, and is shown as its number."""
    told = atom(character)
    shown = number(ord(character)) if told is None else [told]

    def read(answer: Sequence[int]) -> Outcome:
        return Value(numbers.written(answer))

    return asked_about("ord", [*words, *shown], lambda: [*numbers.plain_number(ord(character)), END], read)


def character_of(words: Words, code: int, handles: Handles) -> Question:
    """The character of a number; one beyond ASCII is written as its number."""
    if not 0 <= code <= sys.maxunicode:
        raise UnclearError("a number of no character")

    def right() -> list[int]:
        return [*([handles.atom(chr(code))] if code < ASCII else numbers.plain_number(code)), END]

    def read(told: Sequence[int]) -> Outcome:
        if len(told) == 1:
            return Value(handles.value(told[0]))
        found = numbers.written(told)
        if found > sys.maxunicode:
            raise UnclearError("a number of no character")
        return Value(chr(found))

    return asked_about("chr", [*words, *number(code)], right, read)
