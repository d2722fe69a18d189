"""A program under the recorder does what it does alone: result, exception, output, and the order in which
objects die (three of the hazards watch it)."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from worldline.record import Limits, Options, record_file
from worldline.record.engine import core
from worldline.record.entry import find_entry

HAZARDS = sorted((Path(__file__).parents[1] / "samples" / "hazards").glob("*.py"))
ALONE = """
import json, os, sys
from worldline.record import child, engine

class Silent:
    steps = 0
    written = []
    start = stop = lambda self: None
    def output(self, text):
        self.written.append(text)
    def put(self, line):
        os.write(1, json.dumps([json.loads(line), "".join(self.written)]).encode())

engine.recorder = lambda *arguments: Silent()
run = child.Run(json.loads(sys.argv[1]), None)
sys.stdout, sys.stderr = child.Output(run, 1), child.Output(run, 2)
run.execute()
"""

pytestmark = pytest.mark.skipif(
    core() is None, reason="the C core was not built: install gcc and python3-dev"
)


@pytest.mark.parametrize("patience", [0, 100_000])
@pytest.mark.parametrize("path", HAZARDS, ids=lambda path: path.stem)
def test_on_every_hazard(path, patience):
    options = Options(engine="c", patience=patience)
    trace = record_file(path, options=options, limits=Limits(seconds=60))
    output = "".join(step.output for step in trace.steps)
    assert (trace.ending.kind, trace.ending.value, output) == alone(path)


def alone(path: Path) -> tuple[str, str, str]:
    """How the program ends, and what it writes, with no recorder around."""
    source = path.read_text()
    entry = find_entry(source, str(path))
    job = {
        "path": str(path),
        "source": source,
        "roots": [],
        "options": {},
        "entry": {"kind": entry.kind, "text": entry.text, "args": [], "stdin": ""},
    }
    told = subprocess.run(
        [sys.executable, "-c", ALONE, json.dumps(job)],
        env=os.environ | {"PYTHONHASHSEED": "0"},
        capture_output=True,
        check=True,
        timeout=60,
    )
    end, output = json.loads(told.stdout)
    return end["end"], end["value"], output
