"""This file is the benchmark `tokens`: what a set of traces costs in each format, and whose budget it breaks.

No model is asked. A problem is cut at a budget if the program and its whole true trace do not fit together.
"""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from statistics import mean, median

from worldline.diagnose.subject import Subject, subject
from worldline.errors import UserError
from worldline.formats import format as load_format
from worldline.record.collect import Row
from worldline.rewrite import Level
from worldline.tokens import tokenizer

BUDGETS = (8_192, 32_768, 131_072)
AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class Budget:
    """What a set costs in one format, read by one tokenizer."""

    format: str
    tokenizer: str
    rewrite: str  # level, or empty
    count: int  # traces
    mean: float  # tokens of a trace, its prompt included
    median: float
    largest: int
    steps: float  # mean
    cut: dict[int, int]  # how many do not fit a budget of so many tokens
    unfinished: int  # traces that hit the recording's own limit: they cost more than is told


@dataclass(frozen=True, slots=True)
class _Cost:
    tokens: int
    steps: int
    is_whole: bool


def budgets(
    rows: Sequence[Row],
    formats: Sequence[str],
    tokenizers: Sequence[str],
    level: Level | None = None,
    isolation: str = "process",
    cuts: Sequence[int] = BUDGETS,
) -> tuple[list[Budget], list[str]]:
    """What the set costs, and which rows could not be recorded."""
    flaws: list[str] = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = [each for each in pool.map(lambda row: _subject(row, level, isolation, flaws), rows) if each]
    if not found:
        raise UserError("no program of the set could be recorded", flaws[0] if flaws else "give a JSONL file")
    told = [
        _budget(form, reader, level, _costs(found, form, reader), cuts)
        for form in formats
        for reader in tokenizers
    ]
    return told, flaws


def _subject(row: Row, level: Level | None, isolation: str, flaws: list[str]) -> Subject | None:
    try:
        if row.program is None:
            raise UserError(row.problem)
        return subject(row.program, level, isolation, 200_000)
    except UserError as error:
        flaws.append(f"{row.id}: {error.what}")
        return None


def _costs(subjects: Iterable[Subject], form: str, reader: str) -> list[_Cost]:
    written, counted = load_format(form), tokenizer(reader)
    return [
        _Cost(
            counted.count(written.prompt(each.program)) + counted.count(written.encode(each.real)),
            len(each.real.steps),
            each.real.ending.is_complete,
        )
        for each in subjects
    ]


def _budget(
    form: str, reader: str, level: Level | None, costs: Sequence[_Cost], cuts: Sequence[int]
) -> Budget:
    tokens = [each.tokens for each in costs]
    return Budget(
        form,
        reader,
        level or "",
        len(costs),
        mean(tokens),
        median(tokens),
        max(tokens),
        mean(each.steps for each in costs),
        {cut: sum(each > cut for each in tokens) for cut in cuts},
        sum(not each.is_whole for each in costs),
    )
