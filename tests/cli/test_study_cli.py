"""`worldline study`: broken off, gone on with, repeated; the page and its plots; what is refused."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from interrupts import heed_interrupts

SOURCE = Path(__file__).parents[2] / "src"
COMMAND = [sys.executable, "-m", "worldline.cli", "study"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(SOURCE)}


def study(*args):
    return subprocess.run(
        [*COMMAND, *map(str, args)],
        capture_output=True,
        text=True,
        check=False,
        env=ENVIRONMENT,
        timeout=1200,
    )


def results(folder):
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("results/*.json")}


def test_a_study_goes_on_where_it_was_broken_off_and_ends_with_its_page(tmp_path):
    pytest.importorskip("torch", reason="no torch: pip install 'worldline[learn]'")
    folder, page = tmp_path / "runs", tmp_path / "sparse.md"
    args = ("reveals", "-o", folder, "--quick", "--seeds", 1, "--page", page)
    begun = subprocess.Popen(
        [*COMMAND, *map(str, args)],
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
        preexec_fn=heed_interrupts,
    )
    while not results(folder):
        assert begun.poll() is None
        time.sleep(0.1)
    begun.send_signal(signal.SIGINT)
    _, told = begun.communicate(timeout=120)
    assert begun.returncode == 130, told
    assert re.search(r"interrupted after \d+ of 11 runs; go on with the same command", told)
    assert not page.exists()
    first = results(folder)
    assert 0 < len(first) < 11

    whole = study(*args, "--json")
    assert whole.returncode == 0, whole.stderr
    runs = [json.loads(line) for line in whole.stdout.splitlines()]
    assert len({each["name"] for each in runs}) == len(runs) == 11
    assert all(0 <= cell["right"] <= 1 for each in runs for cell in each["result"]["test"])
    assert {name: at for name, at in results(folder).items() if name in first} == first
    text = page.read_text()
    assert "`worldline study reveals -o runs --seeds 1 --workers 2 --quick`: 11 runs" in text
    plots = re.findall(r"!\[[^]]*\]\(([^)]*)\)", text)
    assert len(plots) == 4
    assert all((tmp_path / each).read_text().startswith("<svg") for each in plots)

    done = results(folder)
    again = study(*args)
    assert (again.returncode, again.stdout) == (0, "")
    assert results(folder) == done
    refused = study(*args[:3])
    assert refused.returncode == 2
    assert "is of a run with another" in refused.stderr


def test_what_cannot_be_is_refused_before_anything_runs(tmp_path):
    unknown = study("reveal", "-o", tmp_path / "x")
    assert unknown.returncode == 2
    assert "did you mean 'reveals'?" in unknown.stderr
    nowhere = study("reveals", "-o", tmp_path / "x", "--page", tmp_path / "no" / "page.md")
    assert nowhere.returncode == 2
    assert "page.md cannot be written" in nowhere.stderr
    (tmp_path / "file").touch()
    blocked = study("reveals", "-o", tmp_path / "file", "--quick")
    assert blocked.returncode == 2
    assert "cannot be written" in blocked.stderr
    assert not (tmp_path / "x").exists()
