"""This file is the questions of the strings study: a string, one operation on it or two, and what comes out.

CPython's own `eval` is the oracle. Beside it each operation is done on characters that remember where in
the string they come from: that is what the typed representation writes, and by what token boundaries of the
answer are compared with those of the string. A test holds the two against each other.

Strings are of fifteen lower-case letters: half of them joined syllables, of which some are much more frequent
than others (something for subwords to find), half of them letters at random.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from zlib import crc32

LONGEST = 6  # characters of a string
LONGEST_ANSWER = 12
BUCKETS = ((1, 2), (3, 4), (5, 6))
"""Lengths of strings that are reported together."""

FROM_STRING_TO_STRING = ("replace", "reverse", "upper", "append", "slice")
OPERATIONS = (*FROM_STRING_TO_STRING, "find", "index", "len")
HELD_OUT = 8  # one question of so many is never trained on: half of those for validation, half for the test
Part = Literal["training", "validation", "test"]

VOWELS, CONSONANTS = "aeiou", "bdklmnprst"
LETTERS = VOWELS + CONSONANTS
_SYLLABLES = [first + second for second in VOWELS for first in CONSONANTS]
_FREQUENCIES = [1 / (at + 1) for at in range(len(_SYLLABLES))]

Keyed = tuple[tuple[str, int | None], ...]
"""Characters, each with its place in the first string; None: it was not in it."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation: `replace a, bc`, `slice 2, 5`."""

    name: str
    arguments: tuple[str | int, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What comes out, and where it comes from."""

    value: str | int
    keys: tuple[int | None, ...]  # of each character; of an int: the place that it was found at


@dataclass(frozen=True, slots=True)
class Question:
    """A string and what is done to it."""

    string: str
    operations: tuple[Operation, ...]

    @property
    def kind(self) -> str:
        """The operations' names: `upper`, `upper+find`."""
        return "+".join(each.name for each in self.operations)

    @property
    def expression(self) -> str:
        """As Python."""
        text = "x"
        for at, operation in enumerate(self.operations):
            text = _written(text, operation)
            if operation.name == "append" and at + 1 < len(self.operations):
                text = f"({text})"
        return text

    @property
    def value(self) -> str | int:
        """As CPython says."""
        found: str | int = eval(self.expression, {"__builtins__": {"len": len}}, {"x": self.string})
        return found

    @property
    def answer(self) -> Answer:
        """The value with its places."""
        held: Keyed | Answer = tuple((letter, at) for at, letter in enumerate(self.string))
        for operation in self.operations:
            assert isinstance(held, tuple)
            held = _applied(operation, held)
        if isinstance(held, Answer):
            return held
        return Answer("".join(letter for letter, _ in held), tuple(at for _, at in held))

    @property
    def part(self) -> Part:
        """What it is for: by its text, so that no two parts share a question."""
        drawn = crc32(f"{self.string} {self.expression}".encode()) % (2 * HELD_OUT)
        return "validation" if drawn == 0 else "test" if drawn == HELD_OUT else "training"


def question(
    drawn: random.Random, kind: Sequence[str], shortest: int, longest: int, part: Part = "training"
) -> Question:
    """Draw a question with these operations on a string of these lengths.

    Args:
        drawn: where chance comes from.
        kind: names of operations.
        shortest: of the string.
        longest: of the string.
        part: what it is for.
    """
    while True:
        string = string_of(drawn, drawn.randint(shortest, longest))
        found = on(drawn, string, kind)
        if found.part == part and len(found.answer.keys) <= LONGEST_ANSWER:
            return found


def on(drawn: random.Random, string: str, kind: Sequence[str]) -> Question:
    """Draw the arguments of operations on a given string."""
    held: Keyed = tuple((letter, at) for at, letter in enumerate(string))
    operations: list[Operation] = []
    for name in kind:
        operations.append(_drawn(drawn, name, "".join(letter for letter, _ in held)))
        after = _applied(operations[-1], held)
        held = after if isinstance(after, tuple) else held
    return Question(string, tuple(operations))


def kinds(is_composed: bool) -> list[tuple[str, ...]]:
    """Every single operation, or every composition of two."""
    if not is_composed:
        return [(name,) for name in OPERATIONS]
    return [(first, second) for first in FROM_STRING_TO_STRING for second in OPERATIONS]


def string_of(drawn: random.Random, length: int) -> str:
    """A string."""
    if drawn.random() < 0.5:
        return "".join(drawn.choices(LETTERS, k=length))
    return "".join(drawn.choices(_SYLLABLES, _FREQUENCIES, k=length // 2 + 1))[:length]


def _drawn(drawn: random.Random, name: str, held: str) -> Operation:
    """An operation with arguments that suit a string: mostly letters that are in it."""
    if name in ("replace", "find"):
        letter = drawn.choice(held) if drawn.random() < 0.85 else drawn.choice(LETTERS)
        return Operation(name, (letter, _some(drawn)) if name == "replace" else (letter,))
    if name == "append":
        return Operation(name, (_some(drawn),))
    if name == "slice":
        first = drawn.randrange(len(held))
        return Operation(name, (first, drawn.randint(first + 1, len(held))))
    return Operation(name, (drawn.randrange(len(held)),) if name == "index" else ())


def _some(drawn: random.Random) -> str:
    return "".join(drawn.choices(LETTERS, k=drawn.randint(1, 2)))


def _written(text: str, operation: Operation) -> str:
    """An operation on an expression."""
    given = ", ".join(repr(each) for each in operation.arguments)
    forms = {
        "replace": f"{text}.replace({given})",
        "reverse": f"{text}[::-1]",
        "upper": f"{text}.upper()",
        "append": f"{text} + {given}",
        "slice": f"{text}[{given.replace(', ', ':')}]",
        "find": f"{text}.find({given})",
        "index": f"{text}[{given}]",
        "len": f"len({text})",
    }
    return forms[operation.name]


def _applied(operation: Operation, held: Keyed) -> "Keyed | Answer":
    """An operation on characters that know their places."""
    given = operation.arguments
    match operation.name:
        case "replace":
            old, new = str(given[0]), str(given[1])
            parts = (
                tuple((one, at) for one in new) if letter == old else ((letter, at),) for letter, at in held
            )
            return tuple(pair for part in parts for pair in part)
        case "reverse":
            return held[::-1]
        case "upper":
            return tuple((letter.upper(), at) for letter, at in held)
        case "append":
            return (*held, *((letter, None) for letter in str(given[0])))
        case "slice":
            return held[int(given[0]) : int(given[1])]
        case "index":
            return (held[int(given[0])],)
        case "find":
            place = next((place for place, (letter, _) in enumerate(held) if letter == given[0]), -1)
            return Answer(place, (held[place][1] if place >= 0 else None,))
    return Answer(len(held), (held[-1][1],))
