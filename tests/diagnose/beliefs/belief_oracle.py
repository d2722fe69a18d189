"""This file is a second, naive way to believe a model: one run under `sys.settrace` that is disturbed once.

At one event a variable of the running frame is changed, or the frame jumps to another line; the rest is what
Python makes of it. So the steps are those of a model that makes one mistake and then none.
"""

import ctypes
import sys
from collections.abc import Callable
from types import FrameType

from worldline.record.twin import visible
from worldline.record.values import exception_text, text
from worldline.trace.model import Program, Step

Disturb = Callable[[FrameType], bool]  # False: it cannot be done here


def put(frame: FrameType, name: str, value: object) -> None:
    """Change a variable of a running frame."""
    frame.f_locals[name] = value
    if sys.version_info < (3, 13):
        ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))


class TooLong(BaseException):
    pass


def disturbed(program: Program, at: int, disturb: Disturb, most: int = 400) -> list[Step] | None:
    """The steps of the entry function's run, disturbed at one step; None if that cannot be done."""
    names: dict[str, object] = {"__name__": "program"}
    exec(compile(program.source, program.path, "exec", dont_inherit=True), names)
    steps: list[Step] = []
    depth, has_failed = -1, False

    def trace(frame: FrameType, event: str, arg: object) -> object:
        nonlocal depth, has_failed
        if frame.f_code.co_filename != program.path:
            return None
        depth += event == "call"
        if len(steps) >= most:
            raise TooLong
        if len(steps) == at:
            has_failed = not disturb(frame)
            if has_failed:
                raise TooLong
        shown = event in ("call", "line")
        state = {name: text(value) for name, value in visible(frame).items()} if shown else {}
        value = text(arg) if event == "return" else exception_text(arg) if event == "exception" else None
        function = frame.f_code.co_qualname
        steps.append(Step(event, frame.f_lineno, state, value, depth, function))
        depth -= event == "return"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        names[program.entry.text]()
    except TooLong:
        pass
    except Exception:  # noqa: BLE001 - the program may well fail after that
        pass
    finally:
        sys.settrace(before)
    return None if has_failed or len(steps) <= at else steps
