"""This file is what holds for the whole program: names that may change behind a statement's back."""

import ast
import builtins
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from worldline.rewrite.expressions.scopes import bindings, bound_by

BUILTINS = frozenset(dir(builtins)) - {"_", "exit", "quit", "copyright", "credits", "license", "help"}
ALWAYS_BOUND = BUILTINS | {"__class__"}
REBINDS_GLOBALS = frozenset(
    {"globals", "exec", "eval", "vars", "__dict__", "__globals__", "f_globals", "modules", "reload"}
)
HOOKS = frozenset({"__init_subclass__", "__set_name__", "__class_getitem__", "__prepare__"})
HARMLESS_DECORATORS = frozenset(
    {
        *("staticmethod", "classmethod", "property", "dataclass", "dataclasses", "cache", "lru_cache"),
        *("functools", "wraps", "total_ordering", "contextmanager", "contextlib", "abstractmethod", "abc"),
    }
)


@dataclass(frozen=True)
class Facts:
    """What the program as a whole does to its names."""

    nonlocals: frozenset[str]  # locals that inner functions rebind
    globals: frozenset[str]  # globals that functions rebind
    module: frozenset[str]  # every global the program binds
    anywhere: frozenset[str]  # every name bound in any scope
    deleted: frozenset[str]
    ready: frozenset[str]  # globals bound before any function of the program can run
    rebinds: dict[int, set[str]]  # id of an expression -> names that walruses in it bind
    waits: frozenset[int]  # ids of the expressions with a yield or an await in them
    is_dynamic: bool  # globals may change through `globals()` and the like
    has_truth: bool  # classes say what their truth is, so asking twice may be seen
    has_iterators: bool  # classes say what their iterators are, so `iter` of one may be seen
    shows_names: bool  # the program reads names of functions


def facts_of(tree: ast.Module) -> Facts:
    """Look through a program once."""
    nodes = list(ast.walk(tree))
    mentioned = set(_mentioned(nodes))
    rebinds, waits = _reach(nodes)
    lazy = {
        inner.target.id
        for node in nodes
        if isinstance(node, ast.GeneratorExp)
        for inner in ast.walk(node)
        if isinstance(inner, ast.NamedExpr)
    }
    declared_global = _listed(nodes, ast.Global)
    anywhere = frozenset(name for node in nodes for name in (*bound_by(node), *_argument(node)))
    return Facts(
        nonlocals=frozenset(_listed(nodes, ast.Nonlocal) | lazy),
        globals=frozenset(declared_global | lazy),
        module=frozenset(bindings(tree.body)) | declared_global,
        anywhere=anywhere,
        deleted=_deleted(nodes),
        ready=frozenset(_ready(tree, mentioned)),
        rebinds=rebinds,
        waits=waits,
        is_dynamic=bool(mentioned & REBINDS_GLOBALS),
        has_truth=bool(mentioned & {"__bool__", "__len__"}),
        has_iterators="__next__" in mentioned,
        shows_names=bool(mentioned & {"__name__", "__qualname__"} - _only_main(nodes)),
    )


def _listed(nodes: Iterable[ast.AST], kind: type[ast.Global] | type[ast.Nonlocal]) -> frozenset[str]:
    return frozenset(name for node in nodes if isinstance(node, kind) for name in node.names)


def _argument(node: ast.AST) -> list[str]:
    return [node.arg] if isinstance(node, ast.arg) else []


def _only_main(nodes: Iterable[ast.AST]) -> set[str]:
    """`__name__` as a plain name is the module's own; as an attribute it is a function's."""
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return {"__name__", "__qualname__"} - attributes


def _mentioned(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.FunctionDef(name=name):
                yield name
            case ast.alias(name=name):
                yield name.rpartition(".")[2]
            case ast.Constant(value=str(text)):  # setattr(kind, "__bool__", ...)
                yield text


def _deleted(nodes: Iterable[ast.AST]) -> frozenset[str]:
    found = set()
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Del()):
                found.add(name)
            case ast.ExceptHandler(name=str(name)):
                found.add(name)
    return frozenset(found)


