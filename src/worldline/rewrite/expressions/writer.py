"""This file is the state of a rewriting: where statements go, what is bound there, what must be held."""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from worldline.rewrite.expressions.facts import ALWAYS_BOUND, BUILTINS, Facts
from worldline.rewrite.expressions.flat import is_simple
from worldline.rewrite.expressions.kinds import kind_of
from worldline.rewrite.expressions.names import Fresh
from worldline.rewrite.expressions.scopes import Scope, deleted_in
from worldline.rewrite.model import Left

MAX_DEPTH = 85  # Python reads at most 100 levels of indentation
MAX_LOOPS = 18  # Python compiles at most 20 blocks such as loops in each other
SHALLOW = 40
NESTING = 5  # branches that may go into each other's `else` before another form is used

Bound = set[str] | None  # None: this point is not reached, so that every name counts as bound


class CannotFlatten(Exception):
    """Raised where a statement has no equal form in flat statements."""

    def __init__(self, what: str, why: str) -> None:
        super().__init__(f"{what}: {why}")
        self.what = what
        self.why = why


@dataclass(frozen=True)
class Tables:
    """How each kind of node is lowered; the files of this package fill them."""

    expressions: Mapping[type[ast.expr], Callable[["Writer", Any], ast.expr]]
    statements: Mapping[type[ast.stmt], Callable[["Writer", Any], None]]
    into: Callable[["Writer", str, ast.expr], None]
    header: Callable[["Writer", ast.expr], ast.expr]


