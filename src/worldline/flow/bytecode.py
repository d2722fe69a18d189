"""This file is the bytecode of a program as one numbered list of instructions, reduced to what decides the next event.

The code objects of a file are laid out one after the other, so a number names an instruction of the whole file.
For each instruction this keeps its line, where control may go next, its exception handler, and what it may do on the
way: run code of the program, raise, drop the last reference to an object.

Which opcode may do what is written down for CPython 3.11 to 3.13. An opcode that is not listed may do everything, so
a newer one makes the flow wider, never wrong. A line event can be missed or doubled only by a change of CPython's own
rule for line events; that rule is `Instructions.fires`.
"""

import dis
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import CodeType

MONITORED = sys.version_info >= (3, 12)  # line events come from sys.monitoring, at places fixed beforehand
SUSPENDS_AFTER_YIELD = sys.version_info >= (3, 13)  # a suspended frame points at the instruction after YIELD_VALUE
_LOAD_FAST_RAISES = not MONITORED  # 3.12 has LOAD_FAST_CHECK for the loads that can find nothing
_SKIPPED_AT_EXHAUSTION = {"END_FOR", "POP_TOP"} if sys.version_info >= (3, 13) else {"END_FOR"}

_INERT = frozenset(
    """NOP CACHE RESUME EXTENDED_ARG LOAD_CONST LOAD_FAST_AND_CLEAR LOAD_FAST LOAD_FAST_LOAD_FAST LOAD_CLOSURE LOAD_LOCALS
    PUSH_NULL COPY SWAP MAKE_CELL COPY_FREE_VARS RETURN_GENERATOR PUSH_EXC_INFO PRECALL KW_NAMES LOAD_ASSERTION_ERROR
    LOAD_BUILD_CLASS MAKE_FUNCTION SET_FUNCTION_ATTRIBUTE BUILD_TUPLE BUILD_LIST BUILD_STRING BUILD_SLICE LIST_APPEND
    BUILD_CONST_KEY_MAP MATCH_MAPPING MATCH_SEQUENCE JUMP_FORWARD JUMP_BACKWARD JUMP_BACKWARD_NO_INTERRUPT YIELD_VALUE
    RETURN_VALUE RETURN_CONST RERAISE ASYNC_GEN_WRAP""".split()
)
_DROPS = frozenset(
    """STORE_FAST STORE_FAST_LOAD_FAST STORE_FAST_STORE_FAST STORE_FAST_MAYBE_NULL STORE_DEREF STORE_GLOBAL STORE_NAME
    POP_TOP POP_EXCEPT END_FOR END_SEND IS_OP CLEANUP_THROW END_ASYNC_FOR POP_JUMP_IF_NONE POP_JUMP_IF_NOT_NONE
    POP_JUMP_FORWARD_IF_NONE POP_JUMP_FORWARD_IF_NOT_NONE POP_JUMP_BACKWARD_IF_NONE POP_JUMP_BACKWARD_IF_NOT_NONE
    JUMP_IF_NOT_EXC_MATCH""".split()
)
_RAISES_ONLY = frozenset(
    """LOAD_GLOBAL LOAD_NAME LOAD_DEREF LOAD_CLASSDEREF LOAD_FROM_DICT_OR_DEREF LOAD_FROM_DICT_OR_GLOBALS LOAD_FAST_CHECK
    DELETE_FAST DELETE_DEREF DELETE_NAME DELETE_GLOBAL CHECK_EXC_MATCH""".split()
)
_PLAIN_BOOLS = frozenset({"POP_JUMP_IF_TRUE", "POP_JUMP_IF_FALSE", "UNARY_NOT"})  # 3.13 tests with TO_BOOL before these
_ENDS = frozenset({"RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE", "INTERPRETER_EXIT"})
_GOES = frozenset({"JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT"})
_NO_LINE_START = frozenset({"END_ASYNC_FOR", "END_FOR", "END_SEND", "RESUME"})
_STOP_ITERATION_ERROR = 3  # the argument of CALL_INTRINSIC_1 in the handler around every generator body

