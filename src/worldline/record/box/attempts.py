"""This file is what a probe runs inside a level: it tries what must not work, and prints what it got.

It is run by its path and imports nothing of ours. It is not believed: the judge looks at its own files,
sockets and processes, and for its own secrets in what is printed here.
"""

import contextlib
import ctypes
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable

_NEW_USER_NAMESPACE = 0x10000000


def main(folder: str, port: int, victim: int, exchange: str) -> None:
    """Try everything; each attempt says one line."""
    secret_file = os.path.join(folder, "secret")
    _try("read", lambda: _read(secret_file))
    _try("create", lambda: open(os.path.join(folder, "made"), "w").close())
    _try("append", lambda: _append(secret_file))
    _try("mode", lambda: os.chmod(secret_file, 0o777))
    _try("times", lambda: os.utime(secret_file, (1, 1)))
    _try("tcp", lambda: socket.create_connection(("127.0.0.1", port), 1))
    _try("udp", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", port)))
    _try("unix", lambda: socket.socket(socket.AF_UNIX).connect(os.path.join(folder, "socket")))
    _try("abstract", lambda: socket.socket(socket.AF_UNIX).connect("\0" + folder))
    _try("processes", lambda: _of_all_processes("cmdline"))
    _try("environment", lambda: _of_all_processes("environ"))
    _try("priority", lambda: os.setpriority(os.PRIO_PROCESS, victim, 7))
    _try("limits", lambda: resource.prlimit(victim, resource.RLIMIT_NOFILE, (61, 61)))
    _try("namespace", lambda: "made" if ctypes.CDLL(None).unshare(_NEW_USER_NAMESPACE) == 0 else "refused")
    with open(os.path.join(exchange, "control"), "w") as file:
        file.write("written")
    _try("kill", lambda: os.kill(victim, signal.SIGKILL))  # last, as inside that id may be our own


def _try(name: str, attempt: Callable[[], object]) -> None:
    try:
        result = repr(attempt())
    except OSError as error:
        result = f"error {error.errno}"
    os.write(1, f"{name} {result}\n".encode())


def _read(path: str) -> str:
    with open(path, errors="replace") as file:
        return file.read(4096)


def _append(path: str) -> None:
    with open(path, "a") as file:
        file.write("more")


def _of_all_processes(file: str) -> list[str]:
    texts = []
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            with contextlib.suppress(OSError):
                texts.append(_read(f"/proc/{name}/{file}"))
    return texts


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
