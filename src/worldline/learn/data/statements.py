"""This file is random statements, each with values for its names: what the embedded model learns from.

A family draws a `Sample`; `asked` makes the question of it, and CPython says whether its answer is right.
"""

import ast
import builtins
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Any

from worldline.learn.data import draws
from worldline.models.embedded.numbers import DIVISOR
from worldline.models.embedded.objects import Function, Generator, Walk
from worldline.models.embedded.prompts import KINDS, Handles
from worldline.models.embedded.questions import Question
from worldline.models.embedded.reading import Cursor, question
from worldline.models.embedded.vocabulary import DIGITS


@dataclass(frozen=True, slots=True)
class Sample:
    """A statement and the state that it meets."""

    text: str
    values: dict[str, Any] = field(default_factory=dict)
    cursor: Cursor | None = None


@lru_cache(maxsize=20_000)
def parsed(text: str) -> ast.stmt:
    """The statement of a text; a header gets a body."""
    return ast.parse(text + " pass" if text.endswith(":") else text).body[0]


def asked(sample: Sample, handles: Handles) -> Question:
    """The question that a sample is."""
    return question(parsed(sample.text), sample.values, handles, sample.cursor)


ASCII = 128
HALVES = range(0xD800, 0xE000)  # of pairs: no characters by themselves
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
TYPES = tuple(name for name in KINDS if hasattr(builtins, name))
"""All types that have a name of their own."""
NARROW = tuple(name for name in TYPES if name != "object")
"""Those that not every value is of."""


def _operands(dice: Random, left: Any, right: Any) -> tuple[str, str, dict[str, Any]]:
    """Two names, or a name and a literal."""
    drawn = dice.random()
    if drawn < 0.3:
        return "a", repr(right), {"a": left}
    if drawn < 0.36:
        return repr(left), "b", {"b": right}
    if drawn < 0.39 and left == right and type(left) is type(right):
        return "a", "a", {"a": left}
    return "a", "b", {"a": left, "b": right}


def comparison(dice: Random) -> Sample:
    """Two integers."""
    one, other, values = _operands(dice, *draws.pair(dice))
    form = dice.choice(("if {}:", "while {}:", "x = {}", "return {}"))
    return Sample(form.format(f"{one} {dice.choice(COMPARISONS)} {other}"), values)


def _arithmetic(dice: Random, sign: str, left: int, right: int) -> Sample:
    one, other, values = _operands(dice, left, right)
    drawn = dice.random()
    if drawn < 0.35 and one == "a":
        return Sample(f"a {sign}= {other}", values)
    if drawn < 0.5 and one == "a":
        return Sample(f"a = a {sign} {other}", values)
    return Sample(dice.choice(("x = {} {} {}", "return {} {} {}")).format(one, sign, other), values)


def addition(dice: Random) -> Sample:
    """Sums and differences."""
    if dice.random() < 0.04:
        return Sample(dice.choice(("x = -a", "return -a")), {"a": draws.integer(dice)})
    left, right = draws.pair(dice)
    if dice.random() < 0.15:
        right = 1
    return _arithmetic(dice, dice.choice("+-"), left, right)


def product(dice: Random) -> Sample:
    """Products with a digit."""
    left, right = _any_width(dice), dice.randrange(10)
    if dice.random() < 0.15:
        right = -right
    if dice.random() < 0.3:
        left, right = right, left
    return _arithmetic(dice, "*", left, right)


def division(dice: Random) -> Sample:
    """Quotients and rests."""
    sign = dice.choice(("//", "%"))
    right = 0 if dice.random() < 0.05 else dice.randrange(1, DIVISOR + 1)
    return _arithmetic(dice, sign, _any_width(dice), right)


def _any_width(dice: Random) -> int:
    """Long numbers are as frequent as short ones, up to a point."""
    width = dice.choice((1, 1, 2, 2, 3, 4, 5, 6, 7, 8, dice.randrange(9, DIGITS + 1)))
    number = draws.wide(dice, width) if width > 2 else dice.randrange(10**width)
    return number if dice.random() < 0.8 else -number


