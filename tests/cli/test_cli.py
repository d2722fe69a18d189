"""The command line: what goes to stdout, what to stderr, which exit code, and that the help is true."""

import json
import os
import pty
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from worldline.cli import VERBS

PROGRAM = "def f(n):\n    total = 0\n    for i in range(n):\n        total += i\n    return total\n"


def worldline(*args: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "worldline.cli", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False, timeout=120)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "prog.py").write_text(PROGRAM)
    return tmp_path / "prog.py"


@pytest.fixture
def trace(program: Path) -> Path:
    path = program.with_name("t.jsonl")
    assert worldline("record", program, "--call", "f(3)", "-o", path).returncode == 0
    return path


@pytest.mark.parametrize("verb", [verb.__name__ for verb in VERBS])
def test_every_verb_has_help_with_examples_and_json(verb):
    told = worldline(verb, "--help")
    assert told.returncode == 0
    assert "Examples" in told.stdout
    assert "--json" in told.stdout
    assert f"worldline {verb}" in told.stdout


def test_every_example_in_the_help_names_options_that_exist():
    for verb in VERBS:
        helped = worldline(verb.__name__, "--help").stdout
        for example in re.findall(r"`worldline ([^`]*)`", verb.__doc__ or ""):
            words = example.split("|")[0].split()
            assert words[0] == verb.__name__
            for word in words[: words.index("--")] if "--" in words else words:
                if word.startswith("-"):
                    assert re.search(rf"(?<!\S){re.escape(word)}(?![\w-])", helped), (verb.__name__, word)


def test_record_writes_data_to_stdout_and_talk_to_stderr(program):
    told = worldline("record", program, "--call", "f(2)")
    records = [json.loads(line) for line in told.stdout.splitlines()]
    assert records[0]["schema"] == "worldline.trace"
    assert records[-1]["end"] == "returned"
    assert "isolation: process" in told.stderr
    assert told.returncode == 0


def test_record_with_json_and_a_file_tells_a_summary(program, tmp_path):
    told = worldline("record", program, "--call", "f(2)", "-o", tmp_path / "x.jsonl", "--json")
    summary = json.loads(told.stdout)
    assert (summary["verdict"], summary["result"], summary["isolation"]) == ("returned", "1", "process")


def test_a_limit_is_exit_code_1_and_what_was_recorded_is_kept(program, tmp_path):
    told = worldline(
        "record", program, "--call", "f(10**9)", "--limit", "steps=100", "-o", tmp_path / "x.jsonl"
    )
    assert told.returncode == 1
    assert "steps" in told.stderr
    assert len((tmp_path / "x.jsonl").read_text().splitlines()) == 102


@pytest.mark.parametrize(
    "args",
    [
        ("record", "nowhere.py"),
        ("record", "."),
        ("record",),
        ("record", "prog.py", "--call", "f("),
        ("record", "prog.py", "--limit", "size"),
        ("record", "prog.py", "--limit", "patience=3"),
        ("record", "prog.py", "--engine", "java"),
        ("record", "prog.py", "--isolation", "prayer"),
        ("record", "prog.py", "--call", "f(1)", "-o", "x.doc"),
        ("show", "nowhere.jsonl"),
        ("show", "prog.py"),
        ("show", "t.jsonl", "--at", "99"),
        ("convert", "t.jsonl"),
        ("convert", "t.jsonl", "--to", "cmw"),
        ("convert", "a.cwm", "--to", "jsonl"),
        ("tokens", "t.jsonl", "-t", "lama3"),
        ("tokens", "t.jsonl", "-f", "cmw"),
        ("collect", "nowhere.jsonl", "-o", "out"),
    ],
    ids=" ".join,
)
def test_bad_input_is_one_clear_line_and_exit_code_2(trace, args):
    told = worldline(*args, cwd=trace.parent)
    assert told.returncode == 2
    assert told.stdout == ""
    lines = told.stderr.strip().splitlines()
    assert lines[0].startswith("error: "), told.stderr
    assert len(lines) == 2, told.stderr
    assert lines[1].startswith("  hint: ")
    assert "Traceback" not in told.stderr


