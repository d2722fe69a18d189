"""This file is which names only ever hold values of built-in types.

A method of such a value can be looked up after the arguments: the lookup can neither fail nor be seen.
"""

import ast
from collections import Counter
from collections.abc import Iterable, Mapping

from worldline.rewrite.expressions.scopes import bindings, own_nodes

MAKERS: Mapping[str, type] = {"list": list, "sorted": list, "dict": dict, "set": set, "tuple": tuple}
DISPLAYS: Mapping[type[ast.expr], type] = {
    ast.List: list,
    ast.ListComp: list,
    ast.Dict: dict,
    ast.DictComp: dict,
    ast.Set: set,
    ast.SetComp: set,
    ast.Tuple: tuple,
}


def kind_of(node: ast.expr, rebound: frozenset[str]) -> type | None:
    """The exact type of an expression's value, where it can be read off; `rebound` are no built-ins."""
    if isinstance(node, ast.Constant):
        return type(node.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in rebound:
        return MAKERS.get(node.func.id)
    return DISPLAYS.get(type(node))


def kinds_in(
    body: Iterable[ast.AST], inherited: Iterable[str], rebound: frozenset[str]
) -> dict[str, frozenset[type]]:
    """For each name of a scope that is bound to nothing but built-in values: their types.

    `inherited` are names that get a value from elsewhere: parameters, or globals that functions rebind.
    """
    body = list(body)
    total = Counter(bindings(body))
    known: dict[str, list[type]] = {}
    grown: Counter[str] = Counter()
    for node in own_nodes(body):
        for name, value in _plain(node):
            if kind := kind_of(value, rebound):
                known.setdefault(name, []).append(kind)
        if (
            isinstance(node, ast.AugAssign)
            and isinstance(node.target, ast.Name)
            and isinstance(node.op, ast.Add)
        ):
            grown[node.target.id] += 1  # `+=` leaves a list a list, whatever is added
    found = {}
    for name, kinds in known.items():
        extra = grown[name] if set(kinds) == {list} else 0
        if len(kinds) + extra == total[name]:
            found[name] = frozenset(kinds)
    return {name: kinds for name, kinds in found.items() if name not in set(inherited)}


def _plain(node: ast.AST) -> list[tuple[str, ast.expr]]:
    """The names that a statement binds to expressions which stand in it."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return [(name, value)]
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            return [(name, value)]
        case ast.Assign(
            targets=[ast.Tuple(elts=targets) | ast.List(elts=targets)],
            value=ast.Tuple(elts=values) | ast.List(elts=values),
        ) if len(targets) == len(values) and not any(
            isinstance(part, ast.Starred) for part in (*targets, *values)
        ):
            return [
                (part.id, value)
                for part, value in zip(targets, values, strict=True)
                if isinstance(part, ast.Name)
            ]
    return []
