"""What Inspect's task asks and how replies are judged, which needs no Inspect."""

import sys

import pytest

from worldline.bench.exchange import inspect_task
from worldline.bench.exchange.inspect_task import judged_answer, judged_trace, question
from worldline.bench.model import Problem
from worldline.errors import UserError
from worldline.formats.cwm import CWM, stripped
from worldline.record import record
from worldline.record.collect import program_of
from worldline.record.entry import as_marked

CODE = "def f(a):\n    b = a + a\n    return {b, 1}\n"


def problem(code=CODE, given="2", expected="{1, 4}"):
    return Problem("p", program_of({"code": code, "input": given}), {}, expected)


def test_without_inspect_the_extra_is_named(monkeypatch):
    monkeypatch.delitem(vars(inspect_task), "worldline_bench", raising=False)
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    with pytest.raises(UserError) as error:
        _ = inspect_task.worldline_bench
    assert "worldline[inspect]" in error.value.hint
    with pytest.raises(AttributeError, match="other"):
        _ = inspect_task.other


def test_the_question_has_the_call_the_program_and_its_input():
    told = question(problem().program)
    assert "`f(2)`" in told
    assert CODE.strip() in told
    assert "standard input" not in told
    script = program_of({"program": "def main():\n    return input()\n", "stdin": "hey\n"})
    assert "`main()`" in question(script)
    assert r"'hey\n'" in question(script)


@pytest.mark.parametrize(
    ("reply", "is_cut", "is_right", "cause"),
    [
        ("so [ANSWER]{4, 1}[/ANSWER]", False, True, ""),
        ("[ANSWER]assert f(2) == {1.0, 4}[/ANSWER]", False, True, ""),
        ("[ANSWER]{1, 5}[/ANSWER]", False, False, "model"),
        ("{1, 4}", False, False, "model"),
        ("I think of", True, False, "budget"),
    ],
)
def test_an_answer_is_judged_by_its_value(reply, is_cut, is_right, cause):
    found, _, told = judged_answer(problem(), reply, is_cut, "process")
    assert (found, told["cause"]) == (is_right, cause)
    assert told["real"] in ("{1, 4}", "{4, 1}")
    assert told["isolation"] == "process"


def test_a_wrong_data_set_is_not_the_models_fault():
    found, given, told = judged_answer(problem(expected="{9}"), "[ANSWER]{1, 4}[/ANSWER]", False, "process")
    assert (found, given, told["cause"]) == (True, "{1, 4}", "dataset")


def test_every_prefix_of_a_true_trace_is_right_as_far_as_it_goes():
    asked = problem()
    truth = record(as_marked(asked.program)).trace
    text = stripped(CWM.encode(truth), truth.program)
    found, _, told = judged_trace(asked, f"```\n{text}\n```", False, "process")
    assert (found, told["verdict"], told["steps_right"]) == (True, "exact", len(truth.steps))
    half = text[: len(text) // 2]
    found, _, told = judged_trace(asked, f"```\n{half}", True, "process")
    assert (found, told["verdict"], told["cause"]) == (False, "cut", "budget")
    assert 0 < told["steps_right"] < len(truth.steps)
    found, given, told = judged_trace(asked, "no", False, "process")
    assert (found, given, told["verdict"]) == (False, None, "unreadable")
