"""This file is an attribution in the terminal and as JSON: which intervention makes an error disappear."""

from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from worldline.diagnose.intervention import Attribution, Intervention
from worldline.trace.model import Trace


def attribution_object(found: Attribution, model: str) -> dict[str, Any]:
    """As one JSON object."""
    divergence = found.divergence
    return {
        "model": model,
        "frame": divergence.frame if divergence else None,
        "kind": divergence.kind if divergence else None,
        "line": divergence.line if divergence else None,
        "expected": divergence.expected if divergence else None,
        "predicted": divergence.predicted if divergence else None,
        "steps_right": found.steps,
        "stop": found.stop,
        "controls": [asdict(each) for each in found.controls],
        "interventions": [asdict(each) for each in found.interventions],
        "cures": found.cures,
        "luck": found.is_luck,
    }


def print_attribution(console: Console, found: Attribution, real: Trace) -> None:
    """Print it."""
    if found.divergence is None:
        console.print(Text(f"exact  all {len(real.steps)} steps are right", "green"))
        return
    if found.stop:
        console.print(Text(f"ended early  at step {found.steps} of {len(real.steps)}", "bold yellow"))
        console.print(f"  {found.stop}; all steps before it are right", soft_wrap=True, markup=False)
        console.print(
            "  look at them: worldline predict PROGRAM.py, with the same --model and --call", markup=False
        )
        return
    wrong = found.divergence
    console.print(Text(f"diverged  {wrong.kind} at step {wrong.frame}, line {wrong.line}", "bold red"))
    console.print(f"  expected {wrong.expected}, predicted {wrong.predicted}", soft_wrap=True, markup=False)
    table = Table(box=None, padding=(0, 1))
    for name in ("the same step, asked again", "comes out", ""):
        table.add_column(name)
    for each in (*found.controls, *found.interventions):
        table.add_row(each.name, *_outcome(each))
    console.print(table)
    if found.is_luck:
        console.print("The same again comes out right, too: no intervention can be said to help.")
    elif found.cures:
        console.print(f"It disappears with: {', '.join(found.cures)}.")
    else:
        console.print("Nothing that was tried makes it disappear.")


def _outcome(each: Intervention) -> tuple[Text, Text]:
    right = Text("right", "green") if each.is_right else Text("wrong", "red")
    return right, Text("cure" if each.is_cure else "", "bold green")
