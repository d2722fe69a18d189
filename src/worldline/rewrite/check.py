"""This file is the proof by running: original and rewritten program, side by side in boxes of their own.

Both run on the given call and on calls derived from it (`mutate.py`); result, exception, output, arguments
and what they share are compared. A call that differs is made as small as it goes (`simplify.py`).
Not covered: inputs that were not tried; what `check_values.py` and `check_child.py` say they do not see.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from worldline.errors import UserError, missing_extra
from worldline.record.box import Limits, choose
from worldline.record.entry import parsed
from worldline.rewrite import mutate
from worldline.rewrite.call_text import same_types
from worldline.rewrite.check_runs import STOPPED, Observation, Setting, observe
from worldline.rewrite.simplify import simpler, weight
from worldline.trace.model import Program

_DEPTH, _DEEPER = 1_000, 5_000  # recursion limits: the rewritten program calls more functions
_BATCH = 40  # simpler calls that are tried at once
_ROUNDS = 12  # of making a call simpler


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """How long, and how well locked in, the programs may run."""

    limits: Limits = field(default_factory=Limits)  # the seconds are those of the given call, in the original
    isolation: str = "process"
    roots: tuple[Path, ...] = ()  # folders whose files are the user's own
    seconds: float = 0.25  # of one derived call in the original; one that takes longer is not counted
    total: float = 3.0  # of all derived calls together, in the original
    slower: float = 50.0  # times longer that the rewritten program may take,
    slack: float = 5.0  # and seconds beside
    patience: float = 60.0  # seconds of all calls of the rewritten program together


@dataclass(frozen=True, slots=True)
class Difference:
    """One input on which the rewritten program does something else."""

    call: str  # the smallest that was found; the entry's text if it is no call
    respect: str  # ending, value, exception, output, laziness, arguments, identity
    original: str  # what it did
    rewritten: str
    found: str  # the call that first showed it

    def __str__(self) -> str:
        return f"{self.call}: {self.respect}\n  original:  {self.original}\n  rewritten: {self.rewritten}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether two programs do the same, on how many inputs."""

    equal: bool  # something was compared, and no difference was found
    inputs: int  # compared
    skipped: int  # not counted
    reasons: Mapping[str, int]  # why they were skipped -> how many
    difference: Difference | None = None


def check(
    original: Program,
    rewritten: Program,
    *,
    n: int = 20,
    seed: int = 0,
    options: CheckOptions | None = None,
) -> Verdict:
    """Run both programs and compare what they do.

    Args:
        original: what it should do; its entry decides on the inputs.
        rewritten: the other one, with an entry of the same kind.
        n: how many inputs, the given one included; scripts, marked functions and tests have only that one.
        seed: the same seed derives the same inputs.
        options: limits and isolation.
    """
    entry = original.entry
    if rewritten.entry.kind != entry.kind:
        raise UserError(
            f"the programs start differently: {entry.kind} and {rewritten.entry.kind}",
            "rewrite keeps the entry",
        )
    if original.language != "python" or rewritten.language != "python":
        raise UserError("only Python programs can be checked", "see `worldline rewrite --help`")
    if entry.kind != "test":
        parsed(original.source, original.path)
    calls = mutate.calls(entry.text, n, seed) if entry.kind == "call" else (entry.text,)
    pair = _Pair(original, rewritten, options or CheckOptions())
    compared = pair.compare(calls, is_given=True)
    if entry.kind == "test":
        _expect_test(compared[0].original, entry.text)
    skipped = Counter(one.skipped for one in compared if one.skipped)
    suspects = [one for one in compared if one.respect]
    differing = pair.steady(suspects)
    if len(differing) < len(suspects):
        skipped["the original is not the same twice"] += len(suspects) - len(differing)
    inputs = len(compared) - skipped.total()
    difference = pair.smallest(differing) if differing else None
    return Verdict(not differing and inputs > 0, inputs, skipped.total(), dict(skipped), difference)


def _expect_test(seen: Observation, name: str) -> None:
    """Complain of a test that was not run at all: it would be equal to any other."""
    if seen.value == "ModuleNotFoundError: No module named 'pytest'":
        raise missing_extra("pytest", "laws")
    if seen.value.startswith("NoSuchTest:"):
        raise UserError(f"pytest finds no test {name}", "list them: pytest --collect-only -q")


def check_all(
    pairs: Iterable[tuple[Program, Program]],
    *,
    n: int = 20,
    seed: int = 0,
    options: CheckOptions | None = None,
    workers: int = 2,
) -> Iterator[Verdict | UserError]:
    """The verdict on each pair, in their order; a pair that cannot be run gives the error in its place."""
    waiting: list[Future[Verdict | UserError]] = []
    with ThreadPoolExecutor(workers) as pool:
        try:
            for original, rewritten in pairs:
                waiting.append(pool.submit(_checked, original, rewritten, n, seed, options))
                if len(waiting) >= 4 * workers:
                    yield waiting.pop(0).result()
            while waiting:
                yield waiting.pop(0).result()
        finally:
            for future in waiting:
                future.cancel()


