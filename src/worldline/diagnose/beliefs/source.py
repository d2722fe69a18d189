"""This file is the program made followable: the same code with a way out of every function and a way back in.

`Followable(source)` puts three things into the tree, none of which shows in a trace: an exit at the top of
each function (on lines of its own, far behind the program's), a decorator that sees every call of it, and a
hook around what each `for` goes over, so that its iterator can be kept.

`entrance` makes the function that begins in the middle: what is left to do from one statement on. Blocks that
have begun are replaced by their rest; a `for` or `while` that is running becomes its rest, once, and then the
loop itself, which goes on with the iterator that was kept.
Not possible: to begin inside a `with` or a `finally`, in the middle of a statement that goes over several
lines, in a generator or coroutine, and where a name is mangled by its class.
"""

import ast
import copy
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import CodeType
from typing import Any, Literal, cast

GUARD = 10_000_000  # lines from here on are ours
EXIT = GUARD + 1
NEVER, ONCE = "__wl_never__", "__wl_once__"
FRAME, ITERATOR, RESUMED, RAISED = "__wl_frame__", "__wl_iterator__", "__wl_resumed__", "__wl_raised__"
RESULT, GIVEN = "__wl_result__", "__wl_given__"
OURS = "__wl_"
_INNER = "__wl_inner__"
How = Literal["call", "line", "exception", "header"]  # header: a loop that is already running

_Function = ast.FunctionDef
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


class NoEntranceError(Exception):
    """The code cannot be begun here; says why."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a statement stands: in which block of which statement, down from the function."""

    owner: ast.AST
    name: str  # of the owner's block
    index: int


@dataclass(frozen=True, slots=True)
class Door:
    """Where and how to go on in a function."""

    how: How
    line: int
    names: tuple[str, ...]  # the local variables that have a value
    cells: tuple[str, ...] = ()  # those of them that functions made earlier share


@dataclass(frozen=True, slots=True)
class Entrance:
    """The code that goes on, and the loops whose iterators it needs."""

    code: CodeType
    loops: frozenset[int]


@dataclass(slots=True)
class Definition:
    """One function of the program, with the statements that begin on each of its lines."""

    node: _Function
    qualname: str
    skipped: int  # statements of ours, and the docstring, before its own
    ways: dict[int, list[tuple[Place, ...]]] = field(default_factory=dict)


class Followable:
    """A program with its exits, and the functions that it may be entered at."""

    def __init__(self, source: str, path: str) -> None:
        self.path = path
        self.tree = ast.parse(source, path)
        self.definitions: list[Definition] = []
        self.loops: list[ast.For] = []
        _Instrument(self).visit(self.tree)
        ast.fix_missing_locations(self.tree)
        for definition in self.definitions:
            _find_ways(definition)
        self._made: dict[tuple[int, Door], Entrance] = {}

    @property
    def code(self) -> CodeType:
        """The code of the module."""
        return compile(self.tree, self.path, "exec", dont_inherit=True)

    def at(self, line: int) -> Definition | None:
        """The innermost function that a line belongs to."""
        around = [one for one in self.definitions if one.node.lineno <= line <= (one.node.end_lineno or 0)]
        return max(around, key=lambda one: one.node.lineno, default=None)

    def loop_at(self, definition: Definition, line: int) -> ast.For | None:
        """The `for` whose header a line is."""
        for way in definition.ways.get(line, ()):
            statement = _statement(way)
            return statement if isinstance(statement, ast.For) else None
        return None

    def entrance(self, definition: Definition, door: Door, code: CodeType) -> Entrance:
        """The code that goes on in a function; its arguments are the names that are bound there.

        Args:
            definition: the function.
            door: where.
            code: of the function, as it was compiled.
        """
        key = id(definition), door
        if key not in self._made:
            self._made[key] = self._make(definition, door, code)
        return self._made[key]

    def _make(self, definition: Definition, door: Door, code: CodeType) -> Entrance:
        node = definition.node
        names = code.co_names + code.co_varnames
        if any(name.startswith("__") and not name.endswith("__") for name in names):
            raise NoEntranceError("a name is mangled by its class")
        rest = _Rest(self)
        body = rest.body(definition, door.how, door.line)
        declared = [_again(part) for part in _own(node) if isinstance(part, ast.Global | ast.Nonlocal)]
        if door.cells:
            declared.append(cast(ast.Nonlocal, _line_of(ast.Nonlocal(list(door.cells)), GUARD)))
        outer = {name for part in declared for name in part.names} | set(code.co_freevars)
        local = [name for name in (*code.co_varnames, *code.co_cellvars) if name.isidentifier()]
        exits = [_assignment(name) for name in local if name not in outer]
        arguments = ", ".join(name for name in door.names if name not in outer)
        inner = cast(_Function, _line_of(ast.parse(f"def {_INNER}({arguments}): pass").body[0], GUARD))
        inner.body = [*declared, _guard(exits), *body]
        factory = cast(_Function, _line_of(ast.parse("def __wl_factory__(): pass").body[0], GUARD))
        factory.body = [*map(_assignment, (*code.co_freevars, *door.cells)), inner]
        try:
            outermost = compile(ast.Module([factory], []), self.path, "exec", dont_inherit=True)
        except SyntaxError as error:
            raise NoEntranceError(f"its rest is no function: {error.msg}") from None
        made = _inner(_inner(outermost, "__wl_factory__"), _INNER).replace(co_name=code.co_name)
        return Entrance(_renamed(made, made.co_qualname, code.co_qualname), frozenset(rest.loops))


