"""This file is random values: integers, characters, texts, containers."""

from random import Random
from typing import Any

from worldline.models.embedded.vocabulary import DIGITS

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
FIGURES = "0123456789"
SIGNS = " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~\n\t"
CHARACTERS = LETTERS + FIGURES + SIGNS
ASCII = "".join(map(chr, range(128)))


def integer(dice: Random, most: int = DIGITS) -> int:
    """Mostly short, sometimes long, sometimes negative."""
    drawn = dice.random()
    if drawn < 0.4:
        width = 1
    elif drawn < 0.65:
        width = 2
    elif drawn < 0.8:
        width = 3
    else:
        width = dice.randrange(4, 7) if drawn < 0.95 else dice.randrange(4, DIGITS + 1)
    width = min(width, most)
    value = wide(dice, width) if width > 3 else dice.randrange(10**width)
    return -value if dice.random() < 0.15 else value


def wide(dice: Random, width: int) -> int:
    """An integer of so many digits, now and then with a long run of zeros or nines."""
    if width > 2 and dice.random() < 0.2:
        head, tail = (dice.randrange(min(3, width - 1)) for _ in range(2))
        digits = [dice.choice("0123456789") for _ in range(width)]
        digits[head + 1 : width - tail] = dice.choice("00009") * max(0, width - tail - head - 1)
        digits[0] = dice.choice("111123456789")
        return int("".join(digits))
    return dice.randrange(10 ** (width - 1), 10**width)


def pair(dice: Random, most: int = DIGITS) -> tuple[int, int]:
    """Two integers, now and then equal, or nearly, or of one length."""
    left = integer(dice, most)
    drawn = dice.random()
    if drawn > 0.88:
        width = dice.randrange(2, most + 1)
        return wide(dice, width), wide(dice, max(1, width - dice.choice((0, 0, 1))))
    if drawn < 0.02:
        return left, dice.choice((True, False))
    if drawn < 0.15:
        return left, left
    if drawn < 0.3:
        near = left + dice.choice((-1, 1)) * 10 ** dice.randrange(0, 3)
        return left, near
    if drawn < 0.35:
        return left, -left
    if drawn < 0.4:
        return 10 ** dice.randrange(0, 6) - dice.randrange(2), integer(dice, most)
    if drawn < 0.5:
        return -abs(left), -abs(integer(dice, most))
    if drawn < 0.55:
        signs = [dice.choice((1, -1)) for _ in range(2)]
        far = wide(dice, most)
        return (signs[0] * left, signs[1] * far) if dice.random() < 0.7 else (signs[1] * far, signs[0] * left)
    return left, integer(dice, most)


def character(dice: Random) -> str:
    """One character, mostly a letter; now and then any of ASCII."""
    drawn = dice.random()
    return chr(dice.randrange(128)) if drawn < 0.06 else dice.choice(LETTERS if drawn < 0.5 else CHARACTERS)


def text(dice: Random, size: int) -> str:
    """A text; some have few different characters."""
    letters = CHARACTERS if dice.random() < 0.4 else LETTERS if dice.random() < 0.5 else LETTERS[:4]
    drawn = dice.random()
    if drawn < 0.14:
        letters = FIGURES if drawn < 0.1 else ASCII
    return "".join(dice.choices(letters, k=size))


def word(dice: Random) -> str:
    """A text of two characters or more."""
    return text(dice, dice.randrange(2, 6))


def element(dice: Random) -> Any:
    """An item of a container."""
    drawn = dice.random()
    if drawn < 0.3:
        return dice.randrange(10)
    if drawn < 0.45:
        return integer(dice, 6)
    if drawn < 0.65:
        return character(dice)
    if drawn < 0.85:
        return word(dice)
    if drawn < 0.9:
        return dice.choice((True, False, None, ""))
    if drawn < 0.97:
        return dice.choice(([], [1], (1, 2), {"a": 1}, ["x"]))
    return dice.choice((int, str, list, 0.5, -1))


def literal(dice: Random) -> str:
    """A literal of one token or two."""
    drawn = dice.random()
    if drawn < 0.5:
        return repr(dice.randrange(100))
    return repr(dice.choice((True, False, None, "", character(dice), word(dice))))


def elements(dice: Random, size: int) -> list[Any]:
    """Items, sometimes all of one kind, or all the same, or two of them."""
    drawn = dice.random()
    if drawn > 0.92:
        return dice.choices([element(dice) for _ in range(dice.choice((1, 2)))], k=size)
    if drawn < 0.2:
        return [dice.randrange(10) for _ in range(size)]
    if drawn < 0.4:
        return [integer(dice, 4) for _ in range(size)]
    if drawn < 0.55:
        return [character(dice) for _ in range(size)]
    if drawn < 0.7:
        return [word(dice) for _ in range(size)]
    return [element(dice) for _ in range(size)]


def key(dice: Random) -> Any:
    """A key of a dict."""
    drawn = dice.random()
    if drawn < 0.3:
        return integer(dice, 3)
    if drawn < 0.6:
        return character(dice)
    return word(dice) if drawn < 0.95 else dice.choice(((1, 2), None, int, str, list, tuple))


def size(dice: Random, longest: int) -> int:
    """How many items: short ones are frequent, long ones not rare."""
    if dice.random() < 0.35:
        return dice.randrange(0, min(longest, 6) + 1)
    return dice.randrange(0, longest + 1)