def _checked(
    original: Program, rewritten: Program, n: int, seed: int, options: CheckOptions | None
) -> Verdict | UserError:
    try:
        return check(original, rewritten, n=n, seed=seed, options=options)
    except UserError as error:
        return error


@dataclass(frozen=True, slots=True)
class _Compared:
    """One input in both programs: why it was skipped, or in which respect they differ, or neither."""

    call: str
    original: Observation
    rewritten: Observation
    skipped: str = ""
    respect: str = ""


class _Pair:
    """Two programs and how to run them."""

    def __init__(self, original: Program, rewritten: Program, options: CheckOptions) -> None:
        self._original = original
        self._rewritten = rewritten
        self._options = options
        self._level = choose(options.isolation)

    def compare(self, calls: Sequence[str], is_given: bool = False) -> list[_Compared]:
        """Run both on all calls; the given one, which is the first, may take the most time."""
        before = self._observe_original(calls, is_given)
        wanted = [(call, seen) for call, seen in zip(calls, before, strict=True) if seen.how not in STOPPED]
        after = iter(self._observe_rewritten(wanted))
        return [
            _compared(call, seen, Observation("unasked") if seen.how in STOPPED else next(after))
            for call, seen in zip(calls, before, strict=True)
        ]

    def steady(self, suspects: Sequence[_Compared]) -> list[_Compared]:
        """Those inputs for which the original does the same when it is run again."""
        if not suspects:
            return []
        again = self._observe_original([one.call for one in suspects], is_given=True)
        return [one for one, seen in zip(suspects, again, strict=True) if not one.original.difference(seen)]

    def smallest(self, differing: Sequence[_Compared]) -> Difference:
        """The smallest input that still differs, by steps that make it simpler."""
        first, is_call = differing[0].call, self._original.entry.kind == "call"
        given = self._original.entry.text
        alike = [one for one in differing if is_call and same_types(one.call, given)]
        found = min(alike or differing, key=lambda one: weight(one.call))
        for _ in range(_ROUNDS if is_call and found.rewritten.how not in STOPPED else 0):
            tried = [one for one in self.compare(simpler(found.call)[:_BATCH]) if one.respect]
            tried = [one for one in tried if one.rewritten.how not in STOPPED]
            if not tried:
                break
            found = min(tried, key=lambda one: weight(one.call))
        return Difference(found.call, found.respect, str(found.original), str(found.rewritten), first)

    def _observe_original(self, calls: Sequence[str], is_given: bool) -> list[Observation]:
        options = self._options
        given = options.limits.seconds if is_given else options.seconds
        timed = [(call, options.seconds if number else given) for number, call in enumerate(calls)]
        return observe(self._original, timed, self._setting(_DEPTH, given + options.total))

    def _observe_rewritten(self, wanted: Sequence[tuple[str, Observation]]) -> list[Observation]:
        options = self._options
        timed = [(call, options.slower * seen.seconds + options.slack) for call, seen in wanted]
        total = max([options.patience, *(math.ceil(seconds) for _, seconds in timed[:1])])
        return observe(self._rewritten, self._entered(timed), self._setting(_DEEPER, total))

    def _entered(self, timed: list[tuple[str, float]]) -> list[tuple[str, float]]:
        """A function or a test may have another name in the rewritten program."""
        entry = self._rewritten.entry
        return timed if entry.kind == "call" else [(entry.text, seconds) for _, seconds in timed]

    def _setting(self, depth: int, total: float) -> Setting:
        options = self._options
        return Setting(options.limits, self._level, options.roots, depth, total, is_final=depth == _DEEPER)


def _compared(call: str, original: Observation, rewritten: Observation) -> _Compared:
    if original.how in STOPPED:
        return _Compared(call, original, rewritten, skipped=_reason(original))
    if rewritten.how == "unasked":
        return _Compared(call, original, rewritten, skipped="no time was left for the rewritten program")
    if (original.how, original.value) == ("raised", "RecursionError"):
        is_same = (rewritten.how, rewritten.value) == ("raised", "RecursionError")
        return _Compared(
            call, original, rewritten, skipped="" if is_same else "the original ran out of stack"
        )
    return _Compared(call, original, rewritten, respect=original.difference(rewritten))


def _reason(original: Observation) -> str:
    if original.how == "unseen":
        return f"what the original did could not be looked at: {original.value}"
    return _REASONS.get(original.how, f"the original was stopped: {original.how}")


_REASONS = {
    "time": "the original did not end in its time",
    "unasked": "no time was left for the original",
    "memory": "the original ran out of memory",
    "crashed": "the original crashed",
}
