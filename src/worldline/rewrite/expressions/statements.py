"""This file is simple statements, and those that only hold a block: `if`, `with`, `try`."""

import ast

from worldline.rewrite.expressions.branches import Arm, Write, negated, write_arms
from worldline.rewrite.expressions.flat import is_caught, is_flat, is_simple
from worldline.rewrite.expressions.operands import item
from worldline.rewrite.expressions.scopes import bindings, deleted_in
from worldline.rewrite.expressions.targets import assign, place, store
from worldline.rewrite.expressions.writer import Bound, Writer, changed, copied, merged, without


def lower_simple(w: Writer, stmt: ast.stmt) -> None:
    """A statement without operands, or one that is flat."""
    w.emit(stmt)
    for name in bindings([stmt]):
        w.bind(name)
    if isinstance(stmt, ast.Break | ast.Continue):
        w.bound = None


def lower_assign(w: Writer, stmt: ast.Assign) -> None:
    """`a = b`."""
    if is_flat(stmt):
        lower_simple(w, stmt)
    else:
        assign(w, stmt.targets, stmt.value)


def lower_annotated(w: Writer, stmt: ast.AnnAssign) -> None:
    """`a: T = b`; the annotation stays as it is."""
    if is_flat(stmt):
        w.emit(stmt)
    else:
        value = None
        if stmt.value is not None:
            is_name = isinstance(stmt.target, ast.Name)
            value = w.operation(stmt.value) if is_name else w.operand(stmt.value)
        target: ast.expr = stmt.target
        if not isinstance(target, ast.Name):
            if isinstance(value, ast.Name) and value.id not in w.fresh.given:
                value = w.keep(value)
            target = place(w, target, ast.Store())
        w.emit(changed(stmt, target=target, value=value))
    if stmt.value is not None:
        for name in bindings([stmt.target]):
            w.bind(name)


def lower_augmented(w: Writer, stmt: ast.AugAssign) -> None:
    """`a += b`: the old value is loaded before `b` is computed."""
    target = stmt.target
    if isinstance(target, ast.Name):
        if w.must_hold(target.id, [stmt.value]):
            old = w.keep(ast.Name(target.id, ast.Load()))
            _in_place(w, old, stmt)
            w.assign(target.id, old)
        else:
            w.emit(ast.AugAssign(ast.Name(target.id, ast.Store()), stmt.op, w.operand(stmt.value)))
            w.bind(target.id)
        return
    where = _steady_place(w, target, stmt.value)
    old = w.keep(changed(where, ctx=ast.Load()))
    _in_place(w, old, stmt)
    w.emit(ast.Assign([changed(where, ctx=ast.Store())], old))


def _in_place(w: Writer, old: ast.Name, stmt: ast.AugAssign) -> None:
    value = w.operand(stmt.value)
    w.emit(ast.AugAssign(ast.Name(old.id, ast.Store()), stmt.op, value))


def _steady_place(w: Writer, target: ast.Attribute | ast.Subscript, value: ast.expr) -> ast.expr:
    """An attribute or an item that means the same place when it is read and when it is stored to."""
    if isinstance(target, ast.Attribute):
        return ast.Attribute(_steady(w, w.held(w.operand(target.value), [value])), target.attr, ast.Load())
    container, index = item(w, target, [value])
    if isinstance(index, ast.Name):
        index = _steady(w, index)
    elif isinstance(index, ast.Slice):
        parts = (index.lower, index.upper, index.step)
        index = ast.Slice(*(part and _steady(w, part) for part in parts))
    return ast.Subscript(_steady(w, container), index, ast.Load())


def _steady(w: Writer, operand: ast.expr) -> ast.expr:
    """An operand that code which runs in between cannot rebind."""
    return w.keep(operand) if isinstance(operand, ast.Name) and w.is_volatile(operand.id) else operand


def lower_expression(w: Writer, stmt: ast.Expr) -> None:
    """An expression for its effects."""
    if is_flat(stmt):
        w.emit(stmt)
        return
    value = w.operation(stmt.value)
    if not is_simple(value):
        w.emit(ast.Expr(value))


def lower_return(w: Writer, stmt: ast.Return) -> None:
    """`return a`."""
    w.emit(stmt if is_flat(stmt) else ast.Return(stmt.value and w.operand(stmt.value)))
    w.bound = None


def lower_delete(w: Writer, stmt: ast.Delete) -> None:
    """`del a, b`: one after the other."""
    for target in stmt.targets:
        _delete(w, target)


def _delete(w: Writer, target: ast.expr) -> None:
    if isinstance(target, ast.Tuple | ast.List):
        for part in target.elts:
            _delete(w, part)
    elif isinstance(target, ast.Name):
        w.emit(ast.Delete([target]))
        w.unbind(target.id)
    else:
        w.emit(ast.Delete([place(w, target, ast.Del())]))


