"""This file is the level `bwrap`: a job in namespaces of its own, seeing nothing of the host but what it may.

Its own processes, network (no way out), hostname, IPC and file tree; a read-only root with the system's
programs and libraries; /tmp and /dev/shm in memory and limited; no capabilities; a system call filter
(`filter.py`). Run as root, the job drops to a user id of its own, because the kernel does not limit the
number of root's processes.
Not covered: bugs of the kernel itself; load on processor and disk within the limits. Of each job an ended
process is left for the system's process 1 to collect, as of everything that bwrap runs.
"""

import contextlib
import json
import os
import random
import resource
import select
import shutil
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from io import FileIO
from pathlib import Path

from worldline.errors import UserError
from worldline.record.box.filter import build
from worldline.record.box.job import Job, Limits, resource_limits
from worldline.record.box.streams import Streams
from worldline.record.box.supervisor import limit

INSTALL = "apt-get install bubblewrap"
SYSTEM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store", "/etc/alternatives",
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime",
)  # fmt: skip
_NAMESPACES = ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try")
_SPARE_TASKS = 16  # the kernel refuses a little later than we count, so that we see it and can say so
_START_SECONDS = 20.0


@dataclass(slots=True)
class Box:
    """A running bwrap. When `init`, the first process inside, dies, the kernel kills all others inside."""

    process: subprocess.Popen[bytes]
    root: int  # process id of init, seen from outside
    init: int  # descriptor of init
    ended: int  # descriptor, readable once the command has ended
    report: FileIO  # bwrap's own words
    folders: tuple[str, ...]  # on the host's disk, writable

    def end(self) -> None:
        """Kill everything inside and wait until it is gone."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.init, signal.SIGKILL)
        waiting = select.poll()
        waiting.register(self.init, select.POLLIN)
        waiting.poll()
        self.process.wait()

    def status(self, stderr: bytes) -> tuple[int | None, int | None]:
        """Exit code or signal of the command.

        bwrap tells of signals as a shell does, so an exit code of 129 to 159 is taken for a signal.
        """
        words = (self.report.read(1 << 16) or b"").decode(errors="replace")
        if '"exit-code"' in words:
            code = int(json.loads(words[words.rindex("{") :])["exit-code"])
            return (None, code - 128) if 128 < code < 160 else (code, None)
        if self.process.returncode < 0:
            return None, -self.process.returncode
        raise _failure(stderr)


@contextlib.contextmanager
def start(job: Job, limits: Limits, streams: Streams) -> Iterator[Box]:
    """Set everything up and let the command run; leaving the context kills what is left of it."""
    with contextlib.ExitStack() as stack:
        report, report_inside = _pipe(stack)
        gate_inside, gate = _pipe(stack)
        rules = _rules(stack)
        user = _private_user()
        if user is not None and job.exchange is not None:
            _give(str(job.exchange), user)
        options = ["--json-status-fd", str(report_inside.fileno()), "--block-fd", str(gate_inside.fileno())]
        options += [option for fd in rules for option in ("--seccomp", str(fd))]
        process = subprocess.Popen(
            [_bwrap(), *options, *_isolation(user), *_tree(job, limits), "--", *_drop(user), *job.command],
            env=dict(job.env),
            stdin=streams.inner[0],
            stdout=streams.inner[1],
            stderr=streams.inner[2],
            pass_fds=[report_inside.fileno(), gate_inside.fileno(), *rules],
            start_new_session=True,  # the terminal's Ctrl-C is for the judge, who then ends the box
        )
        stack.callback(_stop, process)
        streams.hand_over()
        report_inside.close()
        ended = _process_descriptor(process.pid, stack)
        root = _first_process(report, ended, streams)
        init = _process_descriptor(root, stack)
        limit(root, [*resource_limits(limits), *_task_limit(limits, user)])
        with contextlib.suppress(OSError):  # when memory runs out, the kernel takes the job and not the judge
            Path(f"/proc/{root}/oom_score_adj").write_text("1000")
        box = Box(process, root, init, ended, report, () if job.exchange is None else (str(job.exchange),))
        stack.callback(box.end)
        gate.write(b"!")
        yield box


def _bwrap() -> str:
    path = shutil.which("bwrap")
    if path is None:
        raise UserError("the program bwrap is not installed", INSTALL)
    return path


def _pipe(stack: contextlib.ExitStack) -> tuple[FileIO, FileIO]:
    """Both ends as files: a file closed twice does no harm, a descriptor closed twice may be another's."""
    read, write = os.pipe()
    os.set_blocking(read, False)
    return stack.enter_context(FileIO(read, "r")), stack.enter_context(FileIO(write, "w"))