CALLS, DROPS, RAISES, RETURNS, YIELDS, RERAISES, STOPS, RESTORES = (1 << bit for bit in range(8))
"""What an instruction may do: run program code; drop an object; raise with an event; leave; suspend; pass an exception
on without an event; swallow a StopIteration that it reports; put back the place where an exception came from."""


def effects(name: str, arg: int) -> int:
    """What an instruction may do, as a sum of the flags above."""
    if name in ("RETURN_VALUE", "RETURN_CONST"):
        return RETURNS
    if name == "YIELD_VALUE":
        return YIELDS
    if name == "RERAISE":
        return DROPS | RERAISES | (RESTORES if arg else 0)
    if name == "RAISE_VARARGS":
        return CALLS | DROPS | RAISES | (0 if arg else RERAISES)
    if name in ("CLEANUP_THROW", "END_ASYNC_FOR"):
        return DROPS | RERAISES
    if name in ("FOR_ITER", "SEND"):
        return CALLS | DROPS | RAISES | STOPS
    if name == "LOAD_FAST" and _LOAD_FAST_RAISES:
        return RAISES
    return _plain_effects(name, arg)


def _plain_effects(name: str, arg: int) -> int:
    if name in _INERT or (name == "CALL_INTRINSIC_1" and arg == _STOP_ITERATION_ERROR):
        return 0
    if name in _DROPS:
        return DROPS
    if name in _RAISES_ONLY:
        return RAISES | (DROPS if name.startswith("DELETE") else 0)
    if name in _PLAIN_BOOLS and sys.version_info >= (3, 13):
        return 0
    return CALLS | DROPS | RAISES


@dataclass(frozen=True, slots=True)
class Code:
    """One code object: a function, a lambda, a comprehension, a class body or the module."""

    name: str
    qualname: str
    line: int  # the line that its `call` event names; 0 for the module
    first: int  # the number of its first instruction
    entry: int  # the number of the RESUME it starts with
    end: int  # one past its last instruction
    is_generator: bool  # generator, coroutine or asynchronous generator
    arguments: tuple[str, ...]


@dataclass(slots=True)
class Instructions:
    """Every instruction of a file; all lists run in parallel."""

    name: list[str] = field(default_factory=list)
    line: list[int | None] = field(default_factory=list)
    effect: list[int] = field(default_factory=list)
    successors: list[tuple[int, ...]] = field(default_factory=list)  # the last one is where exhaustion leads
    handler: list[tuple[int, bool] | None] = field(default_factory=list)  # and whether it remembers where from
    starts_line: list[bool] = field(default_factory=list)  # used from 3.12 on
    codes: list[Code] = field(default_factory=list)
    entries: set[int] = field(default_factory=set)

    def fires(self, before: int, here: int) -> bool:
        """Whether going from one instruction to another gives a line event: CPython's own rule."""
        line = self.line[here]
        if line is None:
            return False
        if MONITORED:
            if self.line[before] != line or self.name[before] == "RESUME":
                return self.starts_line[here]
            return self.name[before] == "JUMP_BACKWARD" and here < before
        if self.line[before] != line or before in self.entries:
            return True
        return here < before and self.name[here] != "SEND"


def instructions(module: CodeType) -> Instructions:
    """Lay out the instructions of a module and of everything defined in it."""
    table = Instructions()
    for code in nested(module):
        _add(table, code)
    return table


