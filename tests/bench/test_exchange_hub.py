"""A data set of the Hub, fetched by the Hub's own client from a server here that answers like it."""

import json
import os
import subprocess
import sys
import threading
from contextlib import contextmanager
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
    name = "org/set"

    def do_GET(self):
        self._answer(with_body=True)

    def do_HEAD(self):
        self._answer(with_body=False)

    def log_message(self, *told):
        """Nothing."""

    def _answer(self, with_body):
        path = self.path.partition("?")[0]
        names = sorted(str(p.relative_to(self.folder)) for p in self.folder.rglob("*") if p.is_file())
        if path.startswith(f"/api/datasets/{self.name}/tree/"):
            files = [
                {"type": "file", "oid": SHA, "size": (self.folder / n).stat().st_size, "path": n}
                for n in names
            ]
            return self._send(json.dumps(files).encode(), "application/json", with_body)
        if path.startswith(f"/api/datasets/{self.name}"):
            about = {"id": self.name, "sha": SHA, "siblings": [{"rfilename": name} for name in names]}
            return self._send(json.dumps(about).encode(), "application/json", with_body)
        name = path.removeprefix(f"/datasets/{self.name}/resolve/{SHA}/")
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
    with served(tmp_path / "set", "org/set") as address:
        yield address


@contextmanager
def served(folder, name):
    """A Hub with one data set."""
    handler = type("Handler", (Hub,), {"folder": folder, "name": name})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def read_from(hub, name, home, code=READ):
    env = {**os.environ, "HF_ENDPOINT": hub, "HF_HOME": str(home), "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
    env = {key: value for key, value in env.items() if key not in ("HF_HUB_OFFLINE", "HF_TOKEN")}
    told = subprocess.run(
        [sys.executable, "-c", code, name], capture_output=True, text=True, env=env, timeout=120
    )
    assert told.returncode == 0, told.stderr
    return told.stdout.splitlines()


def test_a_data_set_is_read_by_its_hub_id(hub, tmp_path):
    assert read_from(hub, "org/set", tmp_path / "home") == ["r0 0", "r1 2", "r2 4"]


def test_a_name_that_the_hub_does_not_know_is_told(hub, tmp_path):
    (told,) = read_from(hub, "org/other", tmp_path / "home")
    assert told.startswith("refused: the Hub does not give a data set org/other")


def test_a_hub_that_cannot_be_reached_is_told(tmp_path):
    (told,) = read_from("http://127.0.0.1:1", "org/set", tmp_path / "home")
    assert told.startswith("refused: the Hub does not give a data set org/set")


CRUXEVAL = """\
from worldline.bench.cruxeval import Settings, problems
for each in problems(Settings("hub"), 0):
    print(each.id, each.program.entry.text, each.expected)
"""


def test_cruxeval_is_read_off_the_hub(tmp_path):
    row = {"id": "sample_0", "code": "def f(n):\n    return n\n", "input": "3", "output": "3"}
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "test.jsonl").write_text(json.dumps(row) + "\n")
    with served(tmp_path / "set", "cruxeval-org/cruxeval") as hub:
        assert read_from(hub, "", tmp_path / "home", CRUXEVAL) == ["sample_0 f(3) 3"]


HUMANEVAL = """\
from worldline.bench.humaneval import Settings, problems
for each in problems(Settings("hub"), 0, "process"):
    print(each.id, each.program.entry.text)
"""


def test_humaneval_is_read_off_the_hub(tmp_path):
    import pyarrow
    import pyarrow.parquet

    row = {
        "task_id": "HumanEval/0",
        "prompt": "def double(n):\n",
        "canonical_solution": "    return n * 2\n",
        "test": "def check(candidate):\n    assert candidate(3) == 6\n    assert candidate(n=4) == 8\n",
        "entry_point": "double",
    }
    (tmp_path / "set").mkdir()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist([row]), tmp_path / "set" / "test.parquet")
    with served(tmp_path / "set", "openai/openai_humaneval") as hub:
        told = read_from(hub, "", tmp_path / "home", HUMANEVAL)
    assert told == ["HumanEval_0_tc0 double(3)", "HumanEval_0_tc1 double(n=4)"]
