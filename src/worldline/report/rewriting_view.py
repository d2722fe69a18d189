"""This file is what rewriting bought, in the terminal and as Markdown."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from worldline.diagnose.rewriting import BASELINE, Arm, Outcome

COLUMNS = ("arm", "right", "exact", "gains", "losses", "net", "McNemar p", "steps", "tokens")


def cells(arm: Arm) -> list[str]:
    """One row of the table."""
    counts = [f"{arm.right}/{arm.count}", f"{arm.exact}/{arm.count}"]
    changes = ["", "", "", ""]
    if arm.name != BASELINE:
        changes = [str(arm.gains), str(arm.losses), f"{arm.net:+}", f"{arm.p:.3g}"]
    return [arm.name, *counts, *changes, f"{arm.steps:,}", f"{arm.spent:,}"]


def print_arms(console: Console, arms: Sequence[Arm], lost: Sequence[Outcome]) -> None:
    """Print them, and what could not be asked."""
    table = Table(box=None, padding=(0, 1))
    for at, name in enumerate(COLUMNS):
        table.add_column(name, justify="right" if at else "left")
    for arm in arms:
        table.add_row(*cells(arm))
    console.print(table)
    for each in lost:
        console.print(f"{each.id} ({each.arm}) counts as wrong: {each.problem}", markup=False, soft_wrap=True)


def arms_table(arms: Sequence[Arm]) -> list[str]:
    """The lines of a Markdown table."""
    lines = ["| " + " | ".join(COLUMNS) + " |", "|---" * len(COLUMNS) + "|"]
    return [*lines, *("| " + " | ".join(cells(arm)) + " |" for arm in arms)]
