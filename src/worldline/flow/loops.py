r"""This file is the hidden positions of running `for` loops, derived from a trace and its program.

A state shows the variables, not how many items a loop's iterator has given. The sequence of lines tells:

    >>> from worldline.trace import Entry, Program, Step
    >>> program = Program("def f():\n    for x in 'ab':\n        pass\n", Entry("call", "f()"))
    >>> lines = [("call", 1), ("line", 2), ("line", 3), ("line", 2), ("line", 3), ("line", 2), ("return", 2)]
    >>> steps = [Step(event, line, {}, function="f") for event, line in lines]
    >>> [loop.position for running in loops(program, steps) for loop in running]
    [1, 1, 2, 2]

A loop runs from its first item until it is left: while its header looks for the next item it still runs, on
the frame's last `return` it does not. `for` and `async for` statements count; comprehensions do not.

Between two runs of a loop its frame is seen outside of it, because Python gives an event for the header of
the loop around it, `while True:` included. So lines are enough, on predicted traces and those of other
versions as well.

What lines cannot tell, and what is said then:
  * a loop on one line (`for x in xs: f(x)`) gives the same event for an item and for the end: an exception
    or a `yield` there is taken to come from the body, so it has taken one item more than before that line;
  * the same loop with a comprehension in it, from CPython 3.12 on, or with a call that goes over several
    lines: each further event of the line counts as an item;
  * an exception in the header of a loop: from the iterator (as is said), or from taking an item apart;
  * a header that goes over several lines: the loop runs only from the first line of its body on;
  * a generator whose last step is a `yield` on a line where it could also end: the end, if that step gives
    None.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from worldline.trace.model import Program, Step

_HEADER, _BODY, _BOTH = range(3)
_IN_BODY, _FETCHING, _STORING = range(3)


@dataclass(frozen=True, slots=True)
class Loop:
    """A running `for` loop."""

    line: int  # of its `for`
    position: int  # how many items it has taken


@dataclass(frozen=True, slots=True)
class _For:
    line: int
    header_end: int
    body: int
    body_end: int

    def part(self, line: int) -> int | None:
        """Which part of the loop a line is; None: no part, or of its `else`."""
        in_header = self.line <= line <= self.header_end
        in_body = self.body <= line <= self.body_end
        if in_header:
            return _BOTH if in_body else _HEADER
        return _BODY if in_body else None


@dataclass(slots=True)
class _Scope:
    """One function, class body or module: what its own lines hold."""

    name: str
    line: int
    end: int
    loops: list[_For] = field(default_factory=list)  # outer before inner
    yields: list[tuple[int, int]] = field(default_factory=list)  # lines of each yield or await
    parts: dict[int, list[tuple[_For, int]]] = field(default_factory=dict)

    def at(self, line: int) -> list[tuple[_For, int]]:
        """The loops that a line is in, outermost first, each with the part it is."""
        found = self.parts.get(line)
        if found is None:
            found = self.parts[line] = [
                (loop, part) for loop in self.loops if (part := loop.part(line)) is not None
            ]
        return found


@dataclass(slots=True)
class _Run:
    """A loop of one frame that has at least seen its header."""

    loop: _For
    position: int
    stage: int  # what its frame was last seen at


@dataclass(slots=True)
class _Activation:
    scope: _Scope
    runs: list[_Run] = field(default_factory=list)
    shown: tuple[Loop, ...] = ()


def loops(program: Program, steps: Sequence[Step]) -> list[tuple[Loop, ...]]:
    """For every step the running `for` loops of its frame, outermost first."""
    last = {step.frame: index for index, step in enumerate(steps)}
    positions = LoopPositions(program)
    return [positions.take(step, is_last=last[step.frame] == index) for index, step in enumerate(steps)]


class LoopPositions:
    """The same, step by step, while a trace is being made."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._frames: dict[int, _Activation] = {}

    def take(self, step: Step, *, is_last: bool) -> tuple[Loop, ...]:
        """The running loops at the next step; `is_last`: its frame has no further one."""
        frame = self._frames.get(step.frame)
        if frame is None:
            scopes = _scopes(self._program.source_of(step.file))
            frame = self._frames[step.frame] = _Activation(_scope_of(scopes, step))
        if step.event == "line":
            frame.runs = _moved(frame, step.line)
            frame.shown = tuple(Loop(run.loop.line, run.position) for run in frame.runs if run.position)
        elif step.event == "exception":
            frame.shown = _inside_body(frame, step.line)
        elif step.event == "return":
            frame.shown = () if is_last and _ends(frame, step) else _inside_body(frame, step.line)
        return frame.shown

    def of(self, frame: int) -> tuple[Loop, ...]:
        """The loops of an activation as it was last seen."""
        found = self._frames.get(frame)
        return () if found is None else found.shown

    def forget(self, frame: int) -> None:
        """An activation is over."""
        self._frames.pop(frame, None)


