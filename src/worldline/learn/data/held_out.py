"""This file is single statements of held-out programs: what a network is asked along the real path of each.

A program is drawn, rewritten to atomic steps, recorded; then it is gone through once more with the right
answers, which must give the recorded trace. All questions on the way are what a network can be tested with.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from worldline.diagnose.divergence import first_divergence
from worldline.diagnose.prediction import of_trace
from worldline.diagnose.subject import subject
from worldline.errors import UserError
from worldline.learn.data.programs import program
from worldline.models.embedded.model import Embedded
from worldline.models.embedded.prompts import UnclearError
from worldline.models.embedded.questions import Question
from worldline.rollout.options import RolloutOptions
from worldline.rollout.rollout import predict
from worldline.trace.model import Program

HELD_OUT = 1_000_000  # the first number of a program that is for tests only
MODE = RolloutOptions(actions="grounded", context="state", max_tokens=10**9, max_steps=20_000, seconds=600.0)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its right answer."""

    question: Question
    answer: tuple[int, ...]  # without its end


@dataclass(frozen=True, slots=True)
class Path:
    """What is asked along the real path of a program."""

    program: Program
    steps: int
    asked: tuple[Asked, ...]
    is_whole: bool  # whether right answers give the real trace: all of it can be asked about
    unclear: int  # questions whose right answer cannot be written down


def path(number: int, isolation: str = "process") -> Path | None:
    """Of one program; None: it cannot be recorded to its end."""
    try:
        ready = subject(program(number), "atomic", isolation, MODE.max_steps, is_trimmed=False)
    except UserError:
        return None
    met: list[Asked] = []
    unclear = 0

    def right(questions: Sequence[Question]) -> list[tuple[list[int], float]]:
        nonlocal unclear
        found: list[tuple[list[int], float]] = []
        for question in questions:
            try:
                answer = question.right()[:-1]
            except UnclearError:
                found.append(([], 0.0))
                unclear += 1
                continue
            met.append(Asked(question, tuple(answer)))
            found.append((answer, 1.0))
        return found

    said = predict(ready.program, Embedded(right), MODE)
    is_whole = first_divergence(ready.real, of_trace(said.trace)) is None
    return Path(ready.program, len(ready.real.steps), tuple(met), is_whole, unclear)
