"""This file is the pass that turns each operation of a flat program into microcode where it hides something.

`+`, `==`, `in`, slices and the like are looked at by the types of their operands where these are known; an
operation on operands of unknown type becomes a call that looks at them when it runs. What stays: arithmetic
and comparisons of numbers, an index, a key, `append`, `len`, and whatever there is no microcode for (which is
told). `for i in range(...)` becomes a `while` loop with a counter in view.
"""

import ast
import builtins
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from worldline.rewrite.calls import Calls
from worldline.rewrite.counting import counted
from worldline.rewrite.expressions.names import Fresh, words
from worldline.rewrite.expressions.scopes import bindings
from worldline.rewrite.formatted import joined
from worldline.rewrite.kinds import Kinds, Scope, blocks, bound_names, kinds
from worldline.rewrite.library_text import text_of, text_of_dispatch
from worldline.rewrite.microcode.library import closure
from worldline.rewrite.model import Left, Level
from worldline.rewrite.operators import BINARY, COMPARISONS, hides, hides_comparison
from worldline.rewrite.roots import rooted
from worldline.rewrite.stars import without_stars
from worldline.rewrite.uses import Uses, uses

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Operated:
    """A program with microcode."""

    tree: ast.Module
    library: str  # what has to stand before it
    microcode: tuple[str, ...]
    left: tuple[Left, ...]


def with_microcode(tree: ast.Module, level: Level, fresh: Fresh) -> Operated:
    """Put microcode into a flat program."""
    taken = frozenset(words(tree))
    shadowed = frozenset(_builtins(bound_names(tree) | _declared(tree, ast.Global)))
    imported = frozenset(
        (alias.asname or alias.name).partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    )
    if "*" in imported:  # which may give any name another meaning
        shadowed = frozenset(dir(builtins))
    methods = frozenset(_methods(tree))
    calls = Calls(level, fresh, taken, shadowed, methods, imported)
    shared = frozenset(_declared(tree, ast.Global, ast.Nonlocal))
    done = _Pass(calls, shared).scope(tree, shadowed)
    assert isinstance(done, ast.Module)
    library = _library(calls)
    left = tuple(sorted(calls.left, key=lambda each: each.line))
    return Operated(done, library, tuple(calls.needed), left)


def _builtins(names: set[str]) -> set[str]:
    return {name for name in names if hasattr(builtins, name)}


