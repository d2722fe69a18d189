"""This file is a trace as a list in the terminal: one line a step, with what the step before it changed."""

from collections.abc import Iterator
from functools import lru_cache

from rich.console import Console
from rich.text import Text

from worldline.flow.loops import Loop, loops
from worldline.report.changes import Changes, changes
from worldline.trace.model import Ending, Step, Trace, lines_of
from worldline.trace.value import raised

ARROWS = {"call": "→", "line": " ", "return": "←", "exception": "!"}
STYLES = {"call": "cyan", "line": "", "return": "green", "exception": "red"}


def source_line(trace: Trace, step: Step) -> str:
    """The text of the line a step stands at, or nothing if the program has no such line."""
    lines = _lines(trace.program.source_of(step.file))
    return lines[step.line - 1] if 0 < step.line <= len(lines) else ""


@lru_cache(maxsize=16)
def _lines(source: str) -> list[str]:
    return lines_of(source)


def ending_text(ending: Ending) -> str:
    """How it ended, in a few words."""
    if ending.kind == "returned":
        return f"returned {ending.value}"
    if ending.kind == "raised":
        return f"raised {ending.value}"
    if ending.kind == "exited":
        return f"left with exit code {ending.value}"
    words = {"open": "ends here: the rest was not written", "crashed": "crashed"}
    text = words.get(ending.kind, f"stopped by the limit on {ending.kind}")
    return f"{text} ({ending.detail})" if ending.detail else text


def changed_text(step: Step, what: Changes, width: int) -> Text:
    """`x = 3, y gone`, new names bold."""
    text = Text()
    for name in (*what.new, *what.changed):
        text.append(", " if text else "")
        text.append(name, "bold yellow" if name in what.new else "yellow")
        text.append(f" = {shortened(step.locals[name], width)}")
    for name in what.gone:
        text.append(", " if text else "")
        text.append(f"{name} gone", "dim")
    return text


def shortened(text: str, width: int) -> str:
    """The text, or its two ends when it is too wide."""
    if len(text) <= width:
        return text
    half = max((width - 1) // 2, 1)
    return f"{text[:half]}…{text[-half:]}"


def _hidden_text(step: Step, running: tuple[Loop, ...]) -> str:
    parts = [f"   for@{loop.line}: {loop.position} taken" for loop in running]
    return "".join(parts + [f"   {' = '.join(names)} (one object)" for names in step.shared])


def list_lines(trace: Trace, width: int) -> Iterator[Text]:
    """The steps as lines of text."""
    digits = len(str(len(trace.steps)))
    found = changes(trace.steps)
    widest = max((2 * step.depth + len(source_line(trace, step).strip()) for step in trace.steps), default=0)
    column = min(widest, width * 2 // 5)
    for number, step in enumerate(trace.steps):
        line = Text(f"{number:>{digits}} {ARROWS[step.event]} ", "dim", no_wrap=True, overflow="ellipsis")
        line.append(f"{step.line:>4} ", "dim")
        source = "  " * step.depth + source_line(trace, step).strip()
        line.append(shortened(source, column).ljust(column), STYLES[step.event])
        if step.value is not None:
            line.append(f"  {ARROWS[step.event]} {shortened(raised(step.value), width // 3)}", "bold")
        shown = changed_text(step, found[number], width // 3)
        if shown:
            line.append("  ").append_text(shown)
        if step.output:
            line.append(f"  prints {shortened(repr(step.output), width // 3)}", "magenta")
        yield line


def print_listing(console: Console, trace: Trace, show_hidden: bool = False) -> None:
    """Print a whole trace."""
    running = loops(trace.program, trace.steps) if show_hidden else []
    for number, line in enumerate(list_lines(trace, max(console.width, 60))):
        if show_hidden:
            line.append(_hidden_text(trace.steps[number], running[number]), "magenta")
        line.rstrip()
        console.print(line, soft_wrap=not console.is_terminal)
    console.print(Text(f"{len(trace.steps)} steps; {ending_text(trace.ending)}", "bold"), soft_wrap=True)
