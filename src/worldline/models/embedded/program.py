"""This file is a program's text: which statement is on a line, which function that is, what may come next."""

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from inspect import CO_OPTIMIZED
from types import CodeType

from worldline.flow.successors import Flow, flow
from worldline.models.embedded.prompts import UnclearError
from worldline.record.entry import find_entry
from worldline.trace.model import lines_of

Definition = ast.FunctionDef | ast.Lambda
LAMBDA = "<lambda>"
Node = ast.stmt | ast.ExceptHandler


@dataclass(slots=True)
class Source:
    """A program that has been read."""

    text: str
    lines: list[str]
    flow: Flow
    entry: str  # the function that a trace begins with
    tree: ast.Module
    nodes: dict[int, Node] = field(default_factory=dict)
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)  # by qualified name
    lambdas: dict[int, ast.Return] = field(default_factory=dict)  # what they give, by their lines
    around: dict[tuple[str, int], tuple[str, ...]] = field(default_factory=dict)  # names of outer functions
    generators: dict[str, list[int]] = field(default_factory=dict)  # with the lines of their yields
    shared: dict[str, set[str]] = field(default_factory=dict)  # function -> names it says are the module's
    handlers: dict[int, list[ast.ExceptHandler]] = field(default_factory=dict)  # of the try around a line
    handling: dict[int, list[ast.ExceptHandler]] = field(default_factory=dict)  # handlers around a line
    own: dict[str, set[str]] = field(
        default_factory=dict
    )  # function -> names that it never takes from outside
    unsteady: set[str] = field(default_factory=set)  # of the module's names, those that no one `def` decides
    crowded: set[int] = field(default_factory=set)  # lines with several statements
    guarded: dict[int, int] = field(default_factory=dict)  # lines before a `finally` -> the line of its try

    def line(self, number: int) -> str:
        """The text of a line."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def node(self, number: int) -> Node:
        """The statement of a line."""
        if number not in self.nodes or number in self.crowded:
            raise UnclearError("no single statement on the line")
        return self.nodes[number]

    def numbers(self, text: str, function: str) -> list[int]:
        """The lines of a function that have a text."""
        first, last = self._span(function)
        return [number for number in range(first, last + 1) if self.line(number) == text]

    def is_inside(self, line: int, loop: int) -> bool:
        """Whether a line belongs to the loop whose header is on another."""
        node = self.nodes.get(loop)
        return node is not None and loop <= line <= (node.end_lineno or loop)

    def loop_around(self, line: int) -> int:
        """The header of the innermost loop in whose body a line is; 0: there is none."""
        loops = (node for node in self.nodes.values() if isinstance(node, ast.For | ast.While))
        found = (each.lineno for each in loops if _holds(each.body, line))
        return max(found, default=0)

    def check_way(self, line: int, to: int = 0) -> None:
        """Refuse to go from a line to another, or out of the function, where a `finally` is in between."""
        if self.guarded.get(line) != self.guarded.get(to):
            raise UnclearError("a way out through `finally`")

    def cleans_up(self, function: str) -> bool:
        """Whether a generator has code that runs when nobody holds it any more."""
        lines = self.generators[function]
        return any(
            line in self.guarded or any(map(_takes_exits, self.handlers.get(line, ()))) for line in lines
        )

    def following(self, number: int, function: str) -> list[int]:
        """The lines that may follow in the same function; none: it ends."""
        return sorted(self.flow.after(number, function).lines)

    def unfailing(self, number: int, function: str) -> list[int]:
        """The lines that may follow if nothing is raised."""
        is_handler = isinstance(self.nodes.get(number), ast.ExceptHandler)
        return [
            line
            for line in self.following(number, function)
            if is_handler or not isinstance(self.nodes.get(line), ast.ExceptHandler)
        ]

    def definition(self, function: str, line: int) -> Definition | None:
        """The function of a name; there may be several lambdas, of which each has a line of its own."""
        if function.endswith(LAMBDA):
            found = self.nodes.get(line)
            return (
                found.value if isinstance(found, ast.Assign) and isinstance(found.value, ast.Lambda) else None
            )
        written = self.nodes.get(line)
        return written if isinstance(written, ast.FunctionDef) else self.functions.get(function)

    def first(self, function: str, line: int) -> list[int]:
        """The line that a function begins with, of those of this name the one that is on a line."""
        configs = self.flow.entered(self.flow.called_at(line, function))
        return sorted(self.flow.state(configs, line).moves.line)

    def resumed(self, number: int, function: str) -> list[int]:
        """The lines that may follow a yield that is gone on with."""
        codes = [code for code in self.flow.codes if function in (code.name, code.qualname)]
        found: set[int] = set()
        waiting = self.flow.state(self.flow.at_line(number, codes), number).moves.exits.get(number)
        if waiting is not None and waiting.suspended is not None:
            for line, configs in waiting.suspended.resumes.items():
                found |= set(self.flow.state(configs, line).moves.line)
        return sorted(found)

    def is_own(self, name: str, function: str) -> bool:
        """Whether a name is the function's or of one around it: the module's is never meant then."""
        return name in self.own.get(function, ())

    def _span(self, function: str) -> tuple[int, int]:
        found = self.functions.get(function)
        return (found.lineno, found.end_lineno or found.lineno) if found else (1, len(self.lines))


def _holds(block: list[ast.stmt], line: int) -> bool:
    return bool(block) and block[0].lineno <= line <= (block[-1].end_lineno or line)


def _takes_exits(handler: ast.ExceptHandler) -> bool:
    """Whether a handler takes GeneratorExit, as far as its names tell."""
    named = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    kinds = [getattr(builtins, each.id, None) if isinstance(each, ast.Name) else None for each in named]
    return not all(isinstance(kind, type) and not issubclass(GeneratorExit, kind) for kind in kinds)


@lru_cache(maxsize=256)
def source(text: str) -> Source:
    """A program, read once."""
    entry = find_entry(text, "program.py")
    if entry.kind != "function":
        raise UnclearError("a script, no function: name one with --call")
    tree = ast.parse(text)
    found = Source(text, lines_of(text), flow(text, "program.py"), entry.text, tree)
    _collect(tree, "", found, [])
    found.guarded = _guarded(tree)
    found.shared = {name: _shared(node) for name, node in found.functions.items()}
    found.unsteady = unsteady(tree)
    _look_around(compile(text, "program.py", "exec"), found)
    return found


def _guarded(tree: ast.Module) -> dict[int, int]:
    """The lines that a `finally` follows, whatever happens on them; of several the innermost."""
    tries = [node for node in ast.walk(tree) if isinstance(node, ast.Try) and node.finalbody]
    return {line: each.lineno for each in tries for line in range(each.lineno, each.finalbody[0].lineno)}


def _shared(node: ast.FunctionDef) -> set[str]:
    return {name for each in _of_scope(node.body) if isinstance(each, ast.Global) for name in each.names}


def _of_scope(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """All that runs with the statements of a body: not what is inside of functions and classes."""
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)


def unsteady(tree: ast.Module) -> set[str]:
    """Names of a module that are not, or not always, what a `def` at its left edge says."""
    found: set[str] = set()
    for node in _of_scope(tree.body):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.FunctionDef(name=name) if node not in tree.body or node.decorator_list:
                found.add(name)
            case ast.ClassDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.alias():
                found.add((node.asname or node.name).partition(".")[0])
    return found


def _look_around(code: CodeType, found: Source) -> None:
    """Which names each function takes from the functions around it, and which are its own."""
    found.around[code.co_qualname, code.co_firstlineno] = code.co_freevars
    if code.co_flags & CO_OPTIMIZED:
        names = found.own.setdefault(code.co_qualname, set())
        names.update(code.co_varnames, code.co_cellvars, code.co_freevars)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            _look_around(inner, found)


def _plain(node: Node) -> Node:
    """A statement without the types that are written beside a name: nobody looks at them."""
    match node:
        case ast.AnnAssign(target=ast.Name() as target, value=ast.expr() as value):
            return ast.copy_location(ast.Assign([target], value), node)
    return node


def _collect(node: ast.AST, prefix: str, found: Source, around: list[ast.ExceptHandler]) -> None:
    for child in ast.iter_child_nodes(node):
        inside, handlers = prefix, around
        if isinstance(node, ast.Try) and child in node.body:
            handlers = [*node.handlers, *around]
        if isinstance(child, ast.stmt | ast.ExceptHandler):
            if child.lineno in found.nodes:
                found.crowded.add(child.lineno)
            found.nodes[child.lineno] = _plain(child)
            found.handlers[child.lineno] = handlers
        if isinstance(child, ast.FunctionDef):
            name = prefix + child.name
            found.functions[name] = child
            inside, handlers = f"{name}.<locals>.", []
        if isinstance(child, ast.Lambda):
            found.crowded.update({child.lineno} & found.lambdas.keys())
            found.lambdas[child.lineno] = ast.copy_location(ast.Return(child.body), child)
        if isinstance(child, ast.Yield) and prefix:
            found.generators.setdefault(prefix.removesuffix(".<locals>."), []).append(child.lineno)
        if isinstance(child, ast.ExceptHandler):
            for line in range(child.body[0].lineno, (child.end_lineno or child.lineno) + 1):
                found.handling.setdefault(line, []).append(child)
        _collect(child, inside, found, handlers)