def _methods(tree: ast.Module) -> Iterator[str]:
    """Names that a method of the program's classes may have."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case ast.ClassDef(body=body):
                yield from bindings(body)


def _declared(tree: ast.AST, *kinds_of: type[ast.Global | ast.Nonlocal]) -> set[str]:
    return {name for node in ast.walk(tree) if isinstance(node, kinds_of) for name in node.names}


def _library(calls: Calls) -> str:
    """The functions that the program needs, under the names they have there."""
    texts = [text_of(function, calls.needed) for function in closure(calls.needed)]
    texts += [text_of_dispatch(wanted, name, calls.needed) for wanted, name in calls.dispatches.items()]
    return "\n\n".join([*texts, ""])


@dataclass(slots=True)
class _Pass:
    """Walks through the scopes of a program."""

    calls: Calls
    shared: frozenset[str]

    def scope(self, scope: Scope, shadowed: frozenset[str]) -> Scope:
        """A function or the module, with microcode."""
        own = shadowed if isinstance(scope, ast.Module) else shadowed | _builtins(bound_names(scope))
        known = kinds(scope, frozenset(own), self.shared)
        scope.body = _Block(self, known, uses(scope, frozenset(own), self.calls.own_methods)).block(
            scope.body
        )
        return scope


@dataclass(slots=True)
class _Block:
    """Walks through the statements of one scope."""

    owner: _Pass
    kinds: Kinds
    uses: Uses

    @property
    def calls(self) -> Calls:
        return self.owner.calls

    @property
    def is_atomic(self) -> bool:
        return self.calls.level == "atomic"

    def block(self, block: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Its statements, each replaced by one or more."""
        found: list[ast.stmt] = []
        if self.is_atomic:
            block = rooted(counted(block, self.calls, self.kinds, self.uses), self.calls, self.uses)
        for stmt in self._looked_up(block):
            for new in self.statement(stmt):
                if not hasattr(new, "lineno") or new is not stmt:
                    ast.copy_location(new, stmt)
                found.append(new)
        return found

    def _looked_up(self, block: Sequence[ast.stmt]) -> list[ast.stmt]:
        """`_t0 = a.append` ... `_t0(x)`: where the type of `a` is known to have the method, `a.append(x)`.

        Where it is not, the method is still found before its arguments are, as Python does.
        """
        found = list(block)
        for at, stmt in enumerate(block):
            match stmt:
                case ast.Assign(
                    targets=[ast.Name(id=name)], value=ast.Attribute(value=ast.Name() as owner, attr=method)
                ):
                    call = self._call_of(name, owner.id, block[at + 1 :])
                    if call is not None:
                        self._resolve(call, method, owner, found, stmt)
        return found

    def _resolve(
        self, call: ast.Call, method: str, owner: ast.Name, found: list[ast.stmt], stmt: ast.stmt
    ) -> None:
        kind = owner.id if self.calls.is_type(owner.id, self.kinds) else self.kinds.of(owner)
        if kind is not None and hasattr(getattr(builtins, kind, None), method):
            call.func = ast.Attribute(ast.Name(owner.id, ast.Load()), method, ast.Load())
            found.remove(stmt)
        else:
            made = self.calls.bound(call, owner, method, self.kinds, stmt)
            call.func, call.args, call.keywords = made.func, made.args, made.keywords

    def _call_of(self, name: str, owner: str, rest: Sequence[ast.stmt]) -> ast.Call | None:
        """The call of a method that was looked up, if its owner is the same until then."""
        if name not in self.uses.called:
            return None
        for stmt in rest:
            match stmt:
                case ast.Expr(value=ast.Call(func=ast.Name(id=called)) as call) if called == name:
                    return call
                case ast.Assign(value=ast.Call(func=ast.Name(id=called)) as call) if called == name:
                    return call
            bound = {node.id for node in ast.walk(stmt) if isinstance(node, ast.Name) and not _is_read(node)}
            if owner in bound:
                return None
        return None

    def statement(self, stmt: ast.stmt) -> list[ast.stmt]:
        """What stands for one statement."""
        match stmt:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self.owner.scope(stmt, self.kinds.shadowed)
                return [stmt]
            case ast.ClassDef():
                self._methods(stmt)
                return [stmt]
            case ast.If():
                before = self._header(stmt)
                self._inside(stmt)
                return [*before, stmt]
            case ast.While():
                return self._while(stmt)
            case ast.Assign():
                spelled = without_stars(stmt, self.calls, self.kinds.shadowed) if self.is_atomic else None
                return spelled or self._simple(stmt)
            case ast.AugAssign() | ast.Expr() | ast.Delete():
                return self._simple(stmt)
        self._inside(stmt)
        return [stmt]

    def _methods(self, node: ast.ClassDef) -> None:
        """The body of a class stays as it is; its methods are functions like others."""
        for stmt in node.body:
            if isinstance(stmt, Function):
                self.owner.scope(stmt, self.kinds.shadowed)
            elif isinstance(stmt, ast.ClassDef):
                self._methods(stmt)

    def _inside(self, stmt: ast.stmt) -> None:
        for block in blocks(stmt):
            block[:] = self.block(block)

    def _simple(self, stmt: ast.Assign | ast.AugAssign | ast.Expr | ast.Delete) -> list[ast.stmt]:
        match stmt:
            case ast.Assign(targets=[ast.Subscript(value=items, slice=ast.Slice() as cut)], value=value):
                return [self._sliced(stmt, "set_slice", items, cut, value)]
            case ast.Assign(value=ast.JoinedStr() as text):
                return joined(stmt, text, self.calls, self.kinds) if self.is_atomic else [stmt]
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Attribute() as value):
                if name in self.uses.handed:
                    stmt.value = self.calls.method_value(value, self.kinds) or value
            case ast.Assign(value=value):
                stmt.value = self._operation(value, stmt)
            case ast.AugAssign(target=ast.Name() as target, op=op, value=value):
                return [self._in_place(stmt, target, op, value)]
            case ast.Expr(value=ast.Call() as call):
                stmt.value = self.calls.call(call, self.kinds, self.uses, stmt)
            case ast.Delete(targets=[ast.Subscript(value=items, slice=ast.Slice() as cut)]):
                return [self._sliced(stmt, "del_slice", items, cut)]
            case ast.Delete(targets=[ast.Subscript(value=items, slice=index)]):
                return [self._deleted(stmt, items, index)]
        return [stmt]

    def _operation(self, value: ast.expr, stmt: ast.stmt) -> ast.expr:
        """What stands for one operation."""
        match value:
            case ast.Call():
                return self.calls.call(value, self.kinds, self.uses, stmt)
            case ast.BinOp(left=left, op=op, right=right):
                if hides(op, left, right, self.kinds, self.calls.level):
                    return self._operator(BINARY.get(type(op), ""), [left, right], value, stmt)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                if hides_comparison(op, left, right, self.kinds):
                    return self._operator(COMPARISONS.get(type(op), ""), [left, right], value, stmt)
            case ast.Subscript(value=items, slice=ast.Slice() as cut):
                name = "get_slice" if self.is_atomic else "text_slice"
                return self._used(name, [items, *_bounds(cut)], value, stmt)
        return value

    def _operator(self, name: str, operands: list[ast.expr], value: ast.expr, stmt: ast.stmt) -> ast.expr:
        prefix = "op" if self.is_atomic else "text"
        return self._used(f"{prefix}_{name}", operands, value, stmt) if name else value

    def _used(self, name: str, operands: list[ast.expr], value: ast.expr, stmt: ast.stmt) -> ast.expr:
        used = self.calls.use(name)
        if used is None:
            if self.is_atomic:
                self.calls.leave(stmt, ast.unparse(value), "there is no microcode for it")
            return value
        return ast.Call(ast.Name(used, ast.Load()), operands, [])

    def _in_place(self, stmt: ast.AugAssign, target: ast.Name, op: ast.operator, value: ast.expr) -> ast.stmt:
        read = ast.Name(target.id, ast.Load())
        if not hides(op, read, value, self.kinds, self.calls.level):
            return stmt
        name = BINARY[type(op)]
        own = f"op_i{name}" if self.is_atomic else f"text_i{name}"
        if self.is_atomic and name in ("mod", "pow"):
            own = f"op_{name}"
        made = self._used(own, [read, value], ast.BinOp(read, op, value), stmt)
        return ast.Assign([target], made) if isinstance(made, ast.Call) else stmt

    def _sliced(
        self, stmt: ast.stmt, name: str, items: ast.expr, cut: ast.Slice, value: ast.expr | None = None
    ) -> ast.stmt:
        if not self.is_atomic:
            return stmt
        operands = [items, *_bounds(cut), *([value] if value is not None else [])]
        shown = ast.Subscript(items, cut, ast.Load())
        made = self._used(name, operands, shown, stmt)
        return ast.Expr(made) if isinstance(made, ast.Call) else stmt

    def _deleted(self, stmt: ast.stmt, items: ast.expr, index: ast.expr) -> ast.stmt:
        if not self.is_atomic or self.kinds.of(items) == "dict":
            return stmt
        made = self._used("del_item", [items, index], ast.Subscript(items, index, ast.Load()), stmt)
        return ast.Expr(made) if isinstance(made, ast.Call) else stmt

    def _header(self, stmt: ast.If | ast.While) -> list[ast.stmt]:
        """The test of a branch; its value is put into a name where it takes a call."""
        made = self._operation(stmt.test, stmt)
        if made is stmt.test:
            return []
        name = self.calls.fresh.name("t")
        stmt.test = ast.Name(name, ast.Load())
        return [ast.Assign([ast.Name(name, ast.Store())], made, lineno=stmt.lineno)]

    def _while(self, stmt: ast.While) -> list[ast.stmt]:
        before = self._header(stmt)
        self._inside(stmt)
        if not before:
            return [stmt]
        test, asked = stmt.test, before[0]
        assert isinstance(asked, ast.Assign)
        if stmt.orelse:
            stmt.test = asked.value
            return [stmt]
        leave = ast.If(ast.UnaryOp(ast.Not(), test), [ast.copy_location(ast.Break(), stmt)], [])
        stmt.test = ast.Constant(True)
        stmt.body = [asked, ast.copy_location(leave, stmt), *stmt.body]
        return [stmt]


def _is_read(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)


def _bounds(cut: ast.Slice) -> list[ast.expr]:
    return [bound or ast.Constant(None) for bound in (cut.lower, cut.upper, cut.step)]
