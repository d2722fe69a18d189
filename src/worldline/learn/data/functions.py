"""This file is random functions of which only the lines count: which one follows which.

Statements are all alike; what differs is where blocks begin and end. CPython's own jumps say what is right.
"""

import ast
from random import Random

from worldline.models.embedded.lines import next_line
from worldline.models.embedded.program import Source, source
from worldline.models.embedded.questions import Question
from worldline.models.embedded.vocabulary import MOST

NAME = "main"


def function(dice: Random, longest: int) -> Source:
    """A function of at most so many lines, or a little more."""
    lines = [f"def {NAME}(a=0):  # << START_OF_TRACE"]
    _block(dice, lines, 1, longest, False)
    if dice.random() < 0.7 and not lines[-1].startswith("    return"):
        lines.append("    return a")
    return source("\n".join(lines[: MOST - 1]) + "\n")


def _block(dice: Random, lines: list[str], depth: int, longest: int, is_loop: bool) -> None:
    """At least one line, of this depth."""
    while True:
        drawn = dice.random()
        room = longest - len(lines)
        if drawn < 0.45 and depth < 6 and room > 2:
            _compound(dice, lines, depth, longest, is_loop)
        else:
            last = dice.random()
            if depth > 1 and last < 0.12:
                lines.append("    " * depth + ("return a" if last < 0.05 or not is_loop else _leaving(dice)))
                return
            lines.append("    " * depth + "a = a")
        if room <= 1 or dice.random() < (0.1 if depth == 1 else 0.45):
            return


def _leaving(dice: Random) -> str:
    return dice.choice(("break", "continue"))


def _compound(dice: Random, lines: list[str], depth: int, longest: int, is_loop: bool) -> None:
    kind = dice.choice(("if", "if", "while", "for"))
    header = {"if": "if a:", "while": "while a:", "for": "for a in a:"}[kind]
    lines.append("    " * depth + header)
    _block(dice, lines, depth + 1, longest, is_loop or kind != "if")
    while kind == "if" and dice.random() < 0.15:
        lines.append("    " * depth + "elif a:")
        _block(dice, lines, depth + 1, longest, is_loop)
    if dice.random() < (0.35 if kind == "if" else 0.05):
        lines.append("    " * depth + "else:")
        _block(dice, lines, depth + 1, longest, is_loop)


def line_asked(dice: Random, read: Source) -> Question:
    """Which line comes next, after a random one."""
    number = dice.choice([line for line in read.nodes if line > 1])
    is_test = isinstance(read.nodes[number], ast.If | ast.While | ast.For)
    return next_line(read, NAME, number, dice.random() < 0.5 if is_test else None)
