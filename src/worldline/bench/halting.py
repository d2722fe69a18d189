"""This file is the benchmark `halting`: does a program come to an end? The verdict is read off the rollout.

    halts    the rollout came to the end of the entry
    loops    a complete state came again (the same line, variables and callers): from there on the program can
             only repeat itself. The programs have no `for` loops, so that nothing is hidden
    unknown  neither, within `max_steps`

For each family there are programs that end and programs that do not, by their numbers alone; in `growing` the
ones that do not never repeat a state, so that an honest answer is `unknown`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from worldline.bench.model import Benchmark, Label, Problem, Score
from worldline.errors import UserError
from worldline.rollout.model import Finished, Rollout
from worldline.trace.model import Entry, Program, Step, Trace

MAX_STEPS = 512


@dataclass(frozen=True, slots=True)
class Settings:
    """What may be set."""

    families: tuple[str, ...] = ("countdown", "walk", "rotation", "euclid", "rewriting", "growing")
    count: int = 6  # of each family, half of them never end


def _countdown(halts: bool, dice: Random) -> str:
    """Down in steps, around a ring; ends only if it meets zero."""
    step = dice.choice((2, 3, 4))
    ring = step * dice.randrange(4, 9)
    start = step * dice.randrange(2, ring // step) + (0 if halts else dice.randrange(1, step))
    return f"""\
def main():  # << START_OF_TRACE
    n = {start}
    while n != 0:
        n = (n - {step}) % {ring}
    return n
"""


def _walk(halts: bool, dice: Random) -> str:
    """A walk through the remainders of m; the target is on its way, or is not."""
    while True:
        m, a, b = dice.randrange(11, 40), dice.randrange(2, 9), dice.randrange(1, 9)
        start = dice.randrange(m)
        seen, x = [], start
        while x not in seen:
            seen.append(x)
            x = (a * x + b) % m
        targets = seen[3:] if halts else [x for x in range(m) if x not in seen]
        if targets:
            break
    return f"""\
def main():  # << START_OF_TRACE
    x = {start}
    steps = 0
    while x != {dice.choice(targets)}:
        x = ({a} * x + {b}) % {m}
    return x
"""


def _rotation(halts: bool, dice: Random) -> str:
    """Turn a list until it is sorted; only turned ones can be."""
    items = sorted(dice.sample(range(50), dice.randrange(4, 8)))
    turn = dice.randrange(1, len(items))
    items = items[turn:] + items[:turn]
    if not halts:
        items[0], items[2] = items[2], items[0]
    is_sorted = any(items[i:] + items[:i] == sorted(items) for i in range(len(items)))
    if is_sorted != halts:
        return _rotation(halts, dice)
    return f"""\
def is_sorted(items):
    i = 1
    while i < len(items):
        if items[i - 1] > items[i]:
            return False
        i += 1
    return True


def main():  # << START_OF_TRACE
    items = {items}
    while not is_sorted(items):
        items = items[1:] + items[:1]
    return items
"""


def _euclid(halts: bool, dice: Random) -> str:
    """The greatest common divisor by subtraction, which never ends if one number is zero."""
    a, b = dice.randrange(20, 90), dice.randrange(7, 40) if halts else 0
    return f"""\
def main():  # << START_OF_TRACE
    a, b = {a}, {b}
    while a != b:
        if a > b:
            a -= b
        else:
            b -= a
    return a
"""


def _rewriting(halts: bool, dice: Random) -> str:
    """A text whose first character is replaced at its end: one rule set eats it up, the other turns it."""
    text = "".join(dice.choice("ab") for _ in range(dice.randrange(4, 9))) + "b"
    rules = {"a": "", "b": ""} if halts else {"a": "b", "b": "a"}
    return f"""\
def main():  # << START_OF_TRACE
    text = {text!r}
    while text:
        first = text[0]
        text = text[1:]
        if first == "a":
            text += {rules["a"]!r}
        else:
            text += {rules["b"]!r}
    return text
"""


def _growing(halts: bool, dice: Random) -> str:
    """Up to a bound, or away from it."""
    start, step = dice.randrange(1, 9), dice.randrange(2, 7)
    bound = start + step * dice.randrange(5, 30) if halts else -1
    test = f"n < {bound}" if halts else f"n > {bound}"
    return f"""\
def main():  # << START_OF_TRACE
    n = {start}
    while {test}:
        n += {step}
    return n
"""


FAMILIES: Mapping[str, Callable[[bool, Random], str]] = {
    "countdown": _countdown,
    "walk": _walk,
    "rotation": _rotation,
    "euclid": _euclid,
    "rewriting": _rewriting,
    "growing": _growing,
}


def problems(settings: Settings, seed: int, isolation: str = "") -> Sequence[Problem]:
    """Programs that end and programs that do not, in turn."""
    unknown = [name for name in settings.families if name not in FAMILIES]
    if unknown:
        raise UserError(f"there is no family {unknown[0]!r}", f"there are: {', '.join(FAMILIES)}")
    found = []
    for family in dict.fromkeys(settings.families):
        for number in range(settings.count):
            halts = number % 2 == 0
            source = FAMILIES[family](halts, Random(f"{seed} {family} {number}"))
            labels: dict[str, Label] = {"family": family, "truth": "halts" if halts else "loops"}
            program = Program(source, Entry("function", "main"), f"{family}.py")
            found.append(Problem(f"{family}/{number}", program, labels))
    return found


def verdict(trace: Trace, has_ended: bool) -> str:
    """What a trace says about its program."""
    if has_ended:
        return "halts"
    return "loops" if repeats(trace.steps) else "unknown"


def repeats(steps: Sequence[Step]) -> bool:
    """Whether a complete state comes again."""
    seen = set()
    stack: list[tuple[object, ...]] = []
    for step in steps:
        place = (step.event, step.line, tuple(sorted(step.locals.items())), step.value)
        del stack[step.depth :]
        if step.event in ("call", "line"):
            stack.append(place)
            state = tuple(stack)
            if step.event == "line" and state in seen:
                return True
            seen.add(state)
    return False


def rescored(score: Score, problem: Problem, rollout: Rollout, real: Trace) -> Score:
    """Right is the verdict that holds; that of a program that grows for ever cannot be read off a rollout."""
    said = verdict(rollout.trace, isinstance(rollout.stop, Finished))
    is_sound = score.verdict in ("exact", "cut")  # no step that it wrote is wrong
    is_right = said == problem.labels["truth"]
    return replace(score, is_right=is_right, is_exact=is_right and is_sound, facts={"halting": said})


HALTING = Benchmark(
    "halting",
    "does a program come to an end? A verdict from the rollout",
    Settings,
    problems,
    by=("truth", "family"),
    rescore=rescored,
    max_steps=MAX_STEPS,
    has_endless=True,
    is_dense=True,
)
