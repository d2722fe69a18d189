"""This file is whether a stretch of bytecode is pure, and under which conditions: see segments.py.

It follows the evaluation stack through the stretch. Every instruction that could run code or change something
demands what makes it harmless; what cannot be demanded makes the whole stretch impure. Conditions are
collected over all paths.
"""

from collections.abc import Set
from types import CodeType

from worldline.record.effects import EFFECTS
from worldline.record.instructions import LEAVES, instructions_of
from worldline.record.stack import Conditions, Impure, Machine, State, merged


def conditions_of(code: CodeType, start: int, edges: Set[tuple[int, int]]) -> Conditions:
    """The conditions for the instructions from `start` on, along the edges, to be pure."""
    try:
        return _Stretch(code, edges).run(start)
    except Impure:
        return Conditions(is_pure=False)


class _Stretch:
    def __init__(self, code: CodeType, edges: Set[tuple[int, int]]) -> None:
        self.instructions = instructions_of(code)
        self.edges = edges
        self.cells = frozenset(range(code.co_nlocals, 64)) | {
            index for index, name in enumerate(code.co_varnames) if name in code.co_cellvars
        }
        self.conditions = Conditions()

    def run(self, start: int) -> Conditions:
        states = {start: State(0, (), frozenset())}
        todo = [start]
        while todo:
            index = todo.pop()
            instruction = self.instructions[index]
            machine = Machine(self.conditions, self.cells, states[index])
            effect = EFFECTS.get(instruction.name)
            if effect is None:
                raise Impure
            effect(machine, instruction)
            for target in () if instruction.name in LEAVES else instruction.successors:
                if (index, target) in self.edges:
                    state = machine.state_at(instruction, target)
                    known = states.get(target)
                    both = state if known is None else merged(known, state)
                    if both != known:
                        states[target] = both
                        todo.append(target)
        return self.conditions
