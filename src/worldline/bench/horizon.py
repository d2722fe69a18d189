"""This file is the benchmark `horizon`: programs that run as long as one likes. How far does a model get?

collatz    halve it, or take three times and one
counter    a binary counter in a list
fibonacci  the sequence, without its higher digits
nested     two loops, one in the other
sorting    by exchanging neighbours
text       a text that is built up, and cut again
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from worldline.bench.model import Benchmark, Label, Problem
from worldline.errors import UserError
from worldline.trace.model import Entry, Program

SHORTEST = 20  # steps


@dataclass(frozen=True, slots=True)
class Settings:
    """What may be set."""

    programs: tuple[str, ...] = ("collatz", "counter", "fibonacci", "nested", "sorting", "text")
    steps: tuple[int, ...] = (100, 1_000, 10_000)  # about so many
    count: int = 3  # of each


def _collatz(steps: int, dice: Random) -> str:
    start = dice.randrange(7, 60)
    return f"""\
def run(n, most):
    count = 0
    while count < most:
        if n == 1:
            n = {start} + count % 50
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        count += 1
    return n


def main():  # << START_OF_TRACE
    return run({start}, {max(1, steps // 5)})
"""


def _counter(steps: int, dice: Random) -> str:
    width = dice.randrange(6, 11)
    return f"""\
def increment(bits):
    i = 0
    while i < len(bits) and bits[i] == 1:
        bits[i] = 0
        i += 1
    if i < len(bits):
        bits[i] = 1


def main():  # << START_OF_TRACE
    bits = [{", ".join(str(dice.randrange(2)) for _ in range(width))}]
    for _ in range({max(1, steps // 11)}):
        increment(bits)
    return bits
"""


def _fibonacci(steps: int, dice: Random) -> str:
    return f"""\
def run(n):
    a, b = {dice.randrange(10)}, {dice.randrange(1, 10)}
    while n > 0:
        a, b = b, (a + b) % 1000
        n -= 1
    return a


def main():  # << START_OF_TRACE
    return run({max(1, steps // 3)})
"""


def _nested(steps: int, dice: Random) -> str:
    inner = dice.randrange(3, 9)
    return f"""\
def run(rows, columns):
    total = 0
    for i in range(rows):
        for j in range(columns):
            if (i + j) % {dice.randrange(2, 5)} == 0:
                total += i * j
            else:
                total -= 1
        total %= 997
    return total


def main():  # << START_OF_TRACE
    return run({max(1, steps // (3 * inner + 3))}, {inner})
"""


def _sorting(steps: int, dice: Random) -> str:
    size = max(3, round((steps / 2) ** 0.5))
    values = [dice.randrange(100) for _ in range(min(size, 100))]
    return f"""\
def sort(items):
    n = len(items)
    for i in range(n):
        for j in range(n - 1 - i):
            if items[j] > items[j + 1]:
                items[j], items[j + 1] = items[j + 1], items[j]
    return items


def main():  # << START_OF_TRACE
    return sort({values})
"""


def _text(steps: int, dice: Random) -> str:
    letters = "".join(dice.sample("abcdefghijklmnopqrstuvwxyz", 5))
    return f"""\
def run(n):
    text = ""
    i = 0
    while i < n:
        text += {letters!r}[i % 5]
        if len(text) > 12:
            text = text[5:]
        i += 1
    return text


def main():  # << START_OF_TRACE
    return run({max(1, steps // 4)})
"""


PROGRAMS: Mapping[str, Callable[[int, Random], str]] = {
    "collatz": _collatz,
    "counter": _counter,
    "fibonacci": _fibonacci,
    "nested": _nested,
    "sorting": _sorting,
    "text": _text,
}


def problems(settings: Settings, seed: int, isolation: str = "") -> Sequence[Problem]:
    """Programs of every length."""
    unknown = [name for name in settings.programs if name not in PROGRAMS]
    if unknown:
        raise UserError(f"there is no program {unknown[0]!r}", f"there are: {', '.join(PROGRAMS)}")
    if min(settings.steps) < SHORTEST:
        raise UserError(f"programs of {min(settings.steps)} steps", f"give {SHORTEST} steps or more")
    found = []
    for name in dict.fromkeys(settings.programs):
        for steps in settings.steps:
            for number in range(settings.count):
                source = PROGRAMS[name](steps, Random(f"{seed} {name} {steps} {number}"))
                labels: dict[str, Label] = {"steps": steps, "program": name}
                program = Program(source, Entry("function", "main"), f"{name}.py")
                found.append(Problem(f"{name}/{steps}/{number}", program, labels))
    return found


HORIZON = Benchmark(
    "horizon",
    "programs that run as long as one likes: how many steps until the first error?",
    Settings,
    problems,
    by=("steps", "program"),
    max_steps=200_000,
)
