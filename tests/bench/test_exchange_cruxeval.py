"""CRUXEval's files: as its own scorer reads and writes them, and what is wrong with a bad one."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.exchange_scores import FACTS, made, run_file
from worldline.bench.exchange.cruxeval_files import generations, read_answers, scored, write
from worldline.bench.exchange.runs import by_problem, read_run
from worldline.errors import UserError

SCORES = [
    made("sample_10", 1, True, "'b'", reference=False),
    made("sample_10", 0, False, None),
    made("sample_2", 0, True, "[1]"),
    made("sample_2", 1, False, "[2]", reference=True),
]


def test_generations_have_a_text_for_each_seed_in_order():
    assert generations(SCORES) == {"sample_2": ["[1]", "[2]"], "sample_10": ["", "'b'"]}
    assert list(generations(SCORES)) == ["sample_2", "sample_10"]


def test_a_scored_file_follows_the_reference_scoring_where_there_is_one():
    told = scored(SCORES)
    assert told["raw_generations"] == generations(SCORES)
    assert told["raw_scored_generations"] == {"sample_2": [True, True], "sample_10": [False, False]}
    assert told["pass_at_1"] == 50.0
    assert "pass_at_5" not in told


@given(st.lists(st.lists(st.booleans(), min_size=5, max_size=10), min_size=1, max_size=6))
def test_percents_are_those_that_the_marks_give(rows):
    scores = [made(f"sample_{n}", s, mark) for n, row in enumerate(rows) for s, mark in enumerate(row)]
    told = scored(scores)
    assert told["raw_scored_generations"] == {f"sample_{n}": row for n, row in enumerate(rows)}
    assert told["pass_at_1"] == pytest.approx(100 * sum(sum(row) / len(row) for row in rows) / len(rows))
    product = []
    for row in rows:
        wrong, n, miss = row.count(False), len(row), 1.0
        for i in range(5):
            miss *= max(wrong - i, 0) / (n - i)
        product.append(1 - miss)
    assert told["pass_at_5"] == pytest.approx(100 * sum(product) / len(rows))


@given(st.dictionaries(st.text(), st.lists(st.text(st.characters(exclude_categories=["Cs"]))), max_size=4))
def test_what_is_written_is_read(tmp_path_factory, answers):
    path = tmp_path_factory.mktemp("x") / "generations.json"
    write(answers, path)
    assert read_answers(path) == answers or "raw_generations" in answers
    write({"raw_generations": answers, "pass_at_1": 3.0}, path)
    assert read_answers(path) == answers


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{\n nope", "line 2 is not JSON"),
        ("[[1]]", "is no object but a list"),
        ('{"sample_0": "x"}', "'sample_0' has no list of answers but a text"),
        ('{"sample_0": ["x", null]}', "answer 1 of 'sample_0' is no text but null"),
        (
            '{"raw_generations": {"a": [3]}}',
            "under 'raw_generations': answer 0 of 'a' is no text but a number",
        ),
        ('{"raw_generations": 3}', "under 'raw_generations' is no object but a number"),
    ],
)
def test_bad_input_is_told_with_its_place(tmp_path, text, what):
    path = tmp_path / "answers.json"
    path.write_text(text)
    with pytest.raises(UserError) as error:
        read_answers(path)
    assert what in error.value.what
    assert str(path) in error.value.what
    assert error.value.hint


def test_a_file_that_is_not_there_or_no_text(tmp_path):
    with pytest.raises(UserError, match="cannot be read"):
        read_answers(tmp_path / "none.json")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserError, match="is not JSON"):
        read_answers(tmp_path / "binary")


def test_a_run_is_read_back_as_it_was_kept(tmp_path):
    run = read_run(run_file(tmp_path / "run.db", SCORES))
    assert sorted(run.scores, key=str) == sorted(SCORES, key=str)
    assert (run.benchmark, run.model) == ("cruxeval", FACTS["setting"]["model"])


def test_one_of_several_modes_must_be_chosen():
    scores = [made("sample_0", 0, True), made("sample_0", 0, False, mode="forced")]
    with pytest.raises(UserError, match="2 modes") as error:
        generations(scores)
    assert "'forced'" in error.value.hint
    assert by_problem(scores, "forced") == {"sample_0": [scores[1]]}
    with pytest.raises(UserError, match="no mode 'other'"):
        scored(scores, "other")


def test_a_run_without_scores_is_refused(tmp_path):
    with pytest.raises(UserError, match=r"nothing in .* is finished"):
        read_run(run_file(tmp_path / "empty.db", []))
    path = run_file(tmp_path / "other.db", [])
    from worldline.work.store import opened

    with opened(path, FACTS) as store:
        store.put("k", json.loads('{"id": "x"}'))
    with pytest.raises(UserError, match=r"'k' of .* is no score"):
        read_run(path)
