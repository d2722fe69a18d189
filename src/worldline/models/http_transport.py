"""This file is one request to a server and its answer, tried again where that may help.

Tried again, after a time that doubles and is never quite the same: too many requests (`Retry-After` is
honoured), faults of the server, a connection that is refused or cut, an answer that breaks off, a timeout.
What the server refuses for good is not tried again. Redirects are not followed: the key goes where it was
meant to.

What it does not cover: proxies of the environment, and a server that sends its headers one byte at a time.
"""

import json
import random
import socket
import ssl
import time
from collections.abc import Mapping
from contextlib import suppress
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, IncompleteRead
from threading import Event, Lock
from typing import Any
from urllib.parse import urlsplit

from worldline.models.http_address import HttpOptions, Key

_MAX_BODY = 256 << 20
_CONNECT = 20.0  # seconds for a connection to stand
_LIST = 30.0  # seconds for an answer that no model has to think about
_AGAIN = frozenset((408, 425, 429))
_ENDS = "does the address end as it should? mostly that is /v1"


class NoAnswerError(Exception):
    """A request that has no answer.

    Args:
        what: what happened, as a sentence without a full stop.
        hint: the next thing to try.
        status: of HTTP; 0 if there is none.
    """

    def __init__(self, what: str, hint: str = "", status: int = 0) -> None:
        super().__init__(what)
        self.what = what
        self.hint = hint
        self.status = status


class _AgainError(NoAnswerError):
    """A request that may have an answer if it is tried again, `wait` seconds later if the server says so."""

    wait: float | None = None


