"""This file is what computes a part only under a condition: `and`, `or`, `if` with all its `elif`s.

`a and b` is `t = a`, then `if t: t = b`. Where a program's classes say what their truth is, so that asking
twice could be seen, the path that skips `b` leaves a plain True or False for whoever asks next.
"""

import ast
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from worldline.rewrite.expressions.flat import is_header, is_simple
from worldline.rewrite.expressions.writer import Bound, CannotFlatten, Writer, copied, merged

Write = Callable[[], None]
ASKS_ONCE = sys.version_info < (3, 12)  # of `(a and b) or c`, whether `a` is true; later versions ask twice


@dataclass(frozen=True)
class Use:
    """What becomes of a value."""

    unseen: frozenset[bool]  # if its truth is one of these, nobody sees more of it
    is_asked: bool  # whether its truth will be asked for


VALUE = Use(frozenset(), is_asked=False)
TEST = Use(frozenset({True, False}), is_asked=True)


@dataclass(frozen=True)
class Arm:
    """One `if` or `elif`."""

    test: ast.expr
    line: int
    write: Write  # writes the body


def load(name: str) -> ast.Name:
    """A name that is read."""
    return ast.Name(name, ast.Load())


def negated(value: ast.expr) -> ast.expr:
    """`not value`."""
    return ast.UnaryOp(ast.Not(), value)


def lower_choice(w: Writer, node: ast.expr) -> ast.expr:
    """`and`, `or`, a chained comparison or a conditional expression, as a value."""
    name = w.fresh.name()
    into(w, name, node)
    return load(name)


def lower_compare(w: Writer, node: ast.Compare) -> ast.expr:
    """`a < b`; a chain of them is an `and` that computes its middle operands once."""
    if len(node.ops) > 1:
        return lower_choice(w, node)
    left, right = w.operands([node.left, node.comparators[0]])
    return ast.Compare(left, node.ops, [right])


def into(w: Writer, name: str, node: ast.expr, use: Use = VALUE) -> None:
    """Leave an expression's value in a name."""
    if isinstance(node, ast.IfExp):
        _choose(w, name, node, use)
    elif isinstance(node, ast.BoolOp) or (isinstance(node, ast.Compare) and len(node.ops) > 1):
        if name in w.fresh.given:
            is_and = isinstance(node, ast.Compare) or isinstance(node.op, ast.And)
            plain = w.facts.has_truth and _is_plain(use, is_and)
            _chain(w, name, _steps(w, name, node, use), is_and, plain)
        else:
            w.assign(name, w.operand(node))
    elif use is TEST and isinstance(node, ast.UnaryOp):
        w.assign(name, header(w, node) if isinstance(node.op, ast.Not) else w.operation(node))
    else:
        w.assign(name, w.operation(node))


