"""This file is where following a predicted trace ends: what happens there says nothing of the model."""

import re
import sys
from collections.abc import Sequence

from worldline.diagnose.beliefs.values import Touched
from worldline.trace.model import Step

INLINED = ("<listcomp>", "<setcomp>", "<dictcomp>")
_FICKLE = frozenset(
    {
        *("weakref", "gc", "__del__", "threading", "_thread", "concurrent", "multiprocessing", "signal"),
        *("_getframe", "currentframe", "settrace", "setprofile", "setrecursionlimit"),
    }
)
"""Words of programs that look at, or hang on, what following them changes: lifetimes, threads, frames."""


class Abort(BaseException):
    """The walk cannot go on from here; says why."""


class TooLongError(BaseException):
    """A step takes too long."""


FAILURES = (MemoryError, RecursionError, Touched, TooLongError)
"""What is not the program's: it is run with values that stand for others, and with limits."""


def failure(error: BaseException) -> str:
    """Why a step that failed so is not judged."""
    if isinstance(error, Touched):
        return "it uses a value that cannot be read back"
    if isinstance(error, TooLongError):
        return "it did not finish in time"
    return f"it needs more than it may use: {type(error).__name__}"


def is_end_of_generator(steps: Sequence[Step], index: int) -> bool:
    """Whether a call only tells a generator that nobody needs it any more: when that is, is not followed."""
    after = steps[index + 1] if index + 1 < len(steps) else None
    return after is not None and after.event == "exception" and "GeneratorExit" in (after.value or "")


def fickle_word(source: str) -> str:
    """Why nothing that is unlike is judged in a program; empty: it is."""
    found = sorted(_FICKLE & set(re.findall(r"\w+", source)))
    return f"the program uses {found[0]}, which is not followed" if found else ""


def is_inlined(step: Step) -> bool:
    """Whether a call is one of a comprehension, which this version of Python does not make."""
    return sys.version_info >= (3, 12) and step.function.endswith(INLINED)
