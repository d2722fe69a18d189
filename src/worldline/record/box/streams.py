"""This file is the standard streams of a job, seen by the judge: input given, output taken up to a cap."""

import os
import select

_CHUNK = 1 << 16


class Streams:
    """Holds the judge's ends and, until `hand_over`, the job's ends (`inner`: stdin, stdout, stderr)."""

    def __init__(self, stdin: bytes, cap: int) -> None:
        self._left = cap
        self._text: dict[int, bytearray] = {}
        self.inner: list[int] = []
        self.is_over = False  # the job wrote more than the cap
        self.inner.append(_input(stdin))
        for _ in range(2):
            ours, theirs = os.pipe()
            os.set_blocking(ours, False)
            self._text[ours] = bytearray()
            self.inner.append(theirs)

    def close(self) -> None:
        """Close everything that is still open."""
        self.hand_over()
        for descriptor in self._text:
            os.close(descriptor)

    def hand_over(self) -> None:
        """Close the job's ends: the job has them now."""
        while self.inner:
            os.close(self.inner.pop())

    def watch(self, ready: select.poll) -> None:
        """Be told by `ready` when there is output."""
        for descriptor in self._text:
            ready.register(descriptor, select.POLLIN)

    def read(self, descriptor: int) -> bool:
        """Take what one stream holds now; False if it has ended."""
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return True
        self._text[descriptor] += data[: self._left]
        self.is_over |= len(data) > self._left
        self._left = max(0, self._left - len(data))
        return bool(data)

    def drain(self) -> None:
        """Take what is left. Never waits: another fork of the judge may hold a pipe open by accident."""
        for descriptor in self._text:
            ready = select.poll()
            ready.register(descriptor, select.POLLIN)
            while ready.poll(0) and self.read(descriptor) and not self.is_over:
                pass

    def text(self) -> tuple[bytes, bytes]:
        """What came on stdout and on stderr."""
        stdout, stderr = self._text.values()
        return bytes(stdout), bytes(stderr)


def _input(stdin: bytes) -> int:
    if not stdin:
        return os.open(os.devnull, os.O_RDONLY)
    held = os.memfd_create("stdin")
    try:
        with open(held, "wb", closefd=False) as file:
            file.write(stdin)
        return os.open(f"/proc/self/fd/{held}", os.O_RDONLY)
    finally:
        os.close(held)
