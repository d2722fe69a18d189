"""This file is the benchmark `probes`: four questions about a run, answered from one rollout (as in REval).

For a line of the program, in this order:

    coverage  does the line run?
    state     what does the variable hold after the line has run for the first time?
    path      which line runs after it, that first time?
    output    what does the program return?

Answers read off one predicted trace cannot contradict each other in the way that separate answers can; what
they can be is right for the wrong reason. So a chain is consistent if no answer is right after one that is
wrong, and sound if all are right. These are our definitions, not REval's incremental consistency.

The programs are rows of a file (`data=`, as for `worldline collect`), or else those of `composition`.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from worldline.bench.composition import COMPOSITION
from worldline.bench.model import Benchmark, Problem, Score
from worldline.diagnose.compare import is_same
from worldline.errors import UserError
from worldline.record.collect import read_rows
from worldline.rollout.model import Finished, Rollout
from worldline.trace.model import Step, Trace

QUESTIONS = ("coverage", "state", "path", "output")


@dataclass(frozen=True, slots=True)
class Settings:
    """What may be set."""

    data: str = ""  # a JSONL file of programs; empty: programs of our own
    lines: int = 4  # that are asked about in each program
    count: int = 4  # programs of each family and depth, where they are our own


def problems(settings: Settings, seed: int, isolation: str = "") -> Sequence[Problem]:
    """Programs, each with the lines that are asked about."""
    if settings.lines < 1:
        raise UserError("probes ask about no line", "give --set lines=4")
    return [
        replace(each, facts={**each.facts, "lines": settings.lines, "seed": seed})
        for each in _programs(settings, seed)
    ]


def _programs(settings: Settings, seed: int) -> Iterator[Problem]:
    if settings.data:
        for row in read_rows(Path(settings.data)):
            yield Problem(row.id, row.program, flaw=row.problem)
    else:
        chosen = replace(COMPOSITION.settings(), depths=(2, 3), count=settings.count)
        yield from COMPOSITION.problems(chosen, seed, "")


@dataclass(frozen=True, slots=True)
class Run:
    """What a trace says about one line of a program."""

    does_run: bool
    state: Mapping[str, str] | None  # after the line has run for the first time, in the same function
    following: int | None  # the line that runs after it


def run_of(trace: Trace, line: int) -> Run:
    """What a trace says about a line."""
    steps = trace.steps
    first = next((at for at, step in enumerate(steps) if step.event == "line" and step.line == line), None)
    if first is None:
        return Run(False, None, None)
    after = next((step for step in steps[first + 1 :] if step.event in ("line", "call")), None)
    return Run(True, _after(steps, first), after.line if after else None)


def _after(steps: Sequence[Step], first: int) -> Mapping[str, str] | None:
    """The state of the same activation when it is next shown."""
    frame = steps[first].frame
    later = (step for step in steps[first + 1 :] if step.frame == frame and step.event == "line")
    step = next(later, None)
    return None if step is None else step.locals


def rescored(score: Score, problem: Problem, rollout: Rollout, real: Trace) -> Score:
    """With the answers to the four questions, for each line that is asked about."""
    dice = Random(f"{problem.facts['seed']} {problem.id}")
    every = lines_of_functions(real.program.source)
    asked = sorted(dice.sample(every, min(problem.facts["lines"], len(every))))
    has_ended = isinstance(rollout.stop, Finished)
    chains = [_chain(real, rollout.trace, line, score.is_right, has_ended) for line in asked]
    totals: dict[str, Any] = {
        name: [sum(chain.get(name, False) for chain in chains), sum(name in chain for chain in chains)]
        for name in QUESTIONS
    }
    answers = [[chain[name] for name in QUESTIONS if name in chain] for chain in chains]
    totals["consistent"] = [sum(map(_is_consistent, answers)), len(answers)]
    totals["sound"] = [sum(map(all, answers)), len(answers)]
    return replace(score, facts=totals)


def lines_of_functions(source: str) -> list[int]:
    """The lines on which a statement of a function begins."""
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    inside = (node for function in functions for node in ast.walk(function) if node is not function)
    plain = (node for node in inside if isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef))
    return sorted({node.lineno for node in plain})


def _chain(real: Trace, said: Trace, line: int, is_right: bool, has_ended: bool) -> dict[str, bool]:
    """Whether each question about a line is answered rightly; what has no answer in reality is not asked."""
    true, told = run_of(real, line), run_of(said, line)
    found = {"coverage": true.does_run == told.does_run and (told.does_run or has_ended)}
    if true.state is not None:
        found["state"] = told.state is not None and _is_same_state(true.state, told.state)
    if true.following is not None:
        found["path"] = true.following == told.following
    return {**found, "output": is_right}


def _is_same_state(true: Mapping[str, str], told: Mapping[str, str]) -> bool:
    return true.keys() == told.keys() and all(is_same(true[name], told[name]) for name in true)


def _is_consistent(answers: Sequence[bool]) -> bool:
    """No answer is right after a wrong one."""
    return list(answers) == sorted(answers, reverse=True)


PROBES = Benchmark(
    "probes",
    "coverage, state, path and output of the same runs, and whether the answers go together",
    Settings,
    problems,
    rescore=rescored,
    is_dense=True,
)
