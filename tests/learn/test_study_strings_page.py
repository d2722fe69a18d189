"""This file is the page of the strings study: every sentence follows from the results it is given."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("tokenizers", reason="no tokenizers: pip install 'worldline[hf]'")

from worldline.learn.studies import study_called
from worldline.learn.studies.grid import Outcome, commands, count, kept, runs_of, seconds_spent
from worldline.learn.studies.strings_scoring import questions, tally
from worldline.report.studies import page_of, write_page
from worldline.report.studies.parts import Made
from worldline.report.studies.strings_told import (
    broken_told,
    clearly,
    converged_told,
    failures_told,
    is_converged,
    late_gain,
    lengths,
    order,
    share,
)

DOCS = Path(__file__).parents[2] / "docs"
MADE = Made("worldline study strings -o x", 3, 2, 125.0)
LEVELS = {
    "bytes": 0.6,
    "subwords": 0.3,
    "typed": 0.9,
    "bare": 0.8,
    "subwords-chars": 0.2,
    "typed-chars": 0.605,
    "subwords-long": 0.5,
    "bytes-long": 0.6,
    "subwords-chars-long": 0.2,
    "subwords-chars-longest": 0.2,
}


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
    assert (tmp_path / "strings-length.svg").read_text().startswith("<svg")
    assert "| replace 1-2 |" in page.text
    assert "one seed: typed 0.900, bare 0.800, bytes 0.600." in page.text


def test_who_is_ahead_follows_from_the_seeds():
    page = page_of(*outcomes(LEVELS, 0.0), MADE).text
    assert "Typed is clearly ahead of bytes, bytes is clearly ahead of subwords" in page
    turned = {**LEVELS, "bytes": 0.9, "typed": 0.3, "subwords": 0.6}
    page = page_of(*outcomes(turned, 0.0), MADE).text
    assert "Bytes is clearly ahead of subwords, subwords is clearly ahead of typed." in page
    page = page_of(*outcomes({**LEVELS, "typed": 0.7}, 0.1), MADE).text
    assert "Between typed and bytes it is open" in page


def test_the_longest_runs_are_compared_by_themselves():
    told = "**At the end of the longest runs with the rows of equal steps** the shares of right answers are: "
    ended = {**LEVELS, "subwords": 0.5}
    page = page_of(*outcomes(ended, 0.0), MADE).text
    after = " after 80 iterations and 700 questions"
    first = f"typed 0.900{after}, bytes 0.600{after}, subwords 0.500{after}. Typed is clearly ahead of bytes"
    assert told + first in page
    longer = "subwords for 28,000 iterations, bytes for 28,000 iterations, subwords at equal characters for"
    assert f"{longer} 28,000 and 56,000 iterations,\n" in page
    assert "more, the end of the longest runs with the rows of equal steps: bytes are ahead" in page
    assert "with the rows of equal characters** the shares of right answers are: typed 0.7" in page
    turned = {**LEVELS, "bytes": 1.01, "bytes-long": 1.01, "subwords": 0.95, "subwords-long": 0.95}
    page = page_of(*outcomes(turned, 0.0), MADE).text
    last = f"bytes 1.000{after}, subwords 1.000{after}, typed 0.900{after}. Between bytes and subwords"
    assert told + last in page
    page = page_of(*outcomes(LEVELS, 0.0), MADE).text
    left = (
        f"typed 0.900{after}, bytes 0.600{after}. Typed is clearly ahead of bytes. Not converged: subwords, "
    )
    assert told + left + "4 times as long; left out here." in page
    assert "more, the end of the longest runs with the rows of equal steps" not in page
    assert "more, the end of the longest runs with the rows of equal characters" in page
    plan, found = outcomes(LEVELS, 0.0)
    levels = dict.fromkeys(("bytes", "subwords"), 0.2)
    late = [Outcome(each.run, result(levels.get(each.run.arm, 0.5), 0.1), 1.0, 1.0, {}) for each in found]
    assert told + "none. Not converged: bytes, 4 times" in page_of(plan, late, MADE).text


def test_what_follows_from_neighbours_is_not_told_twice():
    scores = {"a": [0.9], "b": [0.9], "c": [0.5], "d": [0.1]}
    told = order("abcd", scores)
    assert told == "Between a and b it is open, a is clearly ahead of c, a is clearly ahead of d, " + (
        "b is clearly ahead of c, c is clearly ahead of d."
    )
    assert order("b", scores) == order("", scores) == ""
    assert order("bcd", scores) == "B is clearly ahead of c, c is clearly ahead of d."


def test_arms_that_have_not_converged_are_named_where_they_are_compared():
    ended = {**LEVELS, "subwords-long": LEVELS["subwords"]}
    plan, found = outcomes(ended, 0.0)
    assert "Not converged" not in page_of(plan, found, MADE).text
    late = [
        Outcome(each.run, result(0.5, 0.1), 1.0, 1.0, {}) if each.run.arm == "typed" else each
        for each in found
    ]
    assert "Not converged: typed; with them it is a matter of speed." in page_of(plan, late, MADE).text
    text = page_of(*outcomes({**ended, "subwords-long": 0.5}, 0.0), MADE).text
    assert "Not converged: subwords; with them it is a matter of speed." in text


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


def broken(few, many):
    counts = {"0": [few, 50], "1": [few, 50], "2": [0, 5], "3": [many, 50], "4+": [many, 50]}
    return {"test": {"broken_long": counts}}


@pytest.mark.parametrize(
    ("subwords", "plain", "words"),
    [
        ((40, 20), (45, 40), "cost subwords more than"),
        ((25, 35), (45, 40), "the difference shrinks"),
        ((30, 30), (40, 40), "does not decide"),
        ((10, 5), (40, 20), "says little"),
        ((40, 20), (50, 45), "says little"),
        ((42, 40), (40, 25), "subwords are ahead of bytes"),
    ],
)
def test_what_other_subwords_cost_is_compared_on_the_same_questions(subwords, plain, words):
    found = {"bytes": [broken(*plain)], "subwords": [broken(*subwords)]}
    told = broken_told(found, "equal steps", ("bytes", "subwords"))
    assert words in told
    few, many = ((one - other) / 50 for one, other in zip(plain, subwords, strict=True))
    assert f"by {few:.3f} where at most 1 token is other, and by {many:.3f} where 3 or more are" in told


def test_convergence_is_the_gain_of_the_last_quarter():
    assert late_gain([[20, 0.1], [40, 0.5], [60, 0.7], [80, 0.75]]) == pytest.approx(0.05)
    assert late_gain([[1, 0.3]]) == 0.3
    told = converged_told({"bytes": [result(0.8, 0.01)], "typed": [result(0.8, 0.01), result(0.8, 0.05)]})
    assert "- bytes: +0.010 to 0.800: converged." in told
    assert "- typed: +0.030 (+0.010..+0.050) to 0.800: not converged." in told
    assert "no more than a guess" in converged_told({"bytes": [result(0.0)]})


def test_where_there_are_longer_runs_convergence_is_what_further_iterations_add():
    found = {"subwords": [result(0.6, 0.1)] * 2, "subwords-long": [result(0.6, 0.1), result(0.7, 0.2)]}
    told = converged_told(found)
    assert "- subwords: +0.100 to 0.600: not converged." in told
    assert "; +0.025 by each doubling: not converged." in told.partition("4 times as long")[2]
    found["subwords-long"] = [result(0.6, 0.1)] * 2
    assert "; +0.000 by each doubling: converged." in converged_told(found)
    assert is_converged(found, "subwords")
    assert not is_converged({**found, "subwords-long": []}, "subwords")


def test_a_longer_run_has_converged_where_the_shorter_one_still_has_not():
    """It gains 0.033 by two doublings: less than 0.02 by each."""
    found = {"bytes": [result(0.6)] * 3, "bytes-long": [result(0.6), result(0.6), result(0.7)]}
    assert is_converged(found, "bytes-long")
    assert not is_converged(found, "bytes")


LONGER_RUNS = ("subwords-chars", "subwords-chars-long", "subwords-chars-longest")


@pytest.mark.parametrize("arm", LONGER_RUNS)
def test_the_lengths_of_an_arm_are_the_same_whichever_is_asked_about(arm):
    assert lengths(arm) == [*LONGER_RUNS]
    assert lengths("typed") == ["typed"]


def test_the_last_of_three_lengths_is_held_against_the_one_before_it():
    """The first gap (0.2 by two doublings) does not count for the longest; the last one does for all."""
    levels = dict(zip(LONGER_RUNS, (0.4, 0.6, 0.6), strict=True))
    found = {arm: [result(level)] for arm, level in levels.items()}
    assert [is_converged(found, arm) for arm in LONGER_RUNS] == [False, True, True]
    told = converged_told(found).splitlines()
    assert "8 times as long: +0.000 to 0.600; +0.000 by each doubling: converged." in told[-1]
    assert "4 times as long: +0.000 to 0.600; +0.100 by each doubling: converged." in told[-2]
    found["subwords-chars-longest"] = [result(0.7)]
    assert [is_converged(found, arm) for arm in LONGER_RUNS] == [False, False, False]
    assert "8 times as long: +0.000 to 0.700; +0.100 by each doubling: not converged." in converged_told(
        found
    )
    del found["subwords-chars-longest"]
    assert not is_converged(found, "subwords-chars-long")
    found["subwords-chars-longest"], found["subwords-chars-long"] = [result(0.4)], []
    assert [is_converged(found, arm) for arm in LONGER_RUNS] == [True, False, True]


def test_a_run_that_diverged_is_left_out_and_no_error():
    plan, found = outcomes(LEVELS, 0.0)
    lost = [Outcome(each.run, None, 1.0, 1.0, {}) if each.run.arm == "typed" else each for each in found]
    assert "typed none" in page_of(plan, lost, MADE).text


def test_an_arm_that_has_lost_a_seed_is_ahead_of_nobody():
    plan, found = outcomes(LEVELS, 0.0)
    page = page_of(plan, found, MADE).text
    assert "Typed is clearly ahead of bytes, bytes is clearly ahead of subwords" in page
    assert "Diverged" not in page
    lost = [
        replace(each, result=None) if each.run.arm == "bytes" and each.run.seed == 2 else each
        for each in found
    ]
    page = page_of(plan, lost, MADE).text
    assert "**Diverged** (the loss was no longer a number): bytes-lr0.0015-seed2. " in page
    told = (
        "Between typed and bytes it is open, typed is clearly ahead of subwords, between bytes and subwords"
    )
    assert told in page
    assert "| bytes | 320,000 | 0.0015 | 0, 1, 2 (diverged) |" in page


def test_a_group_that_nobody_was_asked_has_no_share():
    assert share(result(0.5), "length", ["99-100"]) is None


def test_the_page_of_the_docs_says_what_the_results_beside_it_give(tmp_path):
    folder, page = DOCS / "studies" / "strings", DOCS / "explanation" / "strings.md"
    plan = study_called("strings")
    done = kept(plan, folder, 3)
    assert len(done) == count(plan, 3)
    told = commands(folder)
    made = Made(told[0]["command"], 3, 2, seconds_spent(folder, "strings", is_quick=False))
    write_page(page_of(plan, done, made), tmp_path / page.name)
    for written in tmp_path.iterdir():
        assert written.read_text(encoding="utf-8") == page.with_name(written.name).read_text(encoding="utf-8")
