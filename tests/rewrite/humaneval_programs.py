"""This file is HumanEval as programs: each canonical solution with the calls that its own test makes."""

from dataclasses import dataclass
from functools import cache

from worldline.bench.humaneval import calls_of, rows
from worldline.trace.model import Entry, Program

MAX_CALL = 2_000  # characters; longer ones are no input to read


@dataclass(frozen=True)
class Problem:
    """One problem."""

    id: str
    calls: tuple[Program, ...]  # a program for each call of the test whose arguments are literals
    script: Program  # the solution, its test, and the call of that test


@cache
def problems() -> tuple[Problem, ...]:
    """All problems, in their order."""
    return tuple(_problem(row) for row in rows())


def _problem(row: dict[str, str]) -> Problem:
    path = row["task_id"].replace("/", "_") + ".py"
    solution = row["prompt"] + row["canonical_solution"]
    name = row["entry_point"]
    return Problem(
        row["task_id"],
        tuple(
            Program(solution, Entry("call", call), path)
            for call in calls_of(solution, row["test"], name, MAX_CALL, "process")
        ),
        Program(f"{solution}\n{row['test']}\ncheck({name})\n", Entry("script"), path),
    )
