"""This file is the program that stands between the judge and a job at the levels `process` and `sandlock`.

It is run by its path (`python -I -S -B supervisor.py DESCRIPTOR`), so it imports nothing of ours. It first
is a *nursery*: one per judge process, started once because starting an interpreter (and loading sandlock)
costs more than a job. For each job it forks a *supervisor*, which the job's orphans fall to (they cannot
get away by double forking) and which kills everything below itself when the command ends, when the judge
says so, or when the judge is gone.
"""

import ctypes
import marshal
import os
import resource
import select
import signal
import socket
import sys
import time
from typing import Any, NoReturn

PROCESS = b"process"  # a request; any other is the folder that sandlock is in
FAILED, STARTED, EXITED, SIGNALLED = "failed", "started", "exited", "signalled"  # how messages begin

_PR_CAPBSET_DROP, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 24, 36, 38
_PROC = "/proc"
_HAS_CHILDREN = os.path.exists(f"{_PROC}/self/task/{os.getpid()}/children")  # a kernel option, and fast

# What Landlock does not cover: it guards opening a file, not its owner, mode and times, and not the limits and
# priorities of other processes. All belong to the same user, so a job could spoil them without opening anything.
_REFUSED = """
    fchmod fchmodat fchmodat2 fchown fchownat utimensat mknodat
    setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr
    setpriority sched_setaffinity sched_setscheduler sched_setparam sched_setattr ioprio_set prlimit64
    memfd_create
"""
_REFUSED_X86 = "chmod chown lchown utime utimes futimesat mknod"  # system calls that newer machines never had


