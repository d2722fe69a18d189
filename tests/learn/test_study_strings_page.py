"""This file is the page of the strings study: every sentence follows from the results it is given."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("tokenizers", reason="no tokenizers: pip install 'worldline[hf]'")

from worldline.learn.studies import study_called
from worldline.learn.studies.grid import Outcome, runs_of
from worldline.learn.studies.strings_scoring import questions, tally
from worldline.report.studies import page_of, write_page
from worldline.report.studies.parts import Made
from worldline.report.studies.strings import (
    LONG,
    broken_told,
    clearly,
    converged_told,
    failures_told,
    late_gain,
    order,
    share,
)

MADE = Made("worldline study strings -o x", 3, 2, 125.0)
LEVELS = {"bytes": 0.6, "subwords": 0.3, "typed": 0.9, "subwords-chars": 0.2, "typed-chars": 0.605}


def result(level, late=0.0):
    """As many right as `level` says, of each kind."""
    asked = questions("test", 10, 2)
    is_right = [(at % 10) / 10 < level for at in range(len(asked))]
    facts = {"parameters": 320_000, "embedding": 10_240, "vocabulary": 128, "iterations": 80, "loss": 0.5}
    facts |= {"cpu_seconds": 61.0, "tokens": 5_000, "characters": 6_000, "questions": 700}
    curve = [[20, 0.1], [40, level - late], [60, level - late], [80, level]]
    return {
        "score": [level, -0.5],
        "curve": curve,
        "facts": facts,
        "test": tally(asked, is_right),
        "trivial": tally(asked, [False] * len(asked)),
    }


def outcomes(levels, spread=0.1):
    """All runs; seeds differ by `spread`, learning rates by little."""
    plan, found = study_called("strings"), []
    for _ in range(2):
        done = {each.run.name for each in found}
        for run in runs_of(plan, 3, found):
            if run.name not in done:
                level = levels[run.arm] + spread * run.seed - run.learning_rate
                found.append(Outcome(run, result(level), 70.0, 66.0, {"torch": "2"}))
    return plan, found


def test_the_page_has_every_part(tmp_path):
    page = page_of(*outcomes(LEVELS, 0.0), MADE)
    for arm in ("bytes", "subwords", "typed", "subwords, equal characters", "typed, equal characters"):
        assert f"| {arm}" in page.text
    for part in ("By operation", "By length", "Where tokens break", "Did it converge", "Learning rates"):
        assert f"## {part}" in page.text
    assert "| bytes | 309,760 | 10,240 | 128 | 80 | 5,000 | 6,000 | 700 |" in page.text
    assert "None" not in page.text
    assert "{" not in page.text
    assert "| reverse+find |" in page.text
    write_page(page, tmp_path / "strings.md")
    assert "](strings-curves.svg)" in (tmp_path / "strings.md").read_text()
    assert (tmp_path / "strings-curves.svg").read_text().startswith("<svg")
    assert (tmp_path / "strings-broken.svg").read_text().startswith("<svg")


def test_who_is_ahead_follows_from_the_seeds():
    page = page_of(*outcomes(LEVELS, 0.0), MADE).text
    assert "Typed is clearly ahead of bytes, bytes is clearly ahead of subwords." in page
    turned = {**LEVELS, "bytes": 0.9, "typed": 0.3, "subwords": 0.6}
    page = page_of(*outcomes(turned, 0.0), MADE).text
    assert "Bytes is clearly ahead of subwords, subwords is clearly ahead of typed." in page
    page = page_of(*outcomes({**LEVELS, "typed": 0.7}, 0.1), MADE).text
    assert "Between typed and bytes it is open" in page


@given(
    one=st.lists(st.floats(0, 1), min_size=1, max_size=4),
    other=st.lists(st.floats(0, 1), min_size=1, max_size=4),
)
def test_clearly_ahead_is_never_both_ways(one, other):
    assert not (clearly(one, other) and clearly(other, one))
    assert not clearly(one, one)
    ranked = ["a", "b"]
    assert ("open" in order(ranked, {"a": one, "b": other})) == (not clearly(one, other))


def with_values(strings, integers):
    return {"test": {"value": {"str": strings, "int": integers}}}


def test_the_share_of_strings_among_failures_is_told():
    told = failures_told({"bytes": [with_values([20, 60], [30, 40])]})
    assert "0.800 of the failures are strings, more often than their share (0.600)" in told
    told = failures_told({"bytes": [with_values([50, 60], [10, 40])]})
    assert "0.250 of the failures are strings, less often" in told
    told = failures_told({"bytes": [with_values([50, 60], [10, 40]), with_values([20, 60], [30, 40])]})
    assert "within the seeds" in told
    assert "no failures" in failures_told({"bytes": [with_values([60, 60], [40, 40])]})


def broken(none, many):
    counts = {
        f"{LONG} 0": [none, 100],
        f"{LONG} 1": [0, 5],
        f"{LONG} 2": [many, 50],
        f"{LONG} 4+": [many, 50],
    }
    return {"test": {"broken_by_length": counts}}


@pytest.mark.parametrize(
    ("subwords", "plain", "words"),
    [
        ((90, 10), (90, 40), "cost subwords more than"),
        ((90, 40), (90, 10), "cost bytes more than subwords"),
        ((90, 20), (90, 20), "does not decide"),
    ],
)
def test_what_new_boundaries_cost_is_compared_on_the_same_questions(subwords, plain, words):
    found = {"bytes": [broken(*plain)], "subwords": [broken(*subwords)], "typed": [broken(90, 45)]}
    told = broken_told(found)
    assert words in told.partition("So ")[2]
    assert f"subwords {subwords[0] / 100 - subwords[1] / 50:.3f}" in told
    assert "typed 0.000" in told


def test_convergence_is_the_gain_of_the_last_quarter():
    assert late_gain([[20, 0.1], [40, 0.5], [60, 0.7], [80, 0.75]]) == pytest.approx(0.05)
    assert late_gain([[1, 0.3]]) == 0.3
    told = converged_told({"bytes": [result(0.8, 0.01)], "typed": [result(0.8, 0.01), result(0.8, 0.05)]})
    assert "- bytes: +0.010, converged." in told
    assert "- typed: +0.030 (+0.010..+0.050), not converged." in told
    assert "no more than a guess" in converged_told({"bytes": [result(0.0)]})


def test_a_run_that_diverged_is_left_out_and_no_error():
    plan, found = outcomes(LEVELS, 0.0)
    lost = [Outcome(each.run, None, 1.0, 1.0, {}) if each.run.arm == "typed" else each for each in found]
    assert "typed none" in page_of(plan, lost, MADE).text


def test_a_group_that_nobody_was_asked_has_no_share():
    assert share(result(0.5), "length", ["99-100"]) is None
