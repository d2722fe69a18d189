"""This file is one step on a screen: the source with the current line, the variables with what changed."""

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from worldline.flow.loops import loops
from worldline.report.changes import Changes, changes
from worldline.report.listing import STYLES, ending_text, shortened
from worldline.trace.model import Step, Trace
from worldline.trace.value import raised, type_of


class StepViews:
    """Draws any step of one trace; what is derived from the whole trace is computed once."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self._changes = changes(trace.steps)
        self._loops = loops(trace.program, trace.steps)

    def view(self, number: int, size: tuple[int, int], show_hidden: bool) -> RenderableType:
        """Step `number` in a screen of `size` columns and lines."""
        width, height = size
        step = self.trace.steps[number]
        room = max(height - 8, 6)
        left = self._source(step, room, width)
        right = self._state(number, room, width, show_hidden)
        body = Table.grid(expand=True, padding=(0, 1))
        body.add_column(ratio=3)
        body.add_column(ratio=2)
        body.add_row(left, right)
        return Group(self._title(number, step), body, self._foot(number, step, width))

    def _title(self, number: int, step: Step) -> Text:
        text = Text(f" step {number} of {len(self.trace.steps) - 1}  ", "bold")
        text.append(step.event, STYLES[step.event] or "bold")
        text.append(
            f"  {self.trace.program.path_of(step.file)}:{step.line}  in {step.function or '?'}", "dim"
        )
        text.append(f"  depth {step.depth}", "dim")
        return text.append(f"  thread {step.thread}", "dim") if step.thread else text

    def _source(self, step: Step, room: int, width: int) -> Panel:
        first = max(1, step.line - room // 2)
        code = Syntax(
            self.trace.program.source_of(step.file),
            self.trace.program.language,
            line_numbers=True,
            line_range=(first, first + room),
            highlight_lines={step.line},
            background_color="default",
            word_wrap=False,
            code_width=max(width * 3 // 5 - 12, 20),
        )
        return Panel(code, title="source", border_style="dim", padding=0)

    def _state(self, number: int, room: int, width: int, show_hidden: bool) -> Panel:
        step, what = self.trace.steps[number], self._changes[number]
        table = Table(box=None, padding=(0, 1), show_header=False, expand=True)
        table.add_column(no_wrap=True)
        table.add_column(ratio=1, overflow="fold")
        table.add_column(style="dim", no_wrap=True)
        for name, text in step.locals.items():
            style = _style(name, what)
            table.add_row(Text(name, style), Text(shortened(text, width * 2), style), type_of(text))
        for name in what.gone:
            table.add_row(Text(name, "dim strike"), Text("gone", "dim"), "")
        if show_hidden:
            for label, text in self.hidden(number):
                table.add_row(Text(label, "magenta"), Text(text, "magenta"), "hidden")
        return Panel(table, title="state", border_style="dim", padding=0)

    def hidden(self, number: int) -> list[tuple[str, str]]:
        """What the state of a step does not show: positions of running loops, names of one object."""
        running = [(f"for, line {loop.line}", f"{loop.position} taken") for loop in self._loops[number]]
        shared = [("one object", " = ".join(names)) for names in self.trace.steps[number].shared]
        return running + shared

    def _foot(self, number: int, step: Step, width: int) -> Text:
        text = Text()
        if step.value is not None:
            text.append(f" {step.event}: {shortened(raised(step.value), width - 20)}\n", STYLES[step.event])
        if step.output:
            text.append(f" prints {shortened(repr(step.output), width - 20)}\n", "magenta")
        if number == len(self.trace.steps) - 1:
            text.append(f" {ending_text(self.trace.ending)}\n", "bold")
        return text


def _style(name: str, what: Changes) -> str:
    if name in what.new:
        return "bold yellow"
    return "yellow" if name in what.changed else ""
