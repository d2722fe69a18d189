"""This file is one step of a program: what the network is asked, and what becomes of its answer.

`step` is a generator: it yields questions and takes answers. The network says which values change, to what,
and which way a branch goes. The rest is bookkeeping: the call stack, which line follows, who shares what.
"""

import ast
from collections.abc import Generator as Asking
from dataclasses import dataclass
from typing import Any

from worldline.models.embedded import calls
from worldline.models.embedded.effects import Effect, apply
from worldline.models.embedded.failures import failed, failure, handles, made, raised_by
from worldline.models.embedded.lines import next_line
from worldline.models.embedded.module import names_of
from worldline.models.embedded.objects import Function, Generator, Walk
from worldline.models.embedded.outcomes import Answer, Value
from worldline.models.embedded.paper import answered
from worldline.models.embedded.program import LAMBDA, Node, Source
from worldline.models.embedded.prompts import Handles, UnclearError, is_hashed
from worldline.models.embedded.questions import Question
from worldline.models.embedded.reading import Cursor, question
from worldline.models.embedded.state import Frame, State, constant, unheld
from worldline.models.embedded.steps import Next, Steps, unsure
from worldline.models.embedded.unasked import unasked
from worldline.models.embedded.words import MISSING, is_literal
from worldline.trace.model import Event

DEEPEST = 900  # functions in each other: CPython gives up at 1,000, those that call the program among them


def step(state: State, source: Source, is_free: bool = False) -> Steps:
    """The next step; if it is free, the network says which line comes. The state is changed in place."""
    try:
        running = _Step(state, source)
        found = yield from running.run()
        return (yield from running.chosen()) if is_free and running.moved else found
    except UnclearError as unclear:
        return unsure(state, source, str(unclear))


