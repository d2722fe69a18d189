"""This file is the verb `degrade`: programs are run with errors of known kinds at known rates.

Each task or row takes two boxes: in the first its programs run with hooks but no errors, which tells the
places and leaves out mutants that never end; in the second as they are, which must give the same, and with
errors. A run with errors may visit ten times the hooks of the real one, and so many at least that short ones
can err; what goes on for longer has no answer.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from itertools import islice

from worldline.bench.degrade.model import KINDS, Degraded, Task
from worldline.bench.degrade.mutants import mutants
from worldline.bench.degrade.runs import NO_LIMIT, Answer, Run, answers
from worldline.errors import UserError
from worldline.record.box import choose
from worldline.record.collect import Row
from worldline.record.entry import call_entry
from worldline.trace.model import Entry

RATES = (0.0, 0.003, 0.01, 0.03, 0.1, 0.3)
BUDGETS = (5, 10, 20, 40, 80, 160)
CANDIDATES = 6  # of a task, with the right one
_TRIED = 24  # mutants, of which those that differ in behaviour are taken
_LONGER = 10  # a run with errors may take so many times the visits of the real one,
_VISITS = 3_000  # and so many at least
_ENOUGH = 20_000  # visits of a mutant that is taken
_NOT_RUN = Answer("not run")


@dataclass(frozen=True, slots=True)
class _Work:
    """Programs and inputs of one task or row."""

    name: str
    sources: tuple[tuple[str, str], ...]  # and what was changed; the right one first
    entries: tuple[Entry, ...]
    is_ranked: bool

    @property
    def texts(self) -> list[str]:
        """The programs alone."""
        return [source for source, _ in self.sources]


@dataclass(frozen=True, slots=True)
class _Runs:
    """All runs of a program on one input."""

    clean: Answer  # with hooks, but no errors
    real: Answer = _NOT_RUN
    lines: Answer = _NOT_RUN
    errors: tuple[tuple[Answer, ...], ...] = ()  # by setting and seed

    @property
    def flaw(self) -> str:
        """Why it cannot be degraded."""
        if not self.clean.is_given:
            return f"it has no answer: {self.clean.how}"
        for other, words in ((self.real, "without hooks"), (self.lines, "when its lines are counted")):
            if other.text != self.clean.text:
                return f"it is not the same twice: {words} it gives {other.text[:80]}"
        return ""

    def places(self, kind: str) -> int:
        """Where an error of a kind could happen."""
        return (*self.clean.places, self.lines.lines)[KINDS.index(kind)]


def degrade(
    work: Iterable[Task | Row],
    kinds: Sequence[str] = KINDS,
    rates: Sequence[float] = RATES,
    seeds: int = 8,
    isolation: str = "process",
    budgets: Sequence[int] = BUDGETS,
) -> Iterator[Degraded]:
    """Run every program with errors; all records of a task or row come together, as they are ready.

    Args:
        work: tasks, of which wrong candidates are made to be ranked; or rows, for their answers alone.
        kinds: some of `KINDS`.
        rates: the probability of an error at each place; not for truncation.
        seeds: runs for each kind and rate; truncation leaves nothing to chance and has one.
        isolation: of the box, see `record`.
        budgets: lines that truncation lets run.
    """
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown:
        raise UserError(f"there is no kind of error {unknown[0]!r}", f"there are: {', '.join(KINDS)}")
    bad = [rate for rate in rates if not 0 <= rate <= 1]
    if bad or seeds < 1:
        raise UserError(
            f"no such rate or number of seeds: {bad or seeds}", "rates are 0 to 1, seeds 1 or more"
        )
    level = choose(isolation)
    settings = [
        (kind, float(rate)) for kind in kinds for rate in (budgets if kind == "truncation" else rates)
    ]
    workers = os.cpu_count() or 1
    with ThreadPoolExecutor(workers) as pool:
        running: set[Future[list[Degraded]]] = set()
        try:
            for one in work:
                running.add(pool.submit(_degrade_one, one, settings, seeds, level))
                if len(running) >= 2 * workers:
                    finished, running = wait(running, return_when=FIRST_COMPLETED)
                    yield from (record for future in finished for record in future.result())
            while running:
                finished, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (record for future in finished for record in future.result())
        finally:
            for future in running:
                future.cancel()


def _degrade_one(
    one: Task | Row, settings: Sequence[tuple[str, float]], seeds: int, level: str
) -> list[Degraded]:
    """All records of one task or row."""
    try:
        work = _work(one)
        found = _clean(work, level)
        if work.is_ranked:
            work, found = _chosen(work, found)
        _add_errors(work, found, settings, seeds, level)
    except UserError as error:
        name, call = (one.name, one.calls[0]) if isinstance(one, Task) else (one.id, "")
        return [Degraded(name, 0, "", call, kind, rate, flaw=error.what) for kind, rate in settings]
    wanted = [runs.real.text for runs in found[0]]
    return [
        _record(work, (program, entry, place), runs, setting, wanted[entry], level)
        for program, row in enumerate(found)
        for entry, runs in enumerate(row)
        for place, setting in enumerate(settings)
    ]


def _work(one: Task | Row) -> _Work:
    if isinstance(one, Task):
        entries = tuple(call_entry(one.source, f"{one.name}.py", call) for call in one.calls)
        changed = mutants(one.source, _TRIED, 0)
        return _Work(one.name, ((one.source, ""), *changed), entries, True)
    if one.program is None:
        raise UserError(one.problem, "see `worldline collect`")
    if one.program.entry.kind == "test":
        raise UserError("a test has no answer that could be predicted", "give a program with a call")
    return _Work(one.id, ((one.program.source, ""),), (one.program.entry,), False)


def _clean(work: _Work, level: str) -> list[list[_Runs]]:
    """What each program does on each input with hooks, but no errors."""
    programs, entries = range(len(work.sources)), range(len(work.entries))
    runs = [
        Run(program, entry, "clean", limit=_ENOUGH if program else NO_LIMIT)
        for program in programs
        for entry in entries
    ]
    said = iter(answers(work.texts, work.entries, runs, level))
    return [[_Runs(next(said)) for _ in entries] for _ in programs]


def _chosen(work: _Work, found: list[list[_Runs]]) -> tuple[_Work, list[list[_Runs]]]:
    """The right program and a few mutants: all have answers, no two of them the same ones."""
    kept: dict[tuple[str, ...], int] = {}
    for place, row in enumerate(found):
        if place == 0 or all(runs.clean.is_given for runs in row):
            kept.setdefault(tuple(runs.clean.text for runs in row), place)
    places = list(kept.values())[:CANDIDATES]
    sources = tuple(work.sources[place] for place in places)
    return replace(work, sources=sources), [found[place] for place in places]


def _add_errors(
    work: _Work, found: list[list[_Runs]], settings: Sequence[tuple[str, float]], seeds: int, level: str
) -> None:
    """Add the runs of the programs as they are, and those with errors."""
    sound = [
        (program, entry)
        for program, row in enumerate(found)
        for entry, runs in enumerate(row)
        if runs.clean.is_given
    ]
    counts = [1 if kind == "truncation" else seeds for kind, _ in settings]
    wanted: list[Run] = []
    for program, entry in sound:
        limit = max(_VISITS, _LONGER * found[program][entry].clean.visits)
        wanted += [Run(program, entry, "real"), Run(program, entry, "lines")]
        for (kind, rate), count in zip(settings, counts, strict=True):
            wanted += [Run(program, entry, kind, rate, seed, limit) for seed in range(count)]
    said = iter(answers(work.texts, work.entries, wanted, level) if wanted else ())
    for program, entry in sound:
        real, lines = next(said), next(said)
        errors = tuple(tuple(islice(said, count)) for count in counts)
        found[program][entry] = _Runs(found[program][entry].clean, real, lines, errors)


def _record(
    work: _Work, case: tuple[int, int, int], runs: _Runs, setting: tuple[str, float], wanted: str, level: str
) -> Degraded:
    """One of a program, an input and a setting, by their places."""
    program, entry, place = case
    kind, rate = setting
    said = () if runs.flaw else runs.errors[place]
    given = [answer.text if answer.is_given else None for answer in said]
    return Degraded(
        work.name,
        program,
        work.sources[program][1],
        work.entries[entry].text,
        kind,
        rate,
        runs.places(kind),
        runs.real.text,
        runs.real.text == wanted,
        tuple(text == runs.real.text for text in given),
        tuple(text == wanted for text in given),
        tuple(answer.errors for answer in said),
        dict(Counter(answer.how for answer in said if not answer.is_given)),
        level,
        runs.flaw,
    )
