"""The embedded model with a network that is never wrong: what is left is its bookkeeping."""

from collections.abc import Sequence

from worldline.models.embedded.model import Embedded
from worldline.models.embedded.prompts import UnclearError
from worldline.models.embedded.questions import Question


def right_answers(questions: Sequence[Question]) -> list[tuple[list[int], float]]:
    """The answer that would be right, where there is one."""
    found: list[tuple[list[int], float]] = []
    for question in questions:
        try:
            found.append((question.right()[:-1], 1.0))
        except UnclearError:
            found.append(([], 0.0))
    return found


def perfect() -> Embedded:
    """A new one, which remembers nothing."""
    return Embedded(right_answers)
