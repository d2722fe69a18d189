"""This file is walking through a trace with the keyboard."""

import os
import sys
import termios
import tty
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text

from worldline.report.step_view import StepViews
from worldline.trace.model import Step, Trace

HELP = "→ next  ← back  ↓ over  ↑ out  PgDn/PgUp 10  Home End  c next change  h hidden  q quit"

KEYS = {
    "\x1b[C": "next",
    "l": "next",
    " ": "next",
    "\r": "next",
    "\x1b[D": "back",
    "b": "back",
    "\x1b[B": "over",
    "j": "over",
    "n": "over",
    "\x1b[A": "out",
    "k": "out",
    "o": "out",
    "\x1b[6~": "far",
    "\x1b[5~": "far back",
    "\x1b[H": "first",
    "\x1b[1~": "first",
    "g": "first",
    "\x1b[F": "last",
    "\x1b[4~": "last",
    "G": "last",
    "c": "change",
    "h": "hidden",
    "q": "quit",
    "\x03": "quit",
    "\x04": "quit",
}


def moved(steps: Sequence[Step], at: int, move: str) -> int:
    """Where a move leads; at the ends it stays."""
    last = len(steps) - 1
    targets: dict[str, Callable[[], int]] = {
        "next": lambda: at + 1,
        "back": lambda: at - 1,
        "far": lambda: at + 10,
        "far back": lambda: at - 10,
        "first": lambda: 0,
        "last": lambda: last,
        "over": lambda: _find(steps, at, lambda step: step.depth <= steps[at].depth),
        "out": lambda: _find(steps, at, lambda step: step.depth < steps[at].depth),
        "change": lambda: _find(steps, at, lambda step: step.locals is not steps[at].locals),
    }
    return min(max(targets[move](), 0), last) if move in targets else at


def _find(steps: Sequence[Step], at: int, wanted: Callable[[Step], bool]) -> int:
    return next((number for number in range(at + 1, len(steps)) if wanted(steps[number])), len(steps) - 1)


def step_through(console: Console, trace: Trace, at: int, show_hidden: bool) -> None:
    """Show one step at a time until the user quits."""
    views = StepViews(trace)
    with _raw_keys() as keys, console.screen(hide_cursor=True) as screen:
        while True:
            size = console.size
            view = views.view(at, (size.width, size.height), show_hidden)
            screen.update(view, Text(HELP, "dim"))
            move = KEYS.get(next(keys), "")
            if move == "quit":
                return
            if move == "hidden":
                show_hidden = not show_hidden
            at = moved(trace.steps, at, move)


@contextmanager
def _raw_keys() -> Iterator[Iterator[str]]:
    """Keys as they are pressed, one string each; the terminal is put back afterwards."""
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    tty.setcbreak(descriptor)
    try:
        yield iter(lambda: os.read(descriptor, 16).decode(errors="ignore") or "q", None)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
