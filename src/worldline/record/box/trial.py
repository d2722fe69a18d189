"""This file is how a level earns its name: forbidden things are tried in it, and it is refused if one works.

The result is kept for this process and, if everything was blocked, on disk until the next boot or any
change of what it depends on. What a probe does not show: that a level withstands what we did not think of.
"""

import contextlib
import hashlib
import importlib.util
import json
import os
import resource
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import worldline
from worldline.errors import UserError
from worldline.record.box import attempts, bwrap
from worldline.record.box.job import LEVELS, Job, Limits
from worldline.record.box.judge import run

STRICT = ("bwrap", "sandlock")  # what `strict` may mean, best first
_LIMITS = Limits(seconds=20)
_DYING = 0.5  # seconds that a killed process may take to be gone


@dataclass(frozen=True, slots=True)
class Probe:
    """What happened when forbidden things were tried at one level."""

    level: str
    reason: str = ""  # why nothing can be run at this level here
    blocked: Mapping[str, bool] = field(default_factory=dict)  # attempt -> it did not work

    @property
    def is_available(self) -> bool:
        """Something can be run at this level."""
        return not self.reason

    @property
    def is_strict(self) -> bool:
        """Nothing forbidden worked."""
        return self.is_available and all(self.blocked.values())

    def __str__(self) -> str:
        if not self.is_available:
            return f"{self.level}: not available ({self.reason})"
        holes = [name for name, is_blocked in self.blocked.items() if not is_blocked]
        return f"{self.level}: {'not blocked: ' + ', '.join(holes) if holes else 'all attempts blocked'}"


def choose(isolation: str) -> str:
    """The level to run at; never one that is weaker than asked for.

    `strict` is the first of bwrap and sandlock that blocks every attempt here. A level asked for by name must
    do so, too, except for `process`, which promises no such thing.
    """
    if isolation == "strict":
        return _first_strict()
    if isolation not in LEVELS:
        raise UserError(f"no isolation level called {isolation!r}", f"there are: strict, {', '.join(LEVELS)}")
    if isolation != "process":
        result = probe(isolation)
        if not result.is_strict:
            raise UserError(f"this isolation level does not work here: {result}", _INSTALL[isolation])
    return isolation


def _first_strict() -> str:
    results = []
    for level in STRICT:
        result = probe(level)
        if result.is_strict:
            return level
        results.append(str(result))
    raise UserError(
        f"programs that you did not write need isolation, and none works here: {'; '.join(results)}",
        " or ".join(_INSTALL.values()) + "; for programs that you trust: --isolation process",
    )


_INSTALL = {"bwrap": bwrap.INSTALL, "sandlock": "pip install 'worldline[sandbox]' (Linux 6.12 or later)"}
_known: dict[str, Probe] = {}
_lock = threading.Lock()


def probe(level: str) -> Probe:
    """Try forbidden things at `level`, unless it is known what comes of it."""
    with _lock:
        if level not in _known:
            kept = _kept(level)
            _known[level] = kept or _probe(level)
            if kept is None and _known[level].is_strict:
                _keep(_known[level])
        return _known[level]


def interpreter() -> tuple[str, tuple[Path, ...]]:
    """This Python as a job needs it: the executable, and what it must be able to read."""
    return os.path.realpath(sys.executable), (Path(sys.base_prefix), Path(sys.base_exec_prefix))


def _probe(level: str) -> Probe:
    try:
        with _bait() as bait:
            executable, readable = interpreter()
            script = os.path.abspath(attempts.__file__)
            words = [str(bait.folder), str(bait.port), str(bait.victim.pid), str(bait.exchange)]
            job = Job(
                [executable, "-I", "-S", "-B", script, *words],
                exchange=bait.exchange,
                readable=[*readable, Path(script)],
            )
            outcome = run(job, _LIMITS, level)
            if not (bait.exchange / "control").exists():
                words = outcome.stderr.decode(errors="replace").split("\n")
                return Probe(level, " ".join([outcome.detail, *words[-2:]]).strip())
            return Probe(level, "", bait.taken(outcome.stdout.decode(errors="replace")))
    except (UserError, OSError) as error:
        return Probe(level, str(error))


