"""This file is what keeps a second command out of a folder that one works in.

The lock is the system's: it goes with the process, however that ends. The file stays, and says nothing.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from worldline.errors import UserError

LOCK = "lock"


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Make the folder, and be the only one in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / LOCK).open("w")
    except OSError as error:
        raise UserError(
            f"{folder} cannot be written: {error.strerror}", "give another folder for -o"
        ) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(f"another command works in {folder}", "wait for it, or stop it") from None
        yield
