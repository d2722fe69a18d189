"""This file is the ways to write a question of the strings study: bytes, subwords, typed state, bare.

Bytes and subwords write the same plain text, one line each:

    x='abca'
    y = x.replace('a', 'bc')
    y='bcbcbc'

No string has the letters `x` and `y`. Before a string, and before each question, stands a token that says so,
as the network wants it (learn/networks/matching.py). Subwords are a byte-pair vocabulary trained here, by the
`tokenizers` library, on text of the same kind. Typed state writes a token for the place before each
character, and in the answer the place that a character comes from; integers as digits, the least significant
first, after the place that they were found at:

    <state> P0 a P1 b P2 c P3 a    <ask> replace a , b c ?    STR P0 b P0 c P1 b P2 c P3 b P3 c END

What is scored is the value alone: wrong places before the right characters are right. `bare` is the same but
for the places in answers, which tell where a character comes from: `STR b c b c b c END`.
"""

import ast
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib import import_module
from string import ascii_letters, digits
from typing import Any

from worldline.errors import UserError, missing_extra
from worldline.learn.studies.strings_questions import (
    LONGEST,
    OPERATIONS,
    Answer,
    Operation,
    Question,
    kinds,
    question,
)

WRITINGS = ("bytes", "subwords", "typed", "bare")
OPENINGS = ("<pad>", "<state>", "<ask>")  # the first three tokens of each; no text has such names
STATE, ASK = 1, 2  # in ASCII they mean nothing else
SUBWORDS = 200  # tokens: each is to be seen often enough
LINES = 20_000  # questions that the subwords are trained on
NEW = "NEW"  # the place of a character that was not in the string
TYPED = (
    *(*OPENINGS, "STR", "INT", "END", "NEG", ",", ";", "?", NEW),
    *OPERATIONS,
    *(f"P{place}" for place in range(LONGEST)),
    *digits,
    *ascii_letters,
)

Value = str | int | None
"""None: what was written is no value."""


@dataclass(frozen=True, slots=True)
class Writing:
    """One way to write; the three parts follow each other."""

    name: str
    size: int  # different tokens
    state: Callable[[str], list[int]]
    ask: Callable[[Question], list[int]]
    answer: Callable[[Answer], list[int]]
    read: Callable[[Sequence[int]], Value]  # an answer with its end
    end: int  # the token that ends an answer
    cuts: Callable[[str], frozenset[int]]  # after how many characters of a string a token ends


def writing(name: str) -> Writing:
    """The way to write that has this name."""
    makers: dict[str, Callable[[], Writing]] = {
        "bytes": _bytes,
        "subwords": _subwords,
        "typed": _typed,
        "bare": partial(_typed, is_bare=True),
    }
    if name not in makers:
        raise UserError(f"no way to write is called {name!r}", f"there are: {', '.join(WRITINGS)}")
    return makers[name]()


def plain(asked: Question) -> tuple[str, str, str]:
    """The three lines of plain text."""
    return _state(asked.string), _ask(asked), _answer(asked.answer)


def _state(string: str) -> str:
    return f"x={string!r}\n"


def _ask(asked: Question) -> str:
    return f"y = {asked.expression}\n"


def _answer(answer: Answer) -> str:
    return f"y={answer.value!r}\n"


def _plain_value(text: str) -> Value:
    if not text.startswith("y=") or not text.endswith("\n"):
        return None
    try:
        found = ast.literal_eval(text[2:-1])
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return found if type(found) in (str, int) else None


@lru_cache(maxsize=1)
def _bytes() -> Writing:
    def write(text: str) -> list[int]:
        return list(text.encode("ascii"))

    return Writing(
        "bytes",
        128,
        lambda string: [STATE, *write(_state(string))],
        lambda asked: [ASK, *write(_ask(asked))],
        lambda answer: write(_answer(answer)),
        lambda ids: _plain_value(bytes(ids).decode("ascii")),
        ord("\n"),
        lambda string: frozenset(range(1, len(string))),
    )


def train_subwords(size: int = SUBWORDS, lines: int = LINES) -> Any:
    """A byte-pair tokenizer trained on questions that are drawn for it."""
    try:
        tokenizers: Any = import_module("tokenizers")
    except ImportError:
        raise missing_extra("tokenizers", "learn") from None
    drawn = random.Random("subwords")
    every = [*kinds(False), *kinds(True)]
    asked = (question(drawn, drawn.choice(every), 1, LONGEST) for _ in range(lines))
    texts = [line for each in asked for line in plain(each)]
    made = tokenizers.Tokenizer(tokenizers.models.BPE())
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    letters = sorted(
        letter
        for letter in tokenizers.pre_tokenizers.ByteLevel.alphabet()
        if ord(made.decoder.decode([letter])[0]) < 128
    )
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=size, initial_alphabet=letters, show_progress=False, special_tokens=list(OPENINGS)
    )
    made.train_from_iterator(texts, trainer)
    return made


