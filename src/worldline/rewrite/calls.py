"""This file is which microcode a call becomes: by the type of its receiver, or by the function's name."""

import ast
import builtins
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from worldline.rewrite.dispatch import Dispatch, Way
from worldline.rewrite.expressions.names import Fresh
from worldline.rewrite.kinds import Kinds
from worldline.rewrite.microcode.library import Function, closure, library
from worldline.rewrite.model import Left, Level
from worldline.rewrite.uses import Uses

TYPES = ("str", "list", "dict", "set", "tuple", "int", "frozenset")
ATOMIC_METHODS: Mapping[str, int] = {"append": 1, "add": 1, "discard": 1}
"""Methods that are one step each on the only built-in types that have them."""
LAZY = frozenset({"enumerate", "filter", "map", "reversed", "zip"})
VIEWS = frozenset({"items", "keys", "values"})
STATIC: Mapping[tuple[str, str], bool] = {("str", "maketrans"): False, ("dict", "fromkeys"): True}
"""Methods without receiver; whether microcode has a place for one all the same."""
ATOMIC_FUNCTIONS = frozenset(
    {
        *("len", "type", "ord", "chr", "iter", "next", "isinstance", "issubclass", "callable", "id", "hash"),
        *("print", "input", "range", "getattr", "setattr", "hasattr", "delattr", "super", "object", "slice"),
        *("property", "staticmethod", "classmethod"),
    }
)
EMPTY = frozenset({"list", "dict", "set", "tuple", "str", "int", "bool", "frozenset", "float"})
TAKES_FUNCTION = frozenset({"map", "filter"})


