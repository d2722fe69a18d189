"""Workers for the tests of engines: they are imported by other processes, so they live in a module."""

import os
import signal
import time
from pathlib import Path

from worldline.errors import UserError
from worldline.work.engines import Result


def squares(setup):
    """Squares numbers; notes who did what, takes its time, and dies where it is told to."""

    def work(items):
        for item in items:
            number = item["number"]
            note = Path(setup["notes"]) / f"{os.getpid()}-{number}-{time.monotonic_ns()}"
            note.write_text("")
            if number in setup.get("deadly", ()):
                os.kill(os.getpid(), signal.SIGKILL)
            if number in setup.get("failing", ()):
                raise ValueError(f"no square of {number}")
            if number in setup.get("refused", ()):
                raise UserError("this cannot be squared", "give another number")
            time.sleep(setup.get("seconds", 0))
            yield Result(str(number), {"square": number * number, "pid": os.getpid()}, b"x" * number)

    return work
