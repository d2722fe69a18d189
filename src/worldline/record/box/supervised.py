"""This file is the judge's side of the levels `process` and `sandlock`, where each job has a supervisor.

`process` is a separate process with limits, and nothing more: the job may read and write what the user may,
reach the network, and signal the user's processes. It is for programs that the user wrote. Its number of
tasks is counted every few milliseconds and not by the kernel (which counts all of the user's together).
`sandlock` adds Landlock and seccomp through the package of that name: no files but those named, no network,
no signals.
Not covered by either: bugs of the kernel; and at `process`, a job that kills its supervisor and has left
its session.
"""

import atexit
import contextlib
import importlib.util
import marshal
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from worldline.errors import UserError, missing_extra
from worldline.record.box import supervisor
from worldline.record.box.bwrap import SYSTEM
from worldline.record.box.job import Job, Limits, resource_limits
from worldline.record.box.streams import Streams

_START_SECONDS = 20.0
_END_SECONDS = 2.0
_DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
_SPARE_TASKS = 16


@dataclass(slots=True)
class Box:
    """A running supervisor with its job."""

    channel: socket.socket
    root: int  # process id of the supervisor
    main: int  # process id of the command, and of its session
    folders: tuple[str, ...]  # on the host's disk, the job's own

    @property
    def ended(self) -> int:
        """Descriptor, readable once all of the job is gone, or its supervisor is."""
        return self.channel.fileno()

    def end(self) -> None:
        """Kill everything inside and wait until it is gone."""
        with contextlib.suppress(OSError):
            self.channel.send(b"!")
        ready = select.poll()
        ready.register(self.channel, select.POLLIN)
        if not ready.poll(_END_SECONDS * 1000):  # the job has stopped or starved its supervisor: do its work
            until = time.monotonic() + _END_SECONDS
            while supervisor.kill_below(self.root) and time.monotonic() < until:
                time.sleep(0.001)
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.root, signal.SIGKILL)

    def status(self, stderr: bytes) -> tuple[int | None, int | None]:
        """Exit code or signal of the command; neither if the supervisor did not live to say it."""
        word, *number = _line(self.channel).split()[:2] or [""]
        if word == supervisor.EXITED:
            return int(number[0]), None
        if word == supervisor.SIGNALLED:
            return None, int(number[0])
        supervisor.kill_session(self.main)
        return None, None


@contextlib.contextmanager
def start(job: Job, limits: Limits, streams: Streams, level: str) -> Iterator[Box]:
    """Set everything up and let the command run; leaving the context kills what is left of it."""
    with contextlib.ExitStack() as stack:
        private = tempfile.mkdtemp(prefix="worldline-box-")
        stack.callback(_remove, private)
        channel, theirs = socket.socketpair()
        stack.enter_context(channel)
        with theirs:
            word = supervisor.PROCESS if level == "process" else _sandlock_folder().encode()
            _nursery.ask(word, [*streams.inner, theirs.fileno()])
        streams.hand_over()
        order = marshal.dumps(_order(job, limits, level, private))
        channel.settimeout(_START_SECONDS)
        channel.sendall(len(order).to_bytes(8, "little") + order)
        words = _line(channel).split(maxsplit=1)
        if words[:1] != [supervisor.STARTED]:
            reason = words[-1].strip() if words else "its supervisor did not start"
            raise UserError(f"{level} could not set up the box: {reason}", "see `worldline doctor`")
        root, main = (int(word) for word in words[1].split())
        box = Box(channel, root, main, (private,) if job.exchange is None else (private, str(job.exchange)))
        stack.callback(box.end)
        yield box


def _line(channel: socket.socket) -> str:
    """One message, a byte at a time, so that the next one stays in the channel for `poll` to see."""
    line = b""
    with contextlib.suppress(OSError):
        while not line.endswith(b"\n"):
            byte = channel.recv(1)
            if not byte:
                break
            line += byte
    return line.decode(errors="replace")


def _order(job: Job, limits: Limits, level: str, private: str) -> dict[str, Any]:
    return {
        "command": list(job.command),
        "env": dict(job.env),
        "cwd": job.cwd or private,
        "private": private,
        "limits": resource_limits(limits),
        "policy": _policy(job, limits, private) if level == "sandlock" else None,
    }


def _policy(job: Job, limits: Limits, private: str) -> dict[str, Any]:
    readable = [*SYSTEM, *_DEVICES, "/proc", *map(str, job.readable)]
    writable = [private, "/dev/null", *([] if job.exchange is None else [str(job.exchange)])]
    return {
        "fs_readable": [path for path in readable if os.path.exists(path)],
        "fs_writable": writable,
        "max_processes": limits.processes + _SPARE_TASKS,
    }


def _sandlock_folder() -> str:
    found = importlib.util.find_spec("sandlock")
    if found is None or found.origin is None:
        raise missing_extra("sandlock", "sandbox")
    return os.path.dirname(os.path.dirname(found.origin))


def _remove(private: str) -> None:
    try:
        os.rmdir(private)
    except OSError:  # not empty; the tools below cope with any depth and with folders made unreadable
        for tool in (["chmod", "-R", "u+rwX"], ["rm", "-rf"]):
            subprocess.run([*tool, "--", private], check=False, stderr=subprocess.DEVNULL)


class _Nursery:
    """The one process of ours that forks supervisors, for all threads; a fork of ours gets its own."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Start anew."""
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._requests: socket.socket | None = None

    def ask(self, word: bytes, descriptors: list[int]) -> None:
        """Have a supervisor forked that gets these descriptors; a nursery that a job killed is replaced."""
        with self._lock:
            for is_last in (False, True):
                if self._requests is None:
                    self._requests = self._start()
                try:
                    socket.send_fds(self._requests, [word], descriptors)
                    return
                except OSError:
                    self._stop()
                    if is_last:
                        raise

    def _start(self) -> socket.socket:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-B", supervisor.__file__, str(theirs.fileno())],
                env={"HOME": "/", **kept},  # sandlock wants a home; no job inherits this
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        return ours

    def _stop(self) -> None:
        if self._requests is not None:
            self._requests.close()
        if self._process is not None:
            try:
                self._process.wait(_END_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._requests = self._process = None

    def close(self) -> None:
        """Let it go; called when the judge exits."""
        with self._lock:
            self._stop()


_nursery = _Nursery()
atexit.register(_nursery.close)
os.register_at_fork(after_in_child=_nursery.forget)
