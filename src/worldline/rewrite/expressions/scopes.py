"""This file is which names a scope binds, and what is known of the scope that reads one."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from worldline.rewrite.expressions.flat import Function

ScopeKinds = Mapping[str, frozenset[type]]
SCOPED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.comprehension)
LOOKS_AT_LOCALS = frozenset({"locals", "eval", "exec", "globals"})
LOOKS_WITHOUT_ARGUMENT = frozenset({"vars", "dir"})
LOOKS_AT_FRAMES = frozenset({"_getframe", "currentframe", "f_locals"})


def own_nodes(roots: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of a scope, without bodies of functions and classes and targets of comprehensions."""
    stack = list(roots)[::-1]
    while stack:
        node = stack.pop()
        yield node
        children = _own_children if isinstance(node, SCOPED) else ast.iter_child_nodes
        stack.extend(list(children(node))[::-1])


def _own_children(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield from node.decorator_list
        yield node.args
        if node.returns:
            yield node.returns
    elif isinstance(node, ast.Lambda):
        yield node.args
    elif isinstance(node, ast.ClassDef):
        yield from (*node.decorator_list, *node.bases, *node.keywords)
    elif isinstance(node, ast.comprehension):
        yield node.iter
        yield from node.ifs
        yield from (part for part in parts_of(node.target) if not isinstance(part, ast.Name))


def parts_of(target: ast.expr) -> Iterator[ast.expr]:
    """The places that a target, perhaps nested, stores to; in order."""
    if isinstance(target, ast.Tuple | ast.List):
        for part in target.elts:
            yield from parts_of(part)
    elif isinstance(target, ast.Starred):
        yield from parts_of(target.value)
    else:
        yield target


def target_names(target: ast.expr) -> list[str]:
    """The names that a target binds."""
    return [part.id for part in parts_of(target) if isinstance(part, ast.Name)]


def bound_by(node: ast.AST) -> list[str]:
    """The names that this node itself binds or unbinds in the scope it stands in."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return [name]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.alias(name=name, asname=other):
            return [] if name == "*" else [other or name.partition(".")[0]]
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            return [name]
        case ast.MatchMapping(rest=str(name)):
            return [name]
    return []


def bindings(roots: Iterable[ast.AST]) -> Iterator[str]:
    """Every binding of a scope, a name as often as it is bound."""
    for node in own_nodes(roots):
        yield from bound_by(node)


def deleted_in(roots: Iterable[ast.AST]) -> set[str]:
    """Names that a piece of a scope may unbind."""
    found = set()
    for node in own_nodes(roots):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del):
            found.add(node.id)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
    return found


def parameters(args: ast.arguments) -> list[str]:
    """The names of a function's parameters."""
    plain = (*args.posonlyargs, *args.args, *args.kwonlyargs)
    return [arg.arg for arg in (*plain, args.vararg, args.kwarg) if arg is not None]


def suspends(node: ast.AST, body: Iterable[ast.AST]) -> bool:
    """Whether a function is a generator or a coroutine: others run while it waits."""
    return isinstance(node, ast.AsyncFunctionDef) or any(
        isinstance(part, ast.Yield | ast.YieldFrom | ast.Await) for part in own_nodes(body)
    )


@dataclass(frozen=True)
class Scope:
    """A module or a function, as seen by the code inside."""

    local: frozenset[str]  # names it binds itself; of a module, none: its names are global
    parent: "Scope | None" = None  # the function around it
    declared_global: frozenset[str] = frozenset()
    safe: frozenset[str] = frozenset()  # names from outside that are bound whenever it runs
    waits: bool = False
    path: str = ""  # what the qualified names of functions in it start with
    is_made: bool = False  # a function that stands for an expression
    kinds: ScopeKinds = field(default_factory=dict)  # names that only ever hold built-in types

    def owner(self, name: str) -> "Scope | None":
        """The function whose local a name is; None for a global."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.declared_global:
                return None
            if name in scope.local:
                return scope
            scope = scope.parent
        return None


def declared(body: Iterable[ast.AST], kind: type[ast.Global] | type[ast.Nonlocal]) -> frozenset[str]:
    """The names that `global` or `nonlocal` statements of a scope list."""
    return frozenset(name for node in own_nodes(body) if isinstance(node, kind) for name in node.names)


def local_names(node: Function | ast.Lambda) -> frozenset[str]:
    """The local names of a function."""
    body: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(node.body)
    outer = declared(body, ast.Global) | declared(body, ast.Nonlocal)
    return frozenset((*parameters(node.args), *bindings(body))) - outer


def peeks(roots: Iterable[ast.AST], shadowed: frozenset[str]) -> str:
    """What in a scope reads its names while it runs (`locals()`), or nothing."""
    for node in own_nodes(roots):
        match node:
            case ast.Name(id=name, ctx=ast.Load()) if name in LOOKS_AT_LOCALS and name not in shadowed:
                return name
            case ast.Call(func=ast.Name(id=name), args=[]) if name in LOOKS_WITHOUT_ARGUMENT - shadowed:
                return name
            case ast.Attribute(attr=name) if name in LOOKS_AT_FRAMES:
                return name
    return ""
