"""CRUXEval: two scorings and where they differ, input prediction in words, answers of others, bad files."""

import json
import sys
from pathlib import Path

import pytest

from worldline.bench.answers import answered_items, answers, score_answers
from worldline.bench.cruxeval import (
    CRUXEVAL,
    Settings,
    arguments,
    is_one_call,
    judged,
    output_problem,
    problems,
)
from worldline.bench.model import Item, Mode, Score
from worldline.bench.run import Plan, begun, items_of, problems_of, run, scores_of
from worldline.errors import UserError

sys.path.insert(0, str(Path(__file__).parent.parent / "models"))
from hostile import Hostile, http

ROWS = [
    {"id": "sample_0", "code": "def f(n):\n    return [n] * 2", "input": "3", "output": "[3, 3]"},
    {"id": "sample_1", "code": "def f(s):\n    return s.upper()", "input": "'a'", "output": "'A'"},
    {"id": "sample_3", "code": "def f(s):\n    return s + '('", "input": "'f'", "output": "'f('"},
    {"id": "sample_2", "code": "def f(n):\n    return 1.0 if n else 0", "input": "1", "output": "1"},
]


@pytest.fixture
def rows(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


def plan(rows, model, task="output"):
    return Plan(CRUXEVAL, Settings(str(rows), task), model, engine="here")


def scores(asked, path):
    every = problems_of(asked)
    with begun(asked, every, path, []) as store:
        found = list(run(asked, items_of(asked, every), store))
        assert len(found) == len(scores_of(store))
        return {each.id: each for each in found}


def test_the_oracle_is_right_by_both_scorings(rows, tmp_path):
    found = scores(plan(rows, "oracle"), tmp_path / "run.db")
    assert all(each.is_right and each.is_exact for each in found.values())
    assert [name for name, each in found.items() if not each.is_right_by_reference] == ["sample_3"]
    assert found["sample_1"].labels["type"] == "str"


@pytest.mark.parametrize(
    ("given", "is_right"),
    [("[3, 3]", True), ("[3,  3]", True), ("[3] * 2", True), ("[3, 4]", False), ("f(3)", False), ("", False)],
)
def test_the_reference_runs_an_assertion(given, is_right):
    problem = output_problem(ROWS[0])
    score = Score("sample_0", "free", 0, {}, False, False, given=given or None, isolation="process")
    assert judged(score, problem) is is_right


def test_answers_of_others_are_scored_both_ways(rows, tmp_path):
    """The reference takes `f(` in a text for a call of the function, and refuses it: that is told."""
    path = tmp_path / "generations.json"
    path.write_text(
        json.dumps({"sample_0": ["[3, 3]", "[3] * 2"], "sample_1": ["'a'", "'A'"], "sample_3": ["'f('"]})
    )
    every = problems(Settings(str(rows)), 0)
    items = answered_items(f"answers:{path}", every)
    found = {(each.id, each.seed): each for each in score_answers(items, CRUXEVAL, "process")}
    told = {key: (each.is_right, each.is_right_by_reference) for key, each in found.items()}
    assert told == {
        ("sample_0", 0): (True, True),
        ("sample_0", 1): (True, True),
        ("sample_1", 0): (False, False),
        ("sample_1", 1): (True, True),
        ("sample_2", 0): (False, False),
        ("sample_3", 0): (True, False),
    }
    assert scores(plan(rows, f"answers:{path}"), tmp_path / "run.db").keys() == {row["id"] for row in ROWS}
    path.write_text(json.dumps({"another": ["1"]}))
    answers.cache_clear()
    with pytest.raises(UserError, match="none of its ids"):
        answered_items(f"answers:{path}", every)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f([1], 2)[/ANSWER]", "[1], 2"),
        ("Let me see. [ANSWER]f(3)[/ANSWER] So it is.", "3"),
        ("[ANSWER]\nassert f('a)') == 'A)'\n[/ANSWER]", "'a)'"),
        ("'a'", "'a'"),
        ("`f(x=1)`", "x=1"),
        ("", None),
        ("[ANSWER][/ANSWER]", None),
    ],
)
def test_arguments_are_read_out_of_words(text, expected):
    assert arguments(text) == expected


@pytest.mark.parametrize(
    ("given", "is_one"),
    [
        ("5", True),
        ("", True),
        ("'a)', x=[1]", True),
        ("5) or f(6", False),
        ("5) or True #", False),
        ("(", False),
    ],
)
def test_arguments_are_nothing_but_arguments(given, is_one):
    assert is_one_call(given) is is_one


def test_input_prediction_asks_in_words(rows, tmp_path, monkeypatch):
    """Over a real socket: any input will do that gives the output, and is run to see."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    replies = {
        "[n] * 2": "[ANSWER]f(3)[/ANSWER]",
        "s.upper": "f('A')",
        "1.0 if": "[ANSWER]f(0)[/ANSWER]",
        "s + '(": "f('f')",
    }

    def answer(seen, good):
        if seen.body is None:
            return http(good)
        shown = seen.body["messages"][-1]["content"]
        text = next((said for mark, said in replies.items() if mark in shown), "yes")
        message = {"role": "assistant", "content": text}
        usage = {"prompt_tokens": 9, "completion_tokens": 5}
        return http({"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage})

    with Hostile() as server:
        server.turn(answer)
        found = scores(plan(rows, f"chat:{server.url}", "input"), tmp_path / "run.db")
    assert {name: each.is_right for name, each in found.items()} == {
        "sample_0": True,
        "sample_1": True,
        "sample_2": False,
        "sample_3": True,
    }
    assert found["sample_1"].given == "'A'"
    assert found["sample_0"].spent == 5


def test_models_that_write_traces_only_are_told_so(rows, tmp_path):
    asked = plan(rows, "oracle", "input")
    every = problems_of(asked)
    with begun(asked, every, tmp_path / "run.db", []) as store:
        found = list(run(asked, items_of(asked, every), store))
        assert all("not one of the format cwm" in each.why for each in found)
        assert scores_of(store) == []


@pytest.mark.parametrize(
    "content", ["no json\n", "[1]\n", '{"id": "x", "code": "def f(): pass", "input": ""}\n']
)
def test_bad_files_are_refused_by_line(tmp_path, content):
    path = tmp_path / "rows.jsonl"
    path.write_text(content)
    with pytest.raises(UserError):
        problems(Settings(str(path)), 0)


def test_a_row_that_does_not_parse_is_a_problem_of_its_own(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"id": "x", "code": "def f(:", "input": "1", "output": "1"}) + "\n")
    (problem,) = problems(Settings(str(path)), 0)
    assert problem.program is None
    assert problem.flaw


def test_the_data_is_read_whole(data):
    every = problems(Settings(str(data / "cruxeval.jsonl")), 0)
    assert len(every) == len((data / "cruxeval.jsonl").read_text().splitlines())
    assert all(isinstance(Item(each, Mode(), 0).key, str) and each.program for each in every)