class _Instrument(ast.NodeTransformer):
    """Puts in exits, decorators and hooks."""

    def __init__(self, followable: Followable) -> None:
        self._followable = followable
        self._scope: list[str] = []

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self._scope.append(node.name)
        self.generic_visit(node)
        self._scope.pop()
        return node

    def visit_FunctionDef(self, node: _Function) -> ast.AST:
        qualname = ".".join([*self._scope, node.name])
        self._scope += [node.name, "<locals>"]
        self.generic_visit(node)
        del self._scope[-2:]
        if any(isinstance(part, ast.Yield | ast.YieldFrom) for part in _own(node)):
            return node
        has_docstring = ast.get_docstring(node, clean=False) is not None
        node.body.insert(int(has_docstring), _guard([]))
        number = len(self._followable.definitions)
        hook = _line_of(ast.parse(f"{FRAME}({number})", mode="eval").body, node.lineno)
        node.decorator_list.append(cast(ast.expr, hook))
        self._followable.definitions.append(Definition(node, qualname, 1 + has_docstring))
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        if node.iter.lineno == node.iter.end_lineno:  # or the call would give events of its own
            number = cast(ast.expr, _at_place(ast.Constant(len(self._followable.loops)), node.iter))
            node.iter = _hook(node.iter, ITERATOR, [number, node.iter])
            self._followable.loops.append(node)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.generic_visit(node)
        if not any(isinstance(part, ast.Yield | ast.YieldFrom) for part in _own(node)):
            node.body = _hook(node.body, GIVEN, [node.body])
        return node

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        self.generic_visit(node)
        node.elt = _hook(node.elt, GIVEN, [node.elt])
        return node

    def _comprehension(self, node: ast.expr) -> ast.AST:
        """A comprehension that has a frame of its own gets a hook around it."""
        self.generic_visit(node)
        return node if sys.version_info >= (3, 12) else _hook(node, RESULT, [node])

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        return self._comprehension(node)

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        return self._comprehension(node)

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        return self._comprehension(node)


class _Rest:
    """What is left to do in a function."""

    def __init__(self, followable: Followable) -> None:
        self._followable = followable
        self.loops: set[int] = set()  # that go on with an iterator which was kept

    def body(self, definition: Definition, how: How, line: int) -> list[ast.stmt]:
        """The statements from a line on."""
        own = definition.node.body[definition.skipped :]
        if how == "call":
            return _copied(own)
        ways = definition.ways.get(line)
        if not ways:
            raise NoEntranceError("no statement begins on this line")
        *around, last = ways[0]
        statement = _statement(ways[0])
        rest = [*self._first(statement, how, line), *_after(last)]
        for place, inner in zip(reversed(around), reversed(ways[0][1:]), strict=True):
            rest = [*self._within(_at(place), inner, rest), *_after(place)]
        return [statement for statement in rest if not isinstance(statement, ast.Global | ast.Nonlocal)]

    def _first(self, statement: ast.AST, how: How, line: int) -> list[ast.stmt]:
        if how == "exception":
            return [cast(ast.stmt, _line_of(ast.parse(f"raise {RAISED}()").body[0], line))]
        if not isinstance(statement, ast.stmt):
            raise NoEntranceError("the line is a part of a statement")
        if how == "header":
            return [self._running(cast(ast.For, statement))]
        return _copied([statement])

    def _within(self, owner: ast.AST, inner: Place, rest: list[ast.stmt]) -> list[ast.stmt]:
        """The rest of a compound statement, of whose block only `rest` is left."""
        is_try = isinstance(owner, ast.Try | ast.TryStar)
        if isinstance(owner, ast.If | ast.Match) or (inner.name == "orelse" and not is_try):
            return rest
        if isinstance(owner, ast.While):
            return [_once(rest, cast(ast.stmt, copy.deepcopy(owner)))]
        if isinstance(owner, ast.For):
            return [_once(rest, self._running(owner))]
        if isinstance(owner, ast.Try):
            return _rest_of_try(owner, inner, rest)
        raise NoEntranceError(f"it is inside a {type(owner).__name__.lower()} statement")

    def _running(self, loop: ast.For) -> ast.stmt:
        if loop not in self._followable.loops:
            raise NoEntranceError("the header of the loop goes over several lines")
        number = self._followable.loops.index(loop)
        self.loops.add(number)
        again = copy.deepcopy(loop)
        again.iter = _hook(loop.iter, RESUMED, [_at_place(ast.Constant(number), loop.iter)])
        return again


