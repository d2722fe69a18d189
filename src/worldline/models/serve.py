"""This file is our own completions server: any model of ours at an address that speaks as OpenAI's do.

It answers `GET /v1/models` and `POST /v1/completions`; what a request may hold is in `serve_request.py`. A
model may run the programs it is asked about, so a web page in the user's browser must not be able to ask: a
body that is not declared as JSON is refused, and so is any other host name while the server listens to this
machine only.

What it does not cover: streaming, several answers to one prompt, TLS and keys. Put a proxy before it for
those.
"""

import json
import socket
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from threading import Thread
from typing import Any, Self

from worldline.errors import UserError
from worldline.models.model import Completion, Failed, Model, Token
from worldline.models.serve_batch import Batches
from worldline.models.serve_reply import prompt_tokens, refusal, reply, scored_tokens
from worldline.models.serve_request import RefusedError, Request, parse
from worldline.tokens import Tokenizer, tokenizer

MAX_BODY = 64 << 20


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """How a model is served."""

    host: str = "127.0.0.1"
    port: int = 0  # 0: any that is free
    tokenizer: str = ""  # a name in `worldline.tokens`; empty: llama3 if it is installed, else bytes
    gather: float = 0.004  # seconds to wait for more requests that the model can answer together
    most: int = 64  # requests that the model is asked at once


class Server:
    """A model that answers at `url` until it is closed. Use it with `with`."""

    def __init__(self, model: Model, options: ServeOptions = ServeOptions()) -> None:
        self.model = model
        self.tokenizer = tokenizer(options.tokenizer) if options.tokenizer else default_tokenizer()
        self.clients: set[object] = set()  # the connections that are open
        self.batches = Batches(model, lambda: len(self.clients), options.gather, options.most)
        self.is_local = _is_loopback(options.host)
        try:
            self._http = _Listener((options.host, options.port), self)
        except (OSError, OverflowError) as error:
            self.batches.close()
            raise UserError(
                f"cannot listen at {options.host} port {options.port}: {error}", "choose another with --port"
            ) from None
        self._thread = Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """What a client is given."""
        host, port = self._http.server_address[:2]
        name = f"[{host!s}]" if ":" in str(host) else str(host)
        return f"http://{name}:{port}/v1"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def wait(self) -> None:
        """Until it is closed, or for ever."""
        while self._thread.is_alive():
            self._thread.join(1)

    def close(self) -> None:
        """Take no more requests; those under way are answered."""
        self._http.shutdown()
        self.batches.close()
        self._http.server_close()

    def models(self) -> dict[str, Any]:
        """The answer to `GET /v1/models`: there is one."""
        can = self.model.can
        one = {"id": self.model.name, "object": "model", "created": 0, "owned_by": "worldline"}
        extra = {"max_model_len": can.context, "tokenizer": self.tokenizer.name, "can": asdict(can)}
        return {"object": "list", "data": [one | extra]}

    def completions(self, body: Any) -> dict[str, Any]:
        """The answer to `POST /v1/completions`; `RefusedError` where there is none."""
        request = parse(body, self.tokenizer, self.model.can)
        if request.model not in (None, self.model.name):
            message = f"there is no model {request.model!r} here, only {self.model.name!r}"
            raise RefusedError(message, "model", 404, "model_not_found")
        self._check_context(request)
        try:
            answers = [_good(answer) for answer in self._answers(request)]
            echoed = self._echoed(request)
        except UserError as error:
            raise RefusedError(f"{error.what} ({error.hint})" if error.hint else error.what) from None
        return reply(request, answers, echoed, self.tokenizer, self.model.name)

    def _answers(self, request: Request) -> list[Completion | Failed]:
        if request.asks[0].max_tokens == 0:  # only the prompt is wanted
            return [Completion("", "length") for _ in request.asks]
        return self.batches.complete(request.asks)

    def _echoed(self, request: Request) -> list[list[Token]]:
        form, score = request.form, self.batches.score
        if not form.echo or form.logprobs is None:
            return [[] for _ in request.prompts]
        if form.score_from is not None:
            return scored_tokens(request.prompts, form.score_from, self.tokenizer, score)
        return [prompt_tokens(prompt, self.tokenizer, score) for prompt in request.prompts]

    def _check_context(self, request: Request) -> None:
        context = self.model.can.context
        for ask in request.asks if context is not None else ():
            asked = self.model.count(ask.prefix)
            if asked + ask.max_tokens > (context or 0):
                raise RefusedError(
                    f"this model's maximum context length is {context} tokens, but the prompt has {asked} "
                    f"and max_tokens is {ask.max_tokens}",
                    "max_tokens",
                    code="context_length_exceeded",
                )