def header(w: Writer, node: ast.expr) -> ast.expr:
    """A test as an operand, its negation, or one comparison."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = header(w, node.operand)
        return negated(inner if is_simple(inner) else w.keep(inner))
    if isinstance(node, ast.BoolOp | ast.IfExp) or (isinstance(node, ast.Compare) and len(node.ops) > 1):
        name = w.fresh.name()
        into(w, name, node, TEST)
        return load(name)
    if isinstance(node, ast.Compare):
        return lower_compare(w, node)
    return w.operand(node)


def _is_plain(use: Use, is_and: bool) -> bool:
    """Whether the value that a chain stops at may be replaced by its truth: nobody will see which it was."""
    stops_at = not is_and
    if stops_at in use.unseen:
        return True
    if use.is_asked:
        raise CannotFlatten("and/or", "the truth of a part is asked once for two operators")
    return False


def _steps(w: Writer, name: str, node: ast.BoolOp | ast.Compare, use: Use) -> list[Write]:
    """What computes the parts of a chain, each into the same name."""
    if isinstance(node, ast.Compare):
        return _comparisons(w, name, node)
    values = _same(node, joins=use is TEST or ASKS_ONCE or not w.facts.has_truth)

    def step(value: ast.expr, is_last: bool) -> Write:
        inner = use if is_last or use is TEST else _before(w, value, isinstance(node.op, ast.And), use)
        return lambda: into(w, name, value, inner)

    return [step(value, place == len(values) - 1) for place, value in enumerate(values)]


def _before(w: Writer, value: ast.expr, is_and: bool, use: Use) -> Use:
    """What becomes of a part that others follow: of a true `a` in `a and b`, nothing is seen."""
    if not (ASKS_ONCE and w.facts.has_truth and isinstance(value, ast.BoolOp)):
        return VALUE
    return Use(use.unseen | {is_and}, is_asked=True)


def _same(node: ast.BoolOp, joins: bool) -> list[ast.expr]:
    """The parts of `a and (b and c)`, and if it `joins` of `(a and b) and c`, as of `a and b and c`."""
    found: list[ast.expr] = []
    stack = node.values[::-1]
    while stack:
        value = stack.pop()
        is_same = isinstance(value, ast.BoolOp) and type(value.op) is type(node.op)
        if isinstance(value, ast.BoolOp) and is_same and (joins or not stack):
            stack.extend(value.values[::-1])
        else:
            found.append(value)
    return found


def _comparisons(w: Writer, name: str, node: ast.Compare) -> list[Write]:
    operands: list[ast.expr] = []

    def step(place: int) -> Write:
        def write() -> None:
            right = node.comparators[place]
            if not operands:
                operands.append(w.held(w.operand(node.left), [right]))
            left = operands[-1]
            value = w.operand(right)
            if isinstance(value, ast.Name) and place + 1 < len(node.ops):
                value = _middle(w, value, node.comparators[place + 1 :])
            operands.append(value)
            w.assign(name, ast.Compare(left, [node.ops[place]], [value]))

        return write

    return [step(place) for place in range(len(node.ops))]


def _middle(w: Writer, value: ast.Name, later: Sequence[ast.expr]) -> ast.expr:
    """An operand of two comparisons; the first of them may run code that rebinds it."""
    return w.keep(value) if w.is_volatile(value.id) else w.held(value, later)


def _chain(w: Writer, name: str, steps: Sequence[Write], is_and: bool, plain: bool) -> None:
    """Steps, each taken only if the value so far does not decide; `plain`: only the truth counts."""
    steps[0]()
    if len(steps) == 1:
        return
    after = copied(w.bound)
    if len(steps) - 1 > w.limit():
        _leave_early(w, name, steps[1:], is_and, plain)
    else:
        with w.block() as body:
            _chain(w, name, steps[1:], is_and, plain)
        orelse = _decided(w, name, is_and) if plain else []
        w.emit(ast.If(load(name) if is_and else negated(load(name)), body, orelse))
    w.bound = after


def _leave_early(w: Writer, name: str, steps: Sequence[Write], is_and: bool, plain: bool) -> None:
    """A long chain as a loop that is left at the first value that decides: nothing is indented further."""
    with w.block(loops=1) as body:
        for step in steps:
            stop: list[ast.stmt] = _decided(w, name, is_and) if plain else []
            with w.block() as end:
                w.emit(ast.Break())
            w.emit(ast.If(negated(load(name)) if is_and else load(name), [*stop, *end], []))
            step()
        w.emit(ast.Break())
    w.emit(ast.While(ast.Constant(True), body, []))


def _decided(w: Writer, name: str, is_and: bool) -> list[ast.stmt]:
    with w.block() as body:
        w.assign(name, ast.Constant(not is_and))
    return body


def _choose(w: Writer, name: str, node: ast.IfExp, use: Use) -> None:
    """`a if b else c`, with all the conditional expressions in its `else`."""
    arms = []
    last: ast.expr = node
    while isinstance(last, ast.IfExp):
        arms.append(Arm(last.test, w.line, _writes(w, name, last.body, use)))
        last = last.orelse
    write_arms(w, arms, _writes(w, name, last, use))


def _writes(w: Writer, name: str, node: ast.expr, use: Use) -> Write:
    return lambda: into(w, name, node, use)


def write_arms(w: Writer, arms: Sequence[Arm], orelse: Write | None) -> None:
    """An `if` with its `elif`s; what the test of an `elif` needs goes into the `else` before it."""
    if sum(not is_header(arm.test) for arm in arms[1:]) > w.limit():
        _select(w, arms, orelse)
    else:
        _nest(w, arms, orelse)


def _nest(w: Writer, arms: Sequence[Arm], orelse: Write | None) -> None:
    arm, rest = arms[0], arms[1:]
    w.line = arm.line
    test = w.header(arm.test)
    before = copied(w.bound)
    with w.block() as body:
        arm.write()
    after, w.bound = w.bound, before
    with w.block(deeper=not rest or not is_header(rest[0].test)) as other:
        if rest:
            _nest(w, rest, orelse)
        elif orelse:
            orelse()
    w.line = arm.line
    w.emit(ast.If(test, body, other))
    w.bound = merged([after, w.bound])


def _select(w: Writer, arms: Sequence[Arm], orelse: Write | None) -> None:
    """Many tests that need statements: first find out which holds, then branch on its number."""
    line = w.line
    number = w.fresh.name("arm")
    states = []
    with w.block(loops=1) as tests:
        for place, arm in enumerate(arms, 1):
            w.line = arm.line
            w.assign(number, ast.Constant(place))
            test = w.header(arm.test)
            with w.block() as end:
                w.emit(ast.Break())
            w.emit(ast.If(test, end, []))
            states.append(copied(w.bound))
        w.assign(number, ast.Constant(0))
        w.emit(ast.Break())
    w.line = line
    w.emit(ast.While(ast.Constant(True), tests, []))
    bodies = [arm.write for arm in arms]
    write_numbered(w, number, [arm.line for arm in arms], bodies, [*states, w.bound], orelse)


def write_numbered(
    w: Writer,
    number: str,
    lines: Sequence[int],
    bodies: Sequence[Write],
    states: Sequence[Bound],
    orelse: Write | None,
) -> None:
    """`if number == 1: ...`, with an `elif` for each body; `states` is what is bound at the start of each."""
    blocks, ends = [], []
    for write, state, line in zip([*bodies, orelse or (lambda: None)], states, [*lines, w.line], strict=True):
        w.bound = copied(state)
        w.line = line
        with w.block() as block:
            write()
        blocks.append(block)
        ends.append(w.bound)
    other = blocks.pop()
    for place in range(len(blocks), 0, -1):
        w.line = lines[place - 1]
        test = ast.Compare(load(number), [ast.Eq()], [ast.Constant(place)])
        with w.block(deeper=False) as made:
            w.emit(ast.If(test, blocks[place - 1], other))
        other = made
    w.out.extend(other)
    w.bound = merged(ends)
