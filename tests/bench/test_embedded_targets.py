"""The page of what the embedded model reaches: a quick one leaves the real one alone."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_a_quick_page_has_commands_stamps_and_no_confident_error(tmp_path):
    page = ROOT / "docs" / "explanation" / "embedded-figures.md"
    before = page.read_bytes()
    command = [sys.executable, str(ROOT / "benchmarks" / "embedded_targets.py"), "--quick"]
    chosen = ["--only", "permutation-lines", "edges", "--runs", str(tmp_path)]
    done = subprocess.run([*command, *chosen], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    told = (tmp_path / page.name).read_text(encoding="utf-8")
    assert "(model embedded@" in told
    assert "| all | grounded, state | 2 | 2 of 2" in told
    assert "| index | 2 | 2 | 0 | 0 |  |" in told
    assert page.read_bytes() == before
    kept = told.partition("\n## edges")[2]
    again = [*command, "--only", "permutation-lines", "--runs", str(tmp_path / "other"), "-o"]
    place = tmp_path / page.name
    done = subprocess.run([*again, str(place)], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert place.read_text(encoding="utf-8").partition("\n## edges")[2] == kept != ""


def test_statements_that_are_asked_again_are_counted_once_besides():
    command = [sys.executable, str(ROOT / "benchmarks" / "embedded.py"), "statements", "--json"]
    done = subprocess.run(
        [*command, "--programs", "1"], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    right, different = told["distinct"]
    assert 0 < right <= different < told["statements"] == sum(count for _, count in told["kinds"].values())
    assert told["statements"] - told["right"] >= different - right
    assert told["unclear"] >= 0
