"""This file is comprehensions, as loops in their place, and generator expressions, as generator functions.

A comprehension is a function of its own only where its target lives on in a function that is made inside, or
where the message about an unbound name shows that it is one.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence

from worldline.rewrite.expressions.functions import (
    INLINES,
    call_it,
    declare_outer,
    definition,
    one_parameter,
)
from worldline.rewrite.expressions.scopes import Scope, parameters, target_names
from worldline.rewrite.expressions.targets import store
from worldline.rewrite.expressions.writer import CannotFlatten, Writer, copied

Write = Callable[[], None]
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp
STEMS: dict[type[ast.expr], str] = {ast.ListComp: "list", ast.SetComp: "set", ast.DictComp: "dict"}
PARTS = {"list": "<listcomp>.", "set": "<setcomp>.", "dict": "<dictcomp>.", "gen": "<genexpr>."}
KINDS: dict[str, type] = {"list": list, "set": set, "dict": dict}


def lower_comprehension(w: Writer, node: Comprehension) -> ast.expr:
    """A list, set or dictionary comprehension."""
    stem = STEMS[type(node)]
    names = _targets(node)
    has_room = w.has_room(len(node.generators))
    shows = _shows_itself(w, node, names)
    if not has_room or _lives_on(node, names) or _reads_early(node, names):
        if shows and INLINES:
            raise CannotFlatten("comprehension", "the message about an unbound name shows its scope")
        return _as_function(w, node, stem)
    if shows and not INLINES:
        return _as_function(w, node, stem)
    first = w.operand(node.generators[0].iter)
    result = _empty(w, stem)
    before, renames, inside = copied(w.bound), w.renames, w.inside
    if not INLINES:
        w.inside += PARTS[stem]
    _loop(w, node.generators, first, lambda: _collect(w, node, result), renames=True)
    w.bound, w.renames, w.inside = before, renames, inside
    return ast.Name(result, ast.Load())


def _as_function(w: Writer, node: Comprehension, stem: str) -> ast.expr:
    first = w.operand(node.generators[0].iter)
    name = w.fresh.name(stem)
    source = w.fresh.name("iter")
    with w.function(_made_scope(w, node, stem), set()) as body:
        declare_outer(w, _walruses(node), w.scope)
        result = _empty(w, stem)
        _loop(w, node.generators, ast.Name(source, ast.Load()), lambda: _collect(w, node, result))
        w.emit(ast.Return(ast.Name(result, ast.Load())))
    is_async = _waits(node)
    _declare_here(w, node)
    w.emit(definition(name, one_parameter(source), body, is_async))
    call = ast.Call(ast.Name(name, ast.Load()), [first], [])
    return ast.Await(w.keep(call)) if is_async else call


def lower_generator(w: Writer, node: ast.GeneratorExp) -> ast.expr:
    """A generator expression: the first iterable is computed at once, all else when the generator runs."""
    if node.generators[0].is_async:
        raise CannotFlatten("asynchronous generator expression", "its first iterable is asked at once")
    first = w.operand(node.generators[0].iter)
    name = w.fresh.name("gen")
    source = ast.Name(w.fresh.name("iter"), ast.Load())
    loop = _loop_by_hand if w.facts.has_iterators else _loop
    with w.function(_made_scope(w, node, "gen"), set()) as body:
        declare_outer(w, _walruses(node), w.scope)
        loop(w, node.generators, source, lambda: w.emit(ast.Expr(ast.Yield(w.operand(node.elt)))))
    _declare_here(w, node)
    w.emit(definition(name, one_parameter(source.id), body, _waits(node)))
    if w.facts.shows_names:
        call_it(w, name, "__name__", "<genexpr>")
        call_it(w, name, "__qualname__", f"{w.scope.path}{w.inside}<genexpr>")
    iterator = w.keep(ast.Call(w.builtin("iter"), [first], []))
    return ast.Call(ast.Name(name, ast.Load()), [iterator], [])


def _made_scope(w: Writer, node: Comprehension | ast.GeneratorExp, stem: str) -> Scope:
    part = PARTS[stem] if stem == "gen" or not INLINES else ""
    return Scope(
        local=frozenset(_targets(node)),
        parent=w.scope,
        safe=w.outside(),
        waits=stem == "gen",
        path=w.scope.path + w.inside + part,
        is_made=True,
    )


def _empty(w: Writer, stem: str) -> str:
    """A fresh name for the result, empty so far."""
    name = w.fresh.name(stem)
    values = {
        "list": ast.List([], ast.Load()),
        "dict": ast.Dict([], []),
        "set": ast.Call(w.builtin("set"), [], []),
    }
    w.assign(name, values[stem])
    w.kinds[name] = KINDS[stem]
    return name


def _collect(w: Writer, node: Comprehension, result: str) -> None:
    """Put one element into the result."""
    name = ast.Name(result, ast.Load())
    if isinstance(node, ast.DictComp):
        key, value = w.operands([node.key, node.value])
        w.emit(ast.Assign([ast.Subscript(name, key, ast.Store())], value))
        return
    method = "append" if isinstance(node, ast.ListComp) else "add"
    value = w.operand(node.elt)
    w.emit(ast.Expr(ast.Call(ast.Attribute(name, method, ast.Load()), [value], [])))


def _loop(
    w: Writer, generators: Sequence[ast.comprehension], source: ast.expr, inner: Write, renames: bool = False
) -> None:
    """`for target in source`, with the conditions and loops in it; `renames`: the targets get fresh names."""
    generator = generators[0]
    with w.block(loops=1) as body:
        target = _target(w, generator.target, renames)
        _under(w, generators, generator.ifs, inner, renames)
    kind = ast.AsyncFor if generator.is_async else ast.For
    w.emit(kind(ast.Name(target, ast.Store()), source, body, [], None))


def _loop_by_hand(w: Writer, generators: Sequence[ast.comprehension], source: ast.expr, inner: Write) -> None:
    """The same on an iterator, which is not asked for its iterator once more: a class could see that."""
    with w.block(loops=1) as body:
        item = w.fresh.name("item")
        with w.block(loops=1) as step:
            w.assign(item, ast.Call(w.builtin("next"), [source], []))
        with w.block() as end:
            w.emit(ast.Break())
        w.emit(ast.Try(step, [ast.ExceptHandler(w.builtin("StopIteration"), None, end)], [], []))
        store(w, generators[0].target, ast.Name(item, ast.Load()))
        _under(w, generators, generators[0].ifs, inner, renames=False)
    w.emit(ast.While(ast.Constant(True), body, []))


def _target(w: Writer, target: ast.expr, renames: bool) -> str:
    """What a loop binds; a target that is more than a name is taken apart inside."""
    if renames:
        w.renames = {**w.renames, **{name: w.fresh.name(name) for name in target_names(target)}}
    if isinstance(target, ast.Name):
        w.bind(target.id)
        return w.renames.get(target.id, target.id)
    item = w.fresh.name("item")
    store(w, target, ast.Name(item, ast.Load()))
    return item


def _under(
    w: Writer, generators: Sequence[ast.comprehension], tests: Sequence[ast.expr], inner: Write, renames: bool
) -> None:
    """What a loop does with each item: conditions, then the next loop, then the element."""
    if tests:
        test = w.header(tests[0])
        with w.block() as body:
            _under(w, generators, tests[1:], inner, renames)
        w.emit(ast.If(test, body, []))
    elif len(generators) > 1:
        source = w.operand(generators[1].iter)
        _loop(w, generators[1:], source, inner, renames)
    else:
        inner()


def _targets(node: Comprehension | ast.GeneratorExp) -> set[str]:
    return {name for generator in node.generators for name in target_names(generator.target)}


def _inside(node: Comprehension | ast.GeneratorExp) -> Iterator[ast.AST]:
    """The parts of a comprehension that run in it: all but the first iterable."""
    for child in ast.iter_child_nodes(node):
        if child is not node.generators[0]:
            yield child
    yield from (node.generators[0].target, *node.generators[0].ifs)


def _lives_on(node: Comprehension, names: set[str]) -> bool:
    """Whether a function that is made inside reads a target: it would see the loop's next values."""
    for part in _inside(node):
        for inner in ast.walk(part):
            if isinstance(inner, ast.Lambda):
                roots: Iterable[ast.AST] = [inner.body]
                own = set(parameters(inner.args))
            elif isinstance(inner, ast.GeneratorExp):
                roots, own = _inside(inner), _targets(inner)
            else:
                continue
            if _read(roots) & (names - own):
                return True
    return False


