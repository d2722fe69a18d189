"""This file is what the recorder must know of a code object before it runs.

Its file, where its frames start and yield, and which instructions belong to an inlined comprehension.
"""

import ast
import dis
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType

FRESH = 1  # a `call` event here starts the frame (otherwise it resumes a generator)
YIELDS = 2  # a `return` event here only suspends the frame
FOLDED = 4  # inside a comprehension that CPython 3.12+ inlines into its function: no step when folding
JOINED = 8  # of a statement with a comprehension over several lines: going on along one line is no step
UNSEEN = (
    16  # inside a comprehension that 3.12+ inlines into a module or class body: its state is not looked at
)

CO_OPTIMIZED = 0x1  # set for functions; module and class bodies keep their names in a dict

COMPREHENSION_NAMES = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>"})
IN_COMPREHENSION = re.compile(r"<(list|set|dict)comp>\.(<locals>\.)?")

Span = tuple[int, int, int, int]  # line, column, end line, end column


@dataclass(frozen=True, slots=True)
class CodeFacts:
    """Facts of one code object, indexed by instruction (byte offset / 2)."""

    file: int  # number of the user's file, or -1: not to be recorded
    function: str
    flags: bytes
    is_folded: bool  # a comprehension's own frame (3.11), left out when comprehensions are folded
    comprehension_lines: dict[int, int]  # when folding: instruction -> first line of its comprehension


@dataclass(frozen=True, slots=True)
class _Comprehension:
    whole: Span
    around: Span  # the largest expression, or simple statement, that it is part of


def facts_of(code: CodeType, file: int, source: str, fold: bool) -> CodeFacts:
    """The facts of `code`, whose text is in `source`."""
    flags = bytearray(len(code.co_code) // 2)
    before = ""
    for instruction in dis.get_instructions(code):
        flags[instruction.offset // 2] = _flag(instruction, before)
        before = instruction.opname
    if sys.version_info >= (3, 12) and not code.co_flags & CO_OPTIMIZED:
        _hide(code, _comprehensions(source), flags)
    if not fold:
        return CodeFacts(file, code.co_qualname, bytes(flags), False, {})
    lines = _fold(code, _comprehensions(source), flags)
    function = IN_COMPREHENSION.sub("", code.co_qualname)
    return CodeFacts(file, function, bytes(flags), code.co_name in COMPREHENSION_NAMES, lines)


def _flag(instruction: dis.Instruction, before: str) -> int:
    if "RETURN_GENERATOR" in (before, instruction.opname):
        return FRESH  # where `throw` finds a generator that has not run yet
    if instruction.opname == "RESUME":
        kind = (instruction.arg or 0) & 3
        # On 3.13 a suspended frame already points at the RESUME after its yield.
        return FRESH if kind == 0 else YIELDS
    return YIELDS if instruction.opname == "YIELD_VALUE" else 0


def _hide(code: CodeType, comprehensions: Sequence[_Comprehension], flags: bytearray) -> None:
    """Mark what runs while a comprehension's variables lie in a module's or class's own frame.

    Asking 3.12 for `f_locals` there overwrites them (the program itself then goes wrong), 3.13 answers
    with them alone.
    """
    wholes = {one.whole for one in comprehensions}
    spans = list(_spans(code))
    for whole in wholes.intersection(spans):
        for index in range(spans.index(whole), len(spans)):
            if _within(spans[index], whole):
                flags[index] |= UNSEEN


def _spans(code: CodeType) -> Iterator[Span]:
    for line, end, column, end_column in code.co_positions():
        yield line or 0, column or 0, end or 0, end_column or 0


def _fold(code: CodeType, comprehensions: Sequence[_Comprehension], flags: bytearray) -> dict[int, int]:
    """Mark what belongs to comprehensions; give the line that stands for each such instruction."""
    spans = list(_spans(code))
    lines: dict[int, int] = {}
    for one in comprehensions:
        exact = [index for index, span in enumerate(spans) if span == one.whole]
        if not exact or code.co_name in COMPREHENSION_NAMES:
            continue  # not in this code, or this code is itself in the comprehension
        for index, span in enumerate(spans):
            if _within(span, one.whole):
                lines.setdefault(index, one.whole[0])
                if sys.version_info >= (3, 12) and index >= exact[0]:
                    flags[index] |= FOLDED
            if one.whole[0] != one.whole[2] and _within(span, one.around):
                flags[index] |= JOINED
    return lines


@lru_cache(maxsize=64)
def _comprehensions(source: str) -> tuple[_Comprehension, ...]:
    """The comprehensions that 3.12+ inlines, outermost first."""
    found = []
    for statement in ast.walk(ast.parse(source)):
        if isinstance(statement, ast.stmt):
            for child in ast.iter_child_nodes(statement):
                if isinstance(child, ast.expr):
                    is_simple = not hasattr(statement, "body")
                    around = _span(statement if is_simple else child)
                    found += [
                        _Comprehension(_span(node), around)
                        for node in ast.walk(child)
                        if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp)
                    ]
    return tuple(found)


def _span(node: ast.expr | ast.stmt) -> Span:
    return node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0


def _within(inner: Span, outer: Span) -> bool:
    return outer[:2] <= inner[:2] and inner[2:] <= outer[2:]
