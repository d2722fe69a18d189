"""`worldline predict` and `worldline diagnose PROGRAM`: exit codes, what comes out, and what is refused."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "runs.py"


def worldline(*args: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "worldline.cli", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False, timeout=120)


def test_a_predicted_trace_is_a_trace(tmp_path):
    told = worldline(
        "predict", EXAMPLE, "--model", "oracle", "--context", "state", "-o", tmp_path / "p.jsonl"
    )
    assert told.returncode == 0
    assert "the entry has ended" in told.stderr
    assert worldline("diff", EXAMPLE, tmp_path / "p.jsonl").returncode == 0


def test_a_prediction_in_smaller_steps_is_held_against_the_same_steps(tmp_path):
    told = worldline("predict", EXAMPLE, "-o", tmp_path / "p.jsonl")
    assert told.returncode == 0, told.stderr
    told = worldline("diff", EXAMPLE, tmp_path / "p.jsonl")
    assert told.returncode == 0
    assert "rewritten (atomic)" in told.stderr


def test_why_a_model_is_not_sure_is_told(tmp_path):
    (tmp_path / "a.py").write_text("def main():\n    x = 1 / 2\n    return x\n")
    told = worldline("predict", tmp_path / "a.py")
    assert told.returncode == 1
    assert "only: an operator that was not learnt" in told.stderr


def test_the_summary_tells_model_mode_and_cost(tmp_path):
    told = worldline(
        *("predict", EXAMPLE, "--model", "faulty:extra@9,seed=1", "--actions", "grounded", "--json"),
        *("-o", tmp_path / "p.jsonl"),
    )
    found = json.loads(told.stdout)
    assert found["model"] == "faulty:extra@9,seed=1,blur=0.5"
    assert found["stop"] == {"kind": "Finished"}
    assert found["can"]["scoring"]
    assert found["options"]["actions"] == "grounded"
    assert found["cost"]["asks"] > found["steps"]
    assert len(found["sureness"]) == found["steps"]
    assert worldline("diff", EXAMPLE, tmp_path / "p.jsonl").returncode == 1


def test_a_budget_that_is_used_up_is_exit_code_1_and_keeps_the_steps(tmp_path):
    told = worldline(
        *("predict", EXAMPLE, "--model", "oracle", "--actions", "forced", "--max-steps", "5"),
        *("-o", tmp_path / "p.jsonl"),
    )
    assert told.returncode == 1
    assert "5 steps, out of steps" in told.stderr
    assert len((tmp_path / "p.jsonl").read_text().splitlines()) == 7
    again = worldline(
        *("predict", EXAMPLE, "--model", "oracle", "--actions", "forced"),
        *("--resume", tmp_path / "p.jsonl", "-o", tmp_path / "p.jsonl"),
    )
    assert again.returncode == 0
    assert worldline("diff", EXAMPLE, tmp_path / "p.jsonl").returncode == 0


def test_diagnose_names_the_cure():
    told = worldline("diagnose", EXAMPLE, "--model", "faulty:invented-line@12,seed=1", "--json")
    found = json.loads(told.stdout)
    assert told.returncode == 1
    assert (found["frame"], found["kind"]) == (12, "action")
    given = [name for name in found["cures"] if not name.startswith("rewritten")]  # which has other steps
    assert given == ["forced action", "grounded action"]
    shown = worldline("diagnose", EXAMPLE, "--model", "faulty:invented-line@12,seed=1").stdout
    assert "It disappears with: forced action, grounded action" in shown
    assert worldline("diagnose", EXAMPLE, "--model", "oracle").returncode == 0


def test_diagnose_tells_where_a_model_was_not_sure_and_why(tmp_path):
    (tmp_path / "a.py").write_text("def main():\n    y = 3\n    x = 1 / 2\n    return x\n")
    told = worldline("diagnose", tmp_path / "a.py")
    assert told.returncode == 1, told.stderr
    assert told.stdout.startswith("ended early  at step ")
    assert "an operator that was not learnt" in told.stdout
    assert "all steps before it are right" in told.stdout
    found = json.loads(worldline("diagnose", tmp_path / "a.py", "--json").stdout)
    assert found["steps_right"] > 2
    assert "an operator that was not learnt" in found["stop"]


@pytest.mark.parametrize(
    "args",
    [
        ("--model", "embedded:README.md"),
        ("--model", "oracle", "--isolation", "prayer"),
        ("--model", "oracle", "-o", "nowhere/p.jsonl"),
        ("--model", "oracel"),
        ("--model", "faulty:stale=often"),
        ("--model", "replay:nowhere.jsonl"),
        ("--model", "oracle", "--actions", "guessed"),
        ("--model", "oracle", "--states", "forced:0"),
        ("--model", "oracle", "--context", "window:0"),
        ("--model", "oracle", "--reveal", "all"),
        ("--model", "oracle", "--call", "runs("),
    ],
    ids=" ".join,
)
def test_bad_input_is_one_clear_line_and_exit_code_2(args):
    told = worldline("predict", EXAMPLE, *args)
    lines = told.stderr.strip().splitlines()
    assert told.returncode == 2, told.stderr
    assert lines[0].startswith("error: "), told.stderr
    assert len(lines) == 2
    assert lines[1].startswith("  hint: ")
