"""This file is a rewritten program cut down to what one execution of it runs.

Microcode stands for every type that a value might have, most of which never come. A model that is asked about
one call need not read it. A trimmed program does the same as the whole on that call, and on others perhaps
not: it is for asking, not for keeping.
"""

import ast
from collections.abc import Collection
from dataclasses import replace

from worldline.rewrite.model import Rewritten
from worldline.trace.model import LIMITS, Program, Trace, lines_of


def trim(rewritten: Rewritten, trace: Trace) -> Rewritten:
    """Without the functions of microcode that a recorded run does not enter; whole if the run was cut."""
    if trace.ending.kind in LIMITS:
        return rewritten
    entered = {step.function for step in trace.steps}
    return _without(rewritten, entered | _called_first(rewritten))


def _called_first(rewritten: Rewritten) -> set[str]:
    """What the statements outside of functions need: they run before anything is recorded."""
    body = ast.parse(rewritten.program.source).body
    functions = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
    found: set[str] = set()
    waiting: list[ast.stmt] = [node for node in body if not isinstance(node, ast.FunctionDef)]
    while waiting:
        names = {node.id for node in ast.walk(waiting.pop()) if isinstance(node, ast.Name)}
        new = (names & functions.keys()) - found
        found |= new
        waiting += [functions[name] for name in new]
    return found


def _without(rewritten: Rewritten, entered: Collection[str]) -> Rewritten:
    program = rewritten.program
    body = ast.parse(program.source).body
    library = [
        node for node in body if isinstance(node, ast.FunctionDef) and not rewritten.lines[node.lineno - 1]
    ]
    kept = [node for node in body if node not in library or getattr(node, "name", "") in entered]
    named = _handed_on(kept)
    dropped = [node for node in library if node not in kept and node.name not in named]
    gone = {line for node in dropped for line in range(node.lineno, (node.end_lineno or node.lineno) + 2)}
    lines = lines_of(program.source)
    left = [at for at in range(len(lines)) if at + 1 not in gone]
    source = "\n".join(lines[at] for at in left)
    numbers = tuple(rewritten.lines[at] for at in left if at < len(rewritten.lines))
    names = {node.name for node in dropped}
    new = Program(source, program.entry, program.path, program.language, program.files)
    microcode = tuple(name for name in rewritten.microcode if name not in names)
    return replace(rewritten, program=new, lines=numbers, microcode=microcode)


def _handed_on(body: Collection[ast.stmt]) -> set[str]:
    """Names that are read without being called."""
    nodes = [node for stmt in body for node in ast.walk(stmt)]
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    return {node.id for node in nodes if isinstance(node, ast.Name) and id(node) not in called}
