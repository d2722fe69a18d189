"""This file is how the names of a scope are used: how often, and whether only to be walked through once."""

import ast
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

WALKERS = frozenset(
    {
        *("list", "tuple", "set", "frozenset", "sorted", "sum", "any", "all", "min", "max", "dict"),
        *("enumerate", "zip", "map", "filter", "next", "iter"),
    }
)
"""Built-in functions that take any iterable, and look at nothing but its items."""
WALKING_METHODS = frozenset({"join", "extend", "update", "union", "fromkeys"})


@dataclass(frozen=True, slots=True)
class Uses:
    """Of one scope, with the functions inside it."""

    loads: Mapping[str, int]
    stores: Mapping[str, int]
    walked: frozenset[str]  # names that are bound once and used once, to be walked through
    called: frozenset[str]  # names that are bound once and used once, to be called
    measured: frozenset[str]  # names that are bound once and used once, for their length


def uses(scope: ast.AST, shadowed: frozenset[str]) -> Uses:
    """Count."""
    loads: Counter[str] = Counter()
    stores: Counter[str] = Counter()
    walked: set[str] = set()
    called: set[str] = set()
    measured: set[str] = set()
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
                walked |= _walked(node, shadowed)
                match node:
                    case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]) if "len" not in shadowed:
                        measured.add(name)
                    case ast.Call(func=ast.Name(id=name)):
                        called.add(name)
    once = {name for name, count in loads.items() if count == 1 and stores[name] == 1}
    return Uses(loads, stores, frozenset(walked & once), frozenset(called & once), frozenset(measured & once))


def _walked(call: ast.Call, shadowed: frozenset[str]) -> set[str]:
    match call.func:
        case ast.Name(id=name):
            is_walker = name in WALKERS and name not in shadowed
        case ast.Attribute(attr=method):
            is_walker = method in WALKING_METHODS
        case _:
            is_walker = False
    starred = {
        arg.value.id for arg in call.args if isinstance(arg, ast.Starred) and isinstance(arg.value, ast.Name)
    }
    return starred | ({arg.id for arg in call.args if isinstance(arg, ast.Name)} if is_walker else set())
