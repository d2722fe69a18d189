"""This file is where a step leads: the call stack, the line that follows, who handles an exception.

Nobody is asked here: what the network has said is carried out (`simulate.py` asks).
"""

import ast
from dataclasses import dataclass
from typing import Any

from worldline.models.embedded import calls
from worldline.models.embedded.effects import Effect
from worldline.models.embedded.failures import failed, failure, handles
from worldline.models.embedded.objects import Function, Generator
from worldline.models.embedded.program import LAMBDA, Node, Source
from worldline.models.embedded.prompts import UnclearError
from worldline.models.embedded.state import Frame, State, constant, unheld
from worldline.models.embedded.steps import Next
from worldline.models.embedded.words import MISSING, is_literal
from worldline.trace.model import Event

DEEPEST = 900  # functions in each other: CPython gives up at 1,000, those that call the program among them


@dataclass(slots=True)
class Moves:
    """One step on its way, which changes the state in place."""

    state: State
    source: Source
    sure: float = 1.0
    moved: tuple[int, bool | None] | None = None  # from which line, and which way a test went

    @property
    def frame(self) -> Frame:
        """The function that runs."""
        return self.state.frames[-1]

    def node(self) -> Node:
        """What the frame is about to run; of a lambda, its value."""
        if self.frame.function.endswith(LAMBDA):
            return self.source.lambdas[self.frame.line]
        return self.source.node(self.frame.line)

    def begun(self) -> Next:
        """The first line of a function, or the line after a yield."""
        frame = self.frame
        if frame.is_closing:
            return self.raised(GeneratorExit())
        if frame.is_resumed:
            frame.is_resumed = False
            node = self.source.node(frame.line)
            if isinstance(node, ast.Assign):
                frame.locals[calls.target(node)] = None
            return self.to(self.source.resumed(frame.line, frame.function))
        is_lambda = frame.function.endswith(LAMBDA)
        return self.to([frame.line] if is_lambda else self.source.first(frame.function, frame.line))

    def stopped(self, node: ast.stmt, call: ast.Call | None) -> Next:
        """There is no further item."""
        if isinstance(node, ast.For):
            self.frame.walks.pop(self.frame.line, None)
            return self.after(node, False)
        if call is not None and len(call.args) == 2:
            default = calls.value_of(call.args[1], self.frame, self.source)
            return self.bound(node, calls.result(node, default))
        return self.raised(StopIteration())

    def bound(self, node: ast.AST, effect: Effect) -> Next:
        """Names are bound, a value is given back, a branch is taken."""
        frame = self.frame
        if effect.is_raised:
            return self.raised(failure(node, frame.locals))
        before = [frame.locals.get(name) for name in effect.bound]
        for name, value in effect.bound.items():
            names = frame.module if name in self.source.shared.get(frame.function, ()) else frame.locals
            names[name] = constant(value) if is_literal(node) else value
        if isinstance(node, ast.Assign | ast.For) and self.lets_go(before, *effect.bound.values()):
            return self.closed()
        match node:
            case ast.Return():
                return self.left(effect.value if effect.value is not MISSING else None)
            case ast.Expr(value=ast.Yield()):
                return self.yielded(effect.value)
            case ast.Assign(value=ast.Yield()):
                return self.yielded(effect.value)
            case ast.If() | ast.While():
                return self.after(node, bool(effect.value))
            case ast.For():
                return self.after(node, True)
            case ast.Assert() if not effect.value:
                return self.raised(failed(node, frame, self.source))
        return self.after(node, None)

    def lets_go(self, before: list[Any], *now: Any) -> bool:
        """Whether generators that names held end now, as nobody else holds them."""
        if not any(isinstance(each, Generator) for each in before):
            return False
        self.state.value = now[0] if now else None
        self.state.closing = unheld(before, self.state)
        if self.state.closing and len(now) != 1:
            raise UnclearError("a generator that ends with other than one name bound")
        for each in self.state.closing:
            calls.look_again(each.frame, self.state.frames, self.source)
        return bool(self.state.closing)

    def after(self, node: ast.AST, branch: bool | None) -> Next:
        """The line that follows a statement."""
        frame = self.frame
        following = self.source.unfailing(frame.line, frame.function)
        if branch is not None and isinstance(node, ast.If | ast.While | ast.For):
            first = node.body[0].lineno
            following = [first] if branch else [line for line in following if line != first]
        self.moved = (frame.line, branch) if following else None
        return self.to(following)

    def go(self, line: int) -> Next:
        """To another line of the function: loops that it is not in are over."""
        frame = self.frame
        still = self.source.handling.get(line, ())
        for handler in self.source.handling.get(frame.line, ()):
            if handler.name and handler not in still:
                frame.locals.pop(handler.name, None)  # Python forgets it at the end of the handler
        frame.walks = {at: walk for at, walk in frame.walks.items() if self.source.is_inside(line, at)}
        frame.line = line
        return self.told("line", line)

    def to(self, following: list[int]) -> Next:
        """To the first of these lines; there is none: out of the function."""
        if not following:
            return self.left(None)
        return self.go(following[0])

    def told(self, event: Event, line: int, value: str | None = None) -> Next:
        """The step as it is told, as sure as all answers that led to it."""
        self.state.event = event
        return Next(event, line, self.state, value, self.sure)

    def call(self, function: Function, call: ast.Call, node: ast.AST) -> Next:
        """A function of the program begins, or a generator is made."""
        frame = calls.entered(function, call, self.state.frames, self.source)
        frame.number = self.state.made = self.state.made + 1
        if function.name not in self.source.generators:
            return self.enter(frame)
        if self.source.cleans_up(function.name):
            raise UnclearError("a generator that does something when it is given up")
        made = Generator(frame)
        made.name = function.name
        return self.bound(node, calls.result(node, made))

    def enter(self, frame: Frame) -> Next:
        """A frame begins, or goes on."""
        if len(self.state.frames) > DEEPEST:
            raise UnclearError("a recursion that may be too deep")
        self.state.frames.append(frame)
        return self.told("call", frame.line)

    def left(self, value: Any) -> Next:
        """The function ends."""
        frame = self.frame
        self.source.check_way(frame.line)
        if frame.generator is not None and value is not None:
            raise UnclearError("a generator that returns something")
        self.state.frames.pop()
        self.state.value, self.state.is_failing = value, False
        self.state.is_over = frame.generator is not None
        self.state.closing = unheld(frame.locals.values(), self.state)
        for each in self.state.closing:
            calls.look_again(each.frame, [*self.state.frames, frame], self.source)
        return self.told("return", frame.line, repr(value))

    def yielded(self, value: Any) -> Next:
        """A generator waits."""
        frame = self.state.frames.pop()
        if frame.generator is None:
            raise UnclearError("a yield outside of a generator")
        frame.generator.frame, frame.is_resumed = frame, True
        self.state.value, self.state.is_over, self.state.is_failing = value, False, False
        return self.told("return", frame.line, repr(value))

    def back(self) -> Next:
        """The caller goes on with what was given back."""
        state = self.state
        if state.closing:
            return self.closed()
        if not state.frames:
            raise UnclearError("the program has ended")
        if state.is_failing:
            state.is_failing = False
            return self.raised(state.value)
        node = self.node()
        call = calls.call_in(node)
        if state.is_over and isinstance(node, ast.For):
            return self.stopped(node, None)
        is_next = call is not None and isinstance(call.func, ast.Name) and call.func.id == "next"
        if state.is_over and is_next:
            assert isinstance(node, ast.stmt)
            return self.stopped(node, call)
        state.is_over = False
        return self.bound(node, calls.result(node, state.value))

    def closed(self) -> Next:
        """A generator that waits, and that nobody holds, ends: then its caller goes on."""
        ended = self.state.closing.pop(0)
        assert ended.frame is not None
        frame, ended.frame = ended.frame, None
        frame.is_closing = True
        return self.enter(frame)

    def raised(self, found: BaseException) -> Next:
        """An exception comes up."""
        self.frame.raised = found
        shown = f"({type(found)!r}, {found!r}, <traceback object>)"
        return self.told("exception", self.frame.line, shown)

    def again(self) -> Next:
        """A bare `raise`: what the handler around it looks at goes on. A trace shows it once."""
        frame = self.frame
        around = self.source.handling.get(frame.line, ())
        if not around or around[-1].lineno not in frame.handled:
            raise UnclearError("nothing to raise again")
        frame.raised = frame.handled[around[-1].lineno]
        return self.failing()

    def failing(self) -> Next:
        """To the handler around the line, or out of the function."""
        frame = self.frame
        has_begun = frame.is_resumed or not frame.is_closing
        around = self.source.handlers.get(frame.line, []) if has_begun else []
        self.source.check_way(frame.line, around[0].lineno if around else 0)
        return self.go(around[0].lineno) if around else self.passed()

    def passed(self) -> Next:
        """An exception leaves the function."""
        frame = self.state.frames.pop()
        if frame.generator is not None and isinstance(frame.raised, StopIteration):
            raise UnclearError("a StopIteration that leaves a generator")
        if frame.is_closing:  # what its caller goes on with is the function that ended before it
            self.state.closing[:0] = unheld(frame.locals.values(), self.state)
        else:
            self.state.value, self.state.is_failing, self.state.is_over = frame.raised, True, False
        return self.told("return", frame.line, "None")

    def handled(self, node: ast.ExceptHandler) -> Next:
        """A handler takes the exception, or the next one looks at it, or it leaves the function."""
        frame = self.frame
        if frame.raised is None:
            raise UnclearError("nothing to handle")
        if handles(node, frame.raised, frame, self.source):
            frame.handled[node.lineno] = frame.raised
            if node.name in self.source.shared.get(frame.function, ()):
                raise UnclearError("an exception that is bound to a name of the module")
            if node.name:
                frame.locals[node.name] = frame.raised
            return self.go(node.body[0].lineno)
        others = [
            line for line in self.source.following(frame.line, frame.function) if line != node.body[0].lineno
        ]
        self.source.check_way(frame.line, others[0] if others else 0)
        return self.go(others[0]) if others else self.passed()
