"""This file is the bytecode of a program as one numbered list, reduced to what decides the next event.

The code objects of a file are laid out one after the other, so a number names an instruction of the file.
Of each instruction this keeps its line, where control may go next, its exception handler, and what it may
do on the way: run code of the program, raise, drop the last reference to an object.

Which opcode may do what is written down for CPython 3.11 to 3.13. An opcode that is not listed may do
everything, so a new one makes the flow wider, not wrong. What a new version can break is CPython's rule for
when a line event comes: that is `Instructions.fires`.
"""

import dis
import inspect
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import CodeType


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


MONITORED = sys.version_info >= (3, 12)
"""Line events come from sys.monitoring, at places that are fixed beforehand."""

SUSPENDS_AFTER_YIELD = sys.version_info >= (3, 13)
"""A suspended frame points at the instruction after YIELD_VALUE."""

_LOSES_LINE = sys.version_info[:2] == (3, 12)

_INERT = _words(
    """NOP CACHE RESUME EXTENDED_ARG PUSH_NULL COPY SWAP MAKE_CELL COPY_FREE_VARS RETURN_GENERATOR
    PUSH_EXC_INFO LOAD_CONST LOAD_FAST LOAD_FAST_AND_CLEAR LOAD_FAST_LOAD_FAST LOAD_CLOSURE LOAD_LOCALS
    LOAD_ASSERTION_ERROR LOAD_BUILD_CLASS MAKE_FUNCTION SET_FUNCTION_ATTRIBUTE PRECALL KW_NAMES
    ASYNC_GEN_WRAP BUILD_TUPLE BUILD_LIST BUILD_STRING BUILD_SLICE BUILD_CONST_KEY_MAP LIST_APPEND
    MATCH_MAPPING MATCH_SEQUENCE JUMP_FORWARD JUMP_BACKWARD JUMP_BACKWARD_NO_INTERRUPT"""
)
_DROPS = _words(
    """STORE_FAST STORE_FAST_LOAD_FAST STORE_FAST_STORE_FAST STORE_FAST_MAYBE_NULL STORE_DEREF STORE_GLOBAL
    STORE_NAME POP_TOP POP_EXCEPT END_FOR END_SEND IS_OP POP_JUMP_IF_NONE POP_JUMP_IF_NOT_NONE
    POP_JUMP_FORWARD_IF_NONE POP_JUMP_FORWARD_IF_NOT_NONE POP_JUMP_BACKWARD_IF_NONE
    POP_JUMP_BACKWARD_IF_NOT_NONE"""
)
_RAISES = _words(
    """LOAD_GLOBAL LOAD_NAME LOAD_DEREF LOAD_CLASSDEREF LOAD_FROM_DICT_OR_DEREF LOAD_FROM_DICT_OR_GLOBALS
    LOAD_FAST_CHECK CHECK_EXC_MATCH"""
)
_DELETES = _words("DELETE_FAST DELETE_DEREF DELETE_NAME DELETE_GLOBAL")
_TESTS = _words("POP_JUMP_IF_TRUE POP_JUMP_IF_FALSE UNARY_NOT")
_ENDS = _words("RETURN_VALUE RETURN_CONST RAISE_VARARGS RERAISE INTERPRETER_EXIT")
_GOES = _words("JUMP_FORWARD JUMP_BACKWARD JUMP_BACKWARD_NO_INTERRUPT")
_NO_LINE_START = _words("END_ASYNC_FOR END_FOR END_SEND RESUME")
_STOP_ITERATION_ERROR = 3  # the argument of CALL_INTRINSIC_1 in the handler around every generator body
_GENERATOR = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_COMPREHENSIONS = _words("<listcomp> <setcomp> <dictcomp>")

CALLS, DROPS, RAISES, RETURNS, YIELDS, RERAISES, STOPS, RESTORES = (1 << bit for bit in range(8))
"""What an instruction may do: run program code; drop an object; raise with an event; leave; suspend; pass an
exception on without an event; swallow a StopIteration that it reports; put back the place an exception came
from."""
_ANYTHING = CALLS | DROPS | RAISES

_EFFECTS = {
    "RETURN_VALUE": RETURNS,
    "RETURN_CONST": RETURNS,
    "YIELD_VALUE": YIELDS,
    "CLEANUP_THROW": DROPS | RERAISES,
    "END_ASYNC_FOR": DROPS | RERAISES,
    "FOR_ITER": _ANYTHING | STOPS,
    "SEND": _ANYTHING | STOPS,
    **dict.fromkeys(_INERT, 0),
    **dict.fromkeys(_DROPS, DROPS),
    **dict.fromkeys(_RAISES, RAISES),
    **dict.fromkeys(_DELETES, RAISES | DROPS),
    **dict.fromkeys(_TESTS, 0 if sys.version_info >= (3, 13) else _ANYTHING),  # 3.13 has TO_BOOL before these
}


def effects(name: str, arg: int) -> int:
    """What an instruction may do, as a sum of the flags above."""
    if name == "RERAISE":
        return DROPS | RERAISES | (RESTORES if arg else 0)
    if name == "RAISE_VARARGS":
        return _ANYTHING | (0 if arg else RERAISES)
    if name == "CALL_INTRINSIC_1" and arg == _STOP_ITERATION_ERROR:
        return 0
    return _EFFECTS.get(name, _ANYTHING)


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
    is_inner: bool  # a class body or a comprehension: only the code around it runs it
    around: str  # qualified name of that code
    arguments: tuple[str, ...]