@dataclass(slots=True)
class _Step:
    state: State
    source: Source
    sure: float = 1.0
    moved: tuple[int, bool | None] | None = None  # from which line, and which way a test went

    @property
    def frame(self) -> Frame:
        return self.state.frames[-1]

    def run(self) -> Steps:
        state, entry = self.state, self.source.functions.get(self.source.entry)
        if entry is None:
            raise UnclearError("no such entry")
        if not state.event:
            main = Function(self.source.entry, entry.lineno)
            state.module = names_of(self.source.tree)
            return self.enter(calls.entered(main, _CALL, [Frame("", 0, module=state.module)], self.source))
        others = {"return": self.back, "exception": self.failing, "call": self.begun}
        if state.event in others:
            return others[state.event]()
        return (yield from self.executed())

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

    def executed(self) -> Steps:
        frame = self.frame
        node = self.node()
        plain = self.plain(node)
        if plain is not None:
            return plain
        if isinstance(node, ast.For):
            return (yield from self.looped(node, node.iter))
        assert isinstance(node, ast.stmt)
        call = calls.call_in(node)
        if call is not None and isinstance(call.func, ast.Name):
            found = calls.called(call, frame, self.source)
            if found is not None:
                return self.call(found, call, node)
            if calls.is_error(call, frame):
                return self.bound(node, calls.result(node, made(call.func.id, call.args, frame, self.source)))
            if call.func.id == "next" and call.args:
                walk = calls.value_of(call.args[0], frame, self.source)
                return (yield from self.advanced(node, walk, call))
        effect = yield from self.asked(node)
        return self.bound(node, effect)

    def node(self) -> Node:
        """What the frame is about to run; of a lambda, its value."""
        if self.frame.function.endswith(LAMBDA):
            return self.source.lambdas[self.frame.line]
        return self.source.node(self.frame.line)

    def plain(self, node: Node) -> Next | None:
        """A statement that computes nothing."""
        frame = self.frame
        match node:
            case ast.ExceptHandler():
                return self.handled(node)
            case ast.Raise(exc=None):
                return self.again()
            case ast.Raise():
                return self.raised(raised_by(node, frame, self.source))
            case ast.Delete(targets=[ast.Name(id=name)]):
                self.lets_go([frame.locals.pop(name, None)])
                return self.after(node, None)
            case ast.Break():
                frame.walks.pop(self.source.loop_around(node.lineno), None)
        effect = unasked(node, frame, self.source)
        return None if effect is None else self.bound(node, effect)

    def asked(self, node: ast.stmt, cursor: Cursor | None = None) -> Asking[Question, Answer, Effect]:
        values = self.values(node)
        node, values = calls.spelled_out(node, values)
        if calls.is_shuffled(node, values):
            raise UnclearError("an order that hangs on hashes")
        answer = yield from answered(node, values, cursor)
        self.sure *= answer.probability * (0.5 if calls.is_unseen(node, values) else 1.0)
        return apply(node, answer.outcome, values)

    def values(self, node: ast.AST) -> dict[str, Any]:
        """The names that a statement reads, those of other functions of the program among them."""
        found = dict(self.frame.locals)
        for name in calls.names_read(node):
            if name not in found:
                calls.check_name(name, self.frame, self.source)
                if name in self.source.functions or name in self.frame.module:
                    found[name] = calls.global_value(name, self.frame, self.source)
        return found

    def looped(self, node: ast.For, walked: ast.expr) -> Steps:
        frame = self.frame
        if frame.line not in frame.walks:
            held = calls.value_of(walked, frame, self.source)
            frame.walks[frame.line] = held if isinstance(held, Walk | Generator) else Walk(held)  # type: ignore[assignment]
        return (yield from self.advanced(node, frame.walks[frame.line], None))

    def advanced(self, node: ast.stmt, walk: Any, call: ast.Call | None) -> Steps:
        """One item more of a walk or a generator."""
        if isinstance(walk, Generator):
            if walk.frame is None:
                return self.stopped(node, call)
            calls.look_again(walk.frame, self.state.frames, self.source)
            frame, walk.frame = walk.frame, None
            frame.generator = walk
            return self.enter(frame)
        if not isinstance(walk, Walk):
            raise UnclearError("a walk through something else")
        if walk.has_changed:
            raise UnclearError("a dict or a set that changes while it is walked through")
        effect = yield from self.asked(node, Cursor(walk.container, walk.taken, walk.upcoming))
        if isinstance(walk.container, range):
            return (yield from self.counted(node, walk, call, effect))
        if effect.is_stopped:
            return self.stopped(node, call)
        if is_hashed(walk.container):
            self.sure /= max(1, len(walk.container) - walk.taken)
        walk.taken += 1
        return self.bound(node, effect)

    def counted(self, node: ast.stmt, walk: Walk, call: ast.Call | None, effect: Effect) -> Steps:
        """One number more of a range, if there is one; the next is added up."""
        has_more = next(iter(effect.bound.values())) if effect.bound else effect.value
        if has_more is not True:
            return self.stopped(node, call)
        number, walk.taken = walk.upcoming, walk.taken + 1
        values = {"number": number, "step": walk.container.step}
        answer = yield question(_ADDED, values, Handles())
        if not isinstance(answer.outcome, Value) or type(answer.outcome.value) is not int:
            raise UnclearError("no number")
        self.sure *= answer.probability
        walk.upcoming = answer.outcome.value
        return self.bound(node, calls.result(node, number))

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

    def chosen(self) -> Steps:
        """The line that the network says is next, whether it may be or not."""
        assert self.moved is not None
        frame = self.frame
        answer = yield next_line(self.source, frame.function, *self.moved)
        if not isinstance(answer.outcome, Value):
            raise UnclearError("no line")
        self.sure *= answer.probability
        return self.go(answer.outcome.value)

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
        if not following:
            return self.left(None)
        return self.go(following[0])

    def told(self, event: Event, line: int, value: str | None = None) -> Next:
        self.state.event = event
        return Next(event, line, self.state, value, self.sure)

    def call(self, function: Function, call: ast.Call, node: ast.AST) -> Next:
        frame = calls.entered(function, call, self.state.frames, self.source)
        frame.number = self.state.made = self.state.made + 1
        if function.name not in self.source.generators:
            return self.enter(frame)
        made = Generator(frame)
        made.name = function.name
        return self.bound(node, calls.result(node, made))

    def enter(self, frame: Frame) -> Next:
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
        if around:
            return self.go(around[0].lineno)
        self.state.frames.pop()
        if frame.is_closing:  # what its caller goes on with is the function that ended before it
            self.state.closing[:0] = unheld(frame.locals.values(), self.state)
        else:
            self.state.value, self.state.is_failing, self.state.is_over = frame.raised, True, False
        return self.told("return", frame.line, "None")

    def handled(self, node: ast.ExceptHandler) -> Next:
        frame = self.frame
        if frame.raised is None:
            raise UnclearError("nothing to handle")
        if handles(node, frame.raised, frame, self.source):
            frame.handled[node.lineno] = frame.raised
            if node.name:
                frame.locals[node.name] = frame.raised
            return self.go(node.body[0].lineno)
        others = [
            line for line in self.source.following(frame.line, frame.function) if line != node.body[0].lineno
        ]
        self.source.check_way(frame.line, others[0] if others else 0)
        if others:
            return self.go(others[0])
        self.state.value, self.state.is_failing = frame.raised, True
        self.state.frames.pop()
        return self.told("return", frame.line, "None")


_ADDED = ast.parse("number += step").body[0]
_CALL = ast.Call(ast.Name("main"), [], [])
