"""This file is which names the functions of a program can have: what tells frames of equal lines apart."""

from contextlib import suppress
from functools import lru_cache
from types import CodeType
from typing import NamedTuple

_CO_OPTIMIZED = 1  # a function; modules and classes may have any name


class Names(NamedTuple):
    """The names of one function; of all of that name, if there are several."""

    first: frozenset[str]  # when it is called
    all: frozenset[str]


@lru_cache(maxsize=64)
def names_by_function(sources: tuple[str, ...]) -> dict[str, Names]:
    """The names of every function, by its qualified name; none of a source that does not compile."""
    found: dict[str, Names] = {}
    pending = []
    for source in sources:
        with suppress(SyntaxError, ValueError):
            pending.append(compile(source, "<program>", "exec", dont_inherit=True))
    while pending:
        code = pending.pop()
        pending += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        if code.co_flags & _CO_OPTIMIZED:
            known = found.get(code.co_qualname, Names(frozenset(), frozenset()))
            names = _names(code)
            found[code.co_qualname] = Names(known.first | names.first, known.all | names.all)
    return found


def _names(code: CodeType) -> Names:
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
    first = frozenset(code.co_varnames[:count] + code.co_freevars)
    return Names(first, first | {*code.co_varnames, *code.co_cellvars})