@dataclass(slots=True)
class Calls:
    """What the calls of one program need."""

    level: Level
    fresh: Fresh
    taken: frozenset[str]  # the program's own names
    shadowed: frozenset[str]  # built-in names to which it gives another meaning for all its functions
    own_methods: frozenset[str]  # methods of its classes
    imported: frozenset[str]  # names that are imported
    needed: dict[str, str] = field(default_factory=dict)  # microcode -> the name it has in the program
    dispatches: dict[Dispatch, str] = field(default_factory=dict)
    left: list[Left] = field(default_factory=list)

    def use(self, function: str) -> str | None:
        """The name under which a function of microcode can be called; None: there is none that works here."""
        if function in self.needed:
            return self.needed[function]
        if function not in library():
            return None
        every, reads = _needs(function)
        if (reads | {"type"}) & self.shadowed:
            return None
        for name in every:
            if name not in self.needed:
                self.needed[name] = self.fresh.name(name) if name in self.taken else name
        return self.needed[function]

    def leave(self, stmt: ast.stmt, what: str, why: str) -> None:
        """Say that something stays as it was."""
        left = Left(stmt.lineno, what, why)
        if left not in self.left:
            self.left.append(left)

    def call(self, call: ast.Call, kinds: Kinds, uses: Uses, stmt: ast.stmt) -> ast.Call:
        """The call of microcode for a call, or the call itself."""
        match call.func:
            case ast.Attribute(value=ast.Name(id=owner), attr=method) if self.is_type(owner, kinds):
                return self._of_type(call, owner, method, kinds, stmt)
            case ast.Attribute(value=ast.Name() | ast.Constant() as receiver, attr=method):
                return self._method(call, receiver, method, kinds, uses, stmt)
            case ast.Name(id=name) if name not in kinds.shadowed and hasattr(builtins, name):
                return self._function(call, name, kinds, uses, stmt)
            case ast.Name(id=name) if name in self.imported:
                self.leave(stmt, f"{name}()", "it is imported")
        return call

    def bound(
        self, call: ast.Call, receiver: ast.Name, method: str, kinds: Kinds, stmt: ast.stmt
    ) -> ast.Call:
        """The same for a method that was looked up before its arguments: `call` calls what was found."""
        ways = self._ways(method, call, kinds.of(receiver))
        if method in ATOMIC_METHODS or not ways or method in VIEWS:
            self._explain(method, receiver, kinds, call, stmt)
            return call
        return self._dispatched(
            Dispatch(method, ways, *_shape(call), is_bound=True), [call.func, receiver], call, kinds
        )

    def is_type(self, name: str, kinds: Kinds) -> bool:
        """Whether a name means a built-in type that has microcode."""
        return name in TYPES and name not in kinds.shadowed

    def _function(self, call: ast.Call, name: str, kinds: Kinds, uses: Uses, stmt: ast.stmt) -> ast.Call:
        if self.level != "atomic" or name in ATOMIC_FUNCTIONS or is_exception(name):
            return call
        if name in EMPTY and not call.args and not call.keywords:
            return call
        if name in LAZY and _name_of(stmt) not in uses.walked:
            self.leave(stmt, f"{name}()", "its result is kept, not only walked through")
            return call
        own = f"builtin_{name}"
        if own not in library() or not fits(library()[own], call):
            self.leave(stmt, ast.unparse(call), "there is no microcode for it")
            return call
        used = self.use(own)
        if used is None:
            self.leave(stmt, ast.unparse(call), "the program gives a built-in name another meaning")
            return call
        args = list(call.args)
        if name in TAKES_FUNCTION and args:
            args[0] = self.as_value(args[0], kinds)
        return ast.Call(
            ast.Name(used, ast.Load()), args, [self._keyword(word, kinds) for word in call.keywords]
        )

    def as_value(self, value: ast.expr, kinds: Kinds) -> ast.expr:
        """A built-in function that is handed on to be called: microcode in its place."""
        if self.level == "atomic" and isinstance(value, ast.Name) and value.id not in kinds.shadowed:
            used = None if value.id in ATOMIC_FUNCTIONS | LAZY else self.use(f"builtin_{value.id}")
            return value if used is None else ast.Name(used, ast.Load())
        return value

    def _keyword(self, word: ast.keyword, kinds: Kinds) -> ast.keyword:
        return ast.keyword(word.arg, self.as_value(word.value, kinds)) if word.arg == "key" else word

    def _of_type(self, call: ast.Call, owner: str, method: str, kinds: Kinds, stmt: ast.stmt) -> ast.Call:
        """`str.lower(x)`, `dict.fromkeys(keys)`."""
        function = f"{owner}_{method}"
        if self.level != "atomic" and owner != "str":
            return call
        if (owner, method) in STATIC:
            first: list[ast.expr] = [ast.Constant(None)] if STATIC[owner, method] else []
            made = ast.Call(call.func, [*first, *call.args], call.keywords)
            if function in library() and fits(library()[function], made):
                return self._direct(function, made.args, call, kinds, stmt)
        elif call.args and not _has_stars(call) and function in library() and fits(library()[function], call):
            if kinds.of(call.args[0]) == owner:
                return self._direct(function, call.args, call, kinds, stmt)
            if self.use(function) is not None:
                positional, words = _shape(call)
                chosen = Dispatch(method, (Way(owner, function),), positional - 1, words, owner=owner)
                return self._dispatched(chosen, [], call, kinds)
        self.leave(stmt, ast.unparse(call), "there is no microcode for it")
        return call

    def _direct(
        self, function: str, args: list[ast.expr], call: ast.Call, kinds: Kinds, stmt: ast.stmt
    ) -> ast.Call:
        used = self.use(function)
        if used is None:
            self.leave(stmt, ast.unparse(call), "the program gives a built-in name another meaning")
            return call
        return ast.Call(
            ast.Name(used, ast.Load()), args, [self._keyword(word, kinds) for word in call.keywords]
        )

    def _method(
        self, call: ast.Call, receiver: ast.expr, method: str, kinds: Kinds, uses: Uses, stmt: ast.stmt
    ) -> ast.Call:
        kind = kinds.of(receiver)
        if ATOMIC_METHODS.get(method) == len(call.args) or (
            kind == "list" and method == "pop" and not call.args
        ):
            return call
        ways = self._ways(method, call, kind)
        if ways and method in VIEWS and _name_of(stmt) in uses.measured and self.use("dict_itself"):
            ways = (Way("dict", "dict_itself"),)  # which is as long as its view
        elif ways and method in VIEWS and _name_of(stmt) not in uses.walked:
            self.leave(stmt, f".{method}()", "the view is kept, not only walked through")
            return call
        if not ways:
            self._explain(method, receiver, kinds, call, stmt)
            return call
        if (kind, method) in STATIC:
            args = [receiver, *call.args] if STATIC[str(kind), method] else call.args
            return self._direct(ways[0].function, args, call, kinds, stmt)
        if kind is not None:
            return self._direct(ways[0].function, [receiver, *call.args], call, kinds, stmt)
        return self._dispatched(Dispatch(method, ways, *_shape(call)), [receiver], call, kinds)

    def _ways(self, method: str, call: ast.Call, kind: str | None) -> tuple[Way, ...]:
        """Microcode for a method, for each type that the receiver may have."""
        types = TYPES if self.level == "atomic" else ("str",)
        found = []
        for each in types:
            function = f"{each}_{method}"
            if (
                kind not in (None, each)
                or each in self.shadowed
                or function not in library()
                or not hasattr(getattr(builtins, each), method)
            ):
                continue
            has_place = STATIC.get((each, method), True)
            args = [ast.Constant(None), *call.args] if has_place else call.args
            does_fit = fits(library()[function], ast.Call(call.func, args, call.keywords))
            if does_fit and self.use(function) is not None:
                found.append(Way(each, function, has_place))
        return () if kind is None and _has_stars(call) else tuple(found)

    def _dispatched(
        self, wanted: Dispatch, first: Sequence[ast.expr], call: ast.Call, kinds: Kinds
    ) -> ast.Call:
        if wanted not in self.dispatches:
            is_free = wanted.name not in self.taken and wanted.name not in self.dispatches.values()
            name = wanted.name if is_free else self.fresh.name(wanted.name)
            self.dispatches[wanted] = name
        values = [self._keyword(word, kinds).value for word in call.keywords]
        return ast.Call(ast.Name(self.dispatches[wanted], ast.Load()), [*first, *call.args, *values], [])

    def _explain(self, method: str, receiver: ast.expr, kinds: Kinds, call: ast.Call, stmt: ast.stmt) -> None:
        """Say why a method call stays, unless nothing is hidden in it."""
        kind = kinds.of(receiver)
        if ATOMIC_METHODS.get(method) == len(call.args):
            return
        owners = [each for each in TYPES if hasattr(getattr(builtins, each), method)]
        if self.level != "atomic" and (kind not in (None, "str") or "str" not in owners):
            return
        if isinstance(receiver, ast.Name) and receiver.id in self.imported:
            self.leave(stmt, f"{receiver.id}.{method}", "it is imported")
        elif kind is not None or owners or method not in self.own_methods:
            shown = f"{kind}.{method}" if kind else f".{method}()"
            self.leave(stmt, shown, "there is no microcode for it")

    def method_value(self, value: ast.Attribute, kinds: Kinds) -> ast.expr | None:
        """`str.lower` as a value, to be called with one text: a function that chooses."""
        match value:
            case ast.Attribute(value=ast.Name(id=owner), attr=method) if self.is_type(owner, kinds):
                function = f"{owner}_{method}"
                call = ast.Call(value, [ast.Constant(None)], [])
                if (
                    (owner, method) in STATIC
                    or function not in library()
                    or not fits(library()[function], call)
                ):
                    return None
                if (self.level != "atomic" and owner != "str") or self.use(function) is None:
                    return None
                return self._dispatched(
                    Dispatch(method, (Way(owner, function),), 0, owner=owner), [], call, kinds
                ).func
        return None