def nested(code: CodeType) -> Iterator[CodeType]:
    """A code object and all that are defined in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from nested(constant)


def _add(table: Instructions, code: CodeType) -> None:
    first = len(table.name)
    decoded = list(_decode(code.co_code))
    number = {start: first + index for index, (start, _, _, _) in enumerate(decoded)}
    lines = _lines(code, [start for start, _, _, _ in decoded])
    handlers = _handlers(code.co_exceptiontable, [start for start, _, _, _ in decoded])
    table.line.extend(lines)
    table.name.extend(name for _, name, _, _ in decoded)
    for index, (_, name, arg, after) in enumerate(decoded):
        table.effect.append(effects(name, arg))
        table.successors.append(_successors(table, first + index, arg, after, number))
        found = handlers[index]
        table.handler.append(found and (number[found[0]], found[1]))
    entry = first + next(index for index, (_, name, _, _) in enumerate(decoded) if name == "RESUME")
    table.entries.add(entry)
    _mark_line_starts(table, first, entry)
    is_generator = bool(code.co_flags & 0x2A0)  # CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
    line = table.line[entry]
    table.codes.append(
        Code(
            name=code.co_name,
            qualname=code.co_qualname,
            line=code.co_firstlineno if line is None else line,
            first=first,
            entry=entry,
            end=len(table.name),
            is_generator=is_generator,
            arguments=code.co_varnames[:count],
        )
    )


def _decode(raw: bytes) -> Iterator[tuple[int, str, int, int]]:
    """Each instruction as (offset, name, argument, offset after its inline caches)."""
    at = 0
    while at < len(raw):
        start, arg = at, raw[at + 1]
        while dis.opname[raw[at]] == "EXTENDED_ARG":
            at += 2
            arg = arg << 8 | raw[at + 1]
        name = dis.opname[raw[at]]
        at += 2
        while at < len(raw) and raw[at] == 0:  # CACHE
            at += 2
        yield start, name, arg, at


def _lines(code: CodeType, starts: list[int]) -> list[int | None]:
    ranges = code.co_lines()
    begin, end, line = next(ranges)
    lines = []
    for start in starts:
        while start >= end:
            begin, end, line = next(ranges)
        lines.append(line if start >= begin else None)
    return lines


def _handlers(raw: bytes, starts: list[int]) -> list[tuple[int, bool] | None]:
    """The exception handler of every instruction: (offset, whether the place of the exception is kept)."""
    numbers = _varints(raw)
    ranges = [(start * 2, (start + size) * 2, target * 2, bool(flags & 1)) for start, size, target, flags in numbers]
    found: list[tuple[int, bool] | None] = []
    at = 0
    for start in starts:
        while at < len(ranges) and start >= ranges[at][1]:
            at += 1
        inside = at < len(ranges) and start >= ranges[at][0]
        found.append((ranges[at][2], ranges[at][3]) if inside else None)
    return found


def _varints(raw: bytes) -> Iterator[tuple[int, int, int, int]]:
    values: list[int] = []
    value = 0
    for byte in raw:
        value = value << 6 | byte & 63
        if not byte & 64:
            values.append(value)
            value = 0
        if len(values) == 4:
            yield values[0], values[1], values[2], values[3]
            values.clear()


def _successors(table: Instructions, here: int, arg: int, after: int, number: dict[int, int]) -> tuple[int, ...]:
    name = table.name[here]
    if name in _ENDS:
        return ()
    going = () if name in _GOES else (here + 1,)
    if not ("JUMP" in name or name in ("FOR_ITER", "SEND")):
        return going
    target = number[after - 2 * arg if "BACKWARD" in name else after + 2 * arg]
    if name == "FOR_ITER":
        for skipped in ("END_FOR", "POP_TOP"):
            if table.name[target] == skipped and skipped in _SKIPPED_AT_EXHAUSTION:
                target += 1
    return (*going, target)


def _mark_line_starts(table: Instructions, first: int, entry: int) -> None:
    """From 3.12 on a line event can only come where the line changes in the code, at a jump target, or at a handler."""
    table.starts_line.extend([False] * (entry - first))
    current: int | None = None
    for here in range(entry, len(table.name)):
        line = table.line[here]
        if table.name[here] in _NO_LINE_START:
            table.starts_line.append(False)
        else:
            table.starts_line.append(line != current and line is not None)
            current = line
    for here in range(entry, len(table.name)):
        handler = table.handler[here]
        jumps = table.successors[here][-1:] if table.successors[here][-1:] != (here + 1,) else ()
        for target in (*jumps, *((handler[0],) if handler else ())):
            if table.name[target] != "END_ASYNC_FOR":
                table.starts_line[target] = True
