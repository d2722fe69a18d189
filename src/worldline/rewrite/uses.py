"""This file is how the names of a scope are used: how often, and whether only to be walked through once."""

import ast
from collections import Counter
from dataclasses import dataclass

WALKERS = frozenset(
    {
        *("list", "tuple", "set", "frozenset", "sorted", "sum", "any", "all", "min", "max", "dict"),
        *("enumerate", "zip", "map", "filter", "next", "iter"),
    }
)
"""Built-in functions that take any iterable, and look at nothing but its items."""
WALKING_METHODS = frozenset({"join", "extend", "update", "union", "fromkeys"})
CALLERS = frozenset({"map", "filter"})
"""Built-in functions that call their first argument."""
KEYED = frozenset({"sorted", "min", "max"})
KEYED_METHODS = frozenset({"sort"})
"""Those that call what they get as `key`."""


@dataclass(frozen=True, slots=True)
class Uses:
    """Of one scope, with the functions inside it."""

    walked: frozenset[str]  # names that are bound once and used once, to be walked through
    called: frozenset[str]  # names that are bound once and used once, to be called
    measured: frozenset[str]  # names that are bound once and used once, for their length
    handed: frozenset[str]  # names that are bound once and used once, by a function that only calls them
    whole: frozenset[str]  # names that are bound once and used once, for their whole part: `int(x)`


def uses(scope: ast.AST, shadowed: frozenset[str], own_methods: frozenset[str]) -> Uses:
    """Count.

    Args:
        scope: a flat function or module.
        shadowed: built-in names that the program binds.
        own_methods: methods of the program's classes, which may do anything with what they get.
    """
    loads: Counter[str] = Counter()
    stores: Counter[str] = Counter()
    walked: set[str] = set()
    called: set[str] = set()
    measured: set[str] = set()
    handed: set[str] = set()
    whole: set[str] = set()
    for node in ast.walk(scope):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                loads[name] += 1
            case ast.Name(id=name) | ast.arg(arg=name):
                stores[name] += 1
            case ast.For(iter=ast.Name(id=name)):
                walked.add(name)
            case ast.Assign(targets=[ast.Tuple() | ast.List()], value=ast.Name(id=name)):
                walked.add(name)
            case ast.Call():
                walked |= _walked(node, shadowed, own_methods)
                handed |= _handed(node, shadowed, own_methods)
                match node:
                    case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]) if "len" not in shadowed:
                        measured.add(name)
                    case ast.Call(func=ast.Name(id="int"), args=[ast.Name(id=name)], keywords=[]) if (
                        "int" not in shadowed
                    ):
                        whole.add(name)
                    case ast.Call(func=ast.Name(id=name)):
                        called.add(name)
    once = {name for name, count in loads.items() if count == 1 and stores[name] == 1}
    found = (frozenset(names & once) for names in (walked, called, measured, handed, whole))
    return Uses(*found)


def _walked(call: ast.Call, shadowed: frozenset[str], own_methods: frozenset[str]) -> set[str]:
    starred = {
        arg.value.id for arg in call.args if isinstance(arg, ast.Starred) and isinstance(arg.value, ast.Name)
    }
    is_walker = _is_of(call.func, WALKERS - shadowed, WALKING_METHODS - own_methods)
    return starred | ({arg.id for arg in call.args if isinstance(arg, ast.Name)} if is_walker else set())


def _handed(call: ast.Call, shadowed: frozenset[str], own_methods: frozenset[str]) -> set[str]:
    """`map(f, ...)`, `sorted(..., key=f)`."""
    found = [word.value for word in call.keywords if word.arg == "key"]
    found = found if _is_of(call.func, KEYED - shadowed, KEYED_METHODS - own_methods) else []
    first = call.args[:1] if _is_of(call.func, CALLERS - shadowed, frozenset()) else []
    return {value.id for value in (*found, *first) if isinstance(value, ast.Name)}


def _is_of(func: ast.expr, functions: frozenset[str], methods: frozenset[str]) -> bool:
    match func:
        case ast.Name(id=name):
            return name in functions
        case ast.Attribute(attr=method):
            return method in methods
    return False
