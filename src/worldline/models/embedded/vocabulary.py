"""This file is the tokens of the embedded model: a few hundred, each with one meaning.

A value that fits into one token is an *atom*: a character, a digit as an integer (`#7`), True, False, None,
a type. Every other value inside another is a *handle* (`H3`): which one it is counts, not what it holds.
Keys of dicts and sets have handles of their own (`K3`); equal keys have the same one.
"""

from typing import Final

MOST = 128  # positions, and handles
KEYS = 64
DIGITS = 20  # of an integer

SPECIAL = ("pad", "document", "question", "answer", "end", "last", "...")
TYPES = (
    *("int", "str", "bool", "list", "tuple", "dict", "set", "frozenset", "float", "NoneType", "bytes"),
    *("range", "iterator", "generator", "function", "type", "object"),
)
WORDS = (
    *("if", "while", "for", "return", "yield", "del", "not", "is", "is not", "in", "not in"),
    *("=", "+=", "-=", "*=", "//=", "%=", "+", "-", "*", "//", "%", "<", "<=", ">", ">=", "==", "!="),
    *("[", "]", "(", ")", "{", "}", ",", ":", "literal"),
    *(".append", ".pop", ".add", ".discard", ".copy", ".get", "len", "ord", "chr", "iter", "next"),
    *("isinstance", "hasattr"),
    *("break", "continue", "else", "elif", "raise", "statement"),  # of a line, when lines are asked for
)
MARKS = (
    *("pair", "number", "at", "plus", "minus"),
    *("less", "same", "more"),  # of a running comparison
    *("left", "right"),  # which of two is the larger
    *("error", "stop", "delete", "none"),
)
NAMES = tuple(f"N{i}" for i in range(12))
POSITIONS = tuple(f"P{i}" for i in range(MOST))
PLACES = tuple(f"E{i}" for i in range(DIGITS + 8))  # of a digit
HANDLES = tuple(f"H{i}" for i in range(MOST))
KEY_HANDLES = tuple(f"K{i}" for i in range(KEYS))
PLAIN_DIGITS = tuple(f"d{i}" for i in range(10))
CARRY_DIGITS = tuple(f"c{i}" for i in range(10))  # with one to carry, or to borrow
SMALL = tuple(f"#{i}" for i in range(10))
CONSTANTS = ("True", "False", "None", "''")
CHARACTERS = tuple(f"'{i}" for i in range(128))

TOKENS: Final = (
    *(*SPECIAL, *TYPES, *WORDS, *MARKS, *NAMES, *POSITIONS, *PLACES, *HANDLES, *KEY_HANDLES),
    *(*PLAIN_DIGITS, *CARRY_DIGITS, *SMALL, *CONSTANTS, *CHARACTERS),
)
IDS: Final = {token: number for number, token in enumerate(TOKENS)}

PAD, DOCUMENT, QUESTION, ANSWER, END = (
    IDS[name] for name in ("pad", "document", "question", "answer", "end")
)
LAST, MORE = IDS["last"], IDS["..."]
P0, E0, H0, K0, D0, C0 = (IDS[name] for name in ("P0", "E0", "H0", "K0", "d0", "c0"))
I0, S0, N0 = (IDS[name] for name in ("#0", "'0", "N0"))
TRUE, FALSE, NONE, EMPTY = (IDS[name] for name in CONSTANTS)


def shown(ids: list[int] | tuple[int, ...]) -> str:
    """Tokens as a line that can be read."""
    return " ".join(repr(chr(each - S0)) if S0 <= each < S0 + 128 else TOKENS[each] for each in map(int, ids))
