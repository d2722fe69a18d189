"""`worldline rewrite` and `worldline intervene`: output, refusals, and that a broken run goes on."""

import json
import signal
import subprocess
import sys
import time

import pytest
from test_predict_cli import worldline

from interrupts import heed_interrupts

PROGRAM = "def f(s, n):\n    return s.upper().find('B'), float(n)\n"
ROWS = [
    {"id": f"r{n}", "code": "def f(a):\n    return a[::-1].upper()\n", "input": repr("ab" * n)}
    for n in range(1, 5)
]


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "p.py"
    path.write_text(PROGRAM)
    return path


@pytest.fixture
def rows(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


def test_rewrite_prints_a_program_that_does_the_same(program):
    told = worldline("rewrite", str(program), "--call", "f('abc', 2)", "--check")
    assert told.returncode == 0
    assert "the same on 20 inputs" in told.stderr
    names = {}
    exec(told.stdout, names)
    assert names["f"]("abc", 2) == (1, 2.0)


def test_rewrite_explains_what_it_leaves(program):
    told = worldline("rewrite", str(program), "--explain")
    assert told.stdout == f"{program} line 2: float(n): there is no microcode for it\n"
    assert "one place is left" in told.stderr


def test_rewrite_as_json_maps_every_line(program):
    told = json.loads(worldline("rewrite", str(program), "--level", "strings", "--json").stdout)
    assert len(told["lines"]) == told["source"].count("\n")
    assert set(told["lines"]) == {0, 1, 2}
    assert "str_find" in told["microcode"]
    assert told["check"] is None


def test_rewrite_writes_a_file(program, tmp_path):
    told = worldline("rewrite", str(program), "-o", str(tmp_path / "out.py"))
    assert (told.returncode, told.stdout) == (0, "")
    assert "def str_find" in (tmp_path / "out.py").read_text()


@pytest.mark.parametrize(
    "arguments",
    [
        ("rewrite", "{program}", "--level", "all"),
        ("rewrite", "nowhere.py"),
        ("intervene", "{rows}", "--model", "nothing"),
        ("intervene", "{rows}", "--model", "oracle", "--level", "all"),
        ("intervene", "nowhere.jsonl", "--model", "oracle"),
        ("intervene", "{rows}", "--model", "oracle", "-o", "{program}"),
    ],
)
def test_wrong_input_is_one_clear_line(arguments, program, rows):
    told = worldline(*(part.format(program=program, rows=rows) for part in arguments))
    assert told.returncode == 2
    assert told.stderr.startswith("error: ")
    assert "Traceback" not in told.stderr
    assert program.read_text() == PROGRAM


def test_intervene_tells_the_arms(rows):
    told = worldline(
        "intervene", str(rows), "--model", "faulty:hidden=0.6", "--isolation", "process", "--json"
    )
    arms = {arm["name"]: arm for arm in json.loads(told.stdout)["arms"]}
    assert list(arms) == ["baseline", "control", "expressions", "strings", "atomic"]
    assert arms["atomic"]["right"] == 4
    assert arms["atomic"]["gains"] == 4 - arms["baseline"]["right"] > 0


def test_intervene_goes_on_where_it_was_interrupted(rows, tmp_path):
    out = tmp_path / "run.jsonl"
    command = ["intervene", str(rows), "--model", "oracle", "--isolation", "process", "-o", str(out)]
    process = subprocess.Popen(
        [sys.executable, "-m", "worldline.cli", *command],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_interrupts,
    )
    deadline = time.monotonic() + 60
    while (not out.exists() or out.read_text().count("\n") < 3) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    done = out.read_text()
    if process.returncode == 130:
        assert "go on with the same command" in said
    told = worldline(*command)
    assert told.returncode == 0
    lines = out.read_text().splitlines()
    assert out.read_text().startswith(done[: done.rfind("\n") + 1])
    keys = [(each["id"], each["arm"]) for each in map(json.loads, lines)]
    assert len(keys) == len(set(keys)) == 20
