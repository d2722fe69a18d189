"""This file is the level `bwrap`: a job in namespaces of its own, seeing nothing of the host but what it may.

Its own processes, network (no way out), hostname, IPC and file tree; a read-only root with the system's
programs and libraries; /tmp and /dev/shm in memory and limited; no capabilities; a system call filter
(`filter.py`). Run as root, the job drops to a user id of its own, because the kernel does not limit the
number of root's processes.
Not covered: bugs of the kernel itself; load on processor and disk within the limits. bwrap tells of a signal
as a shell does, so an exit code of 129 to 159 is taken for a signal.
"""

import os
import random
import re
import resource
import shutil
from collections.abc import Sequence
from pathlib import Path

from worldline.errors import UserError
from worldline.record.box.job import Job, Limits

INSTALL = "apt-get install bubblewrap"
SYSTEM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store", "/etc/alternatives",
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime",
)  # fmt: skip
_NAMESPACES = ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try")
SPARE_TASKS = 16  # the kernel refuses a little later than we count, so that we see it and can say so


def arguments(job: Job, limits: Limits, user: int | None) -> list[str]:
    """The command line of bwrap, up to the job's own; `user` is the id to run as, None to stay who we are."""
    path = shutil.which("bwrap")
    if path is None:
        raise UserError("the program bwrap is not installed", INSTALL)
    return [path, *_isolation(user), *_tree(job, limits), "--", *_drop(user), *_steady()]


def _isolation(user: int | None) -> list[str]:
    options = [*_NAMESPACES, "--hostname", "box", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    if user is None:
        return ["--unshare-user", *options]
    needed = ("CAP_SETUID", "CAP_SETGID", "CAP_DAC_READ_SEARCH")  # to become the user and to enter its folder
    return [*options, *(option for name in needed for option in ("--cap-add", name))]  # lost with being root


def _drop(user: int | None) -> list[str]:
    if user is None:
        return []
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        raise UserError("the program setpriv, which bwrap needs for root, is missing", "install util-linux")
    return [setpriv, f"--reuid={user}", f"--regid={user}", "--clear-groups", "--inh-caps=-all"]


def _steady() -> list[str]:
    """Fixed addresses, so that objects hash alike in every run: to become another user resets that."""
    setarch = shutil.which("setarch")
    return [] if setarch is None else [setarch, "--addr-no-randomize"]


def private_user() -> int | None:
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


def task_limit(limits: Limits, user: int | None) -> list[tuple[int, int]]:
    """The kernel counts per user id; within a user namespace it does so since Linux 5.14."""
    release = [int(part) for part in re.findall(r"\d+", os.uname().release)[:2]]
    if user is None and release < [5, 14]:
        return []
    return [(resource.RLIMIT_NPROC, limits.processes + SPARE_TASKS)]


def give(folder: str, user: int) -> None:
    """Make `user` the owner of the folder and all in it."""
    os.chown(folder, user, user, follow_symlinks=False)
    for at, folders, files in os.walk(folder):
        for name in (*folders, *files):
            os.chown(os.path.join(at, name), user, user, follow_symlinks=False)


def _tree(job: Job, limits: Limits) -> list[str]:
    """The file tree inside: what comes later lies over what came before."""
    options = _folders(SYSTEM)
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
    options += _folders([*paths, *writable])
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


def _folders(paths: Sequence[str]) -> list[str]:
    """Make the folders that these paths are in; made by --ro-bind itself, only root could enter them."""
    parents = {str(parent) for path in paths for parent in Path(path).parents}
    ours = sorted(path for path in parents - {"/"} if not _is_system(path))
    return [word for path in ours for word in ("--perms", "0755", "--dir", path)]
