r"""This file is which events may follow which in one frame, from the program's bytecode; nothing is run.

`flow(source)` compiles a program and knows, for every place a frame can be in, which events may come next:

    >>> program = flow("def f(xs):\n    for x in xs:\n        print(x)\n    return xs\n")
    >>> sorted(program.after(2, "f").lines)
    [3, 4]
    >>> program.after(4, "f").may_return, program.after(4, "f").lines
    (True, frozenset())

A trace shows events, not instructions, so a place is the set of instructions at which the frame can be,
given the events so far (`State`). States are made when first met and kept: checking a long trace is looking
things up. `position.py` puts the stack of frames on top.

What makes a flow wider than the truth:
  * conditions are not evaluated, and what can call something may call every function of the program;
  * a program that names `weakref`, `signal` or `gc`, or defines `__prepare__`, may be interrupted anywhere
    by any of its functions; one that defines `__del__`, anywhere by that.
What it does not know: code made at run time (`exec`, `eval`), jumps made by a debugger, programs that
themselves set trace functions or use `sys.monitoring`, traces with folded comprehensions, and other
versions of CPython: the flow is that of the interpreter it runs on, which must be the one that recorded the
trace. MemoryError and KeyboardInterrupt are expected only where something else could be raised, too.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType

from worldline.errors import UserError
from worldline.flow import bytecode
from worldline.flow.bytecode import CALLS, DROPS, RAISES, RERAISES, RESTORES, RETURNS, STOPS, YIELDS, Code

RUNNING, RAISED, SUSPENDED, THROWN, STRUCK, STOPPED = range(6)
"""Phases of an instruction: it is being executed; its exception was reported; the frame is suspended here; an
exception is about to be thrown in here; that one was reported; the generator it waits for has ended,
unreported."""

Config = tuple[int, int, int]  # instruction, phase, where a caught exception came from (or -1)

_INTERRUPTING = frozenset({"weakref", "signal", "gc", "__prepare__"})


class State:
    """Where a frame can be after its last event: an interned set of configurations of one `Flow`."""

    __slots__ = ("_moves", "_resumes", "configs", "flow", "line")

    def __init__(self, flow: "Flow", configs: frozenset[Config], line: int) -> None:
        self.flow = flow
        self.configs = configs
        self.line = line  # of the frame's last event
        self._moves: Moves | None = None
        self._resumes: dict[int, set[Config]] | None = None

    @property
    def moves(self) -> "Moves":
        """What may come next."""
        if self._moves is None:
            search = _Search(self)
            search.run()
            self._moves = search.moves()
        return self._moves

    @property
    def resumes(self) -> dict[int, set[Config]]:
        """For a suspended frame: how it may go on, by the line of its `call` event."""
        if self._resumes is None:
            self._resumes = self.flow.resumed(self)
        return self._resumes

    @property
    def codes(self) -> list[Code]:
        """The code objects this frame can be running: nearly always one."""
        places = {config[0] for config in self.configs}
        return [code for code in self.flow.codes if any(code.first <= place < code.end for place in places)]


@dataclass(frozen=True, slots=True)
class Exit:
    """What a `return` event may mean: the end of the frame, a generator's suspension, or either."""

    is_final: bool
    suspended: State | None


@dataclass(frozen=True, slots=True)
class Moves:
    """The events that may follow in a frame, by the line they name."""

    line: dict[int, State]
    exception: dict[int, State]
    exits: dict[int, Exit]
    calling: State | None  # where the frame waits when it calls something; None: it cannot
    dropping: State | None  # the same, where only the end of an object's life can call something


@dataclass(frozen=True, slots=True)
class After:
    """What may follow the `line` event of one line, within its frame."""

    lines: frozenset[int]  # lines whose event may come next, also after an exception
    may_call: bool
    may_raise: bool
    may_return: bool
    may_yield: bool


