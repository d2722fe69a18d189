"""This file is how a recipe is found: a function in a Python file of the user's own that returns a config."""

import importlib.util
import inspect
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import fields, make_dataclass, replace
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

from worldline.bench.model import changed
from worldline.errors import UserError
from worldline.learn.training.config import Options, Training
from worldline.learn.training.users_code import told_as

EXAMPLE = "recipes/example.py:copying"


def recipe(target: str, settings: Sequence[str] = ()) -> Training:
    """The config of `FILE.py:NAME`; of `FILE.py` alone that of the function called like the file.

    Args:
        target: the file and the function in it.
        settings: `NAME=VALUE` changes. Parameters of the function come first: it must have defaults for them;
            every other name is one of the `Options`.
    """
    path, name = _parts(target)
    if not path.endswith(".py"):
        raise UserError(f"{target} names no recipe", f"write the file and the function: {EXAMPLE}")
    make = _function(_module(Path(path)), path, name)
    parameters = _parameters(make, target)
    known = {*(field.name for field in fields(parameters)), *(field.name for field in fields(Options))}
    for each in settings:
        if "=" not in each or each.partition("=")[0] not in known:
            raise UserError(f"{target} has no setting {each!r}", f"there are: {', '.join(sorted(known))}")
    own = {field.name for field in fields(parameters)}
    mine = [each for each in settings if each.partition("=")[0] in own]
    values = changed(target, parameters, mine)
    with told_as(f"{target} cannot be made", "look at the recipe, and at what --set gives it"):
        made = make(**{field.name: getattr(values, field.name) for field in fields(values)})
    if not isinstance(made, Training):
        raise UserError(f"{target} returns a {type(made).__name__}", "a recipe returns a Training")
    others = [each for each in settings if each not in mine]
    return replace(made, options=changed(target, made.options, others))


def default_folder(target: str, settings: Sequence[str]) -> str:
    """A folder here that the same command finds again."""
    path, name = _parts(target)
    told = re.sub(r"[^\w.-]+", "-", f"{Path(path).stem}-{name}")
    return f"{told}-{sha256(repr((target, sorted(settings))).encode()).hexdigest()[:6]}"


def _parts(target: str) -> tuple[str, str]:
    """The file and the name of the function."""
    path, _, name = target.rpartition(":")
    return (target, Path(target).stem) if target.endswith(".py") else (path, name)


def _module(path: Path) -> ModuleType:
    """The file as a module; it may import its neighbours, as a script may."""
    if not path.is_file():
        raise UserError(f"there is no file {path}", f"name a recipe like {EXAMPLE}")
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    name = f"recipe_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    with told_as(f"{path} cannot be loaded", f"try it alone: python {path}"):
        spec.loader.exec_module(module)
    return module


def _function(module: ModuleType, path: str, name: str) -> Callable[..., Any]:
    found = getattr(module, name, None)
    if name and not name.startswith("_") and inspect.isfunction(found):
        return found
    names = [
        each
        for each, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__ and not each.startswith("_")
    ]
    recipes = [each for each in names if _has_defaults(getattr(module, each))]
    hint = f"there are: {', '.join(f'{path}:{each}' for each in recipes)}" if recipes else f"as in {EXAMPLE}"
    raise UserError(f"{path} has no recipe {name!r}", hint)


def _has_defaults(make: Callable[..., Any]) -> bool:
    empty = inspect.Parameter.empty
    return all(each.default is not empty for each in inspect.signature(make).parameters.values())


def _parameters(make: Callable[..., Any], target: str) -> Any:
    """A recipe's parameters as settings."""
    parts: list[tuple[str, Any, Any]] = []
    for name, parameter in inspect.signature(make).parameters.items():
        if not isinstance(parameter.default, int | float | str | tuple) or parameter.default == ():
            told = f"the parameter {name} of {target} has no default, or an empty one"
            raise UserError(told, f"give it a number or a text: def ...({name}=8)")
        parts.append((name, type(parameter.default), parameter.default))
    return make_dataclass("Parameters", parts, frozen=True)()
