"""This file is where a program starts: which of its functions, or all of it, decided from its text alone."""

import ast
import re

from worldline.errors import UserError
from worldline.trace.model import Entry, Program, lines_of

MARKER = "# << START_OF_TRACE"


def parsed(source: str, path: str) -> ast.Module:
    """The syntax tree; a program that does not parse is the user's mistake, with its line."""
    try:
        return ast.parse(source, path)
    except SyntaxError as error:
        what = f"{path} line {error.lineno}: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:
        what = f"{path} cannot be parsed: {error}"
    raise UserError(what, "only programs that this Python can parse are recorded")


def find_entry(source: str, path: str, args: tuple[str, ...] = (), stdin: str = "") -> Entry:
    """The function whose `def` line carries the marker, else `main()`, else the script itself."""
    tree = parsed(source, path)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    lines = lines_of(source)
    marked = [node for node in functions if lines[node.lineno - 1].rstrip().endswith(MARKER)]
    if len(marked) > 1:
        second = marked[1].lineno
        raise UserError(f"{path} line {second}: a second function is marked {MARKER!r}", "mark only one")
    if marked and _needs_arguments(marked[0]):
        raise UserError(
            f"{path} line {marked[0].lineno}: the marked function {marked[0].name!r} needs arguments",
            f"give them: worldline record {path} --call '{marked[0].name}(...)'",
        )
    mains = [node for node in functions if node.name == "main" and not _needs_arguments(node)]
    if not args and (marked or mains):
        return Entry("function", (marked or mains[-1:])[0].name, stdin=stdin)
    return Entry("script", args=args, stdin=stdin)


def call_entry(source: str, path: str, call: str, stdin: str = "") -> Entry:
    """The entry for an expression such as `f(1, 2)`."""
    parsed(source, path)
    try:
        ast.parse(call.strip(), "<call>", "eval")
    except (SyntaxError, ValueError) as error:
        raise UserError(
            f"--call {call!r} is not an expression: {error}", "write it like --call 'f(1, 2)'"
        ) from None
    return Entry("call", call.strip(), stdin=stdin)


def as_marked(program: Program) -> Program:
    """The same call as code world models expect it: through a marked `main` at the end of the program."""
    if program.entry.kind != "call":
        return program
    wrapper = f"def main(): {MARKER}\n    return {program.entry.text}\n"
    source = program.source.rstrip("\n") + "\n\n" + wrapper
    return Program(source, Entry("function", "main", stdin=program.entry.stdin), program.path)


def with_marker(program: Program) -> str:
    """The source with the marker on the line of the entry's `def`: how a model is shown it."""
    entry, source = program.entry, program.source
    if MARKER in source or entry.kind in ("script", "call"):
        return source
    name = entry.text.rpartition("::")[2].partition("[")[0]
    indent = "" if entry.kind == "function" else "[ \t]*"  # tests may be methods
    found = list(re.finditer(rf"^{indent}(?:async )?def {re.escape(name)}\(.*$", source, re.MULTILINE))
    if not found:
        return source
    end = found[-1 if entry.kind == "function" else 0].end()  # the last one of a name is called
    return f"{source[:end]} {MARKER}{source[end:]}"


def _needs_arguments(node: ast.FunctionDef) -> bool:
    spec = node.args
    positional = len(spec.posonlyargs) + len(spec.args) - len(spec.defaults)
    return positional > 0 or any(default is None for default in spec.kw_defaults)