def sameness(dice: Random) -> Sample:
    """Whether two values that are one token each are the same."""
    form = dice.choice(("if {}:", "x = {}", "return {}", "while {}:"))
    drawn = dice.random()
    if drawn < 0.45:
        left = draws.character(dice)
        right = left if dice.random() < 0.4 else dice.choice((draws.character(dice), "", draws.word(dice)))
        one, other, values = _operands(dice, left, right)
        return Sample(form.format(f"{one} {dice.choice(('==', '!='))} {other}"), values)
    sign = dice.choice(("is", "is not"))
    if drawn < 0.75:
        kind = dice.choice(TYPES)
        other = dice.choice(TYPES) if dice.random() < 0.5 else kind
        return Sample(form.format(f"kind {sign} {kind}"), {"kind": KINDS[other]})
    if drawn < 0.9:
        value = None if dice.random() < 0.4 else draws.element(dice)
        return Sample(form.format(f"a {sign} None"), {"a": value})
    left = draws.element(dice)
    right = left if dice.random() < 0.4 else draws.element(dice)
    return Sample(form.format(f"a {sign} b"), {"a": left, "b": right})


def truth(dice: Random) -> Sample:
    """Whether a value counts as true."""
    form = dice.choice(("if {}:", "if not {}:", "while {}:", "x = not {}", "return not {}"))
    drawn = dice.random()
    value: Any = draws.integer(dice) if drawn < 0.3 else dice.choice((True, False))
    if drawn > 0.7:
        value = dice.choice((None, "", 0, draws.character(dice), Function("f", 1)))
    return Sample(form.format("a"), {"a": value})


def copy(dice: Random) -> Sample:
    """A value as it is."""
    value = draws.element(dice)
    drawn = dice.random()
    if drawn < 0.4 and value not in (int, str, list):
        return Sample(dice.choice(("x = {!r}", "return {!r}")).format(value))
    if drawn < 0.45:
        return Sample("return", {})
    if drawn < 0.5:
        return Sample("x = iter(a)", {"a": Walk("")})
    return Sample(dice.choice(("x = a", "return a", "yield a")), {"a": value})


def assignment(dice: Random) -> Sample:
    """Several names at once."""
    count = dice.choice((2, 2, 3, 4, 5, 5, 5, 6))
    names = "abcdefghij"[:count]
    values = {name: draws.element(dice) for name in names}
    if dice.random() < 0.5:
        values = dict(zip(names, dice.sample(range(10), count), strict=True))
    drawn = dice.random()
    given = list(names)
    if drawn < 0.6:
        dice.shuffle(given)
    else:
        given = [dice.choice(names) if dice.random() < 0.8 else repr(dice.randrange(100)) for _ in names]
        if not any(each in names for each in given):
            given[0] = names[-1]
    return Sample(f"{', '.join(names)} = {', '.join(given)}", values)


def display(dice: Random) -> Sample:
    """A new container of a few values."""
    names = "abcdefgh"[: dice.choice((1, 1, 2, 2, 2, 3, 4, 5, 6, 8))]
    drawn = dice.random()
    is_set = 0.84 < drawn < 0.93
    values = {name: (draws.key if is_set else draws.element)(dice) for name in names}
    if drawn < 0.12:
        return _dict(dice, values)
    items = _items(dice, list(names))
    if drawn < 0.45:
        shown = f"[{', '.join(items)}]"
    elif drawn < 0.84:
        shown = f"({', '.join(items)}{',' if len(items) == 1 else ''})"
    elif is_set:
        shown = f"{{{', '.join(items)}}}"
    elif drawn < 0.965:
        form = dice.choice(("{{{}}}", "{{{}}}", "[{}]", "({},)"))
        shown = form.format(", ".join(dice.sample(TYPES, dice.randrange(1, 5))))
    elif drawn < 0.98:
        return Sample(dice.choice(("x = set()", "x = list()", "x = tuple()", "x = dict()")), {})
    else:
        ends = [
            str(dice.randrange(20)) if dice.random() < 0.3 else name for name in "ab"[: dice.choice((1, 2))]
        ]
        return Sample(f"x = range({', '.join(ends)})", {name: draws.integer(dice, 2) for name in "ab"})
    return Sample(dice.choice(("x = {}", "return {}")).format(shown), values)


