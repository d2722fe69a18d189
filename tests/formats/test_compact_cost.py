"""What `compact` costs on the evaluation data, by the very benchmark that the documentation quotes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "tokens.py"


@pytest.fixture(scope="module")
def result(data):
    done = subprocess.run(
        [sys.executable, BENCHMARK, "--json"], capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_it_takes_a_fifth_of_the_tokens_of_cwm_at_most(result):
    assert result["cruxeval"]["n"] > 400
    assert result["cruxeval"]["ratio"] >= 5


def test_the_programs_that_cwm_could_not_finish_fit(result):
    short = [row for row in result["humaneval"] if row["steps"] is not None]
    assert len(short) >= 5
    assert [row["id"] for row in short if row["compact"] > result["budget"]] == []
