"""This file is a server on a real socket that answers well until it is told how to answer badly."""

import json
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tiny_models import BytePairs

from worldline.models.model import Model
from worldline.models.serve import ServeOptions, Server
from worldline.models.serve_request import RefusedError


@dataclass(frozen=True)
class Seen:
    """A request that came."""

    number: int  # counted from 0 since the server turned bad
    path: str
    headers: dict[str, str]
    body: Any
    at: float = field(default_factory=time.monotonic)


def http(body: bytes | dict, status: int = 200, length: int | None = None, **headers: str) -> bytes:
    """An answer as it goes over the wire; the length may be a lie."""
    raw = json.dumps(body).encode() if isinstance(body, dict) else body
    lines = {
        "Content-Type": "application/json",
        "Content-Length": str(len(raw) if length is None else length),
    }
    lines |= {name.replace("_", "-"): value for name, value in headers.items()} | {"Connection": "close"}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"HTTP/1.1 {status} Whatever\r\n{head}\r\n".encode() + raw


class Hostile:
    """Answers like `worldline serve` until `bad` is set; that gets the request and the good answer.

    What `bad` gives is sent as it is and the connection closed; None: nothing is sent, the client waits.
    """

    def __init__(self, model: Model | None = None) -> None:
        self.server = Server(model or BytePairs(), ServeOptions(tokenizer="bytes"))
        self.bad: Callable[[Seen, dict], bytes | None] | None = None
        self.seen: list[Seen] = []
        self._over = threading.Event()
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}/v1"

    def turn(self, bad: Callable[[Seen, dict], bytes | None]) -> None:
        """Answer so from now on."""
        self.seen.clear()
        self.bad = bad

    def die(self) -> None:
        """Listen no more."""
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def __enter__(self) -> "Hostile":
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._socket.close()
        self.server.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as reader:
            method, path, _ = reader.readline().decode().split(" ", 2)
            headers = {}
            while line := reader.readline().strip():
                name, _, value = line.decode().partition(": ")
                headers[name.lower()] = value
            body = json.loads(reader.read(int(headers.get("content-length", 0))) or "null")
            seen = Seen(len(self.seen), path, headers, body)
            self.seen.append(seen)
            good, status = self._good(method, body)
            answer = http(good, status) if self.bad is None else self.bad(seen, good)
            if answer is None:
                self._over.wait(30)
            else:
                try:
                    connection.sendall(answer)
                except OSError:
                    return

    def _good(self, method: str, body: Any) -> tuple[dict, int]:
        try:
            return (self.server.models() if method == "GET" else self.server.completions(body)), 200
        except RefusedError as error:
            return error.body, error.status