@lru_cache(maxsize=1)
def _subwords() -> Writing:
    made = train_subwords()

    def write(text: str) -> list[int]:
        return list(made.encode(text).ids)

    def cuts(string: str) -> frozenset[int]:
        begin = len("x='")
        ends = {end - begin for _, end in made.encode(_state(string)).offsets}
        return frozenset(end for end in ends if 0 < end < len(string))

    def value_of(ids: Sequence[int]) -> Value:
        is_text = min(ids, default=0) >= len(OPENINGS)
        return _plain_value(made.decode(list(ids), skip_special_tokens=False)) if is_text else None

    (end,) = write("\n")
    return Writing(
        "subwords",
        made.get_vocab_size(),
        lambda string: [STATE, *write(_state(string))],
        lambda asked: [ASK, *write(_ask(asked))],
        lambda answer: write(_answer(answer)),
        value_of,
        end,
        cuts,
    )


@lru_cache(maxsize=2)
def _typed(is_bare: bool = False) -> Writing:
    numbers = {name: number for number, name in enumerate(TYPED)}

    def write(names: Sequence[str]) -> list[int]:
        return [numbers[name] for name in names]

    def answer_of(answer: Answer) -> list[int]:
        return write([name for name in _typed_answer(answer) if not (is_bare and _is_place(name))])

    def value_of(ids: Sequence[int]) -> Value:
        names = [TYPED[number] for number in ids]
        return _typed_value(_with_places(names) if is_bare else names)

    return Writing(
        "bare" if is_bare else "typed",
        len(TYPED),
        lambda string: write(["<state>", *_keyed(string, range(len(string)))]),
        lambda asked: write(["<ask>", *_typed_ask(asked.operations), "?"]),
        answer_of,
        value_of,
        numbers["END"],
        lambda string: frozenset(range(1, len(string))),
    )


def _place(key: int | None) -> str:
    return NEW if key is None else f"P{key}"


def _keyed(string: str, keys: Sequence[int | None]) -> list[str]:
    pairs = zip(string, keys, strict=True)
    return [name for letter, key in pairs for name in (_place(key), letter)]


def _digits(number: int) -> list[str]:
    """The least significant first, behind the sign."""
    return [*(["NEG"] if number < 0 else []), *reversed(str(abs(number)))]


def _typed_ask(operations: Sequence[Operation]) -> list[str]:
    names: list[str] = []
    for at, operation in enumerate(operations):
        names += [";"] if at else []
        names.append(operation.name)
        for place, given in enumerate(operation.arguments):
            names += [","] if place else []
            names += list(given) if isinstance(given, str) else _digits(given)
    return names


def _typed_answer(answer: Answer) -> list[str]:
    if isinstance(answer.value, str):
        return ["STR", *_keyed(answer.value, answer.keys), "END"]
    return ["INT", _place(answer.keys[0]), *_digits(answer.value), "END"]


def _with_places(names: Sequence[str]) -> list[str]:
    """A bare answer with a place before each character, or before the number."""
    if names[:1] == ["INT"]:
        return ["INT", NEW, *names[1:]]
    return [*names[:1], *(part for name in names[1:-1] for part in (NEW, name)), *names[1:][-1:]]


def _typed_value(names: Sequence[str]) -> Value:
    if len(names) < 2 or names[-1] != "END":
        return None
    inner = names[1:-1]
    if names[0] == "STR":
        letters = inner[1::2]
        is_good = len(inner) % 2 == 0 and all(each in ascii_letters for each in letters)
        return "".join(letters) if is_good and all(map(_is_place, inner[::2])) else None
    if names[0] != "INT" or not inner or not _is_place(inner[0]):
        return None
    sign, rest = (-1, inner[2:]) if inner[1:2] == ["NEG"] else (1, inner[1:])
    is_number = bool(rest) and all(each in digits for each in rest)
    return sign * int("".join(reversed(rest))) if is_number else None


def _is_place(name: str) -> bool:
    return name == NEW or (name[0] == "P" and name[1:].isdecimal())
