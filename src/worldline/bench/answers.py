"""This file is answers that others have collected, scored as if a model had just given them.

`--model answers:FILE` takes CRUXEval's generations or scored files, and the sample logs of lm-evaluation-
harness. There is no trace, so that only the outcome is scored: by value, and as the benchmark itself does it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from worldline.bench.cruxeval import is_one_call
from worldline.bench.exchange import cruxeval_files, lm_eval_logs
from worldline.bench.model import Benchmark, Item, Mode, Problem, Score
from worldline.diagnose.literals import same_value
from worldline.diagnose.subject import subject
from worldline.errors import UserError

PREFIX = "answers:"


def is_answers(model: str) -> bool:
    """Whether `--model` names a file of answers."""
    return model.startswith(PREFIX)


@lru_cache(maxsize=1)
def answers(model: str) -> dict[str, list[str]]:
    """The answers to each problem, by its id."""
    path = Path(model.removeprefix(PREFIX))
    if path.suffix == ".jsonl":
        return lm_eval_logs.read_answers(path)
    return cruxeval_files.read_answers(path)


def answers_name(model: str) -> str:
    """The file, and what tells it from another of the same name."""
    path = Path(model.removeprefix(PREFIX))
    answers(model)  # so that a file that is none is refused by what reads it
    return f"{PREFIX}{path.name}#{sha256(path.read_bytes()).hexdigest()[:8]}"


def answered_items(model: str, problems: Sequence[Problem]) -> list[Item]:
    """An item for each answer; a problem that nobody has answered is asked once, in vain."""
    given = answers(model)
    if not any(problem.id in given for problem in problems):
        raise UserError(f"{model}: none of its ids is in the data", "give the data that it was made with")
    found = []
    for problem in problems:
        for seed, answer in enumerate(given.get(problem.id) or [""]):
            facts = {**problem.facts, "answer": answer}
            found.append(Item(replace(problem, facts=facts), Mode(), seed))
    return found


def score_answers(items: Sequence[Item], benchmark: Benchmark, isolation: str) -> Iterator[Score]:
    """Score each answer."""
    for item in items:
        yield _score(item, benchmark, isolation)


def _unanswered(problem: Problem) -> Problem:
    """The problem as others are asked it."""
    facts = {name: value for name, value in problem.facts.items() if name != "answer"}
    return replace(problem, facts=facts)


def _score(item: Item, benchmark: Benchmark, isolation: str) -> Score:
    problem, answer = item.problem, item.problem.facts["answer"] or None
    score = Score(
        problem.id,
        item.mode.name,
        item.seed,
        problem.labels,
        False,
        False,
        given=answer,
        expected=problem.expected,
        isolation=isolation,
        asked=_unanswered(problem).asked,
    )
    if problem.flaw:
        return replace(score, flaw=problem.flaw)
    if problem.program is not None:
        try:
            score = replace(score, real=subject(problem.program, None, isolation).real.ending.value)
        except UserError as error:
            return replace(score, flaw=error.what)
        is_right = answer is not None and score.real is not None and same_value(answer, score.real)
        score = replace(score, is_right=is_right)
    if benchmark.judge is None:
        return score
    by_reference = benchmark.judge(score, problem)
    is_right = score.is_right if problem.program is not None else by_reference and is_one_call(answer or "")
    return replace(score, is_right=is_right, is_right_by_reference=by_reference)
