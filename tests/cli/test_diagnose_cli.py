"""`worldline diff` and `worldline diagnose`: exit codes, the JSON contract, bad input, true help."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAM = "def f(n):\n    return n + 1\n\ndef main(): # << START_OF_TRACE\n    return f(2)\n"
KEYS = {
    *("id", "verdict", "frame", "kind", "line", "variables"),
    *("expected", "predicted", "answer", "cause", "steps_right"),
}


def worldline(*args: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "worldline.cli", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False, timeout=120)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A recorded program and wrong predictions of it."""
    folder = tmp_path_factory.mktemp("diagnosis")
    assert worldline("record", EXAMPLES / "runs.py", "-o", folder / "real.jsonl").returncode == 0
    names = [folder / name for name in ("real.jsonl", "rows.jsonl", "wrong.cwm")]
    subprocess.run([sys.executable, EXAMPLES / "faults.py", *names], check=True)
    (folder / "prog.py").write_text(PROGRAM)
    (folder / "bad.jsonl").write_text('{"id": 1}\n')
    (folder / "torn.jsonl").write_text('{"id": 1,\n')
    (folder / "list.jsonl").write_text("[]\n")
    (folder / "empty.jsonl").write_text("\n")
    (folder / "syntax.jsonl").write_text(json.dumps({"id": "s", "program": "def f(:", "output": ""}) + "\n")
    return folder


def test_equal_traces_are_exit_code_0(folder):
    told = worldline("diff", "real.jsonl", "real.jsonl", cwd=folder)
    assert told.returncode == 0
    assert told.stdout.startswith("exact")


def test_a_difference_is_exit_code_1_with_both_sides_and_the_cause(folder):
    told = worldline("diff", "real.jsonl", "wrong.cwm", cwd=folder)
    assert told.returncode == 1
    assert told.stdout.startswith("diverged")
    assert "found = []" in told.stdout
    assert "stale: " in told.stdout
    assert "next: worldline diff" in told.stdout


def test_diff_records_a_program_itself(folder):
    (folder / "answer.cwm").write_text(
        "{}def main(): # << START_OF_TRACE\n{}    return f(2)\n"
        '{"n": "2"}def f(n):\n{"n": ".."}    return n + 1\n    return n + 1\n"4"    return f(2)\n"4"'
    )
    told = worldline("diff", "prog.py", "answer.cwm", "--json", cwd=folder)
    found = json.loads(told.stdout)
    assert told.returncode == 1
    assert (found["kind"], found["frame"], found["expected"], found["predicted"]) == ("value", 4, "3", "4")
    assert found["later"]["carried"] == 1  # main returns what the model believed
    assert found["cause"]["name"] == "arithmetic"


def test_every_row_gets_an_object_of_the_contract(folder):
    told = worldline("diagnose", "transcripts", "rows.jsonl", "--isolation", "process", "--json", cwd=folder)
    rows = {row["id"]: row for row in map(json.loads, told.stdout.splitlines())}
    assert told.returncode == 0
    for row in rows.values():
        assert set(row) >= KEYS
        assert set(row["answer"]) >= {"real", "given", "correct"}
    assert rows["no fault"]["verdict"] == "exact"
    assert rows["no fault"]["answer"] == {
        "real": "'a2b1c3'",
        "given": "'a2b1c3'",
        "correct": True,
        "expected": None,
    }
    assert (rows["truncation"]["verdict"], rows["truncation"]["kind"]) == ("cut", "budget")
    assert (rows["broken-json"]["verdict"], rows["broken-json"]["kind"]) == ("unreadable", "format")
    stale = rows["stale"]
    assert (stale["verdict"], stale["kind"], stale["cause"]["name"]) == ("diverged", "state", "stale")
    wrong = stale["variables"][0]
    assert (wrong["name"], wrong["predicted"], wrong["type"]) == ("found", "[]", "list")
    assert stale["steps_right"] == stale["frame"]


def test_the_page_and_the_tables_are_written(folder):
    told = worldline(
        *("diagnose", "transcripts", "rows.jsonl", "--isolation", "process"),
        *("--html", "page.html", "--markdown", "page.md"),
        cwd=folder,
    )
    assert told.returncode == 0
    assert "Table-9 metrics" in told.stdout
    assert "look at page.html" in told.stderr
    assert (folder / "page.html").read_text().startswith("<!doctype html>")
    tables = (folder / "page.md").read_text()
    assert "| stale | a variable is said to be unchanged though the line changed it | 1 |" in tables


@pytest.mark.parametrize(
    "args",
    [
        ("diff", "nowhere.jsonl", "real.jsonl"),
        ("diff", "real.jsonl", "nowhere.cwm"),
        ("diff", "real.jsonl", "prog.py"),
        ("diff", "real.jsonl", "real.jsonl", "--at", "999"),
        ("diff", "real.jsonl", "wrong.cwm", "--html", "nowhere/page.html"),
        ("diagnose", "transcripts", "nowhere.jsonl"),
        ("diagnose", "transcripts", "bad.jsonl"),
        ("diagnose", "transcripts", "torn.jsonl"),
        ("diagnose", "transcripts", "list.jsonl"),
        ("diagnose", "transcripts", "empty.jsonl"),
        ("diagnose", "transcripts", "rows.jsonl", "--isolation", "hope"),
    ],
    ids=" ".join,
)
def test_bad_input_is_one_clear_line_and_exit_code_2(folder, args):
    told = worldline(*args, cwd=folder)
    lines = told.stderr.strip().splitlines()
    assert told.returncode == 2, told.stderr
    assert told.stdout == ""
    assert lines[0].startswith("error: "), told.stderr
    assert len(lines) == 2, told.stderr
    assert lines[1].startswith("  hint: ")


def test_a_program_that_cannot_be_run_costs_no_other_row(folder):
    rows = (folder / "rows.jsonl").read_text().splitlines()[:1] + (
        folder / "syntax.jsonl"
    ).read_text().splitlines()
    (folder / "mixed.jsonl").write_text("\n".join(rows))
    told = worldline("diagnose", "transcripts", "mixed.jsonl", "--isolation", "process", "--json", cwd=folder)
    good, bad = map(json.loads, told.stdout.splitlines())
    assert told.returncode == 1
    assert good["verdict"] == "exact"
    assert (bad["id"], bad["cause"]["name"], bad["fault"]) == ("s", "dataset", "dataset")
    assert "line 1" in bad["cause"]["why"]


def test_help_has_examples():
    for words in (("diff",), ("diagnose",), ("diagnose", "transcripts")):
        told = worldline(*words, "--help").stdout
        assert "Examples" in told
        assert f"worldline {words[0]}" in told
