"""This file is bytecode as the analysis of segments reads it: where it goes on and which variables it names.

Written down for CPython 3.11 to 3.13. An instruction that is not known here touches all variables.
"""

import dis
import sys
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


LEAVES = frozenset({"RETURN_VALUE", "RETURN_CONST", "YIELD_VALUE", "INTERPRETER_EXIT"})
"""After these the next thing is an event: `return`, or `call` when a generator goes on."""

OPEN = frozenset({"RERAISE", "RAISE_VARARGS", "CLEANUP_THROW", "END_ASYNC_FOR", "WITH_EXCEPT_START"})
"""These may go to an exception handler without an event."""

_GOES = frozenset(
    {"JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "JUMP", "JUMP_NO_INTERRUPT"}
)
_SKIPPED = ("END_FOR", "POP_TOP") if sys.version_info >= (3, 13) else ("END_FOR",)  # when a loop has ended

_LOADS = frozenset({"LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_DEREF", "LOAD_CLOSURE", "LOAD_FROM_DICT_OR_DEREF"})
_STORES = frozenset(
    {
        "STORE_FAST",
        "STORE_FAST_MAYBE_NULL",
        "DELETE_FAST",
        "LOAD_FAST_AND_CLEAR",
        "STORE_DEREF",
        "DELETE_DEREF",
        "MAKE_CELL",
    }
)
_PAIRS = {  # of 3.13: two variables in one argument; which of them are stored
    "LOAD_FAST_LOAD_FAST": (False, False),
    "STORE_FAST_LOAD_FAST": (True, False),
    "STORE_FAST_STORE_FAST": (True, True),
}
_ALL = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction; its index counts code units, as `f_lasti // 2` does."""

    index: int
    name: str
    arg: int
    value: object  # what the argument stands for
    line: int | None
    next: int
    successors: tuple[int, ...]
    touched: int  # variables it loads, stores or deletes
    stored: int  # variables it stores or deletes


def variables(code: CodeType) -> int:
    """How many variables a function has: its own, the cells and the free ones."""
    cells = sum(name not in code.co_varnames for name in code.co_cellvars)
    return code.co_nlocals + cells + len(code.co_freevars)


@lru_cache(maxsize=64)
def instructions_of(code: CodeType) -> dict[int, Instruction]:
    """The instructions of a code object by index."""
    read = list(dis.get_instructions(code))
    following = [after.offset // 2 for after in read[1:]] + [read[-1].offset // 2]
    names = {one.offset // 2: one.opname for one in read}
    found = {}
    for one, after in zip(read, following, strict=True):
        index = one.offset // 2
        touched, stored = _variables_of(one)
        found[index] = Instruction(
            index,
            one.opname,
            one.arg or 0,
            one.argval,
            one.positions.lineno if one.positions else None,
            after,
            tuple(_successors(one, after, names)),
            touched,
            stored,
        )
    return found


def pair(arg: int) -> tuple[int, int]:
    """The two variables in the argument of an instruction of 3.13."""
    return arg >> 4, arg & 15


def _variables_of(one: dis.Instruction) -> tuple[int, int]:
    arg = one.arg or 0
    if one.opname in _PAIRS:
        first, second = (1 << index for index in pair(arg))
        is_stored = _PAIRS[one.opname]
        return first | second, first * is_stored[0] | second * is_stored[1]
    if one.opcode not in dis.haslocal and one.opcode not in dis.hasfree:
        return 0, 0
    if arg >= 64 or one.opname not in _LOADS | _STORES:
        return _ALL, _ALL
    return 1 << arg, 1 << arg if one.opname in _STORES else 0


def _successors(one: dis.Instruction, after: int, names: dict[int, str]) -> list[int]:
    if one.opcode not in dis.hasjrel and one.opcode not in dis.hasjabs:
        return [after]
    target = int(one.argval) // 2
    if one.opname == "FOR_ITER":
        for name in _SKIPPED:
            target += names.get(target) == name
    return [target] if one.opname in _GOES else [after, target]