@dataclass(frozen=True, slots=True)
class _Bait:
    """What the probe must not reach: a file, sockets and a process, each with a secret of its own."""

    folder: Path
    exchange: Path
    listeners: Mapping[str, socket.socket]
    victim: subprocess.Popen[bytes]
    secrets: Mapping[str, str]

    @property
    def port(self) -> int:
        return int(self.listeners["tcp"].getsockname()[1])

    def taken(self, said: str) -> dict[str, bool]:
        """What is still untouched, judged from our side."""
        secret = self.folder / "secret"
        about = secret.stat()
        blocked = {
            "read": self.secrets["file"] not in said,
            "create": not (self.folder / "made").exists(),
            "append": secret.read_text() == self.secrets["file"],
            "mode": about.st_mode & 0o777 == 0o644,
            "times": about.st_mtime > 1,
            "processes": self.secrets["argument"] not in said,
            "environment": self.secrets["variable"] not in said,
            "priority": os.getpriority(os.PRIO_PROCESS, self.victim.pid) != 7,
            "limits": resource.prlimit(self.victim.pid, resource.RLIMIT_NOFILE)[1] != 61,
            "namespace": "namespace 'made'" not in said,
            "kill": not _is_dying(self.victim),  # asked last, as it forgets a dead process
        }
        return blocked | {name: not _was_reached(listener) for name, listener in self.listeners.items()}


def _is_dying(victim: subprocess.Popen[bytes]) -> bool:
    """Whether it was killed: it is gone only when the kernel gets to it."""
    try:
        victim.wait(_DYING)
    except subprocess.TimeoutExpired:
        return False
    return True


def _was_reached(listener: socket.socket) -> bool:
    listener.setblocking(False)
    try:
        if listener.type == socket.SOCK_DGRAM:
            listener.recv(1)
        else:
            listener.accept()[0].close()
    except BlockingIOError:
        return False
    return True


@contextlib.contextmanager
def _bait() -> Iterator[_Bait]:
    hidden = {name: secrets.token_hex(16) for name in ("file", "argument", "variable")}
    with contextlib.ExitStack() as stack:
        top = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="worldline-probe-")))
        top.chmod(0o755)  # what stops the job must be its level, not the mode of a folder
        folder, exchange = top / "outside", top / "exchange"
        folder.mkdir()
        exchange.mkdir()
        (folder / "secret").write_text(hidden["file"])
        (folder / "secret").chmod(0o644)
        listeners = {name: stack.enter_context(socket.socket(*kind)) for name, kind in _SOCKETS.items()}
        listeners["tcp"].bind(("127.0.0.1", 0))
        listeners["udp"].bind(listeners["tcp"].getsockname())
        listeners["unix"].bind(str(folder / "socket"))
        listeners["abstract"].bind(f"\0{folder}")
        for name in ("tcp", "unix", "abstract"):
            listeners[name].listen()
        victim = subprocess.Popen(
            ["/bin/sh", "-c", "read line", hidden["argument"]],
            env={"SECRET": hidden["variable"]},
            stdin=subprocess.PIPE,
        )
        stack.enter_context(victim)
        stack.callback(victim.kill)
        yield _Bait(folder, exchange, listeners, victim, hidden)


_SOCKETS = {
    "tcp": (socket.AF_INET, socket.SOCK_STREAM),
    "udp": (socket.AF_INET, socket.SOCK_DGRAM),
    "unix": (socket.AF_UNIX, socket.SOCK_STREAM),
    "abstract": (socket.AF_UNIX, socket.SOCK_STREAM),
}


def _kept(level: str) -> Probe | None:
    """What is on disk from an earlier process, if it is ours alone to write and about this very situation."""
    try:
        with _path(level).open(encoding="utf-8") as file:
            about = os.fstat(file.fileno())
            if about.st_uid == os.geteuid() and not about.st_mode & 0o022:
                return Probe(level, "", {str(name): value is True for name, value in json.load(file).items()})
    except (OSError, ValueError, AttributeError):
        pass
    return None


def _keep(result: Probe) -> None:
    with contextlib.suppress(OSError):  # without a cache the next process probes again
        path = _path(result.level)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=path.parent)
        with open(descriptor, "w", encoding="utf-8") as file:
            json.dump(dict(result.blocked), file)
        os.replace(name, path)


def _path(level: str) -> Path:
    """Named after everything that the result depends on."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    facts = [level, worldline.__version__, sys.executable, sys.version, str(os.getuid()), os.uname().release]
    facts += [_text("/proc/sys/kernel/random/boot_id"), *map(_tool, ("bwrap", "setpriv", "sandlock"))]
    facts += [os.readlink(f"/proc/self/ns/{name}") for name in ("user", "mnt", "net", "pid")]
    rights = ("CapEff", "NoNewPrivs", "Seccomp")
    facts += [line for line in _text("/proc/self/status").split("\n") if line.startswith(rights)]
    facts += [_text(str(file)) for file in sorted(Path(__file__).parent.glob("*.py"))]
    name = hashlib.sha256("\0".join(facts).encode()).hexdigest()[:32]
    return Path(cache) / "worldline" / "box" / f"{level}-{name}.json"


def _tool(name: str) -> str:
    """Which program or package it is, and since when."""
    found = importlib.util.find_spec(name) if name == "sandlock" else None
    path = shutil.which(name) if found is None else found.origin
    return f"{path} {os.stat(path).st_mtime_ns}" if path else ""


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()