def _read(roots: Iterable[ast.AST]) -> set[str]:
    return {node.id for root in roots for node in ast.walk(root) if isinstance(node, ast.Name)}


def _loaded(roots: Iterable[ast.AST]) -> set[str]:
    nodes = (node for root in roots for node in ast.walk(root) if isinstance(node, ast.Name))
    return {node.id for node in nodes if isinstance(node.ctx, ast.Load)}


def _reads_early(node: Comprehension, names: set[str]) -> bool:
    """Whether a target is read before it is bound: the message shows its name."""
    waiting = set(names)
    for place, generator in enumerate(node.generators):
        if place and _loaded([generator.iter]) & waiting:
            return True
        if _loaded([generator.target]) & waiting:
            return True
        waiting -= set(target_names(generator.target))
        if _loaded(generator.ifs) & waiting:
            return True
    return False


def _shows_itself(w: Writer, node: Comprehension, names: set[str]) -> bool:
    """Whether it can be seen that a comprehension is a function of its own (up to Python 3.11), or is not."""
    loaded = _loaded(_inside(node)) - names
    return "super" in loaded or any(
        w.scope.owner(name) is w.scope and not w.is_bound(name) for name in loaded if name not in w.renames
    )


def _own(node: Comprehension | ast.GeneratorExp) -> Iterator[ast.AST]:
    """The nodes that run in a comprehension, without those of the functions that are made inside."""
    stack = list(_inside(node))
    while stack:
        inner = stack.pop()
        yield inner
        if isinstance(inner, ast.GeneratorExp):
            stack.append(inner.generators[0].iter)
        elif isinstance(inner, ast.Lambda):
            stack.append(inner.args)
        else:
            stack.extend(ast.iter_child_nodes(inner))


def _waits(node: Comprehension | ast.GeneratorExp) -> bool:
    """Whether a comprehension awaits something itself."""
    return node.generators[0].is_async == 1 or any(
        isinstance(inner, ast.Await) or (isinstance(inner, ast.comprehension) and inner.is_async)
        for inner in _own(node)
    )


def _walruses(node: Comprehension | ast.GeneratorExp) -> set[str]:
    """The names that a comprehension binds in the scope around it."""
    found = set()
    stack: list[ast.AST] = [node]
    while stack:
        inner = stack.pop()
        if isinstance(inner, ast.NamedExpr):
            found.add(inner.target.id)
        if isinstance(inner, ast.Lambda):
            stack.append(inner.args)
        else:
            stack.extend(ast.iter_child_nodes(inner))
    return found


def _declare_here(w: Writer, node: Comprehension | ast.GeneratorExp) -> None:
    """Make names that only a walrus inside binds the function's own: `nonlocal` needs to find them."""
    for name in sorted(_walruses(node)):
        if w.scope.owner(name) is w.scope:
            w.emit(ast.AnnAssign(ast.Name(name, ast.Store()), ast.Name("object", ast.Load()), None, 1))
