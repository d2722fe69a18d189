"""This file is how plugins are found: a dict of "module:attribute", then entry points of the same group."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from worldline.errors import UserError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def names(builtin: Mapping[str, str], group: str) -> list[str]:
    """All names one may ask for: our own first, then those of other packages."""
    others = [entry.name for entry in _others(group)]
    return list(dict.fromkeys([*builtin, *others]))


def load(builtin: Mapping[str, str], group: str, name: str) -> Any:
    """The object called `name`, imported only now; an unknown name gets the nearest one and the list."""
    target = builtin.get(name)
    if target is None:
        for entry in _others(group):
            if entry.name == name:
                return entry.load()
        known = names(builtin, group)
        import difflib

        near = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        noun = group.removeprefix("worldline.").removesuffix("s")
        raise UserError(f"no {noun} called {name!r}", f"{hint}there are: {', '.join(known)}")
    module, _, attribute = target.partition(":")
    return getattr(import_module(module), attribute)


def _others(group: str) -> "Iterator[EntryPoint]":
    """The entry points of other packages; what finds them takes longer to import than most that we do."""
    from importlib.metadata import entry_points

    yield from entry_points(group=group)
