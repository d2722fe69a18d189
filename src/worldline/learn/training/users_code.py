"""This file is errors in the user's own code: told on one line, with the place in that code."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from worldline.errors import UserError


@contextmanager
def told_as(what: str, hint: str = "look at the recipe") -> Iterator[None]:
    """Whatever is raised inside comes out as a `UserError`; the one it comes from stays its cause."""
    try:
        yield
    except UserError:
        raise
    except (Exception, SystemExit) as error:
        raise UserError(f"{what}: {type(error).__name__}: {_line(error)}", hint) from error


def _line(error: BaseException) -> str:
    """What an error says, on one line, and where it was raised."""
    text = " ".join(str(error).split())
    last = traceback.extract_tb(error.__traceback__)[-1:]
    return text + "".join(f" ({each.filename} line {each.lineno})" for each in last)
