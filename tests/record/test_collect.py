"""Many rows: each gets its verdict, a bad one stops nobody, and an interrupted collection goes on."""

import json
from itertools import islice
from pathlib import Path

from worldline.record.box import Limits
from worldline.record.collect import collect, index, read_rows
from worldline.record.options import Options
from worldline.trace.files import read

ROWS = [
    {"id": "good", "code": "def f(a, b):\n    return a + b", "input": "1, b=2"},
    {"id": "raises", "code": "def f():\n    return 1 // 0", "input": ""},
    {"id": "endless", "code": "def f():\n    while True:\n        pass", "input": ""},
    {"id": "broken", "code": "def f(:", "input": ""},
    {"id": "marked", "program": "def main(): # << START_OF_TRACE\n    return 'm'\n", "call": "ignored()"},
    {"id": "called", "program": "def g(n):\n    return n\n", "call": "g(7)"},
    {"id": "../../etc/x", "program": "def main():\n    return 1\n"},
    {"id": "good", "code": "def f():\n    return 0", "input": ""},
    {"id": "empty"},
]


def rows_file(folder: Path) -> Path:
    lines = [json.dumps(row) for row in ROWS] + ["not json", "[1]"]
    (folder / "rows.jsonl").write_text("\n".join(lines) + "\n")
    return folder / "rows.jsonl"


def collected(folder: Path, rows=None):
    todo = rows if rows is not None else read_rows(rows_file(folder))
    return collect(todo, folder / "out", Options(max_steps=500), Limits(seconds=10), "process")


def test_every_row_gets_its_own_verdict(tmp_path):
    found = {entry.id: entry for entry in collected(tmp_path)}
    assert {name: entry.verdict for name, entry in found.items()} == {
        "good": "returned",
        "raises": "raised",
        "endless": "steps",
        "broken": "bad-row",
        "marked": "returned",
        "called": "returned",
        "../../etc/x": "returned",
        "good@line8": "bad-row",
        "empty": "bad-row",
        "line10": "bad-row",
        "line11": "bad-row",
    }
    assert found["good"].result == "3"
    assert found["called"].result == "7"
    assert found["raises"].result == "ZeroDivisionError('integer division or modulo by zero')"
    for entry in found.values():
        if entry.file:
            trace = read(tmp_path / "out" / entry.file)
            assert len(trace.steps) == entry.steps
            assert trace.ending.kind == entry.verdict
        else:
            assert entry.detail
    assert not list(tmp_path.glob("etc*"))


def test_what_is_there_is_not_recorded_again(tmp_path):
    first = list(islice(collected(tmp_path), 3))
    noted = {entry.id for entry in index(tmp_path / "out")}
    assert {entry.id for entry in first} <= noted
    stamps = {
        path: path.stat().st_mtime_ns
        for path in (tmp_path / "out").glob("*.jsonl")
        if path.name != "index.jsonl"
    }
    again = list(collected(tmp_path))
    assert len(again) == len(ROWS) + 2
    assert len(index(tmp_path / "out")) == len(again)
    assert all(path.stat().st_mtime_ns == stamp for path, stamp in stamps.items() if path.stem in noted)


def test_an_index_that_breaks_off_costs_only_its_last_row(tmp_path):
    list(collected(tmp_path))
    path = tmp_path / "out" / "index.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    assert len(index(tmp_path / "out")) == len(ROWS) + 1
    assert len(list(collected(tmp_path))) == len(ROWS) + 2
