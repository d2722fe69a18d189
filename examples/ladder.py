"""This file asks a model for a program in several ways, and shows how far it stays on the true path in each.

python examples/ladder.py PROGRAM.py [--model embedded] [--svg PICTURE.svg]
"""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Table

from worldline.diagnose.divergence import first_divergence
from worldline.diagnose.prediction import of_trace
from worldline.diagnose.subject import subject
from worldline.models import model, preferred
from worldline.record.entry import find_entry
from worldline.rewrite import Level
from worldline.rollout.options import Actions, RolloutOptions
from worldline.rollout.rollout import predict
from worldline.trace.model import Program

ARMS: tuple[tuple[str, Level | None, Actions], ...] = (
    ("as it is; the model says which line comes next", None, "free"),
    ("as it is; the next line must be a legal one", None, "grounded"),
    ("one operation a line", "expressions", "grounded"),
    ("operations on texts as loops over their characters", "strings", "grounded"),
    ("every method and function in atomic steps", "atomic", "grounded"),
    ("the same; the model says which line comes next", "atomic", "free"),
)
BAR = 24


def rows(program: Program, name: str) -> Iterator[list[str]]:
    """One for each way of asking: how many steps are right, of how many, and the answer."""
    asked, usual = model(name), preferred(name)
    for title, level, actions in ARMS:
        ready = subject(program, level, "process", is_trimmed=usual.context != "state")
        options = RolloutOptions(
            actions, context=usual.context, stop_below=usual.stop_below, max_tokens=10**9, seconds=600
        )
        said = predict(ready.program, asked, options)
        parted = first_divergence(ready.real, of_trace(said.trace))
        steps = len(ready.real.steps)
        right = steps if parted is None else parted.frame
        bar = "█" * round(BAR * right / steps)
        given = said.trace.ending.value if said.trace.ending.is_complete else "no answer"
        is_right = given == ready.real.ending.value
        mark = "[green]right[/]" if is_right else f"[red]{'not sure' if given == 'no answer' else 'wrong'}[/]"
        yield [title, f"{bar:<{BAR}}", f"{right:,} of {steps:,}", mark]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--model", default="embedded")
    parser.add_argument("--svg", type=Path, help="the same as a picture")
    given = parser.parse_args()
    source = given.program.read_text(encoding="utf-8")
    program = Program(source, find_entry(source, given.program.name), given.program.name)
    table = Table(box=None, pad_edge=False)
    for head in ("how it is asked", "on the true path", "steps", "answer"):
        table.add_column(head, justify="right" if head == "steps" else "left", no_wrap=True)
    for row in rows(program, given.model):
        table.add_row(*row)
    console = Console(record=given.svg is not None, width=110)
    console.print(table)
    if given.svg is not None:
        picture = console.export_svg(title=f"{given.model} on {given.program.name}")
        alone = re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)  # no fonts from the network
        given.svg.write_text(alone, encoding="utf-8")


if __name__ == "__main__":
    main()