def _rules(stack: contextlib.ExitStack) -> list[int]:
    program = build()
    if program is None:
        return []
    file = stack.enter_context(FileIO(os.memfd_create("filter"), "r+"))
    file.write(program)
    file.seek(0)
    return [file.fileno()]


def _process_descriptor(pid: int, stack: contextlib.ExitStack) -> int:
    descriptor = os.pidfd_open(pid)
    stack.callback(os.close, descriptor)
    return descriptor


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


def _first_process(report: FileIO, ended: int, streams: Streams) -> int:
    """The process id of init; bwrap holds the command back until we open the gate."""
    ready = select.poll()
    ready.register(report, select.POLLIN)
    ready.register(ended, select.POLLIN)
    words = b""
    while b"}" not in words:
        data = report.read(1 << 16) if ready.poll(_START_SECONDS * 1000) else b""
        if not data:
            streams.drain()
            raise _failure(streams.text()[1])
        words += data
    return int(json.loads(words[: words.index(b"}") + 1])["child-pid"])


def _failure(stderr: bytes) -> UserError:
    lines = stderr.decode(errors="replace").split("\n")
    reason = next((line for line in lines if line), "it gave no reason")
    return UserError(f"bwrap could not set up the box: {reason}", "see `worldline doctor`")


def _isolation(user: int | None) -> list[str]:
    options = [*_NAMESPACES, "--hostname", "box", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    if user is None:
        return ["--unshare-user", *options]
    return [*options, "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]  # given up by setpriv, see _drop


def _drop(user: int | None) -> list[str]:
    if user is None:
        return []
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        raise UserError("the program setpriv, which bwrap needs for root, is missing", "install util-linux")
    return [setpriv, f"--reuid={user}", f"--regid={user}", "--clear-groups", "--inh-caps=-all"]


def _private_user() -> int | None:
    """A user id that nobody has, from the end of the range that root may take; None if we are not root."""
    if os.geteuid() != 0:
        return None
    with open("/proc/self/uid_map", encoding="ascii") as lines:
        ranges = [[int(word) for word in line.split()] for line in lines]
    first, _, count = max(ranges, key=lambda one: one[2])
    last = min(first + count, 2**31 - 1)
    if last - first < 1 << 12:  # root of a small user namespace: its processes can be limited as they are
        return None
    return random.SystemRandom().randrange(last - (last - first) // 16, last)


def _task_limit(limits: Limits, user: int | None) -> list[tuple[int, int]]:
    """The kernel counts per user id; within a user namespace it does so since Linux 5.14."""
    release = tuple(int(part) for part in os.uname().release.split("-")[0].split(".")[:2])
    if user is None and release < (5, 14):
        return []
    return [(resource.RLIMIT_NPROC, limits.processes + _SPARE_TASKS)]


def _give(folder: str, user: int) -> None:
    os.chown(folder, user, user, follow_symlinks=False)
    for at, folders, files in os.walk(folder):
        for name in (*folders, *files):
            os.chown(os.path.join(at, name), user, user, follow_symlinks=False)


def _tree(job: Job, limits: Limits) -> list[str]:
    """The file tree inside: what comes later lies over what came before."""
    options: list[str] = []
    for path in SYSTEM:
        if os.path.islink(path):
            options += ["--symlink", os.readlink(path), path]
        elif os.path.exists(path):
            options += ["--ro-bind", path, path]
    memory = ["--size", str(limits.files), "--perms", "1777", "--tmpfs"]
    options += ["--proc", "/proc", "--dev", "/dev", *memory, "/dev/shm", "--remount-ro", "/dev"]
    options += [*memory, "/tmp"]
    paths = _readable(job)
    writable = [] if job.exchange is None else [str(job.exchange)]
    for folder in _parents([*paths, *writable]):
        options += ["--perms", "0755", "--dir", folder]  # made by --ro-bind, only root could enter them
    for path in paths:
        options += ["--ro-bind", path, path]
    for path in writable:
        options += ["--bind", path, path]
    return [*options, "--remount-ro", "/", "--chdir", job.cwd or "/tmp"]


def _readable(job: Job) -> list[str]:
    """What to show, outer folders first; a path through a symbolic link is shown under both its names."""
    found = set()
    for path in map(os.path.abspath, job.readable):
        real = os.path.realpath(path)
        if os.path.exists(real):
            found |= {real} if _is_system(path) else {real, path}
    return sorted(found, key=lambda path: (path.count("/"), path))


def _is_system(path: str) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for folder in SYSTEM)


def _parents(paths: list[str]) -> list[str]:
    """The folders to make for these paths, outer ones first."""
    found = {str(parent) for path in paths if not _is_system(path) for parent in Path(path).parents}
    return sorted(found - {"/"}, key=lambda path: (path.count("/"), path))