def _rest_of_try(owner: ast.Try, inner: Place, rest: list[ast.stmt]) -> list[ast.stmt]:
    """A `try` that goes on in its body or in its `else`; in a handler, after raising once more."""
    if inner.name == "finalbody":
        raise NoEntranceError("it is inside a finally")
    again = copy.deepcopy(owner)
    if inner.owner is owner and inner.name == "body":
        again.body = rest
    elif inner.name == "orelse":
        again.body, again.handlers, again.orelse = rest, [], []
    else:
        handler = copy.deepcopy(cast(ast.ExceptHandler, inner.owner))
        handler.type = cast(ast.expr, _line_of(ast.Name("BaseException", ast.Load()), GUARD))
        handler.body = rest
        again.body = [cast(ast.stmt, _line_of(ast.parse(f"raise {RAISED}()").body[0], GUARD))]
        again.handlers, again.orelse = [handler], []
        handler.lineno = handler.end_lineno = GUARD
    again.lineno = again.end_lineno = GUARD
    if not again.handlers and not again.finalbody:
        return again.body
    return [again]


def _once(rest: list[ast.stmt], loop: ast.stmt) -> ast.stmt:
    """The rest of a loop's body, and then the loop, unless that was left with `break`."""
    header = cast(ast.For, ast.parse(f"for {ONCE} in (None,):\n    pass").body[0])
    made = cast(ast.For, _line_of(header, GUARD))
    made.body, made.orelse = rest, [loop]
    return made


def _hook(place: ast.expr, name: str, arguments: list[ast.expr]) -> ast.expr:
    """A call of ours in the place of an expression, which must be on one line or begin its line."""
    made = ast.Call(_at_place(ast.Name(name, ast.Load()), place), arguments, [])
    return cast(ast.expr, _at_place(made, place))


def _at_place(node: Any, place: ast.expr) -> Any:
    return ast.copy_location(node, place)


def _line_of(node: ast.AST, line: int) -> ast.AST:
    """The node with all its parts on one line."""
    for part in ast.walk(node):
        if isinstance(part, ast.stmt | ast.expr | ast.arg | ast.excepthandler):
            part.lineno = part.end_lineno = line
            part.col_offset = part.end_col_offset = 0
    return node


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    """What belongs to a scope itself, and not to those inside."""
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _SCOPES):
            waiting += ast.iter_child_nodes(node)


_BLOCKS = ("body", "orelse", "finalbody")


def _find_ways(definition: Definition) -> None:
    """Note where the statements of a function begin, each with the way down to it."""

    def walk(owner: ast.AST, name: str, above: tuple[Place, ...]) -> None:
        for index, statement in enumerate(getattr(owner, name)):
            way = (*above, Place(owner, name, index))
            definition.ways.setdefault(statement.lineno, []).append(way)
            if isinstance(statement, _SCOPES):
                continue
            for block in _BLOCKS:
                if isinstance(getattr(statement, block, None), list):
                    walk(statement, block, way)
            for handler in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
                walk(handler, "body", way)

    walk(definition.node, "body", ())


def _at(place: Place) -> ast.AST:
    return cast(ast.AST, getattr(place.owner, place.name)[place.index])


def _statement(way: Sequence[Place]) -> ast.AST:
    return _at(way[-1])


def _after(place: Place) -> list[ast.stmt]:
    return _copied(getattr(place.owner, place.name)[place.index + 1 :])


def _copied(statements: Sequence[ast.stmt]) -> list[ast.stmt]:
    return [copy.deepcopy(one) for one in statements if not isinstance(one, ast.Global | ast.Nonlocal)]


def _guard(before: list[ast.stmt]) -> ast.stmt:
    """The exit of a function: what never runs, unless one jumps there."""
    made = cast(ast.If, _line_of(ast.parse(f"if {NEVER}: pass").body[0], GUARD))
    made.body = [*before, cast(ast.stmt, _line_of(ast.Return(None), EXIT))]
    return made


def _again(part: Any) -> Any:
    return copy.deepcopy(part)


def _assignment(name: str) -> ast.stmt:
    return cast(ast.stmt, _line_of(ast.parse(f"{name} = None").body[0], GUARD))


def _inner(code: CodeType, name: str) -> CodeType:
    return next(one for one in code.co_consts if isinstance(one, CodeType) and one.co_name == name)


def _renamed(code: CodeType, old: str, new: str) -> CodeType:
    """The code, and all inside, with the qualified name that it has in the program."""
    constants: tuple[Any, ...] = tuple(
        _renamed(one, old, new) if isinstance(one, CodeType) else one for one in code.co_consts
    )
    return code.replace(co_qualname=new + code.co_qualname.removeprefix(old), co_consts=constants)
