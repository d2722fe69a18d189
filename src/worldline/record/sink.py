"""This file is the memory that a recording is written to: killed at any time, it leaves a readable prefix.

In the box it is a file that the judge made at full size and both have mapped: what was written is there
whenever the program is killed, and once mapped there is no descriptor and no path that the program could
close or write to. The unwritten rest is zero bytes.
"""

from mmap import mmap

RESERVE = 1 << 16  # bytes kept for the last lines when the steps have used up all others


class Sink:
    """Writes whole lines into a map, or into memory of its own."""

    def __init__(self, target: mmap | None, max_bytes: int) -> None:
        self._target = target
        self._own = bytearray()
        self._used = 0
        self._room = max_bytes if target is None else len(target)

    def put(self, line: bytes, is_last: bool = False) -> bool:
        """Write one line; False, and nothing written, if there is no room."""
        end = self._used + len(line)
        if end > self._room - (0 if is_last else RESERVE):
            return False
        if self._target is None:
            self._own += line
        else:
            self._target[self._used : end] = line
        self._used = end
        return True

    def contents(self) -> bytes:
        """What was written so far."""
        return bytes(self._own if self._target is None else self._target[: self._used])