def test_show_prints_a_list_and_json_when_not_in_a_terminal(trace):
    listed = worldline("show", trace, "--hidden").stdout
    assert "return total" in listed
    assert "total = 3" in listed
    assert "for@3: 2 taken" in listed
    steps = [json.loads(line) for line in worldline("show", trace, "--json", "--hidden").stdout.splitlines()]
    assert steps[-1]["value"] == "3"
    assert steps[-1]["types"] == {"n": "int", "total": "int", "i": "int"}
    one = worldline("show", trace, "--at", "2").stdout
    assert "step 2 of" in one


def test_show_steps_with_keys_in_a_terminal(trace):
    parent, child = pty.openpty()
    command = [sys.executable, "-m", "worldline.cli", "show", str(trace)]
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "100", "LINES": "30"}
    shown = subprocess.Popen(
        command, stdin=child, stdout=child, stderr=child, env=environment, close_fds=True
    )
    os.close(child)
    screen = ""

    def until(words: str) -> None:
        nonlocal screen
        deadline = time.monotonic() + 30
        while words not in screen:
            assert time.monotonic() < deadline, screen
            screen += os.read(parent, 65536).decode(errors="ignore")

    until("step 0 of")
    os.write(parent, b"\x1b[C")
    until("step 1 of")
    os.write(parent, b"\x1b[F")
    until("returned 3")
    os.write(parent, b"q")
    assert shown.wait(30) == 0
    os.close(parent)


@pytest.mark.parametrize("form", ["cwm", "compact"])
def test_convert_to_text_and_back(trace, form):
    text = trace.with_suffix(f".{form}")
    marked = trace.with_name("marked.py")
    marked.write_text(PROGRAM + "\ndef main(): # << START_OF_TRACE\n    return f(3)\n")
    assert worldline("record", marked, "-o", trace).returncode == 0
    assert worldline("convert", trace, "-o", text).returncode == 0
    back = worldline("convert", text, "--program", marked, "--json")
    events = [json.loads(line) for line in back.stdout.splitlines()]
    truth = [json.loads(line) for line in trace.read_text().splitlines()]
    assert [(step["event"], step["line"]) for step in events[1:-1]] == [
        (step["event"], step["line"]) for step in truth[1:-1]
    ]
    assert events[-1]["end"] == "returned"


def test_tokens_by_format_tokenizer_and_part(trace):
    told = worldline("tokens", trace, "--json", "-t", "bytes")
    costs = {row["format"]: row for row in map(json.loads, told.stdout.splitlines())}
    assert set(costs) >= {"cwm", "compact"}
    for row in costs.values():
        assert sum(row["parts"].values()) == row["tokens"]
    assert costs["compact"]["tokens"] < costs["cwm"]["tokens"]
    assert "where they go" in worldline("tokens", trace, "-t", "bytes", "--strings").stdout


def test_collect_prints_one_object_a_row(tmp_path):
    row = {"id": "a", "code": "def f(x):\n    return x", "input": "4"}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row) + "\n")
    told = worldline(
        "collect", tmp_path / "rows.jsonl", "-o", tmp_path / "out", "--json", "--isolation", "process"
    )
    entry = json.loads(told.stdout)
    keys = {"id", "verdict", "result", "steps", "seconds", "isolation", "file"}
    assert keys <= set(entry)
    assert (entry["verdict"], entry["result"], entry["isolation"]) == ("returned", "4", "process")


def test_doctor_says_what_it_found():
    findings = {
        row["what"]: row for row in map(json.loads, worldline("doctor", "--json").stdout.splitlines())
    }
    assert findings["recorder"]["found"]
    assert {"box: bwrap", "box: sandlock", "box: process", "isolation strict"} <= set(findings)


def test_a_recording_of_a_test_of_ones_own(tmp_path):
    (tmp_path / "test_own.py").write_text("def test_one():\n    x = 1\n    assert x == 1\n")
    told = worldline("record", "--pytest", "test_own.py::test_one", "-o", "t.jsonl", "--json", cwd=tmp_path)
    assert json.loads(told.stdout)["verdict"] == "returned", told.stderr
    told = worldline("record", "--pytest", "test_own.py::test_two", "--json", cwd=tmp_path)
    assert told.returncode == 2
