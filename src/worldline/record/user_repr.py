"""This file is `--user-repr`: asking an object's own `__repr__`; neither an error nor a hang escapes.

Not covered: a `__repr__` that catches everything, or that hangs in C or in another thread than the main one;
the time limit of the whole recording ends those.
"""

import re
import signal
import threading
from types import FrameType

from worldline.record import peek

SECONDS = 1.0
"""Processor time one `__repr__` may take."""

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_endless: dict[int, type] = {}  # by address: to hash a class may run code of its metaclass


class _Endless(BaseException):
    """Raised inside a `__repr__` that took too long."""


def guarded_repr(value: object, name: str) -> str:
    """`repr(value)` without addresses; a failure becomes part of the text, never an exception.

    A class that was endless once is not asked again.
    """
    kind = type(value)
    if id(kind) in _endless:
        return f"<{name} repr endless>"
    try:
        return _ADDRESS.sub("", peek.exact(_timed_repr(value)))
    except _Endless:
        _endless[id(kind)] = kind
        return f"<{name} repr endless>"
    except BaseException as error:  # noqa: BLE001 - whatever the program's code throws stays out of the program
        return f"<{name} repr failed: {peek.name(type(error))}>"


def _timed_repr(value: object) -> str:
    if threading.current_thread() is not threading.main_thread():
        return repr(value)

    def stop(signum: int, frame: FrameType | None) -> None:
        raise _Endless

    handler = signal.signal(signal.SIGVTALRM, stop)
    before = signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        return repr(value)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, *before)
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL if handler is None else handler)
