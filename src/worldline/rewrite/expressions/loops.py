"""This file is loops: what their headers compute, each time or once."""

import ast

from worldline.rewrite.expressions.branches import load, negated
from worldline.rewrite.expressions.flat import is_header, is_simple
from worldline.rewrite.expressions.scopes import deleted_in
from worldline.rewrite.expressions.targets import store
from worldline.rewrite.expressions.writer import Writer, copied, without


def lower_while(w: Writer, stmt: ast.While) -> None:
    """`while a`: a test that needs statements is made at the top of the body."""
    start = without(w.bound, deleted_in(stmt.body))
    w.bound = copied(start)
    if is_header(stmt.test):
        test = w.header(stmt.test)
        with w.block(loops=1) as body:
            w.statements(stmt.body)
    else:
        go_on = w.fresh.name("go") if stmt.orelse else ""
        if go_on:
            w.assign(go_on, ast.Constant(True))
        test = load(go_on) if go_on else ast.Constant(True)
        with w.block(loops=1) as body:
            _leave_unless(w, stmt.test, go_on)
            w.statements(stmt.body)
    _finish(w, stmt, start)
    with w.block() as orelse:
        w.statements(stmt.orelse)
    _finish(w, stmt, start)
    w.emit(ast.While(test, body, orelse))


def _finish(w: Writer, stmt: ast.While | ast.For | ast.AsyncFor, state: set[str] | None) -> None:
    """Go back to the loop's own line, with what is bound however often it ran."""
    w.line = stmt.lineno
    w.bound = copied(state)


def _leave_unless(w: Writer, test: ast.expr, go_on: str) -> None:
    """Stop when a test fails; with an `else`, by the loop's own condition, so that the `else` runs."""
    value = w.header(test)
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not):
        failed = value.operand
    else:
        failed = negated(value if is_simple(value) else w.keep(value))
    with w.block() as end:
        if go_on:
            w.assign(go_on, ast.Constant(False))
            w.emit(ast.Continue())
        else:
            w.emit(ast.Break())
    w.emit(ast.If(failed, end, []))


def lower_for(w: Writer, stmt: ast.For | ast.AsyncFor) -> None:
    """`for a in b`: a target that is more than a name is taken apart in the body."""
    source = w.operand(stmt.iter)
    start = without(w.bound, deleted_in(stmt.body))
    w.bound = copied(start)
    target = stmt.target
    with w.block(loops=1) as body:
        if isinstance(target, ast.Name):
            w.bind(target.id)
        else:
            item = w.fresh.name("item")
            store(w, target, ast.Name(item, ast.Load()))
            target = ast.Name(item, ast.Store())
        w.statements(stmt.body)
    _finish(w, stmt, start)
    with w.block() as orelse:
        w.statements(stmt.orelse)
    _finish(w, stmt, start)
    w.emit(type(stmt)(target, source, body, orelse, None))