@dataclass(slots=True)
class Instructions:
    """Every instruction of a file; all lists run in parallel."""

    name: list[str] = field(default_factory=list)
    line: list[int | None] = field(default_factory=list)
    effect: list[int] = field(default_factory=list)
    successors: list[tuple[int, ...]] = field(default_factory=list)  # the last one is where exhaustion leads
    handler: list[tuple[int, bool] | None] = field(default_factory=list)  # and whether it keeps the origin
    starts_line: list[bool] = field(default_factory=list)  # used from 3.12 on
    is_cached: list[bool] = field(default_factory=list)  # has inline caches
    is_far: list[bool] = field(default_factory=list)  # the line is not close to what the offset suggests
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

    def refires(self, before: int, here: int) -> bool:
        """Whether that may give a line event although the line is the same.

        When a call comes back, CPython 3.12 takes the frame to be in the inline caches of that call, which
        have no line. CPython 3.13 reports a handler again if it is far from the first line of its code.
        """
        if self.line[here] is None or not self.starts_line[here]:
            return False
        if _LOSES_LINE:
            return self.is_cached[before] and bool(self.effect[before] & CALLS)
        return SUSPENDS_AFTER_YIELD and self.is_far[here] and self.name[here] == "PUSH_EXC_INFO"


def instructions(module: CodeType) -> Instructions:
    """Lay out the instructions of a module and of everything defined in it."""
    table = Instructions()
    _add(table, module, None)
    return table


def _add(table: Instructions, code: CodeType, around: CodeType | None) -> None:
    first = len(table.name)
    raw = code.co_code
    decoded = list(_decode(raw))
    starts = [start for start, _, _, _ in decoded]
    number = {start: first + index for index, start in enumerate(starts)}
    table.line.extend(_lines(code, starts))
    table.name.extend(name for _, name, _, _ in decoded)
    for _, name, arg, _ in decoded:
        is_hooked = _is_class(code, around) and name.endswith("_NAME")  # an enumeration sees every name bound
        table.effect.append(_ANYTHING if is_hooked else effects(name, arg))
    for here, (_, _, arg, after) in enumerate(decoded, first):
        table.successors.append(_successors(table, here, number, (arg, after)))
        table.is_cached.append(raw[after - 2] == 0)
        distance = (table.line[here] or 0) - code.co_firstlineno - (starts[here - first] >> 5)
        table.is_far.append(abs(distance) > 120)  # CPython keeps this number in a byte
    for found in _handlers(code.co_exceptiontable, starts):
        table.handler.append(found and (number[found[0]], found[1]))
    if not MONITORED:
        _mark_missing_locals(table, first, [arg for _, _, arg, _ in decoded], code)
    entry = table.name.index("RESUME", first)
    table.entries.add(entry)
    _mark_line_starts(table, first, entry)
    table.codes.append(_code(code, around, (first, entry, len(table.name)), table.line[entry]))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            _add(table, constant, code)


def _mark_missing_locals(table: Instructions, first: int, args: list[int], code: CodeType) -> None:
    """On 3.11 a LOAD_FAST raises where its local may be missing: later that is a LOAD_FAST_CHECK."""
    count = _argument_count(code)
    bound = {first: (1 << count) - 1}  # before each instruction, one bit a local
    pending = [first]
    while pending:
        here = pending.pop()
        name, local = table.name[here], 1 << args[here - first]
        before = after = bound[here]
        if name == "STORE_FAST":
            after |= local
        elif name == "DELETE_FAST":
            after &= ~local
        handler = table.handler[here]
        for target, known in [(target, after) for target in table.successors[here]] + (
            [(handler[0], before & after)] if handler else []
        ):
            known &= bound.get(target, known)
            if known != bound.get(target):
                bound[target] = known
                pending.append(target)
    for here, known in bound.items():
        if table.name[here] == "LOAD_FAST" and not known >> args[here - first] & 1:
            table.effect[here] = RAISES


def _argument_count(code: CodeType) -> int:
    extra = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return code.co_argcount + code.co_kwonlyargcount + extra


def _is_class(code: CodeType, around: CodeType | None) -> bool:
    return around is not None and not code.co_flags & inspect.CO_OPTIMIZED


def _code(code: CodeType, around: CodeType | None, places: tuple[int, int, int], line: int | None) -> Code:
    flags = code.co_flags
    return Code(
        name=code.co_name,
        qualname=code.co_qualname,
        line=code.co_firstlineno if line is None else line,
        first=places[0],
        entry=places[1],
        end=places[2],
        is_generator=bool(flags & _GENERATOR),
        is_inner=_is_class(code, around) or (code.co_name in _COMPREHENSIONS and not flags & _GENERATOR),
        around=around.co_qualname if around else "",
        arguments=code.co_varnames[: _argument_count(code)],
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
    """The exception handler of every instruction: (offset, whether it keeps the place of the exception)."""
    ranges = [
        (2 * start, 2 * (start + size), 2 * target, bool(flags & 1))
        for start, size, target, flags in _varints(raw)
    ]
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


def _successors(
    table: Instructions, here: int, number: dict[int, int], jump: tuple[int, int]
) -> tuple[int, ...]:
    name = table.name[here]
    if name in _ENDS:
        return ()
    going = () if name in _GOES else (here + 1,)
    if not ("JUMP" in name or name in ("FOR_ITER", "SEND")):
        return going
    arg, after = jump
    target = number[after - 2 * arg if "BACKWARD" in name else after + 2 * arg]
    if (
        name == "FOR_ITER" and table.name[target] == "END_FOR"
    ):  # an exhausted loop skips this, on 3.13 two of these
        target += 2 if sys.version_info >= (3, 13) else 1
    return (*going, target)


def _mark_line_starts(table: Instructions, first: int, entry: int) -> None:
    """From 3.12 on a line event comes only where the line changes, at jump targets and at handlers."""
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
