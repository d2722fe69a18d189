"""This file is a recorder of bare events, as naive as can be: what the laws of `flow` are checked against."""

import sys
import threading
from typing import NamedTuple

PROGRAM = "<program under test>"


class Seen(NamedTuple):
    event: str
    line: int
    function: str
    frame: int  # number of the activation
    thread: int = 0
    value: str | None = None
    file: int = 0


class Watch:
    """Records the frames of one source; `notice` is called with (frame, event) just before each is kept."""

    def __init__(self, notice, limit):
        self.limit = limit
        self.events = []
        self.frames = []  # kept alive, so that no two have one identity
        self._numbers = {}
        self._last_line = {}
        self._threads = {}
        self._notice = notice

    def number(self, frame):
        if frame not in self._numbers:
            self._numbers[frame] = len(self.frames)
            self.frames.append(frame)
        return self._numbers[frame]

    def trace(self, frame, event, arg):
        if frame.f_code.co_filename != PROGRAM or len(self.events) >= self.limit:
            return None
        line = frame.f_lineno
        if line is None:  # some cleanup code of 3.12 and later has no line: the frame is where it was
            line = self._last_line[frame]
        self._last_line[frame] = line
        if self._notice is not None:
            self._notice(frame, event)
        thread = self._threads.setdefault(threading.get_ident(), len(self._threads))
        value = repr(arg) if event == "return" and (arg is None or type(arg) in (int, str, bool)) else None
        self.events.append(Seen(event, line, frame.f_code.co_qualname, self.number(frame), thread, value))
        return self.trace


def watch(source, call=None, notice=None, namespace=None, limit=200_000):
    """The events of running `source` as a module, then the expression `call`; what it raises is lost."""
    watch = Watch(notice, limit)
    namespace = {"__name__": "program", **(namespace or {})}
    code = compile(source, PROGRAM, "exec", dont_inherit=True)
    threading.settrace(watch.trace)
    sys.settrace(watch.trace)
    try:
        exec(code, namespace)
        if call is not None:
            eval(call, namespace)
    except BaseException as error:  # noqa: BLE001 - the program may raise anything, SystemExit too
        error.__traceback__ = None
    finally:
        sys.settrace(None)
        threading.settrace(None)
    return watch.events


def marked(source):
    """The numbers of the lines that carry `# @name`, by name."""
    return {
        line.rpartition("# @")[2].strip(): number
        for number, line in enumerate(source.splitlines(), 1)
        if "# @" in line
    }
