"""This file is how plugins are found: a dict of "module:attribute", then entry points of the same group."""

import difflib
from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from worldline.errors import UserError


def names(builtin: Mapping[str, str], group: str) -> list[str]:
    """All names one may ask for: our own first, then those of other packages."""
    others = [entry.name for entry in entry_points(group=group)]
    return list(dict.fromkeys([*builtin, *others]))


def load(builtin: Mapping[str, str], group: str, name: str) -> Any:
    """The object called `name`, imported only now; an unknown name gets the nearest one and the list."""
    target = builtin.get(name)
    if target is None:
        for entry in entry_points(group=group):
            if entry.name == name:
                return entry.load()
        known = names(builtin, group)
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        noun = group.removeprefix("worldline.").removesuffix("s")
        raise UserError(f"no {noun} called {name!r}", f"{hint}there are: {', '.join(known)}")
    module, _, attribute = target.partition(":")
    return getattr(import_module(module), attribute)