def serve(model: Model, options: ServeOptions = ServeOptions()) -> Server:
    """Start to serve a model; it goes on until the server is closed."""
    return Server(model, options)


def default_tokenizer() -> Tokenizer:
    """CWM's own vocabulary if it is installed, else bytes."""
    try:
        return tokenizer("llama3")
    except UserError:
        return tokenizer("bytes")


def _good(answer: Completion | Failed) -> Completion:
    if isinstance(answer, Failed):
        raise refusal(answer)
    return answer


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class _Listener(ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True
    block_on_close = False

    def __init__(self, address: tuple[str, int], served: Server) -> None:
        self.served = served
        if ":" in address[0]:
            self.address_family = socket.AF_INET6
        super().__init__(address, _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has gone is no news; all else is."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else a small answer may wait for 40 ms
    timeout = 300.0  # an idle client is let go
    server: _Listener

    def setup(self) -> None:
        """A client has come."""
        super().setup()
        self.server.served.clients.add(self)

    def finish(self) -> None:
        """A client has gone."""
        self.server.served.clients.discard(self)
        super().finish()

    def do_GET(self) -> None:
        """Answer what is asked for without a body."""
        routes = {"/v1/models": self.server.served.models}
        self._answer(lambda: self._route(routes)())

    def do_POST(self) -> None:
        """Answer what is asked for with a JSON body."""
        routes = {"/v1/completions": self.server.served.completions}
        self._answer(lambda: self._posted(routes))

    def log_message(self, *_: Any) -> None:
        """Nothing: what a request holds is nobody's business."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What is wrong with a request that is not even HTTP, in the same shape as all else."""
        self.close_connection = True
        self._send(code, RefusedError(message or explain or "the request is wrong", status=code).body)

    def _route(self, routes: dict[str, Callable[..., dict[str, Any]]]) -> Callable[..., dict[str, Any]]:
        host = self.headers.get("Host", "").rpartition("]")
        name = (host[0][1:] if host[1] else host[2].partition(":")[0]) or "localhost"
        if self.server.served.is_local and not _is_loopback(name):
            raise RefusedError("this server answers this machine only", status=403)
        path = self.path.partition("?")[0].rstrip("/")
        if path not in routes:
            raise RefusedError(f"{self.command} {path} is not served here", status=404, code="not_found")
        return routes[path]

    def _posted(self, routes: dict[str, Callable[..., dict[str, Any]]]) -> dict[str, Any]:
        raw = self._body()  # always read, so that the next request of the connection starts where it should
        answer = self._route(routes)
        if self.headers.get_content_type() != "application/json":
            raise RefusedError("the body must be declared as Content-Type: application/json", status=415)
        try:
            body = json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise RefusedError(f"the body is not JSON: {error}") from None
        return answer(body)

    def _body(self) -> bytes:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal():
            self.close_connection = True
            raise RefusedError("the request needs a Content-Length", status=411)
        if int(length) > MAX_BODY:
            self.close_connection = True
            raise RefusedError(f"the body is over {MAX_BODY} bytes", status=413)
        return self.rfile.read(int(length))

    def _answer(self, answer: Callable[[], dict[str, Any]]) -> None:
        status = 200
        try:
            body = answer()
        except RefusedError as error:
            status, body = error.status, error.body
        except Exception as error:  # noqa: BLE001 - a model's fault is an answer, not the end of the connection
            message = f"the model broke: {type(error).__name__}: {error}"
            status, body = 500, RefusedError(message, status=500).body
        self._send(status, body)

    def _send(self, status: int, body: dict[str, Any]) -> None:
        raw = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(raw)
