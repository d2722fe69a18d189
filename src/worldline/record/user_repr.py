"""This file is `--user-repr`: asking an object's own `__repr__`; neither an error nor a hang escapes."""

import re
import signal
import threading
from types import FrameType

SECONDS = 1.0
"""Processor time one `__repr__` may take."""

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_endless: set[type] = set()


class _Endless(BaseException):
    """Raised inside a `__repr__` that took too long."""


def guarded_repr(value: object, name: str) -> str:
    """`repr(value)` without addresses; a failure becomes part of the text, never an exception.

    The clock counts processor time and only in the main thread; elsewhere, an endless `__repr__` meets the
    time limit of the whole recording. A class that was endless once is not asked again.
    """
    if type(value) in _endless:
        return f"<{name} repr endless>"
    try:
        return _ADDRESS.sub("", _timed_repr(value))
    except _Endless:
        _endless.add(type(value))
        return f"<{name} repr endless>"
    except BaseException as error:  # noqa: BLE001 - whatever the program's code throws stays out of the program
        return f"<{name} repr failed: {type(error).__name__}>"


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
        signal.signal(signal.SIGVTALRM, handler)
