"""This file is the list of models that can be asked for a trace, each loaded when it is first asked for."""

from worldline import plugins
from worldline.models.model import Ask, Can, Completion, Failed, Model, Token

__all__ = ["MODELS", "Ask", "Can", "Completion", "Failed", "Model", "Token", "model", "model_names"]

ENTRY_POINTS = "worldline.models"

MODELS = {
    "oracle": "worldline.models.oracle:oracle",
    "faulty": "worldline.models.faulty:faulty",
    "replay": "worldline.models.replay:replay",
    "http": "worldline.models.http:http",
    "https": "worldline.models.http:https",
    "chat": "worldline.models.chat:chat",
    "hf": "worldline.models.hf:hf",
}
"""Each names a function that takes what follows the colon of `--model NAME:ARGUMENT` and gives a `Model`."""


def model(spec: str) -> Model:
    """The model that `NAME` or `NAME:ARGUMENT` means."""
    name, _, argument = spec.partition(":")
    loaded: Model = plugins.load(MODELS, ENTRY_POINTS, name)(argument)
    return loaded


def model_names() -> list[str]:
    """Every model that may be asked for."""
    return plugins.names(MODELS, ENTRY_POINTS)
