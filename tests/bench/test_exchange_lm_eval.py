"""Logs of lm-eval: the fields that its writer has, numbers that the scores give, and answers read back."""

import json
import statistics
from datetime import datetime
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.exchange_scores import FACTS, made
from worldline.bench.exchange.lm_eval_logs import read_answers, write_logs
from worldline.bench.exchange.runs import Run
from worldline.bench.model import Problem
from worldline.errors import UserError
from worldline.record.entry import call_entry
from worldline.trace.model import Program

CODE = "def f(a):\n    return a + '!'\n"
AT = datetime(2026, 11, 16, 13, 5, 7, 250)
SAMPLE_FIELDS = {
    *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
    *("doc_hash", "prompt_hash", "target_hash"),
}
RESULT_FIELDS = {
    *("results", "group_subtasks", "configs", "versions", "n-shot", "higher_is_better", "n-samples"),
    *("config", "git_hash", "date", "task_hashes", "model_source", "model_name", "model_name_sanitized"),
    *("system_instruction", "chat_template", "total_evaluation_time_seconds"),
}


def logged(folder, scores, **more):
    told, lines = write_logs(Run(FACTS, tuple(scores)), folder, at=AT, **more)
    return json.loads(told.read_text()), [json.loads(line) for line in lines.open()], told, lines


def test_the_files_are_where_and_as_lm_eval_has_them(tmp_path):
    scores = [made("sample_0", 0, True, "'x!'", expected="'x!'"), made("sample_1", 0, False, None)]
    problem = Problem("sample_0", Program(CODE, call_entry(CODE, "p.py", "f('x')"), "p.py"))
    told, rows, first, second = logged(tmp_path, scores, problems=[problem])
    folder = tmp_path / "http__host__v1#model=org__tiny"
    assert first == folder / "results_2026-11-16T13-05-07.000250.json"
    assert second == folder / "samples_cruxeval_2026-11-16T13-05-07.000250.jsonl"
    assert set(told) >= RESULT_FIELDS
    assert told["results"]["cruxeval"]["pass@1,none"] == 0.5
    assert told["results"]["cruxeval"]["sample_len"] == 2
    assert [set(row) - set(row["metrics"]) for row in rows] == [SAMPLE_FIELDS] * 2
    assert rows[0]["doc"] | {"labels": None} == {
        **{"id": "sample_0", "output": "'x!'", "labels": None},
        **{"code": CODE, "call": "f('x')"},
    }
    prompt = rows[0]["arguments"]["gen_args_0"]["arg_0"]
    assert CODE.splitlines()[1] in prompt
    assert rows[0]["prompt_hash"] == sha256(prompt.encode()).hexdigest()
    assert [row["filtered_resps"] for row in rows] == [["'x!'"], [""]]
    assert [row["resps"] for row in rows] == [[["'x!'"]], [[""]]]


@given(st.lists(st.lists(st.booleans(), min_size=1, max_size=6), min_size=2, max_size=8))
def test_numbers_are_those_of_the_scores_and_answers_come_back(tmp_path_factory, rows):
    scores = [
        made(f"sample_{n}", s, mark, given=f"{n}{s}")
        for n, row in enumerate(rows)
        for s, mark in enumerate(row)
    ]
    told, _, _, lines = logged(tmp_path_factory.mktemp("x"), scores)
    mine = told["results"]["cruxeval"]
    each = [sum(row) / len(row) for row in rows]
    for metric in ("pass@1", "value_match", "trace_exact"):
        assert mine[f"{metric},none"] == pytest.approx(statistics.mean(each))
        error = statistics.stdev(each) / len(each) ** 0.5
        assert mine[f"{metric}_stderr,none"] == pytest.approx(error, abs=1e-12)
    assert ("pass@5,none" in mine) == (min(map(len, rows)) >= 5)
    wanted = {f"sample_{n}": [f"{n}{s}" for s in range(len(row))] for n, row in enumerate(rows)}
    assert read_answers(lines) == wanted


def test_one_problem_has_no_standard_error(tmp_path):
    told, *_ = logged(tmp_path, [made("a", 0, True)])
    assert told["results"]["cruxeval"]["pass@1_stderr,none"] == "N/A"


def test_both_scorings_are_told_apart(tmp_path):
    told, *_ = logged(tmp_path, [made("a", 0, True, reference=False), made("b", 0, True, is_exact=False)])
    mine = told["results"]["cruxeval"]
    assert (mine["pass@1,none"], mine["value_match,none"], mine["trace_exact,none"]) == (0.5, 1.0, 0.5)


def row(**changed):
    plain = {"doc_id": 3, "doc": {"x": 1}, "resps": [["raw"]], "filtered_resps": ["7"], "filter": "none"}
    return plain | changed


def written(path, *rows):
    path.write_text("".join(json.dumps(each) + "\n" for each in rows))
    return path


def test_answers_of_lm_evals_own_tasks(tmp_path):
    """Its CRUXEval tasks filter an answer into a program, in which a text has lost its quotes."""
    responses = [
        "assert f('x') == 'x!'",
        " f('x') == 'x?'\n",
        "Step by step: [ANSWER]\n'y'\n[/ANSWER]",
        "no idea",
    ]
    built = [f"{CODE}\nassert f('x')==x!" for _ in responses]
    doc = {"id": "sample_4", "code": CODE, "input": "'x'"}
    line = row(doc=doc, resps=[responses], filtered_resps=[built], filter="create_test")
    path = written(tmp_path / "samples_x_1.jsonl", line)
    assert read_answers(path)["sample_4"][:3] == ["'x!'", "'x?'", "'y'"]


def test_the_id_is_the_number_where_the_document_has_none(tmp_path):
    path = written(tmp_path / "samples_x_1.jsonl", row(), row(doc_id=4, filtered_resps=[["1", "2"]]))
    assert read_answers(path) == {"3": ["7"], "4": ["1", "2"]}


def test_a_filter_is_chosen(tmp_path):
    path = written(tmp_path / "samples_x_1.jsonl", row(), row(filter="strict", filtered_resps=["8"]))
    assert read_answers(path, "strict") == {"3": ["8"]}
    with pytest.raises(UserError, match="2 filters"):
        read_answers(path)
    with pytest.raises(UserError, match="no line of the filter"):
        read_answers(path, "other")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"doc_id": 1}\n\nnope\n', "line 3 is not JSON"),
        ("[1]\n", "line 1 is no object"),
        (json.dumps(row(doc_id=None)), "neither doc"),
        (json.dumps(row(filtered_resps=[["-1", "True"], ["-2", "False"]])), "does not have one request"),
        (json.dumps(row(filtered_resps=[3])), "no text"),
        (json.dumps({"doc_id": 1}), "does not have one request"),
    ],
)
def test_bad_logs_are_told_with_their_place(tmp_path, text, what):
    path = tmp_path / "samples_x_1.jsonl"
    path.write_text(text)
    with pytest.raises(UserError) as error:
        read_answers(path)
    assert what in error.value.what
    assert str(path) in error.value.what
