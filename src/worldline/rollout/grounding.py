"""This file is a choice between the texts that may come next."""

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass

from worldline.errors import UserError
from worldline.models.model import Ask, Can, Completion, Failed
from worldline.rollout.want import Told, Want


@dataclass(frozen=True, slots=True)
class Chosen:
    """A legal text, and what the model thought of the legal ones."""

    text: str
    probability: float | None = None  # of this text; None: there was nothing to ask, or it is not told
    illegal: float | None = None  # of everything else but the legal texts
    spent: int = 0
    asks: int = 0
    failed: Failed | None = None


def chosen(prefix: str, choices: Sequence[str], can: Can) -> Generator[Want, Told, Chosen]:
    """The likeliest of the choices: by scoring each where the model can, else by holding it to them."""
    if not choices:
        return Chosen("", failed=Failed("nothing may come next", "the program has ended"))
    if len(choices) == 1:
        return Chosen(choices[0])
    if can.scoring:
        told = yield Want(Ask(prefix, choices=tuple(choices)), is_score=True)
        if isinstance(told, Failed):
            return Chosen(choices[0], failed=told)
        assert isinstance(told, tuple)
        best = told.index(max(told))
        legal = sum(map(math.exp, told))
        return Chosen(choices[best], math.exp(told[best]), max(0.0, 1.0 - legal), 0, 1)
    if not can.choices:
        raise UserError(
            "grounded actions need a model that can be held to choices, or that tells log-probabilities",
            "use --actions free or forced, or a server with structured outputs or prompt log-probabilities",
        )
    told = yield Want(Ask(prefix, choices=tuple(choices)))
    if isinstance(told, Failed):
        return Chosen(choices[0], failed=told)
    assert isinstance(told, Completion)
    return Chosen(told.text, None, None, told.spent, 1)