def _moved(frame: _Activation, line: int) -> list[_Run]:
    """The loops after the event of a line: those it is in, of which some go on and some are new."""
    before = {id(run.loop): run for run in frame.runs}
    runs = []
    for loop, part in frame.scope.at(line):
        run = before.get(id(loop))
        if run is None:
            if part == _HEADER:
                continue
            run = _Run(loop, int(part == _BODY), _IN_BODY)
        elif part == _BOTH or run.stage == _FETCHING:
            run = _Run(loop, run.position + 1, _STORING if part == _HEADER else _IN_BODY)
            before.clear()  # loops inside this one ran for the item before
        elif part == _BODY or run.stage == _IN_BODY:
            run.stage = _IN_BODY if part == _BODY else _FETCHING
        runs.append(run)
    return runs


def _inside_body(frame: _Activation, line: int) -> tuple[Loop, ...]:
    """The loops during the rest of a line: one that is all on this line has taken its item by now."""
    here = dict((id(loop), part) for loop, part in frame.scope.at(line))
    return tuple(
        Loop(run.loop.line, run.position + (here.get(id(run.loop)) == _BOTH))
        for run in frame.runs
        if run.position or here.get(id(run.loop)) == _BOTH
    )


def _ends(frame: _Activation, step: Step) -> bool:
    """Whether the last `return` of a frame leaves it, rather than suspends it for good."""
    if not any(first <= step.line <= end for first, end in frame.scope.yields):
        return True
    return step.value in (None, "None")


def _scope_of(scopes: Sequence[_Scope], step: Step) -> _Scope:
    """The scope a frame runs in, from its first step."""
    name = step.function.rpartition(".")[2]
    if name.startswith("<") and name != "<module>":
        return _Scope(name, step.line, step.line)  # a lambda or a comprehension has no loops of its own
    around = [scope for scope in scopes if scope.line <= step.line <= scope.end]
    named = [scope for scope in around if scope.name == name]
    return (named or around or list(scopes))[-1]


@lru_cache(maxsize=64)
def _scopes(source: str) -> tuple[_Scope, ...]:
    """Every scope of a source, outer before inner."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return (_Scope("<module>", 0, 0),)
    found = [_Scope("<module>", 0, len(source) + 1)]
    _collect(tree, found[0], found)
    return tuple(found)


def _collect(node: ast.AST, scope: _Scope, found: list[_Scope]) -> None:
    for child in _children(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = _Scope(child.name, _first_line(child), child.end_lineno or child.lineno)
            found.append(inner)
            _collect(child, inner, found)
            continue
        if isinstance(child, ast.For | ast.AsyncFor):
            scope.loops.append(_for(child))
        if isinstance(child, ast.Yield | ast.YieldFrom | ast.Await | ast.AsyncFor | ast.AsyncWith):
            scope.yields.append((child.lineno, child.end_lineno or child.lineno))
        _collect(child, scope, found)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes below, without the insides of lambdas: those run in frames of their own."""
    return (child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.Lambda))


def _for(node: ast.For | ast.AsyncFor) -> _For:
    header_end = max(node.target.end_lineno or 0, node.iter.end_lineno or 0)
    return _For(node.lineno, header_end, _first_line(node.body[0]), node.body[-1].end_lineno or 0)


def _first_line(node: ast.stmt) -> int:
    decorators: Iterable[ast.expr] = getattr(node, "decorator_list", ())
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])
