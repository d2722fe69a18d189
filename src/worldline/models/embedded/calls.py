"""This file is calls of the program's own functions: which one is meant, and its parameters bound.

The call stack is the rollout's part, not the network's: parameters take the values of the arguments.
"""

import ast
import builtins
from collections.abc import Callable, Mapping
from copy import copy
from typing import Any

from worldline.models.embedded.effects import Effect
from worldline.models.embedded.module import default_name, defaults
from worldline.models.embedded.objects import Builtin, Function, Method, builtin
from worldline.models.embedded.program import Definition, Source
from worldline.models.embedded.prompts import KINDS, UnclearError, is_hashed
from worldline.models.embedded.state import Frame, constant
from worldline.models.embedded.words import FUNCTIONS, MISSING, is_fixed, literal

SMALLEST, LARGEST = -5, 256  # of these numbers CPython has one each


def call_in(statement: ast.AST) -> ast.Call | None:
    """The call that a statement is about, if it is about one."""
    match statement:
        case (
            ast.Assign(value=ast.Call() as call)
            | ast.Expr(value=ast.Call() as call)
            | ast.Return(value=ast.Call() as call)
        ):
            return call
    return None


def names_read(statement: ast.AST) -> set[str]:
    """The names that a statement reads; of a compound one, those of its header."""
    match statement:
        case ast.If(test=header) | ast.While(test=header) | ast.For(iter=header):
            return names_read(header)
        case ast.AugAssign(target=ast.Name(id=name), value=value):
            return {name} | names_read(value)
    names = (each for each in ast.walk(statement) if isinstance(each, ast.Name))
    return {each.id for each in names if isinstance(each.ctx, ast.Load)}


def names_called(statement: ast.AST) -> set[str]:
    """The names that a statement calls."""
    calls = (each.func for each in ast.walk(statement) if isinstance(each, ast.Call))
    return {each.id for each in calls if isinstance(each, ast.Name)}


def is_shuffled(statement: ast.stmt, values: Mapping[str, Any]) -> bool:
    """Whether a list or a tuple is made of a container without an order that can be seen."""
    match call_in(statement):
        case ast.Call(func=ast.Name(id="list" | "tuple"), args=[ast.Name(id=name)]):
            held: Any = values.get(name)
            return is_hashed(held) and len(held) > 1
    return False


def called(call: ast.Call, frame: Frame, source: Source) -> Function | None:
    """The program's function that a call means; None: another thing is called."""
    if not isinstance(call.func, ast.Name):
        return None
    name = call.func.id
    is_known = name in frame.locals or name in frame.module or name in source.functions
    if not is_known:
        check_name(name, frame, source)
        return None
    held = value_of(call.func, frame, source)
    if not isinstance(held, Function | Method | Builtin):
        raise UnclearError("a call of something else")
    return held if isinstance(held, Function) else None


def entered(function: Function, call: ast.Call, frames: list[Frame], source: Source) -> Frame:
    """The frame of a call from the last of the frames: its parameters, and names from around it."""
    frame = frames[-1]
    definition = source.definition(function.name, function.line)
    if definition is None:
        raise UnclearError("a function that is not in the program")
    if any(keyword.arg is None for keyword in call.keywords):
        raise UnclearError("a call with packed arguments")
    given: list[Any] = []
    for each in call.args:
        if isinstance(each, ast.Starred):
            packed = value_of(each.value, frame, source)
            if not isinstance(packed, list | tuple):
                raise UnclearError("a call with packed arguments")
            given += packed
        else:
            given.append(value_of(each, frame, source))
    named = {keyword.arg: value_of(keyword.value, frame, source) for keyword in call.keywords}
    bound = _bound(definition.args, given, named, lambda name, node: _default(function, name, node, frame))
    entered = Frame(function.name, definition.lineno, bound, around=function.around, module=frame.module)
    _look_around(entered, definition, frames, source)
    return entered


def _look_around(frame: Frame, definition: Definition, frames: list[Frame], source: Source) -> None:
    """Put the values of the names that a function has from the one around it, which must still run."""
    names = source.around.get((frame.function, definition.lineno), ())
    if not names:
        return
    found = next((each for each in frames if each.number == frame.around), None)
    if found is None or any(isinstance(each, ast.Nonlocal) for each in ast.walk(definition)):
        raise UnclearError("a function that reads names of one that has ended, or changes them")
    frame.locals |= {name: found.locals[name] for name in names if name in found.locals}


def look_again(frame: Frame, frames: list[Frame], source: Source) -> None:
    """A generator goes on: names of the function around it may have other values by now."""
    definition = source.functions.get(frame.function)
    if definition is not None:
        _look_around(frame, definition, frames, source)


def is_unseen(statement: ast.stmt, values: Mapping[str, Any]) -> bool:
    """Whether two equal numbers or characters are asked to be one: in CPython only small ones always are."""
    left, right = _asked_to_be_one(statement, values)
    if type(left) is not type(right) or type(left) not in (int, str) or left != right:
        return False
    if type(left) is int:
        return not SMALLEST <= left <= LARGEST
    return len(left) == 1 and ord(left) >= LARGEST