class Flow:
    """The legal successors of a program's events. Made by `flow`."""

    def __init__(self, source: str, filename: str) -> None:
        try:
            module = compile(source, filename, "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as error:
            raise UserError(f"{filename} is not a Python program: {error}") from error
        self._table = bytecode.instructions(module)
        self.codes = tuple(self._table.codes)
        self._states: dict[tuple[frozenset[Config], int], State] = {}
        self._by_line: dict[int, list[Code]] = {}
        for code in self.codes:
            self._by_line.setdefault(code.line, []).append(code)
        self._widen(_names(module))
        self._keeps_origin = self._reach_restoring()
        self._fired = self._line_starts()
        self._after: dict[tuple[int, str | None], After] = {}

    def after(self, line: int, function: str | None = None) -> After:
        """What may follow the event of `line` in its frame, whatever came before it.

        Args:
            line: a line of the source.
            function: only in the code of this name (`f`, `A.f`, `<module>`); None: in any.
        """
        key = line, function
        if key not in self._after:
            self._after[key] = self._project(line, function)
        return self._after[key]

    def called_at(self, line: int, function: str | None = None) -> list[Code]:
        """The code objects whose `call` event names `line`."""
        found = self._by_line.get(line, [])
        if function is None:
            return found
        return [code for code in found if function in (code.name, code.qualname)]

    def entered(self, codes: Iterable[Code]) -> set[Config]:
        """A new frame of one of `codes`. A generator may be thrown an exception before it starts."""
        configs = set()
        for code in codes:
            configs.add((code.entry, RUNNING, -1))
            if code.is_generator:
                configs.add((code.entry - 2, THROWN, -1))  # at RETURN_GENERATOR
        return configs

    def resumed(self, state: State) -> dict[int, set[Config]]:
        """How a suspended frame goes on, with a value or with an exception, by the line of its `call`."""
        found: dict[int, set[Config]] = {}
        for place, _, origin in state.configs:
            found.setdefault(self._line(place + 1, state.line), set()).add((place + 1, RUNNING, origin))
            found.setdefault(self._line(place, state.line), set()).add((place, THROWN, origin))
        return found

    def slipped(self, state: State) -> set[Config]:
        """A suspended frame that goes on without a `call` event.

        On CPython 3.11 one does if it delegates to another generator and that one, thrown an exception, ends.
        """
        if bytecode.MONITORED:
            return set()
        waits = (config for config in state.configs if self._table.name[config[0] - 1] == "SEND")
        return {(place - 1, STOPPED, origin) for place, _, origin in waits}

    def at_line(self, line: int, codes: Iterable[Code]) -> set[Config]:
        """Every configuration of `codes` in which the event of `line` has just fired."""
        places = self._fired.get(line, ())
        return {(place, RUNNING, -1) for code in codes for place in places if code.first <= place < code.end}

    def raised_at(self, line: int, codes: Iterable[Code]) -> set[Config]:
        """Every configuration of `codes` in which an exception was just reported on `line`."""
        table = self._table
        return {
            (place, RAISED, -1)
            for code in codes
            for place in range(code.first, code.end)
            if table.line[place] == line and table.effect[place] & RAISES
        }

    def state(self, configs: Iterable[Config], line: int) -> State:
        """The state for a set of configurations, always the same object for the same set."""
        key = frozenset(configs), line
        found = self._states.get(key)
        if found is None:
            found = self._states[key] = State(self, *key)
        return found

    def _line(self, place: int, last: int) -> int:
        """The line of an event at an instruction; where that has none, the line of the frame's last event."""
        line = self._table.line[place]
        return last if line is None else line

    def _widen(self, names: set[str]) -> None:
        everywhere = 0
        if "__del__" in names:
            everywhere |= DROPS
        if names & _INTERRUPTING:
            everywhere |= DROPS | CALLS | RAISES
        if everywhere:
            self._table.effect = [effect | everywhere for effect in self._table.effect]

    def _reach_restoring(self) -> set[int]:
        """The instructions from which a RERAISE that restores the origin is reached without an exception."""
        table = self._table
        before: dict[int, list[int]] = {}
        for place, targets in enumerate(table.successors):
            for target in targets:
                before.setdefault(target, []).append(place)
        pending = [place for place, effect in enumerate(table.effect) if effect & RESTORES]
        reached = set(pending)
        while pending:
            for place in before.get(pending.pop(), ()):
                if place not in reached:
                    reached.add(place)
                    pending.append(place)
        return reached

    def _line_starts(self) -> dict[int, set[int]]:
        """For every line the instructions at which its event may fire."""
        table = self._table
        found: dict[int, set[int]] = {}
        for before, targets in enumerate(table.successors):
            handler = table.handler[before]
            for here in (*targets, handler[0]) if handler else targets:
                if table.fires(before, here) or table.refires(before, here):
                    found.setdefault(table.line[here] or 0, set()).add(here)
        return found

    def _project(self, line: int, function: str | None) -> After:
        codes = [code for code in self.codes if function in (None, code.name, code.qualname)]
        start = self.state(self.at_line(line, codes), line)
        moves = start.moves
        lines = set(moves.line)
        for raised in moves.exception.values():
            lines.update(raised.moves.line)
        exits = moves.exits.values()
        return After(
            lines=frozenset(lines),
            may_call=moves.calling is not None,
            may_raise=bool(moves.exception),
            may_return=any(exit.is_final for exit in exits),
            may_yield=any(exit.suspended is not None for exit in exits),
        )


class _Search:
    """The search for the next events of a state: runs through instructions until each way has met one."""

    def __init__(self, state: State) -> None:
        self.flow = state.flow
        self.table = state.flow._table
        self.state = state
        self.pending = list(state.configs)
        self.seen = set(self.pending)
        self.lines: dict[int, set[Config]] = {}
        self.exceptions: dict[int, set[Config]] = {}
        self.finals: set[int] = set()
        self.yields: dict[int, set[Config]] = {}
        self.calling: set[Config] = set()
        self.dropping: set[Config] = set()

    def run(self) -> None:
        while self.pending:
            config = self.pending.pop()
            place, phase, origin = config
            if phase == RUNNING:
                self._execute(config)
            elif phase == RAISED:
                self.dropping.add(config)  # what the interrupted expression had computed so far
                self._unwind(place, place, origin)
                if self.table.effect[place] & STOPS:
                    self._go(place, self.table.successors[place][-1], origin)
            elif phase == THROWN:
                self._event(self.exceptions, place, (place, STRUCK, origin))
            elif phase == STRUCK:
                self.dropping.add(config)
                self._unwind(place, place + bytecode.SUSPENDS_AFTER_YIELD, origin)
            elif phase == STOPPED:
                self._go(place, self.table.successors[place][-1], origin)

    def moves(self) -> Moves:
        state, line = self.flow.state, self.state.line
        exits = {}
        for at in self.finals | self.yields.keys():
            suspended = state(self.yields[at], at) if at in self.yields else None
            exits[at] = Exit(at in self.finals, suspended)
        return Moves(
            line={at: state(configs, at) for at, configs in self.lines.items()},
            exception={at: state(configs, at) for at, configs in self.exceptions.items()},
            exits=exits,
            calling=state(self.calling, line) if self.calling else None,
            dropping=state(self.dropping, line) if self.dropping else None,
        )

    def _execute(self, config: Config) -> None:
        place, _, origin = config
        effect = self.table.effect[place]
        if effect & CALLS:
            self.calling.add(config)
        if effect & DROPS:
            self.dropping.add(config)
        if effect & RAISES:
            self._event(self.exceptions, place, (place, RAISED, origin))
        if effect & RERAISES:
            self._unwind(place, origin if effect & RESTORES and origin >= 0 else place, origin)
        if effect & RETURNS:
            self.finals.add(self.flow._line(place, self.state.line))
        if effect & YIELDS:
            self._event(self.yields, place, (place, SUSPENDED, origin))
        else:
            for target in self.table.successors[place]:
                self._go(place, target, origin)

    def _unwind(self, place: int, shown: int, origin: int) -> None:
        """An exception at `place`, said to come from `shown`, goes to its handler or out of the frame."""
        handler = self.table.handler[place]
        if handler is None:
            self.finals.add(self.flow._line(shown, self.state.line))
        else:
            self._go(shown, handler[0], shown if handler[1] else origin)

    def _go(self, before: int, here: int, origin: int) -> None:
        config = here, RUNNING, origin if here in self.flow._keeps_origin else -1
        fires = self.table.fires(before, here)
        if fires or self.table.refires(before, here):
            self.lines.setdefault(self.table.line[here] or 0, set()).add(config)
        if not fires and config not in self.seen:
            self.seen.add(config)
            self.pending.append(config)

    def _event(self, events: dict[int, set[Config]], place: int, config: Config) -> None:
        events.setdefault(self.flow._line(place, self.state.line), set()).add(config)


def _names(code: CodeType) -> set[str]:
    """What the code names, and what is defined in it."""
    found = {code.co_name, *code.co_names}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= _names(constant)
    return found


@lru_cache(maxsize=256)
def flow(source: str, filename: str = "<program>") -> Flow:
    """The legal successors of a program, kept for the next time it is asked for.

    Raises:
        UserError: `source` does not compile.
    """
    return Flow(source, filename)
