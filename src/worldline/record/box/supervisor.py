"""This file is the program that stands between the judge and a job, at every level.

It is run by its path (`python -I -S -B supervisor.py DESCRIPTOR`), so it imports nothing of ours. It first
is a *nursery*: one per judge process, started once because starting an interpreter (and loading sandlock)
costs more than a job. For each job it forks a *supervisor*, which the job's orphans fall to (they cannot
get away by double forking) and which kills everything below itself when the command ends, when the judge
says so, or when the judge is gone.
"""

import contextlib
import ctypes
import gc
import json
import marshal
import os
import resource
import select
import signal
import socket
import sys
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

PLAIN = b"plain"  # a request; any other is the folder that sandlock is in
FAILED, STARTED = "failed", "started"  # the first message
EXITED, SIGNALLED, UNREADY = "exited", "signalled", "unready"  # the last one

_PR_CAPBSET_DROP, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 24, 36, 38
_ADDR_NO_RANDOMIZE = 0x0040000
_IGNORED = (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGQUIT, signal.SIGHUP)
"""By Python, or by a shell that started us in the background; a program that we start would inherit that."""
_PROC = "/proc"
_HAS_CHILDREN = os.path.exists(f"{_PROC}/self/task/{os.getpid()}/children")  # a kernel option, and fast

# What Landlock does not cover: it guards opening a file, not its owner, mode and times, nor the limits and
# priorities of other processes. All belong to the same user, so a job could spoil them and open nothing.
_REFUSED = """
    fchmod fchmodat fchmodat2 fchown fchownat utimensat mknodat
    setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr
    setpriority sched_setaffinity sched_setscheduler sched_setparam sched_setattr ioprio_set prlimit64
    memfd_create
"""
_REFUSED_X86 = "chmod chown lchown utime utimes futimesat mknod"  # system calls that newer machines never had


class Started(NamedTuple):
    """A job that runs."""

    main: int  # process id of what we started
    root: int  # the job's processes are below this one
    ended: Callable[[], str]  # waits for `main` and says how it ended


