"""What the tutorial and the reference say about a diagnosis is true."""

import re
from pathlib import Path

from worldline.diagnose.diagnosis import diagnose
from worldline.diagnose.model import CAUSES
from worldline.diagnose.prediction import of_text
from worldline.diagnose.truth import truth
from worldline.formats.cwm import CWM
from worldline.record.entry import find_entry
from worldline.report.diagnosis_json import diagnosis_object, later
from worldline.trace.model import Program

DOCS = Path(__file__).parents[2] / "docs"


def test_the_tutorial_finds_what_it_says():
    page = (DOCS / "tutorial" / "find-the-divergence.md").read_text(encoding="utf-8")
    source = page.partition("```python\n")[2].partition("```")[0]
    text = page.partition("```text\n")[2].partition("```")[0]
    program = Program(source, find_entry(source, "count.py"))
    found = diagnose(truth(program).trace, of_text(text, program, CWM, "tutorial")).diagnosis
    assert (found.verdict, found.divergence.kind, found.cause.name) == ("diverged", "state", "stale")
    told = later(found)
    assert told["own"] == 1
    assert told["carried"] > 5
    assert told["right"] == 0


def test_the_reference_names_every_key_and_every_cause():
    page = (DOCS / "reference" / "diagnosis.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([\w-]+)`", page))
    assert set(CAUSES) <= named
    source = "def main():\n    return 1\n"
    program = Program(source, find_entry(source, "p.py"))
    real = truth(program).trace
    found = diagnose(real, of_text(CWM.encode(real), program, CWM, "docs"))
    assert set(diagnosis_object(found)) <= named
