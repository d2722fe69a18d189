"""A data set of the Hub, fetched by the Hub's own client from a server here that answers like it."""

import json
import os
import subprocess
import sys
import threading
from hashlib import sha1
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from worldline.bench.exchange.datasets import write_dataset
from worldline.record.box import Limits
from worldline.record.collect import Row, collect, program_of
from worldline.record.options import Options

SHA = sha1(b"a revision").hexdigest()
READ = """\
import sys
from worldline.bench.exchange.datasets import read_dataset
from worldline.errors import UserError
try:
    for name, trace in read_dataset(sys.argv[1]):
        print(name, trace.ending.value)
except UserError as error:
    print("refused:", error.what)
"""


class Hub(BaseHTTPRequestHandler):
    """What the client asks of a data set: its files, and each of them."""

    folder = None

    def do_GET(self):
        self._answer(with_body=True)

    def do_HEAD(self):
        self._answer(with_body=False)

    def log_message(self, *told):
        """Nothing."""

    def _answer(self, with_body):
        path = self.path.partition("?")[0]
        names = sorted(str(p.relative_to(self.folder)) for p in self.folder.rglob("*") if p.is_file())
        if path.startswith("/api/datasets/org/set/tree/"):
            files = [
                {"type": "file", "oid": SHA, "size": (self.folder / n).stat().st_size, "path": n}
                for n in names
            ]
            return self._send(json.dumps(files).encode(), "application/json", with_body)
        if path.startswith("/api/datasets/org/set"):
            about = {"id": "org/set", "sha": SHA, "siblings": [{"rfilename": name} for name in names]}
            return self._send(json.dumps(about).encode(), "application/json", with_body)
        name = path.removeprefix(f"/datasets/org/set/resolve/{SHA}/")
        if name in names:
            return self._send((self.folder / name).read_bytes(), "application/octet-stream", with_body)
        self.send_response(404)
        self.send_header("X-Error-Code", "RepoNotFound")
        self.send_header("Content-Length", "0")
        return self.end_headers()

    def _send(self, body, kind, with_body):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Repo-Commit", SHA)
        self.send_header("ETag", f'"{sha1(body).hexdigest()}"')
        self.end_headers()
        if with_body:
            self.wfile.write(body)


@pytest.fixture
def hub(tmp_path):
    rows = [
        Row(f"r{n}", program_of({"code": "def f(a):\n    return a * 2\n", "input": str(n)})) for n in range(3)
    ]
    list(collect(rows, tmp_path / "traces", Options(), Limits(), "process"))
    write_dataset(tmp_path / "traces", tmp_path / "set")
    handler = type("Handler", (Hub,), {"folder": tmp_path / "set"})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def read_from(hub, name, home):
    env = {**os.environ, "HF_ENDPOINT": hub, "HF_HOME": str(home), "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
    env = {key: value for key, value in env.items() if key not in ("HF_HUB_OFFLINE", "HF_TOKEN")}
    told = subprocess.run(
        [sys.executable, "-c", READ, name], capture_output=True, text=True, env=env, timeout=120
    )
    assert told.returncode == 0, told.stderr
    return told.stdout.splitlines()


def test_a_data_set_is_read_by_its_hub_id(hub, tmp_path):
    assert read_from(hub, "org/set", tmp_path / "home") == ["r0 0", "r1 2", "r2 4"]


def test_a_name_that_the_hub_does_not_know_is_told(hub, tmp_path):
    (told,) = read_from(hub, "org/other", tmp_path / "home")
    assert told.startswith("refused: there is no folder org/other, and the Hub does not give")


def test_a_hub_that_cannot_be_reached_is_told(tmp_path):
    (told,) = read_from("http://127.0.0.1:1", "org/set", tmp_path / "home")
    assert told.startswith("refused: there is no folder org/set")
