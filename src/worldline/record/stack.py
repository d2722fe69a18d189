"""This file is what is known of the evaluation stack and the variables at one place of a stretch of bytecode.

A value is known only in terms of the variables it came from: an `ATOM` with the mask {x, y} is an atom if x
and y held atoms when the stretch began, and plain if they held plain values.
"""

from collections.abc import Set
from dataclasses import dataclass, field
from typing import NamedTuple

from worldline.record.instructions import Instruction

ATOM, PLAIN, HELD, DROPPABLE, ANY, ITERATOR, GLOBAL, METHOD, NULL = range(9)
"""Forms of values. HELD: something else refers to it, too. DROPPABLE: what a Python function gave; the C core
has looked at it when that returned."""


class Impure(Exception):
    """The stretch may change something."""


class Value(NamedTuple):
    """A value on the stack or in a variable."""

    form: int
    mask: int = 0  # the variables it hangs on; "initial" values: how deep they were, from 1
    name: str = ""  # of a global or method; "initial": on the stack when the stretch began


NOTHING = Value(NULL)
SURE_ATOM = Value(ATOM)


@dataclass(slots=True)
class Conditions:
    """What must hold when a stretch begins for it to be pure."""

    is_pure: bool = True
    atoms: int = 0
    plain: int = 0
    iterator: int = -1
    functions: set[str] = field(default_factory=set)
    builtins: set[str] = field(default_factory=set)


class State(NamedTuple):
    """The stack at one place: `taken` of the values that were there at the beginning are gone."""

    taken: int
    stack: tuple[Value, ...]
    variables: frozenset[tuple[int, Value]]  # those that were stored since


def merged(one: State, other: State) -> State:
    """What is known where two paths meet."""
    taken = max(one.taken, other.taken)
    first, second = _taken(one, taken), _taken(other, taken)
    if len(first) != len(second):
        raise Impure
    stack = tuple(_common(a, b) for a, b in zip(first, second, strict=True))
    mine, its = dict(one.variables), dict(other.variables)
    variables = {
        index: _common(mine.get(index, variable(index)), its.get(index, variable(index)))
        for index in mine.keys() | its.keys()
    }
    return State(taken, stack, frozenset(variables.items()))


def _taken(state: State, taken: int) -> tuple[Value, ...]:
    """The stack as it looks if more of the first values are taken for new ones."""
    deeper = range(taken - 1, state.taken - 1, -1)
    return (*(Value(ANY, depth + 1, "initial") for depth in deeper), *state.stack)


def _common(one: Value, other: Value) -> Value:
    if one == other:
        return one
    if one.form <= PLAIN and other.form <= PLAIN:
        return Value(max(one.form, other.form), one.mask | other.mask)
    if NULL in (one.form, other.form):
        raise Impure
    return Value(ANY)


def variable(index: int) -> Value:
    """What a variable held when the stretch began."""
    return Value(ATOM, 1 << index)


class Machine:
    """The effect of one instruction on what is known."""

    def __init__(self, conditions: Conditions, cells: Set[int], state: State) -> None:
        self.conditions = conditions
        self.cells = cells  # variables that other functions may share
        self.taken = state.taken
        self.stack = list(state.stack)
        self.variables = dict(state.variables)
        self.ended: tuple[int, list[Value]] | None = None  # taken and stack, where a loop has ended

    def state_at(self, instruction: Instruction, target: int) -> State:
        """The state behind the instruction, on the way to `target`."""
        taken, stack = self.taken, self.stack
        if self.ended is not None and target != instruction.next:
            taken, stack = self.ended
        return State(taken, tuple(stack), frozenset(self.variables.items()))

    def pop(self) -> Value:
        """The topmost value."""
        if self.stack:
            return self.stack.pop()
        self.taken += 1
        return Value(ANY, self.taken, "initial")

    def pops(self, count: int) -> list[Value]:
        """The topmost values, the top last."""
        return [self.pop() for _ in range(count)][::-1]

    def push(self, value: Value) -> None:
        """Put a value on top."""
        self.stack.append(value)

    def need_plain(self, *values: Value) -> int:
        """Demand that values are plain; gives the variables that this hangs on."""
        mask = 0
        for value in values:
            if value.form > PLAIN:
                raise Impure
            mask |= value.mask
        self.conditions.plain |= mask
        return mask

    def drop(self, value: Value) -> None:
        """A reference goes: harmless if others remain, or if the object is plain."""
        if value.form in (ANY, ITERATOR):
            raise Impure
        if value.form == PLAIN or (value.form == ATOM and value.mask & (value.mask - 1)):
            self.need_plain(value)

    def load(self, index: int) -> None:
        """Push a variable."""
        is_cell = index in self.cells
        self.push(Value(HELD) if is_cell else self.variables.get(index, variable(index)))

    def store(self, index: int, value: Value) -> None:
        """Bind a variable; what it held before must be harmless to let go."""
        if index in self.cells:
            raise Impure
        self.need_plain(self.variables.get(index, variable(index)))
        self.variables[index] = value

    def result(self, *values: Value, is_atom: bool = False) -> None:
        """Push what an operation on plain values gives: atoms of atoms; else it may be a container."""
        mask = self.need_plain(*values)
        is_plain = any(value.form == PLAIN for value in values)
        self.push(SURE_ATOM if is_atom else Value(PLAIN if is_plain else ATOM, mask))
