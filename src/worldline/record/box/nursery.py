"""This file is how the judge gets a running box: it asks its nursery for a supervisor, which runs the job.

`process` is a separate process with limits, and nothing more: the job may read and write what the user may,
reach the network, and signal the user's processes. It is for programs that the user wrote. Its tasks are
counted by the judge, every few milliseconds, and not by the kernel (which counts all of the user's together).
`sandlock` adds Landlock and seccomp through the package of that name: no files but those named, no network,
no signals. `bwrap` is described in `bwrap.py`.
Not covered: bugs of the kernel; at `process`, a job that kills its supervisor after leaving its session.
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
from worldline.record.box import bwrap, supervisor
from worldline.record.box.filter import build
from worldline.record.box.job import Job, Limits, resource_limits
from worldline.record.box.streams import Streams

_START_SECONDS = 20.0
_END_SECONDS = 2.0
_DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")


@dataclass(slots=True)
class Box:
    """A running supervisor with its job."""

    level: str
    channel: socket.socket
    supervisor: int  # its process id
    root: int  # process id of what the job's processes are below
    main: int  # process id of what the supervisor started, and of its session
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
            while any(map(supervisor.is_alive, supervisor.kill_below(self.supervisor))):
                if time.monotonic() > until:
                    break
                time.sleep(0.01)  # a killed process is gone only when the kernel gets to it
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.supervisor, signal.SIGKILL)

    def status(self, stderr: bytes) -> tuple[int | None, int | None]:
        """Exit code or signal of the command; neither if the supervisor did not live to say it."""
        self.channel.setblocking(False)  # it is there now, or it never comes
        word, _, rest = _line(self.channel).partition(" ")
        if word == supervisor.EXITED:
            return int(rest), None
        if word == supervisor.SIGNALLED:
            return None, int(rest)
        if word in (supervisor.UNREADY, supervisor.FAILED):
            raise _failure(self.level, rest.strip() or stderr.decode(errors="replace"))
        until = time.monotonic() + _END_SECONDS
        while supervisor.kill_session(self.main) and time.monotonic() < until:
            time.sleep(0.01)  # a killed process is gone only when the kernel gets to it
        return None, None


@contextlib.contextmanager
def start(job: Job, limits: Limits, streams: Streams, level: str) -> Iterator[Box]:
    """Set everything up and let the command run; leaving the context kills what is left of it."""
    with contextlib.ExitStack() as stack:
        private = None if level == "bwrap" else tempfile.mkdtemp(prefix="worldline-box-")
        if private:
            stack.callback(_remove, private)
        order = marshal.dumps(_order(job, limits, level, private))
        channel, theirs = socket.socketpair()
        stack.enter_context(channel)
        with theirs:
            word = _sandlock_folder().encode() if level == "sandlock" else supervisor.PLAIN
            _nursery.ask(word, [*streams.inner, theirs.fileno()])
        streams.hand_over()
        channel.settimeout(_START_SECONDS)
        channel.sendall(len(order).to_bytes(8, "little") + order)
        first, _, rest = _line(channel).partition(" ")
        if first != supervisor.STARTED:
            if not first:
                _nursery.close()  # it hangs or is gone; the next job gets another
            raise _failure(level, rest or "its supervisor did not start")
        folders = tuple(str(folder) for folder in (private, job.exchange) if folder is not None)
        pid, root, main = (int(word) for word in rest.split())
        box = Box(level, channel, pid, root, main, folders)
        stack.callback(box.end)
        yield box


def _failure(level: str, words: str) -> UserError:
    reason = next((line for line in words.split("\n") if line), "it gave no reason")
    return UserError(f"{level} could not set up the box: {reason}", "see `worldline doctor`")


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


def _order(job: Job, limits: Limits, level: str, private: str | None) -> dict[str, Any]:
    """What the supervisor is to do."""
    order: dict[str, Any] = {
        "level": level,
        "command": list(job.command),
        "env": dict(job.env),
        "private": private,
        "cwd": job.cwd or private,
        "limits": resource_limits(limits),
    }
    if level == "sandlock":
        order["policy"] = _policy(job, limits, [str(private)])
    if level == "bwrap":
        user = bwrap.private_user()
        order["bwrap"] = bwrap.arguments(job, limits, user)
        order["limits"] += bwrap.task_limit(limits, user)
        order["filter"] = build()
        if user is not None and job.exchange is not None:
            bwrap.give(str(job.exchange), user)
    return order


def _policy(job: Job, limits: Limits, writable: list[str]) -> dict[str, Any]:
    readable = [*bwrap.SYSTEM, *_DEVICES, "/proc", *map(str, job.readable)]
    exchange = [] if job.exchange is None else [str(job.exchange)]
    return {
        "fs_readable": [path for path in readable if os.path.exists(path)],
        "fs_writable": [*writable, "/dev/null", *exchange],
        "max_processes": limits.processes + bwrap.SPARE_TASKS,
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
        program = os.path.abspath(supervisor.__file__)
        kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-B", program, str(theirs.fileno())],
                env={"HOME": "/", **kept},  # sandlock wants a home; no job inherits this
                cwd="/",
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
        """Let it go."""
        with self._lock:
            self._stop()


_nursery = _Nursery()
atexit.register(_nursery.close)
os.register_at_fork(after_in_child=_nursery.forget)
