"""The 96 failing outputs of CWM-32B: all are read, and the page in the docs says what is found."""

import sys
from collections import Counter
from pathlib import Path

import pytest

from worldline.diagnose.diagnosis import Asked, Diagnosed
from worldline.diagnose.table9 import llama3_count
from worldline.diagnose.transcripts import Row, diagnose_row, diagnose_rows, read_rows
from worldline.record import Limits
from worldline.record.entry import find_entry
from worldline.report.diagnosis_json import diagnosis_object
from worldline.report.summary_page import summary_page
from worldline.trace.model import Program

FILE = "cwm32b_failures.jsonl"
PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "cwm32b-failures.md"

pytestmark = pytest.mark.skipif(
    sys.version_info >= (3, 12), reason="CWM's traces have the frames of comprehensions, which 3.12 inlines"
)


@pytest.fixture(scope="module")
def found(data):
    rows = read_rows(data / FILE)
    return list(diagnose_rows(rows, "process", Limits(seconds=60), count=llama3_count()))


def test_every_output_is_diagnosed_and_none_is_unreadable(found):
    assert all(isinstance(each, Diagnosed) for each in found)
    assert len(found) == 96
    verdicts = Counter(each.diagnosis.verdict for each in found)
    assert verdicts == {"diverged": 81, "cut": 10, "exact": 5}


def test_failures_that_are_nobodys(found):
    faults = {each.diagnosis.id: each.diagnosis.fault for each in found}
    nobodys = {name: fault for name, fault in faults.items() if fault in ("extraction", "dataset")}
    assert nobodys == {
        "sample_162": "extraction",
        "HumanEval_87_tc1": "extraction",
        "HumanEval_10_tc1": "dataset",
        "HumanEval_10_tc3": "dataset",
        "HumanEval_10_tc4": "dataset",
    }
    exact = [each.diagnosis for each in found if each.diagnosis.verdict == "exact"]
    assert all(each.cause.name == each.fault for each in exact)


def test_every_diagnosis_explains_itself(found):
    for each in found:
        told = diagnosis_object(each)
        assert told["cause"]["why"]
        assert told["steps_right"] == (told["steps"]["real"] if told["frame"] is None else told["frame"])
        if told["kind"] == "state":
            assert told["variables"]
            assert all(wrong["expected"] != wrong["predicted"] for wrong in told["variables"])


def test_the_page_in_the_docs_is_what_the_command_writes(found):
    command = f"worldline diagnose transcripts {FILE} --markdown {PAGE.name}"
    assert PAGE.read_text(encoding="utf-8") == summary_page(found, f"Diagnosis of {FILE}", command)


def test_a_program_that_cannot_be_run_is_no_crash():
    source = "import nothing_of_that_name\ndef main(): # << START_OF_TRACE\n    return 1\n"
    row = Row(Program(source, find_entry(source, "p.py")), "{}def main():", Asked("x"))
    told = diagnosis_object(diagnose_row(row, "process", Limits()))
    assert (told["id"], told["verdict"]) == ("x", "unreadable")
    assert "took no step" in told["cause"]["why"]
