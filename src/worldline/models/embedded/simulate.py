"""This file is one step of a program: what the network is asked, and what becomes of its answer.

`step` is a generator: it yields questions and takes answers. The network says which values change, to what,
and which way a branch goes. The rest is bookkeeping (`moves.py`): the call stack, which line follows.
"""

import ast
from collections.abc import Generator as Asking
from collections.abc import Mapping
from typing import Any

from worldline.models.embedded import calls
from worldline.models.embedded.effects import Effect, apply, edited
from worldline.models.embedded.failures import made, raised_by
from worldline.models.embedded.lines import next_line
from worldline.models.embedded.module import names_of
from worldline.models.embedded.moves import Moves
from worldline.models.embedded.objects import Function, Generator, Walk
from worldline.models.embedded.outcomes import Answer, Edited, Outcome, Removed, Value
from worldline.models.embedded.paper import answered
from worldline.models.embedded.program import Node, Source
from worldline.models.embedded.prompts import Handles, UnclearError, is_hashed
from worldline.models.embedded.questions import Question
from worldline.models.embedded.reading import Cursor, question
from worldline.models.embedded.state import Frame, State, check_held, disturb, has_twin, waiting
from worldline.models.embedded.steps import Next, Steps, unsure
from worldline.models.embedded.unasked import unasked
from worldline.models.embedded.words import FUNCTIONS


def step(state: State, source: Source, is_free: bool = False) -> Steps:
    """The next step; if it is free, the network says which line comes. The state is changed in place."""
    held = waiting(state) if source.generators else ()
    try:
        running = _Step(state, source)
        found = yield from running.run()
        if is_free and running.moved:
            found = yield from running.chosen()
        check_held(held, state)
        return found
    except UnclearError as unclear:
        return unsure(state, source, str(unclear))


class _Step(Moves):
    __slots__ = ()

    def run(self) -> Steps:
        state, entry = self.state, self.source.functions.get(self.source.entry)
        if entry is None:
            raise UnclearError("no such entry")
        if self.source.entry in self.source.generators:
            raise UnclearError("a generator that nobody asks for anything")
        if not state.event:
            main = Function(self.source.entry, entry.lineno)
            state.module = names_of(self.source.tree)
            return self.enter(calls.entered(main, _CALL, [Frame("", 0, module=state.module)], self.source))
        others = {"return": self.back, "exception": self.failing, "call": self.begun}
        if state.event in others:
            return others[state.event]()
        return (yield from self.executed())

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
                if name not in frame.locals:
                    raise UnclearError(f"{name} has no value to forget, or it is the module's")
                self.lets_go([frame.locals.pop(name)])
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
        is_coin = calls.is_unseen(node, values) or self.is_blurred(answer.outcome, node, values)
        self.sure *= answer.probability * (0.5 if is_coin else 1.0)
        effect = apply(node, answer.outcome, values)
        if effect.cut is not None:
            disturb(effect.cut, self.state)
        return effect

    def is_blurred(self, outcome: Outcome, node: ast.stmt, values: Mapping[str, Any]) -> bool:
        """Whether what is edited, or asked about, may be one with what looks the same: texts do not tell."""
        if not self.state.is_guessed:
            return False
        if not isinstance(outcome, Edited | Removed):
            return calls.are_twins(node, values)
        held = edited(node, values)
        return held is not None and has_twin(held, self.state)

    def values(self, node: ast.AST) -> dict[str, Any]:
        """The names that a statement reads, functions among them; one of Python's own if it is not called."""
        found = dict(self.frame.locals)
        for name in calls.names_read(node):
            if name not in found:
                calls.check_name(name, self.frame, self.source)
                is_own = name in self.source.functions or name in self.frame.module
                if is_own or (name in FUNCTIONS and name not in calls.names_called(node)):
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
            walk.end()
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

    def chosen(self) -> Steps:
        """The line that the network says is next, whether it may be or not."""
        assert self.moved is not None
        frame = self.frame
        answer = yield next_line(self.source, frame.function, *self.moved)
        if not isinstance(answer.outcome, Value):
            raise UnclearError("no line")
        self.sure *= answer.probability
        return self.go(answer.outcome.value)


_ADDED = ast.parse("number += step").body[0]
_CALL = ast.Call(ast.Name("main"), [], [])
