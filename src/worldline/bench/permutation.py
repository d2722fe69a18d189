"""This file is the benchmark `permutation`: variables that change places, and nothing else.

Each line assigns all variables at once (`a, b, c = b, a, c`), so that the state after N of them is a product
of N permutations: nothing can be skipped, and nothing but the state has to be known. Forms:

    lines    one line for each assignment, as in the literature
    loop     a loop over a block of lines: the program stays small whatever N is, so that a context of source
             and state does as well (N to 100,000 and more)
    repl     a transcript of an interactive session, in which the state is shown every `spacing` assignments
             (see bench/repl.py)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from worldline.bench.model import Benchmark, Label, Problem
from worldline.bench.repl import session, talk
from worldline.errors import UserError
from worldline.trace.model import Entry, Program

NAMES = "abcdefghijklmnopqrstuvwxyz"
BLOCK = 10  # lines in a loop
KINDS = ("permutations", "swaps")
FORMS = ("lines", "loop", "repl")


@dataclass(frozen=True, slots=True)
class Settings:
    """What may be set."""

    lengths: tuple[int, ...] = (8, 16, 32, 64, 128)  # assignments
    count: int = 10  # programs of each length
    variables: int = 5
    kind: str = "permutations"  # any of them; "swaps": of two variables
    form: str = "lines"
    spacing: int = 1  # assignments from one shown state to the next, in a transcript; see also --reveal


def problems(settings: Settings, seed: int, isolation: str = "") -> Sequence[Problem]:
    """Programs of every length."""
    _check(settings)
    return [
        _problem(settings, length, number, Random(f"{seed} {length} {number}"))
        for length in settings.lengths
        for number in range(settings.count)
    ]


def _check(settings: Settings) -> None:
    if settings.kind not in KINDS or settings.form not in FORMS:
        what = f"there is no kind {settings.kind!r} with the form {settings.form!r}"
        raise UserError(what, f"kinds: {', '.join(KINDS)}; forms: {', '.join(FORMS)}")
    if not 2 <= settings.variables <= len(NAMES):
        raise UserError(f"permutations of {settings.variables} variables", f"give 2 to {len(NAMES)}")
    if settings.spacing < 1 or min(settings.lengths) < 1:
        raise UserError("a length or a spacing of less than one", "give numbers from 1 on")
    if settings.form == "loop" and any(length % BLOCK for length in settings.lengths):
        raise UserError(f"a loop has blocks of {BLOCK} lines", f"give lengths that are multiples of {BLOCK}")


def _problem(settings: Settings, length: int, number: int, dice: Random) -> Problem:
    names = NAMES[: settings.variables]
    name = f"{settings.kind}/{settings.form}/{length}/{number}"
    if settings.form == "repl":
        told = [permuted(names, settings.kind, dice) for _ in range(length)]
        return session(names, told, settings.spacing, name, dice)
    is_loop = settings.form == "loop"
    body = [permuted(names, settings.kind, dice) for _ in range(BLOCK if is_loop else length)]
    values = dice.sample(range(1, 10), len(names)) if len(names) < 10 else range(1, len(names) + 1)
    start = ", ".join(map(str, values))
    arguments = ", ".join(names)
    if is_loop:
        block = "".join(f"        {line}\n" for line in body)
        inside = f"    rounds = 0\n    while rounds < {length // BLOCK}:\n{block}        rounds += 1\n"
    else:
        inside = "".join(f"    {line}\n" for line in body)
    source = (
        f"def track({arguments}):\n{inside}    return {arguments}\n\n\n"
        f"def main():  # << START_OF_TRACE\n    return track({start})\n"
    )
    labels: dict[str, Label] = {"length": length, "kind": settings.kind, "form": settings.form}
    return Problem(name, Program(source, Entry("function", "main")), labels)


def permuted(names: str, kind: str, dice: Random) -> str:
    """One assignment."""
    order = list(names)
    if kind == "swaps":
        i, j = dice.sample(range(len(names)), 2)
        order[i], order[j] = order[j], order[i]
    else:
        dice.shuffle(order)
    return f"{', '.join(names)} = {', '.join(order)}"


PERMUTATION = Benchmark(
    "permutation",
    "variables that change places: how long is the state tracked?",
    Settings,
    problems,
    by=("length",),
    talk=talk,
    max_steps=500_000,
)