def are_twins(statement: ast.stmt, values: Mapping[str, Any]) -> bool:
    """Whether two are asked to be one that look the same, and of which there may be several."""
    left, right = _asked_to_be_one(statement, values)
    is_steady = isinstance(left, str | int | type | None)
    return not is_steady and left is not right and repr(left) == repr(right)


def _asked_to_be_one(statement: ast.stmt, values: Mapping[str, Any]) -> tuple[Any, Any]:
    """The two values of `a is b`; None twice: that is not asked."""
    match getattr(statement, "test", getattr(statement, "value", None)):
        case ast.Compare(left=one, ops=[ast.Is() | ast.IsNot()], comparators=[other]):
            left, right = (
                values.get(each.id) if isinstance(each, ast.Name) else literal(each) for each in (one, other)
            )
            return left, right
    return None, None


def is_error(call: ast.Call, frame: Frame) -> bool:
    """Whether a call that means no function of the program makes an exception of Python's own."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    found = getattr(builtins, name, None)
    return name not in frame.locals and isinstance(found, type) and issubclass(found, BaseException)


def check_name(name: str, frame: Frame, source: Source) -> None:
    """Refuse a name without a known value that need not be Python's own, or a function of the module."""
    if name in frame.locals:
        return
    if source.is_own(name, frame.function):
        raise UnclearError(f"{name} has no value yet")
    if name in source.unsteady and name not in frame.module:
        raise UnclearError(f"what {name} is would have to be computed")


def target(node: ast.Assign) -> str:
    """The name that is assigned to."""
    if not isinstance(node.targets[0], ast.Name):
        raise UnclearError("several names at once")
    return node.targets[0].id


def result(node: ast.AST, value: Any) -> Effect:
    """The effect of a statement whose call gave a value."""
    match node:
        case ast.Assign():
            return Effect({target(node): value})
        case ast.For(target=ast.Name(id=name)):
            return Effect({name: value})
        case ast.Return():
            return Effect(value=value)
        case ast.Expr():
            return Effect()
    raise UnclearError("a call inside of something else")


def spelled_out(node: ast.stmt, values: dict[str, Any]) -> tuple[ast.stmt, dict[str, Any]]:
    """`add = xs.append; add(x)`: a call of a method that has a name, as `xs.append(x)`; of `len` alike."""
    call = call_in(node)
    if call is None or not isinstance(call.func, ast.Name):
        return node, values
    held = values.get(call.func.id)
    function: ast.expr
    if isinstance(held, Method):
        function = ast.Attribute(ast.Name(call.func.id, ast.Load()), held.name, ast.Load())
        values = {**values, call.func.id: held.receiver}
    elif isinstance(held, Builtin):
        function = ast.Name(held.name, ast.Load())
    else:
        return node, values
    spelled = copy(node)
    spelled.value = ast.Call(function, call.args, call.keywords)  # type: ignore[attr-defined]
    return spelled, values


def global_value(name: str, frame: Frame, source: Source) -> Any:
    """The value of a name that the function does not hold: of the module, a function of it, Python's own."""
    check_name(name, frame, source)
    if name in frame.module:
        return frame.module[name]
    if name in source.functions:
        return frame.module.setdefault(name, Function(name, source.functions[name].lineno))
    if name in KINDS:
        return KINDS[name]
    if name in FUNCTIONS:
        return builtin(name)
    raise UnclearError(f"no value of {name}")


def value_of(node: ast.expr, frame: Frame, source: Source) -> Any:
    """The value of an argument: a name or a literal."""
    if isinstance(node, ast.Name):
        if node.id in frame.locals:
            return frame.locals[node.id]
        return global_value(node.id, frame, source)
    found = literal(node)
    if found is MISSING:
        raise UnclearError("more than one thing at once")
    return constant(found)


def _default(function: Function, name: str, node: ast.expr, frame: Frame) -> Any:
    """What a parameter holds that is not given: a container is the same one at every call."""
    held = default_name(function.name, name)
    if held in frame.module:
        return frame.module[held]
    value = literal(node)
    if not is_fixed(value):
        raise UnclearError("a default that was computed")
    return constant(value)


def _bound(
    spec: ast.arguments,
    given: list[Any],
    named: dict[Any, Any],
    default: Callable[[str, ast.expr], Any],
) -> dict[str, Any]:
    names = [each.arg for each in (*spec.posonlyargs, *spec.args)]
    if spec.kwarg or (len(given) > len(names) and not spec.vararg):
        raise UnclearError("parameters of a rare kind")
    free = {*names[max(len(given), len(spec.posonlyargs)) :], *(each.arg for each in spec.kwonlyargs)}
    if not free.issuperset(named):
        raise UnclearError("a name that is no parameter, or given twice")
    rest, given = tuple(given[len(names) :]), given[: len(names)]
    others = defaults(spec)
    found: dict[str, Any] = {}
    for index, name in enumerate((*names, *(each.arg for each in spec.kwonlyargs))):
        if index < len(given):
            found[name] = given[index]
        elif name in named:
            found[name] = named[name]
        elif name in others:
            found[name] = default(name, others[name])
        else:
            raise UnclearError(f"no value of {name}")
    return {**found, spec.vararg.arg: rest} if spec.vararg else found