class Transport:
    """Connections to one server, kept open between requests and safe to use from many threads."""

    def __init__(self, options: HttpOptions, key: Key) -> None:
        parts = urlsplit(options.url)
        self._options = options
        self._key = key
        self._place = parts.hostname or "", parts.port
        self._path = parts.path
        self._is_secure = parts.scheme == "https"
        self._idle: list[HTTPConnection] = []
        self._in_use: set[socket.socket] = set()
        self._lock = Lock()
        self._closed = Event()
        self._not_before = 0.0  # what one request was told about waiting holds for all

    def get(self, path: str, is_first: bool = False) -> Any:
        """The JSON at a path; where nobody is there at the first contact, nobody is waited for."""
        return self._tried("GET", path, None, is_first)

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """The JSON that answers a JSON body."""
        return self._tried("POST", path, json.dumps(body).encode(), False)

    def close(self) -> None:
        """End all connections, those in use too; who waits gets a `NoAnswerError`."""
        self._closed.set()
        with self._lock:
            idle, self._idle = self._idle, []
            for sock in self._in_use:
                with suppress(OSError):
                    sock.shutdown(socket.SHUT_RDWR)  # wakes the thread that reads from it
        for connection in idle:
            connection.close()

    def _tried(self, method: str, path: str, body: bytes | None, is_first: bool) -> Any:
        number = 1
        while True:
            self._rest(self._not_before - time.monotonic())
            try:
                return self._json(*self._exchanged(method, self._path + path, body))
            except _AgainError as error:
                is_over = number >= self._options.tries or (is_first and not error.status)
                if is_over or (error.wait or 0) > self._options.longest_wait:
                    raise self._given_up(error, number) from None
                self._rest(self._wait(error, number))
            number += 1

    def _given_up(self, error: _AgainError, number: int) -> NoAnswerError:
        what = f"{error.what} (tried {number} times)" if number > 1 else error.what
        if error.wait is not None and error.wait > self._options.longest_wait:
            what += f"; it asks to wait for {error.wait:.0f} s"
        return NoAnswerError(what, error.hint, error.status)

    def _wait(self, error: _AgainError, number: int) -> float:
        longest = self._options.longest_wait
        usual = min(longest, self._options.first_wait * float(1 << min(number - 1, 30)))
        if error.wait is None:
            return usual * random.uniform(0.5, 1.0)
        self._not_before = max(self._not_before, time.monotonic() + error.wait)
        return error.wait + usual * random.uniform(0.0, 0.25)

    def _rest(self, seconds: float) -> None:
        if seconds > 0:
            self._closed.wait(seconds)
        if self._closed.is_set():
            raise NoAnswerError("the connections were closed")

    def _exchanged(self, method: str, path: str, body: bytes | None) -> tuple[HTTPResponse, bytes]:
        """One request and its answer, whole."""
        with self._lock:
            connection = self._idle.pop() if self._idle else self._new()
        timeout = self._options.timeout if method == "POST" else min(self._options.timeout, _LIST)
        until = time.monotonic() + timeout
        is_kept = connection.sock is not None
        try:
            try:
                response, raw = self._talked(connection, method, path, body, until)
            except ConnectionError:
                if not is_kept or self._closed.is_set():
                    raise
                connection.close()  # the server has ended a connection that nobody used: nobody's fault
                response, raw = self._talked(connection, method, path, body, until)
        except (OSError, HTTPException) as error:
            connection.close()
            raise self._broken(error) from None
        except BaseException:
            connection.close()
            raise
        if not response.will_close:
            with self._lock:
                self._idle.append(connection)
        return response, raw

    def _talked(
        self, connection: HTTPConnection, method: str, path: str, body: bytes | None, until: float
    ) -> tuple[HTTPResponse, bytes]:
        headers = {"Accept": "application/json", **self._key.headers()}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if connection.sock is None:
            connection.connect()
        sock: socket.socket = connection.sock
        with self._lock:
            self._in_use.add(sock)
        try:
            sock.settimeout(max(until - time.monotonic(), 0.001))
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return response, _read(sock, response, until)
        finally:
            with self._lock:
                self._in_use.discard(sock)

    def _new(self) -> HTTPConnection:
        kind = HTTPSConnection if self._is_secure else HTTPConnection
        return kind(*self._place, timeout=min(self._options.timeout, _CONNECT))

    def _broken(self, error: OSError | HTTPException) -> NoAnswerError:
        """What went wrong below HTTP; nothing of the request is in it."""
        where = self._options.url
        if isinstance(error, ssl.SSLError):
            return NoAnswerError(f"{where} cannot be trusted: {error.reason or 'TLS failed'}", "is it https?")
        if isinstance(error, ConnectionRefusedError):
            return _AgainError(f"nothing listens at {where}: the connection is refused", "is the server up?")
        if isinstance(error, TimeoutError):
            return _AgainError(f"{where} gave no answer in time", "give it more: #timeout=SECONDS")
        if isinstance(error, IncompleteRead | ConnectionError):
            return _AgainError(f"{where} cut the connection before its answer was whole")
        if isinstance(error, OSError):
            return _AgainError(f"{where} cannot be reached: {error.strerror or type(error).__name__}")
        return _AgainError(f"{where} gave an answer that is not HTTP ({type(error).__name__})", _ENDS)

    def _json(self, response: HTTPResponse, raw: bytes) -> Any:
        status, where = response.status, self._options.url
        if status in _AGAIN or status >= 500:
            again = _AgainError(f"{where} answers {status}: {self._told(raw)}", status=status)
            again.wait = _retry_after(response.headers.get("Retry-After", ""))
            raise again
        if status != 200:
            raise self._refused(response, raw)
        try:
            return json.loads(raw)
        except (ValueError, RecursionError):
            pass
        if raw.lstrip()[:1] == b"<" or "html" in response.headers.get("Content-Type", ""):
            raise NoAnswerError(f"{where} answers with a web page where JSON should be", _ENDS, status)
        what = f"{where} answers with JSON that breaks off or is wrong, {len(raw)} bytes of it"
        raise _AgainError(what, status=status)

    def _refused(self, response: HTTPResponse, raw: bytes) -> NoAnswerError:
        status, where = response.status, self._options.url
        if 300 <= status < 400:
            place = self._key.hidden(response.headers.get("Location", "another place"))
            return NoAnswerError(f"{where} answers {status}: it has moved to {place}", "use that", status)
        hint = ""
        if status in (401, 403):
            hint = "is OPENAI_API_KEY right?" if self._key else "set OPENAI_API_KEY"
        elif status in (404, 405):
            hint = _ENDS
        return NoAnswerError(f"{where} answers {status}: {self._told(raw)}", hint, status)

    def _told(self, raw: bytes) -> str:
        """What a server says about an error, in one line and without the key."""
        text = raw.decode("utf-8", "replace")
        try:
            told = json.loads(text)
            told = told.get("error") or told.get("message") or told.get("detail") or text
            told = told.get("message", told) if isinstance(told, dict) else told
        except (ValueError, RecursionError, AttributeError):
            told = "a web page" if text.lstrip().startswith("<") else text
        return self._key.hidden(" ".join(str(told).split()))[:300] or "nothing more"


def _read(sock: socket.socket, response: HTTPResponse, until: float) -> bytes:
    """The body; one that is short of its length is an error."""
    parts: list[bytes] = []
    size = 0
    while not response.isclosed():
        left = until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        if size > _MAX_BODY:
            raise OSError(0, f"its answer is over {_MAX_BODY} bytes")
        sock.settimeout(left)
        part = response.read1(1 << 16)
        if not part:
            break
        parts.append(part)
        size += len(part)
    if response.length:
        raise IncompleteRead(b"", response.length)
    response.close()  # the connection itself stays open for the next request
    return b"".join(parts)


def _retry_after(text: str) -> float | None:
    """The seconds that a server asks for, given as such or as a date."""
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError):
        return None
