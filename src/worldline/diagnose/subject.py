"""This file is a program as a model is asked about it: marked, perhaps rewritten, and the truth beside it."""

import ast
from dataclasses import dataclass
from functools import lru_cache

from worldline.diagnose.truth import MAX_STEPS
from worldline.errors import UserError
from worldline.record import Options, record
from worldline.record.entry import as_marked
from worldline.rewrite import Level, Rewritten, rewrite
from worldline.rewrite.trim import trim
from worldline.trace.model import Program, Trace

KEPT = 64  # recordings at hand: of one program in all its modes


@dataclass(frozen=True, slots=True)
class Subject:
    """What is asked, and the truth about it."""

    program: Program
    real: Trace
    rewritten: Rewritten | None = None

    def original_line(self, frame: int, line: int | None) -> int | None:
        """The line of the original program in whose work a step is that goes wrong."""
        if self.rewritten is None:
            return line
        return self.rewritten.original_line_of(self.real, min(frame, len(self.real.steps) - 1)) or None


def subject(
    program: Program, level: Level | None, isolation: str, most: int = MAX_STEPS, is_trimmed: bool = True
) -> Subject:
    """Make a program ready to be asked about.

    Args:
        program: as it is.
        level: of rewriting; None: it stays as it is.
        isolation: of the box in which the truth is recorded.
        most: steps that are recorded.
        is_trimmed: whether microcode is cut to what the real run needs. That spares tokens where a model
            reads the whole program, and tells it a little of the truth; who reads the state needs neither.
    """
    real = recorded(as_marked(program), isolation, most)
    rewritten = None
    if level is not None:
        wanted = _end(real)
        whole = rewrite(as_marked(program) if _has_work(program) else program, level)
        rewritten = trim(whole, recorded(as_marked(whole.program), isolation, most)) if is_trimmed else whole
        real = recorded(as_marked(rewritten.program), isolation, most)
        if real.ending.is_complete and _end(real) != wanted:
            hint = f"tell us, with the program: `worldline rewrite PROGRAM.py --level {level} --check`"
            raise UserError(f"rewritten, it ends with {_end(real)} instead of {wanted}", hint)
    if not real.steps:
        raise UserError(f"it took no step: {real.ending.detail}", "try: worldline record PROGRAM.py")
    return Subject(real.program, real, rewritten)


@lru_cache(maxsize=KEPT)
def recorded(program: Program, isolation: str, most: int = MAX_STEPS) -> Trace:
    """What a marked program really does; asked for again, it is not recorded again."""
    options = Options(max_value=None, user_repr=True, max_steps=most)
    trace: Trace = record(program, options, isolation=isolation).trace
    return trace


def _has_work(program: Program) -> bool:
    """Whether the call that a program begins with computes its arguments: `f('a'.upper())`."""
    if program.entry.kind != "call":
        return False
    call = ast.parse(program.entry.text, mode="eval").body
    if not isinstance(call, ast.Call):
        return True
    return any(not _is_literal(each) for each in (*call.args, *(keyword.value for keyword in call.keywords)))


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, MemoryError, RecursionError):
        return False
    return True


def _end(trace: Trace) -> tuple[str, str | None]:
    return trace.ending.kind, trace.ending.value
