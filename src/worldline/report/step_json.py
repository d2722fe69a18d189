"""This file is steps as JSON objects with their whole state, for programs that read them."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from worldline.flow.loops import loops
from worldline.trace.model import Trace
from worldline.trace.value import type_of


def step_objects(trace: Trace, show_hidden: bool, only: int | None = None) -> Iterator[dict[str, Any]]:
    """Each step, or one: its fields, the type of every value and, when asked, what the state hides."""
    running = loops(trace.program, trace.steps) if show_hidden else []
    for number, step in enumerate(trace.steps):
        if only is not None and number != only:
            continue
        record = {"step": number, **asdict(step)}
        record["types"] = {name: type_of(text) for name, text in step.locals.items()}
        if show_hidden:
            record["loops"] = [asdict(loop) for loop in running[number]]
        else:
            del record["shared"]
        yield record
