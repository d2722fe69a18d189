"""This file is what is written down of a run: its setting, by which it is known again, and the versions."""

import json
import platform
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import PurePath
from types import ModuleType
from typing import Any

import worldline
from worldline.learn.training.config import Options, Training

WITHOUT_EFFECT = frozenset({"folder", "device", "checkpoint_every", "tensorboard"})
"""Options that may differ when a run goes on: but for the last digits of another device's sums they change no
weight and no line of the log."""


def setting_of(config: Training) -> dict[str, Any]:
    """All that decides about the weights, as JSON; code by its name."""
    told = described(config)
    kept = [field.name for field in fields(Options) if field.name not in WITHOUT_EFFECT]
    told["options"] = {name: told["options"][name] for name in kept}
    return dict(json.loads(json.dumps(told)))


def described(thing: Any) -> Any:
    """Anything in a config as JSON."""
    if thing is None or isinstance(thing, bool | int | float | str):
        return thing
    if is_dataclass(thing) and not isinstance(thing, type):
        return {field.name: described(getattr(thing, field.name)) for field in fields(thing)}
    if isinstance(thing, Mapping):
        return {str(name): described(value) for name, value in thing.items()}
    if isinstance(thing, list | tuple):
        return [described(each) for each in thing]
    if isinstance(thing, set | frozenset):
        return sorted((described(each) for each in thing), key=repr)
    owner = getattr(thing, "__self__", None)
    if owner is not None and not isinstance(owner, ModuleType):  # a method
        return [described(owner), thing.__name__]
    if isinstance(thing, partial):
        return [described(thing.func), described(thing.args), described(thing.keywords)]
    if isinstance(thing, PurePath | bytes | Enum) or type(thing).__qualname__ in ("dtype", "device"):
        return str(thing)
    if getattr(thing, "shape", None) == () and hasattr(thing, "item"):  # a number of numpy's
        return described(thing.item())
    named = thing if hasattr(thing, "__qualname__") else type(thing)
    return f"{named.__module__}:{named.__qualname__}"


def versions() -> dict[str, str]:
    """What a run was made with."""
    found = {"worldline": worldline.__version__, "python": platform.python_version()}
    for name in ("torch", "numpy", "safetensors"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