def nursery(requests: socket.socket) -> None:
    """Fork a supervisor for each request, until the judge is gone."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # supervisors need no reaping
    while True:
        words, descriptors, _, _ = socket.recv_fds(requests, 4096, 4, socket.MSG_CMSG_CLOEXEC)
        if not words:
            return
        if words != PROCESS:
            _load_sandlock(words.decode())
        if os.fork() == 0:
            requests.close()
            _supervise(descriptors)
        for descriptor in descriptors:
            os.close(descriptor)


def _load_sandlock(folder: str) -> None:
    if "sandlock" not in sys.modules:
        sys.path.append(folder)
        try:
            import sandlock  # noqa: F401 - loaded here once, used in every fork
        except Exception as error:  # noqa: BLE001 - the supervisor fails in the same way, and says so
            os.write(2, f"sandlock: {error}\n".encode())


def _supervise(descriptors: list[int]) -> NoReturn:
    channel = socket.socket(fileno=descriptors.pop())
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)
        for target, descriptor in enumerate(descriptors):
            os.dup2(descriptor, target)
        job = marshal.loads(_receive(channel))
        ended = _run(job, channel)
        if ended is not None:
            channel.sendall(ended.encode())
        elif job["private"]:  # the judge is gone and cannot clean up
            os.spawnv(os.P_WAIT, "/bin/rm", ["rm", "-rf", "--", job["private"]])
    except Exception as error:  # noqa: BLE001 - whatever it is, the judge has to hear of it
        channel.sendall(f"{FAILED} {type(error).__name__}: {error}\n".encode())
    finally:
        os._exit(0)


def _run(job: dict[str, Any], channel: socket.socket) -> str | None:
    """Run the job until its end; None if the judge died meanwhile."""
    process = None if job["policy"] is None else _start_sandlock(job)
    main = _start(job) if process is None else process.pid
    nowhere = os.open(os.devnull, os.O_RDWR)
    for target in range(3):  # the pipes are the job's alone now
        os.dup2(nowhere, target)
    channel.sendall(f"{STARTED} {os.getpid()} {main}\n".encode())
    ready = select.poll()
    ready.register(os.pidfd_open(main), select.POLLIN)
    ready.register(channel, select.POLLIN)
    ready.poll()
    is_orphan = _is_closed(channel)
    kill_below(os.getpid())
    ended = _ended(os.waitpid(main, 0)[1]) if process is None else _sandlock_ended(process.wait())
    while kill_below(os.getpid()):
        _reap()
    return None if is_orphan else ended


def _is_closed(channel: socket.socket) -> bool:
    try:
        return not channel.recv(1, socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False


def _ended(status: int) -> str:
    if os.WIFSIGNALED(status):
        return f"{SIGNALLED} {os.WTERMSIG(status)}\n"
    return f"{EXITED} {os.WEXITSTATUS(status)}\n"


def _sandlock_ended(result: Any) -> str:
    return f"{SIGNALLED} {result.signal}\n" if result.signal > 0 else f"{EXITED} {result.exit_code}\n"


def _start(job: dict[str, Any]) -> int:
    main = os.fork()
    if main:
        return main
    try:
        os.setsid()
        _default_signals(signal.SIG_DFL)
        _prctl(_PR_SET_NO_NEW_PRIVS, 1)  # or a set-user-id program below could not be killed
        _prefer_for_oom(os.getpid())
        limit(os.getpid(), job["limits"])
        os.chdir(job["cwd"])
        os.execve(job["command"][0], job["command"], job["env"])
    except Exception as error:  # noqa: BLE001 - it goes to the job's stderr, as a shell would say it
        os.write(2, f"cannot run {job['command'][0]}: {error}\n".encode())
    finally:
        os._exit(127)


def _start_sandlock(job: dict[str, Any]) -> Any:
    import sandlock

    if os.getuid() == 0:  # without this bound, exec would give root its capabilities back
        capability = 0
        while _prctl(_PR_CAPBSET_DROP, capability) == 0:
            capability += 1
    os.environ.clear()
    os.environ.update(job["env"])
    refused = _REFUSED + (_REFUSED_X86 if os.uname().machine == "x86_64" else "")
    box = sandlock.Sandbox(**job["policy"], cwd=job["cwd"], extra_deny_syscalls=refused.split())
    _prefer_for_oom(os.getpid())
    _default_signals(signal.SIG_DFL)
    process = box.popen(job["command"])
    _default_signals(signal.SIG_IGN)
    limit(process.pid, job["limits"])
    return process


def _default_signals(action: signal.Handlers) -> None:
    """Python ignores these two, and a program that we start would inherit that."""
    signal.signal(signal.SIGPIPE, action)
    signal.signal(signal.SIGXFSZ, action)


def _prefer_for_oom(pid: int) -> None:
    """When memory runs out, the kernel takes the job and not the judge."""
    with open(f"/proc/{pid}/oom_score_adj", "w") as file:
        file.write("1000")


def limit(pid: int, limits: list[tuple[int, int]]) -> None:
    """Lower the resource limits of `pid`; what is lower already stays."""
    for which, value in limits:
        hard = resource.prlimit(pid, which)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.prlimit(pid, which, (value, value))


def _prctl(option: int, value: int) -> int:
    return int(ctypes.CDLL(None).prctl(option, value, 0, 0, 0))


def _receive(channel: socket.socket) -> bytes:
    size = int.from_bytes(channel.recv(8, socket.MSG_WAITALL), "little")
    return channel.recv(size, socket.MSG_WAITALL)


def below(root: int) -> list[int]:
    """All descendants of `root`; one that is born or orphaned meanwhile may be missed, so ask again."""
    table = None if _HAS_CHILDREN else _all_children()
    found: list[int] = []
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        new = _listed_children(pid) if table is None else table.get(pid, [])
        found += new
        waiting += new
    return found


def _listed_children(pid: int) -> list[int]:
    children: list[int] = []
    try:
        for task in os.listdir(f"{_PROC}/{pid}/task"):
            with open(f"{_PROC}/{pid}/task/{task}/children", "rb") as file:
                children += map(int, file.read().split())
    except OSError:
        pass  # it ended meanwhile
    return children


def _all_children() -> dict[int, list[int]]:
    children: dict[int, list[int]] = {}
    for pid, fields in _all_stats():
        children.setdefault(int(fields[1]), []).append(pid)
    return children


def _all_stats() -> list[tuple[int, list[bytes]]]:
    """Every process with its state, parent, group, session, ... (the fields after its name)."""
    stats = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    stats.append((int(name), file.read().rpartition(b")")[2].split()))
            except OSError:
                pass
    return stats


def kill_below(root: int) -> bool:
    """Kill all below `root`, whole groups at a time, as no fork gets through in between; False if none."""
    pids = below(root)
    for pid in pids:
        _kill(pid, root)
    return bool(pids)


def _kill(pid: int, spared: int) -> None:
    try:
        group = os.getpgid(pid)
        if group != os.getpgid(spared):
            os.killpg(group, signal.SIGKILL)
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass  # it ended meanwhile


def kill_session(session: int) -> None:
    """Kill what is left of a session whose supervisor is gone."""
    for pid, fields in _all_stats():
        if int(fields[3]) == session:
            _kill(pid, os.getpid())


def _reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass
    time.sleep(0.001)


if __name__ == "__main__":
    nursery(socket.socket(fileno=int(sys.argv[1])))
