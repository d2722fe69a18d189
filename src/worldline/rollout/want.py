"""This file is what a rollout wants of a model: text, or how likely each of several texts is."""

from dataclasses import dataclass

from worldline.models.model import Ask, Completion, Failed


@dataclass(frozen=True, slots=True)
class Want:
    """One request."""

    ask: Ask
    is_score: bool = False


Told = Completion | tuple[float, ...] | Failed
"""The answer: log-probabilities of the choices if a score was wanted."""