class Writer:
    """Writes flat statements, one block at a time."""

    def __init__(self, facts: Facts, fresh: Fresh, tables: Tables, scope: Scope) -> None:
        self.facts = facts
        self.fresh = fresh
        self.tables = tables
        self.scope = scope
        self.out: list[ast.stmt] = []
        self.left: list[Left] = []
        self.line = 1
        self.depth = 0
        self.loops = 0
        self.bound: Bound = set()
        self.renames: dict[str, str] = {}
        self.inside = ""  # comprehensions around this point, as they show in the names of functions
        self.kinds: dict[str, type] = {}
        self.module_kinds = scope.kinds
        self.imports: dict[str, str] = {}
        self.called_right: set[int] = set()  # lambdas that are called with the arguments they take

    def emit(self, stmt: ast.stmt) -> None:
        """Write a statement that stands for the current line of the original."""
        if getattr(stmt, "lineno", None) is None:
            stmt.lineno = stmt.end_lineno = self.line
            stmt.col_offset = stmt.end_col_offset = 0
        self.out.append(stmt)

    def assign(self, name: str, value: ast.expr) -> None:
        """Write `name = value`."""
        self.emit(ast.Assign(targets=[ast.Name(name, ast.Store())], value=value))
        self.bind(name)

    def keep(self, value: ast.expr, stem: str = "t") -> ast.Name:
        """Put an operation's result into a fresh name."""
        name = self.fresh.name(stem)
        self.emit(ast.Assign(targets=[ast.Name(name, ast.Store())], value=value))
        if kind := kind_of(value, self.facts.anywhere):
            self.kinds[name] = kind
        return ast.Name(name, ast.Load())

    def simple(self, node: ast.expr) -> ast.expr:
        """A simple operand as it is called here."""
        if isinstance(node, ast.Name):
            return ast.Name(self.renames.get(node.id, node.id), ast.Load())
        return node

    def operation(self, node: ast.expr) -> ast.expr:
        """Write what an expression needs first, and give the one operation (or operand) that is left."""
        if is_simple(node):
            return self.simple(node)
        return self.tables.expressions[type(node)](self, node)

    def operand(self, node: ast.expr) -> ast.expr:
        """Write everything an expression computes, and give the name or constant that is its value."""
        value = self.operation(node)
        if is_simple(value):
            return value
        return self.keep(value, "lambda" if isinstance(value, ast.Lambda) else "t")

    def operands(self, nodes: Sequence[ast.expr]) -> list[ast.expr]:
        """Operands in their order; one that later ones could change is held in a fresh name."""
        last = self.last_active(nodes)
        found = []
        for place, node in enumerate(nodes):
            value = self.operand(node)
            if place < last and isinstance(value, ast.Name):
                value = self.held(value, nodes[place + 1 : last + 1])
            found.append(value)
        return found

    def operands_before(self, nodes: Sequence[ast.expr], later: Sequence[ast.expr]) -> list[ast.expr]:
        """Operands that are used only after later expressions are computed."""
        return [
            self.held(self.operand(node), [*nodes[place + 1 :], *later]) for place, node in enumerate(nodes)
        ]

    def last_active(self, nodes: Sequence[ast.expr]) -> int:
        """The place of the last expression that runs statements of its own; -1 if there is none."""
        for place in range(len(nodes) - 1, -1, -1):
            if self.is_active(nodes[place]):
                return place
        return -1

    def is_active(self, node: ast.expr) -> bool:
        """Whether the value of an expression takes statements that could be seen."""
        if isinstance(node, ast.Starred):
            return self.is_active(node.value)
        if isinstance(node, ast.Tuple | ast.List):
            return not all(isinstance(part, ast.Constant) for part in node.elts)
        if isinstance(node, ast.Lambda):
            return bool(node.args.defaults or any(node.args.kw_defaults))
        return not is_simple(node)

    def held(self, value: ast.expr, later: Sequence[ast.expr]) -> ast.expr:
        """An operand that keeps its value while the expressions after it are computed."""
        if isinstance(value, ast.Name) and self.must_hold(value.id, later):
            return self.keep(value)
        return value

    def must_hold(self, name: str, later: Sequence[ast.expr]) -> bool:
        """Whether computing the later expressions could change a name, or come before its NameError."""
        if name in self.fresh.given or not any(self.is_active(node) for node in later):
            return False
        if not self.is_bound(name):
            return True
        if any(name in self.facts.rebinds.get(id(node), ()) for node in later):
            return True
        return self.is_volatile(name, any(id(node) in self.facts.waits for node in later))

    def is_volatile(self, name: str, waits: bool = False) -> bool:
        """Whether code that runs elsewhere may rebind a name; `waits`: others run in between."""
        if name in self.fresh.given or name == "__class__":
            return False
        facts = self.facts
        owner = self.scope.owner(name)
        if owner is None:
            return facts.is_dynamic or name in facts.globals or (waits and name in facts.module)
        if name in facts.nonlocals:
            return True
        return owner is not self.scope and (waits or owner.waits)

    def bind(self, name: str) -> None:
        """From here on a name has a value."""
        if self.bound is not None:
            self.bound.add(name)

    def unbind(self, name: str) -> None:
        """From here on a name may have no value."""
        if self.bound is not None:
            self.bound.discard(name)

    def is_bound(self, name: str) -> bool:
        """Whether a name surely has a value here."""
        if name in self.fresh.given or self.bound is None:
            return True
        owner = self.scope.owner(name)
        if name in self.facts.deleted and name in self.facts.nonlocals | self.facts.globals:
            return owner is None and name in BUILTINS
        if name in self.bound:
            return True
        if owner is self.scope:
            return False
        return name in self.scope.safe or (owner is None and name in ALWAYS_BOUND)

    def outside(self) -> frozenset[str]:
        """Names that are surely bound in any function that is made here, whenever it runs."""
        inherited = self.scope.safe - self.scope.local
        return frozenset((self.bound or set()) | inherited) - self.facts.deleted

    @contextmanager
    def block(self, deeper: bool = True, loops: int = 0) -> Iterator[list[ast.stmt]]:
        """Statements written inside go to a block of their own; `loops` of them count for Python's limit."""
        before, self.out = self.out, []
        self.depth += deeper
        self.loops += loops
        if self.depth > MAX_DEPTH or (loops and self.loops > MAX_LOOPS):
            raise CannotFlatten("statement", "its parts go too deep into each other")
        try:
            yield self.out
        finally:
            self.out = before
            self.depth -= deeper
            self.loops -= loops

    @contextmanager
    def function(self, scope: Scope, bound: set[str]) -> Iterator[list[ast.stmt]]:
        """Statements written inside are the body of a function."""
        saved = self.scope, self.bound, self.renames, self.inside, self.loops
        names = scope.local
        self.scope, self.bound, self.inside, self.loops = scope, bound, "", 0
        self.renames = {old: new for old, new in self.renames.items() if old not in names}
        try:
            with self.block() as body:
                yield body
        finally:
            self.scope, self.bound, self.renames, self.inside, self.loops = saved

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Forget what was written inside when it turns out that it cannot be."""
        saved = self.out, len(self.out), self.scope, self.renames, self.depth, self.inside, self.loops
        bound = copied(self.bound)
        left = len(self.left)
        try:
            yield
        except CannotFlatten:
            self.out, size, self.scope, self.renames, self.depth, self.inside, self.loops = saved
            del self.out[size:]
            del self.left[left:]
            self.bound = bound
            raise

    def has_room(self, loops: int) -> bool:
        """Whether so many loops can go into each other here, with some more inside."""
        return self.loops + loops < MAX_LOOPS - 3 and self.depth + loops < SHALLOW

    def limit(self) -> int:
        """How many levels of indentation one construct may take here."""
        return NESTING if self.depth < SHALLOW else 1

    def builtin(self, name: str) -> ast.Name:
        """A built-in function, also where the program uses its name for something else."""
        if name in self.facts.anywhere or self.facts.is_dynamic:
            if name not in self.imports:
                self.imports[name] = self.fresh.name(name)
            name = self.imports[name]
        return ast.Name(name, ast.Load())

    def note(self, line: int, what: str, why: str) -> None:
        """Say what is left as it was."""
        self.left.append(Left(line, what, why))

    def into(self, name: str, node: ast.expr) -> None:
        """Write statements that leave an expression's value in a name."""
        self.tables.into(self, name, node)

    def header(self, node: ast.expr) -> ast.expr:
        """A test that can stand after `if`; what it needs is written before."""
        return self.tables.header(self, node)

    def statement(self, stmt: ast.stmt) -> None:
        """Write one statement of the original; as it is, where it has no equal form."""
        self.line = stmt.lineno
        lower = self.tables.statements.get(type(stmt))
        if lower is None:
            self.emit(stmt)
            return
        try:
            with self.attempt():
                lower(self, stmt)
        except CannotFlatten as problem:
            self.note(stmt.lineno, problem.what, problem.why)
            self.emit(stmt)
            self.bound = without(self.bound, deleted_in([stmt]))

    def statements(self, body: Sequence[ast.stmt]) -> None:
        """Write the statements of a block."""
        for stmt in body:
            self.statement(stmt)


def copied(bound: Bound) -> Bound:
    """A copy that later changes do not reach."""
    return None if bound is None else set(bound)


def merged(states: Sequence[Bound]) -> Bound:
    """What is bound where several paths meet."""
    reached = [state for state in states if state is not None]
    return set.intersection(*reached) if reached else None


def without(bound: Bound, names: set[str]) -> Bound:
    """What is still bound once names may have been deleted."""
    return None if bound is None else bound - names


def changed(node: Any, **fields: Any) -> Any:
    """A copy of a node with some fields changed."""
    values = {name: getattr(node, name) for name in node._fields if hasattr(node, name)}
    return type(node)(**{**values, **fields})