def _reach(nodes: list[ast.AST]) -> tuple[dict[int, set[str]], frozenset[int]]:
    """For each expression, what a walrus, a yield or an await inside it means for its neighbours."""
    special = [
        node for node in nodes if isinstance(node, ast.NamedExpr | ast.Yield | ast.YieldFrom | ast.Await)
    ]
    rebinds: dict[int, set[str]] = {}
    waits: set[int] = set()
    if not special:
        return rebinds, frozenset()
    parents = {id(child): node for node in nodes for child in ast.iter_child_nodes(node)}
    for node in special:
        above: ast.AST | None = node
        while above is not None and not isinstance(above, ast.stmt):
            if isinstance(node, ast.NamedExpr):
                rebinds.setdefault(id(above), set()).add(node.target.id)
            else:
                waits.add(id(above))
            above = parents.get(id(above))
    return rebinds, frozenset(waits)


def _ready(tree: ast.Module, mentioned: set[str]) -> Iterator[str]:
    """Names bound by the statements at the top that run no function of the program."""
    if mentioned & HOOKS:
        return
    imported: set[str] = set()
    for stmt in tree.body:
        if not is_quiet(stmt, imported):
            return
        names = list(bindings([stmt]))
        if isinstance(stmt, ast.Import | ast.ImportFrom):
            imported.update(names)
        yield from names


def is_quiet(stmt: ast.stmt, imported: set[str]) -> bool:
    """Whether a statement surely runs no function that the program defines."""
    match stmt:
        case ast.Import() | ast.ImportFrom() | ast.Pass():
            return True
        case ast.Expr(value=value):
            return isinstance(value, ast.Constant)
        case ast.Assign(targets=[ast.Name()], value=value):
            return _is_still(value, imported)
        case ast.AnnAssign(target=ast.Name(), value=value):
            return value is None or _is_still(value, imported)
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            defaults = (*stmt.args.defaults, *(item for item in stmt.args.kw_defaults if item))
            return _are_harmless(stmt.decorator_list, imported) and all(
                _is_still(item, imported) for item in defaults
            )
        case ast.ClassDef(keywords=[]):
            return (
                _are_harmless(stmt.decorator_list, imported)
                and all(_is_still(base, imported) for base in stmt.bases)
                and all(is_quiet(inner, imported) for inner in stmt.body)
            )
    return False


def _are_harmless(decorators: list[ast.expr], imported: set[str]) -> bool:
    """Whether decorators are ones from the standard library that do not call what they decorate."""
    names = {
        node.id for decorator in decorators for node in ast.walk(decorator) if isinstance(node, ast.Name)
    }
    return names <= HARMLESS_DECORATORS & (imported | BUILTINS)


def _is_still(node: ast.expr, imported: set[str]) -> bool:
    """Whether an expression runs nothing but what comes with Python or is imported, on plain data."""
    if isinstance(node, ast.Call):
        root: ast.expr = node.func
        while isinstance(root, ast.Attribute):
            root = root.value
        if not (isinstance(root, ast.Name) and (root.id in imported or root.id in BUILTINS)):
            return False
        inner = (*node.args, *(word.value for word in node.keywords))
        return all(_is_data(part) for part in inner)
    if isinstance(node, ast.Subscript | ast.Attribute):
        return _is_still(node.value, imported)
    return isinstance(node, ast.Name | ast.Lambda) or _is_data(node)


def _is_data(node: ast.expr) -> bool:
    plain = ast.Constant | ast.Tuple | ast.List | ast.Dict | ast.Set | ast.UnaryOp | ast.BinOp
    other = ast.expr_context | ast.operator | ast.unaryop
    return all(isinstance(part, plain | other) for part in ast.walk(node))