def nursery(requests: socket.socket) -> None:
    """Fork a supervisor for each request, until the judge is gone."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # supervisors need no reaping
    requests.set_inheritable(False)
    gc.freeze()  # a fork that collects garbage would copy every page it looks at
    while True:
        words, descriptors, _, _ = socket.recv_fds(requests, 4096, 4)
        if not words:
            return
        for descriptor in descriptors:
            os.set_inheritable(descriptor, False)  # recv_fds takes flags, but passes none on
        if words != PLAIN:
            _load_sandlock(words.decode())
        if os.fork() == 0:
            requests.close()
            _supervise(descriptors)
        for descriptor in descriptors:
            os.close(descriptor)


def _load_sandlock(folder: str) -> None:
    if "sandlock" not in sys.modules:
        sys.path.append(folder)
        with contextlib.suppress(Exception):  # the supervisor fails in the same way, and says so
            import sandlock  # noqa: F401 - loaded here once, used in every fork


def _supervise(descriptors: list[int]) -> NoReturn:
    channel = socket.socket(fileno=descriptors.pop())
    last = ""
    job: dict[str, Any] = {}
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)
        ctypes.CDLL(None).personality(_ADDR_NO_RANDOMIZE)  # hashes of objects are the same in every run
        for target, descriptor in enumerate(descriptors):
            os.dup2(descriptor, target)
        job = marshal.loads(_receive(channel))
        last = _run(job, channel)
    except Exception as error:  # noqa: BLE001 - whatever it is, the judge has to hear of it
        last = f"{FAILED} {type(error).__name__}: {error}\n"
    finally:
        _end_all()
        _say_last(channel, last, job.get("private"))
        os._exit(0)


def _say_last(channel: socket.socket, last: str, private: str | None) -> None:
    try:
        channel.sendall(last.encode())
    except OSError:  # the judge is gone and cannot clean up
        if private:
            os.spawnv(os.P_WAIT, "/bin/rm", ["rm", "-rf", "--", private])


def _run(job: dict[str, Any], channel: socket.socket) -> str:
    """Run the job until its end, or until the judge wants its end or is gone; say how it ended."""
    start = {"process": _start_process, "sandlock": _start_sandlock, "bwrap": _start_bwrap}[job["level"]]
    started = start(job, channel)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for target in range(3):  # the pipes are the job's alone now
        os.dup2(nowhere, target)
    channel.sendall(f"{STARTED} {os.getpid()} {started.root} {started.main}\n".encode())
    if not _wait(os.pidfd_open(started.main), channel):
        kill_below(os.getpid())
    return started.ended()


def _wait(descriptor: int, channel: socket.socket) -> bool:
    """Wait until there is something to read; False if the judge said a word, or is gone, before that."""
    ready = select.poll()
    ready.register(descriptor, select.POLLIN)
    ready.register(channel, select.POLLIN)
    return descriptor in [one for one, _ in ready.poll()]


def _start_process(job: dict[str, Any], _: socket.socket) -> Started:
    main = os.fork()
    if main == 0:
        _execute(job["command"], job)
    return Started(main, os.getpid(), lambda: _said(os.waitpid(main, 0)[1]))


def _execute(command: list[str], job: dict[str, Any]) -> NoReturn:
    """Become the command; whatever happens, this fork of the supervisor ends here."""
    try:
        os.setsid()
        _take_signals()
        _prefer_for_oom(os.getpid())
        _prctl(_PR_SET_NO_NEW_PRIVS, 1)  # or a set-user-id program below could not be killed
        limit(os.getpid(), job["limits"])
        os.chdir(job["cwd"])
        os.execve(command[0], command, job["env"])
    except Exception as error:  # noqa: BLE001 - it goes to the job's stderr, as a shell would say it
        os.write(2, f"cannot run {command[0]}: {error}\n".encode())
    finally:
        os._exit(127)


def _start_sandlock(job: dict[str, Any], _: socket.socket) -> Started:
    import sandlock

    if os.getuid() == 0:  # without this bound, exec would give root its capabilities back
        capability = 0
        while _prctl(_PR_CAPBSET_DROP, capability) == 0:
            capability += 1
    os.environ.clear()
    os.environ.update(job["env"])
    refused = _REFUSED + (_REFUSED_X86 if os.uname().machine == "x86_64" else "")
    box = sandlock.Sandbox(**job["policy"], cwd=job["cwd"], extra_deny_syscalls=refused.split())
    taken = _take_signals()
    process = box.popen(job["command"])
    for number, action in taken.items():
        signal.signal(number, action)
    _prefer_for_oom(process.pid)
    limit(process.pid, job["limits"])
    return Started(process.pid, os.getpid(), lambda: _said_by_sandlock(process.wait()))


def _start_bwrap(job: dict[str, Any], channel: socket.socket) -> Started:
    """Start bwrap, which waits at a gate while we limit the first process inside."""
    report, report_inside = os.pipe()
    gate_inside, gate = os.pipe()
    inside = {"--json-status-fd": report_inside, "--block-fd": gate_inside}
    if job["filter"]:
        inside["--seccomp"] = os.memfd_create("filter")
        os.write(inside["--seccomp"], job["filter"])
        os.lseek(inside["--seccomp"], 0, os.SEEK_SET)
    options = [word for name, descriptor in inside.items() for word in (name, str(descriptor))]
    path, *arguments = job["bwrap"]
    for descriptor in inside.values():
        os.set_inheritable(descriptor, True)
    command = [path, *options, *arguments, *job["command"]]
    main = os.posix_spawn(path, command, job["env"], setsid=True, setsigdef=_IGNORED)
    _prefer_for_oom(main)
    for descriptor in inside.values():
        os.close(descriptor)
    root, words = main, b""
    while b"}" not in words:
        data = os.read(report, 1 << 16) if _wait(report, channel) else b""
        if not data:
            break  # it has failed, and says why on stderr
        words += data
    else:
        root = int(json.loads(words)["child-pid"])
        limit(root, job["limits"])
        os.write(gate, b"!")
    return Started(main, root, lambda: _said_by_bwrap(main, root, report))


def _said(status: int) -> str:
    if os.WIFSIGNALED(status):
        return f"{SIGNALLED} {os.WTERMSIG(status)}\n"
    return f"{EXITED} {os.WEXITSTATUS(status)}\n"


def _said_by_sandlock(result: Any) -> str:
    if result.reason.name == "EXITED":
        return f"{EXITED} {result.exit_code}\n"
    number = result.signal if result.signal > 0 else int(signal.SIGKILL)  # its "KILLED" carries no number
    return f"{SIGNALLED} {number}\n"


def _said_by_bwrap(main: int, root: int, report: int) -> str:
    status = os.waitpid(main, 0)[1]
    with contextlib.suppress(OSError):  # with the first process inside, all others inside die
        os.kill(root, signal.SIGKILL)
        os.waitpid(root, 0)
    if os.WIFSIGNALED(status):
        return _said(status)
    if b"exit-code" not in os.read(report, 1 << 16):
        return f"{UNREADY} \n"
    code = os.WEXITSTATUS(status)  # of a signal it tells as a shell does
    return f"{SIGNALLED} {code - 128}\n" if 128 < code < 160 else _said(status)


def _take_signals() -> dict[signal.Signals, Any]:
    """Let signals do what they usually do; gives what they did before."""
    return {number: signal.signal(number, signal.SIG_DFL) for number in _IGNORED}


def _prefer_for_oom(pid: int) -> None:
    """When memory runs out, the kernel takes the job and not the judge."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/oom_score_adj", "w") as file:
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
    with contextlib.suppress(OSError):  # it may end meanwhile
        for task in os.listdir(f"{_PROC}/{pid}/task"):
            with open(f"{_PROC}/{pid}/task/{task}/children", "rb") as file:
                children += map(int, file.read().split())
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


def kill_below(root: int) -> list[int]:
    """Kill all below `root`, whole groups at a time, as no fork gets through in between; say whom."""
    pids = below(root)
    for pid in pids:
        _kill(pid, root)
    return pids


def is_alive(pid: int) -> bool:
    """Whether it still runs; the dead stay listed until somebody collects them."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] not in b"ZX"
    except OSError:
        return False


def _kill(pid: int, spared: int) -> None:
    try:
        group = os.getpgid(pid)
        if group != os.getpgid(spared):
            os.killpg(group, signal.SIGKILL)
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass  # it ended meanwhile


def kill_session(session: int) -> list[int]:
    """Kill what is left of a session whose supervisor is gone; say who was alive still."""
    pids = [pid for pid, fields in _all_stats() if int(fields[3]) == session and fields[0] not in b"ZX"]
    for pid in pids:
        _kill(pid, os.getpid())
    return pids


def _end_all() -> None:
    """Kill everything below us and collect it; whoever has lost his parent is our child."""
    with contextlib.suppress(ChildProcessError):  # no child is left
        while True:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
            kill_below(os.getpid())
            os.waitpid(-1, 0)  # it cannot block: of the children that there were, all have been killed


if __name__ == "__main__":
    nursery(socket.socket(fileno=int(sys.argv[1])))
