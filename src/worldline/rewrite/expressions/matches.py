"""This file is `match`: the subject before, the patterns as they are, guards in the block where needed."""

import ast
from collections.abc import Iterator, Sequence

from worldline.rewrite.expressions.branches import Write, write_numbered
from worldline.rewrite.expressions.flat import is_header
from worldline.rewrite.expressions.scopes import bindings, deleted_in
from worldline.rewrite.expressions.writer import Bound, Writer, copied, without


def lower_match(w: Writer, stmt: ast.Match) -> None:
    """`match a`."""
    subject = w.operand(stmt.subject)
    if all(case.guard is None or is_header(case.guard) for case in stmt.cases):
        _write_plain(w, stmt, subject)
    else:
        _write_numbered(w, stmt, subject)


def _write_plain(w: Writer, stmt: ast.Match, subject: ast.expr) -> None:
    start = without(w.bound, deleted_in(stmt.cases))
    cases = []
    for case in stmt.cases:
        w.bound = _captured(start, case)
        with w.block() as body:
            w.statements(case.body)
        cases.append(ast.match_case(case.pattern, case.guard, body))
    w.bound = start
    w.line = stmt.lineno
    w.emit(ast.Match(subject, cases))


def _captured(start: Bound, case: ast.match_case) -> Bound:
    return None if start is None else start | set(bindings([case.pattern]))


def _write_numbered(w: Writer, stmt: ast.Match, subject: ast.expr) -> None:
    """Find the case by several `match`es, each up to a guard that needs statements; then branch on it."""
    if isinstance(subject, ast.Name) and subject.id not in w.fresh.given:
        subject = w.keep(subject)  # patterns may rebind the name
    start = without(w.bound, deleted_in(stmt.cases))
    number = w.fresh.name("arm")
    states: list[Bound] = []
    with w.block(loops=1) as tests:
        for group in _groups(stmt.cases):
            w.bound = copied(start)
            cases = []
            for case in group:
                cases.append(_numbered_case(w, case, number, len(states) + 1, start))
                states.append(copied(w.bound))
            w.emit(ast.Match(subject, cases))
        w.assign(number, ast.Constant(0))
        w.emit(ast.Break())
    w.emit(ast.While(ast.Constant(True), tests, []))
    bodies = [_body(w, case) for case in stmt.cases]
    lines = [case.pattern.lineno for case in stmt.cases]
    write_numbered(w, number, lines, bodies, [*states, start], None)
    w.bound = start


def _body(w: Writer, case: ast.match_case) -> Write:
    return lambda: w.statements(case.body)


def _groups(cases: Sequence[ast.match_case]) -> Iterator[list[ast.match_case]]:
    group: list[ast.match_case] = []
    for case in cases:
        group.append(case)
        if case.guard is not None and not is_header(case.guard):
            yield group
            group = []
    if group:
        yield group


def _numbered_case(w: Writer, case: ast.match_case, number: str, place: int, start: Bound) -> ast.match_case:
    w.bound = _captured(start, case)
    with w.block() as body:
        if case.guard is None or is_header(case.guard):
            _found(w, number, place)
            return ast.match_case(case.pattern, case.guard, body)
        test = w.header(case.guard)
        with w.block() as found:
            _found(w, number, place)
        w.emit(ast.If(test, found, []))
    return ast.match_case(case.pattern, None, body)


def _found(w: Writer, number: str, place: int) -> None:
    w.assign(number, ast.Constant(place))
    w.emit(ast.Break())