def lower_raise(w: Writer, stmt: ast.Raise) -> None:
    """`raise a from b`."""
    parts = w.operands([part for part in (stmt.exc, stmt.cause) if part is not None])
    w.emit(ast.Raise(*parts) if parts else ast.Raise(None, None))
    w.bound = None


def lower_assert(w: Writer, stmt: ast.Assert) -> None:
    """`assert a, b`: the message is only computed when the test fails."""
    test = w.header(stmt.test)
    if stmt.msg is None or is_simple(stmt.msg):
        w.emit(ast.Assert(test, stmt.msg))
        return
    before = copied(w.bound)
    with w.block() as body:
        w.emit(ast.Assert(ast.Constant(False), w.operand(stmt.msg)))
    if not is_simple(test):
        test = w.keep(test)
    w.emit(ast.If(negated(test), body, []))
    w.bound = before


def lower_if(w: Writer, stmt: ast.If) -> None:
    """`if` with its `elif`s and `else`."""
    arms = []
    last = stmt
    while True:
        arms.append(Arm(last.test, last.lineno, _body(w, last.body)))
        if len(last.orelse) != 1 or not isinstance(last.orelse[0], ast.If):
            break
        last = last.orelse[0]
    write_arms(w, arms, _body(w, last.orelse) if last.orelse else None)


def _body(w: Writer, body: list[ast.stmt]) -> Write:
    return lambda: w.statements(body)


def lower_with(w: Writer, stmt: ast.With | ast.AsyncWith) -> None:
    """`with a as b, c as d`: one inside the other."""
    before = without(w.bound, deleted_in(stmt.body))
    _with_items(w, stmt, 0)
    if not all(_opens(w, entry.context_expr) for entry in stmt.items):
        w.bound = before  # what stopped the body may have been swallowed


def _opens(w: Writer, manager: ast.expr) -> bool:
    """Whether a context manager is a file, which swallows no exceptions."""
    match manager:
        case ast.Call(func=ast.Name(id="open")):
            return "open" not in w.facts.anywhere
    return False


def _with_items(w: Writer, stmt: ast.With | ast.AsyncWith, number: int) -> None:
    if number == len(stmt.items):
        w.statements(stmt.body)
        return
    entry = stmt.items[number]
    manager = w.operand(entry.context_expr)
    target = entry.optional_vars
    with w.block(loops=1) as body:
        if isinstance(target, ast.Name):
            w.bind(target.id)
        elif target is not None:
            value = w.fresh.name()
            store(w, target, ast.Name(value, ast.Load()))
            target = ast.Name(value, ast.Store())
        _with_items(w, stmt, number + 1)
    w.line = stmt.lineno
    w.emit(type(stmt)([ast.withitem(manager, target)], body, None))


def lower_try(w: Writer, stmt: ast.Try | ast.TryStar) -> None:
    """`try`, with what it names in `except` as it is: that is only looked up when something is raised."""
    before = w.bound
    in_handlers = without(before, deleted_in(stmt.body))
    in_final = without(before, deleted_in([*stmt.body, *stmt.handlers, *stmt.orelse]))
    body = _block(w, stmt.body, copied(before))
    body_end = w.bound
    handlers, ends = [], []
    for handler in stmt.handlers:
        handlers.append(_handler(w, handler, copied(in_handlers)))
        ends.append(w.bound)
    orelse = _block(w, stmt.orelse, body_end)
    end = merged([*ends, w.bound])
    final = _block(w, stmt.finalbody, copied(in_final))
    w.bound = _after_final(end, in_final, w.bound, deleted_in(stmt.finalbody))
    w.line = stmt.lineno
    w.emit(type(stmt)(body, handlers, orelse, final))


def _after_final(end: Bound, start: Bound, final: Bound, deleted: set[str]) -> Bound:
    if end is None or final is None:
        return None
    return (end - deleted) | (final - (start or set()))


def _block(w: Writer, body: list[ast.stmt], bound: Bound) -> list[ast.stmt]:
    w.bound = bound
    with w.block(loops=2 if body else 0) as block:
        w.statements(body)
    return block


def _handler(w: Writer, handler: ast.ExceptHandler, bound: Bound) -> ast.ExceptHandler:
    if not is_caught(handler.type):
        w.note(handler.lineno, "except", "what it catches is only computed when something is raised")
    if handler.name and bound is not None:
        bound.add(handler.name)
    body = _block(w, handler.body, bound)
    if handler.name:
        w.unbind(handler.name)
    made: ast.ExceptHandler = changed(handler, body=body)
    made.lineno = made.end_lineno = handler.lineno
    made.col_offset = made.end_col_offset = 0
    return made
