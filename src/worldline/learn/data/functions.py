"""This file is random functions of which only the lines count: which one follows which.

Statements are all alike; what differs is where blocks begin and end. CPython's own jumps say what is right.
"""

import ast
from random import Random

from worldline.models.embedded.lines import DEEPEST, LONGEST, next_line
from worldline.models.embedded.program import Source, source
from worldline.models.embedded.questions import Question

NAME = "main"


def function(dice: Random, longest: int) -> Source:
    """A function of at most so many lines, or a little more."""
    while True:
        lines = [f"def {NAME}(a=0):  # << START_OF_TRACE"]
        _block(dice, lines, 1, longest, False, dice.choice((0.1, 0.25, 0.45)))
        if dice.random() < 0.7 and not lines[-1].startswith("    return"):
            lines.append("    return a")
        lines = _spread(dice, lines)
        if len(lines) <= LONGEST:
            return source("\n".join(lines) + "\n")


def _spread(dice: Random, lines: list[str]) -> list[str]:
    """Lines that are no statements between the others."""
    found = lines[:1]
    if dice.random() < 0.2:
        found += dice.choice((['    """A."""'], ['    """A.', "", "    B.", '    """']))
    often = dice.choice((0.0, 0.0, 0.06, 0.2))
    for line in lines[1:]:
        if dice.random() < often:
            found += dice.choices(("", "    # a"), k=dice.choice((1, 1, 2, 3)))
        found.append(line)
    return found


def _block(dice: Random, lines: list[str], depth: int, longest: int, is_loop: bool, ends: float) -> None:
    """At least one line, of this depth; `ends` is how likely each is the last one."""
    while True:
        drawn = dice.random()
        room = longest - len(lines)
        if drawn < 0.45 and depth < DEEPEST and room > 2:
            _compound(dice, lines, depth, longest, is_loop, ends)
        else:
            last = dice.random()
            if depth > 1 and last < 0.12:
                leaving = (
                    ("break", "continue") if is_loop and last > 0.05 else ("return a", "return a", "raise a")
                )
                lines.append("    " * depth + dice.choice(leaving))
                return
            lines.append("    " * depth + "a = a")
        if room <= 1 or dice.random() < (0.1 if depth == 1 else ends):
            return


def _compound(dice: Random, lines: list[str], depth: int, longest: int, is_loop: bool, ends: float) -> None:
    kind = dice.choice(("if", "if", "while", "for")) if dice.random() < 0.95 else "def"
    header = {"if": "if a:", "while": "while a:", "for": "for a in a:", "def": "def b(a=0):"}[kind]
    lines.append("    " * depth + header)
    if kind == "def":
        _block(dice, lines, depth + 1, min(longest, len(lines) + 6), False, ends)
        return
    _block(dice, lines, depth + 1, longest, is_loop or kind != "if", ends)
    while kind == "if" and dice.random() < 0.15:
        lines.append("    " * depth + "elif a:")
        _block(dice, lines, depth + 1, longest, is_loop, ends)
    if dice.random() < (0.35 if kind == "if" else 0.05):
        lines.append("    " * depth + "else:")
        _block(dice, lines, depth + 1, longest, is_loop, ends)


def line_asked(dice: Random, read: Source) -> Question:
    """Which line comes next, after a random one."""
    inner = [node for node in ast.walk(read.functions[NAME]) if isinstance(node, ast.FunctionDef)][1:]
    others = {line for node in inner for line in range(node.lineno + 1, (node.end_lineno or 0) + 1)}
    ran = [line for line, node in read.nodes.items() if line not in others and not _is_passed(node)]
    number = dice.choice([line for line in ran if line > 1])
    is_test = isinstance(read.nodes[number], ast.If | ast.While | ast.For)
    return next_line(read, NAME, number, dice.random() < 0.5 if is_test else None)


def _is_passed(node: ast.AST) -> bool:
    """Whether nobody asks what comes after it."""
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_text or isinstance(node, ast.Raise)
