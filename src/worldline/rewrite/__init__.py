"""This file is the verb `rewrite`: a program that does the same in smaller steps, so that less is hidden."""

import ast

from worldline.errors import UserError
from worldline.record.entry import MARKER, parsed
from worldline.rewrite.emit import emit
from worldline.rewrite.expressions import three_address
from worldline.rewrite.expressions.names import Fresh
from worldline.rewrite.model import LEVELS, Left, Level, Rewritten
from worldline.rewrite.operations import with_microcode
from worldline.trace.model import Program, lines_of

__all__ = ["LEVELS", "Left", "Level", "Rewritten", "check_level", "rewrite"]


def rewrite(program: Program, level: Level = "atomic") -> Rewritten:
    """Rewrite a program.

    Args:
        program: of one file.
        level: `expressions`: every statement computes one thing; `strings`: besides, operations on texts are
            loops over their characters; `atomic`: besides, methods and built-in functions are microcode.
    """
    check_level(level)
    tree = parsed(program.source, program.path)
    fresh = Fresh.of(tree)
    flat = three_address(tree, fresh)
    tree, left = flat.tree, flat.left
    library, microcode = "", tuple[str, ...]()
    if level != "expressions":
        operated = with_microcode(tree, level, fresh)
        tree, library, microcode = operated.tree, operated.library, operated.microcode
        left = tuple(sorted({*left, *operated.left}, key=lambda each: each.line))
    source, lines = emit(tree, library, _marked(program))
    new = Program(source, program.entry, program.path, program.language, program.files)
    return Rewritten(program, new, level, lines, left, microcode)


def check_level(name: str) -> Level:
    """The level of this name."""
    for level in LEVELS:
        if level == name:
            return level
    raise UserError(
        f"there is no level {name!r}", f"there are: {', '.join(LEVELS)}; none where nothing is wanted"
    )


def _marked(program: Program) -> str | None:
    """The function whose `def` line carries the marker."""
    lines = lines_of(program.source)
    for stmt in ast.parse(program.source).body:
        if isinstance(stmt, ast.FunctionDef) and lines[stmt.lineno - 1].rstrip().endswith(MARKER):
            return stmt.name
    return None
