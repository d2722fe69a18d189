"""This file is the list of models that can be asked for a trace, each loaded when it is first asked for."""

from dataclasses import dataclass
from functools import lru_cache

from worldline import plugins
from worldline.models.model import Ask, Can, Completion, Failed, Model, Token

__all__ = [
    "DEFAULT",
    "MODELS",
    "Ask",
    "Asking",
    "Can",
    "Completion",
    "Failed",
    "Model",
    "Token",
    "model",
    "model_names",
    "preferred",
    "shared_model",
]

ENTRY_POINTS = "worldline.models"
BUSY_BY_THEMSELVES = ("http", "https", "chat", "hf")
"""Models that do several things at once: they are asked from one process."""

MODELS = {
    "embedded": "worldline.models.embedded.model:embedded",
    "oracle": "worldline.models.oracle:oracle",
    "faulty": "worldline.models.faulty:faulty",
    "replay": "worldline.models.replay:replay",
    "http": "worldline.models.http:http",
    "https": "worldline.models.http:https",
    "chat": "worldline.models.chat:chat",
    "hf": "worldline.models.hf:hf",
}
"""Each names a function that takes what follows the colon of `--model NAME:ARGUMENT` and gives a `Model`."""


DEFAULT = "embedded"
"""The model that is asked unless another one is named."""


@dataclass(frozen=True, slots=True)
class Asking:
    """How a model is asked unless something else is said."""

    actions: str = "free"
    context: str = "history"
    rewrite: str = "none"
    stop_below: float = 0.0  # a step of which it is less sure ends the rollout


PREFERRED = {"embedded": Asking("grounded", "state", "atomic", 0.01)}


def preferred(spec: str) -> Asking:
    """The mode that a model is made for."""
    return PREFERRED.get(spec.partition(":")[0], Asking())


def model(spec: str) -> Model:
    """The model that `NAME` or `NAME:ARGUMENT` means."""
    name, _, argument = spec.partition(":")
    loaded: Model = plugins.load(MODELS, ENTRY_POINTS, name)(argument)
    return loaded


@lru_cache(maxsize=1)
def shared_model(spec: str) -> Model:
    """The same, once in this process: for those who need its name here and its answers there."""
    return model(spec)


def engine_for(spec: str) -> str:
    """The engine (see work/engines.py) that suits a model."""
    return "here" if spec.partition(":")[0] in BUSY_BY_THEMSELVES else "processes"


def model_names() -> list[str]:
    """Every model that may be asked for."""
    return plugins.names(MODELS, ENTRY_POINTS)