def _items(dice: Random, names: list[str]) -> list[str]:
    """Names, some of them replaced by literals, but not all."""
    found = [name if dice.random() < 0.85 else draws.literal(dice) for name in names]
    return found if any(each in names for each in found) else [names[0], *found[1:]]


def _dict(dice: Random, values: dict[str, Any]) -> Sample:
    parts = []
    for name in _items(dice, list(values)):
        key = dice.choice((repr(draws.character(dice)), repr(draws.word(dice)), str(dice.randrange(30)), "k"))
        parts.append(f"{key}: {name}")
    held = {**values, "k": draws.key(dice)} if any(part.startswith("k:") for part in parts) else values
    return Sample(dice.choice(("x = {{{}}}", "return {{{}}}")).format(", ".join(parts)), held)


def code(dice: Random) -> Sample:
    """Characters and their numbers, sometimes beyond ASCII."""
    number = dice.randrange(ASCII)
    if dice.random() < 0.15:
        number = dice.randrange(ASCII, dice.choice((10**3, 10**4, 10**5, sys.maxunicode + 1)))
        number -= len(HALVES) if number in HALVES else 0
    if dice.random() < 0.5:
        return Sample("x = ord(a)", {"a": chr(number)})
    return Sample("x = chr(a)", {"a": number})


def counting(dice: Random) -> Sample:
    """A further number of a range."""
    step = dice.choice((1, 1, 1, 1, 2, 3, -1, -1, -2, dice.randrange(1, 20)))
    upcoming, stop = draws.pair(dice, 5)
    if dice.random() < 0.5:
        upcoming = stop + dice.choice((-3, -2, -1, 0, 1, 2))
    form = dice.choice(("for x in xs:", "for x in xs:", "for x in xs:", "x = next(xs)", "x = next(xs, y)"))
    walked = range(int(upcoming), int(stop), step)
    return Sample(form, {"xs": walked, "y": None}, Cursor(walked, 0, int(upcoming)))


def kind(dice: Random) -> Sample:
    """The type of a value that is no container."""
    others: tuple[Any, ...] = (
        *(True, False, None, "", "a", 0.5, int, Walk("a"), Function("f", 1), Generator(None)),
        *(range(3), frozenset("a"), frozenset(), b"", ValueError()),
    )
    value = draws.integer(dice) if dice.random() < 0.4 else dice.choice(others)
    return of_type(dice, "a", value)


def of_type(dice: Random, name: str, value: Any) -> Sample:
    """What type a value has, or whether it is of one."""
    drawn = dice.random()
    if drawn < 0.6:
        return Sample(f"x = type({name})", {name: value})
    if drawn < 0.68:
        return Sample(
            dice.choice(("x = hasattr({}, 'keys')", "return hasattr({}, 'keys')")).format(name), {name: value}
        )
    form = dice.choice(("x = isinstance({}, {})", "return isinstance({}, {})"))
    if drawn < 0.85:
        return Sample(form.format(name, dice.choice(NARROW)), {name: value})
    kinds = tuple(KINDS[each] for each in dice.sample(NARROW, dice.choice((1, 2, 2, 3))))
    return Sample(form.format(name, "kinds"), {name: value, "kinds": kinds})


SCALARS: Sequence[tuple[float, Callable[[Random], Sample]]] = (
    (3.5, comparison),
    (4.5, addition),
    (2.0, product),
    (3.0, division),
    (4.0, sameness),
    (0.8, truth),
    (0.8, copy),
    (2.5, assignment),
    (1.0, display),
    (1.5, code),
    (0.8, counting),
    (1.0, kind),
)


def scalar(dice: Random, only: Sequence[str] = ()) -> Sample:
    """A statement that looks into no container; `only` of some families."""
    drawn = [(weight, family) for weight, family in SCALARS if not only or family.__name__ in only]
    families = [family for _, family in drawn]
    return retargeted(dice, dice.choices(families, [weight for weight, _ in drawn])[0](dice))


def retargeted(dice: Random, sample: Sample) -> Sample:
    """Now and then what is computed takes the place of what it was computed from."""
    if not sample.text.startswith("x = ") or not sample.values or dice.random() > 0.15:
        return sample
    name = dice.choice(sorted(sample.values))
    return Sample(f"{name} = {sample.text[4:]}", sample.values, sample.cursor)