def _name_of(stmt: ast.stmt) -> str:
    """The one name that a statement binds."""
    match stmt:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
    return ""


def fits(function: Function, call: ast.Call) -> bool:
    """Whether a call's arguments are such as a function of microcode takes."""
    spec = function.node.args
    names = [arg.arg for arg in (*spec.posonlyargs, *spec.args)]
    stars = [isinstance(arg, ast.Starred) for arg in call.args]
    count = stars.index(True) if True in stars else len(stars)
    if any(stars) and (spec.vararg is None or count < len(names)):
        return False
    if _has_double_star(call) or (count > len(names) and spec.vararg is None):
        return False
    words = {word.arg for word in call.keywords}
    required = set(names[count : len(names) - len(spec.defaults)])
    by_name = {name for name in names[max(count, len(spec.posonlyargs)) :]}
    only = {arg.arg for arg in spec.kwonlyargs}
    return required <= words <= by_name | only


def _has_stars(call: ast.Call) -> bool:
    return any(isinstance(arg, ast.Starred) for arg in call.args) or _has_double_star(call)


def _has_double_star(call: ast.Call) -> bool:
    return any(word.arg is None for word in call.keywords)


def _shape(call: ast.Call) -> tuple[int, tuple[str, ...]]:
    return len(call.args), tuple(word.arg or "" for word in call.keywords)


@cache
def _needs(function: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """The functions of microcode that one needs, itself included, and the built-in names that they use."""
    every = closure([function])
    names = {node.id for each in every for node in ast.walk(each.node) if isinstance(node, ast.Name)}
    return tuple(each.name for each in every), frozenset(name for name in names if hasattr(builtins, name))


def is_exception(name: str) -> bool:
    """Whether a built-in name is that of an exception."""
    value = getattr(builtins, name)
    return isinstance(value, type) and issubclass(value, BaseException)
