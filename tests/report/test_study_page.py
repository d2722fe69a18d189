"""The pages of studies: the sentences follow from the outcomes, and the plots are there."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldline.learn.studies import STUDIES, study_called
from worldline.learn.studies.grid import Outcome, runs_of
from worldline.learn.studies.reveals import GROUPS, LENGTHS, NETWORKS, SPACINGS, UNSEEN
from worldline.report.studies import PAGES, Made, page_of, write_page
from worldline.report.studies.parts import edge_note, spread, sweep_table, table
from worldline.report.studies.reveals import FAILS, HOLDS, LABELS, OPEN, verdict

MADE = Made("worldline study reveals -o x", 3, 2, 125.0)
PUBLISHED = {
    "transformer": 0.1,
    "deltanet-positive": 0.4,
    "hybrid": 0.85,
    "deltanet": 0.9,
    "deltaproduct": 0.95,
}
VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=4)


def outcome(run, right, score=None):
    cells = [
        {"spacing": k, "length": length, "right": right, "loss": 1.0, "states": 7}
        for k in (*SPACINGS, UNSEEN)
        for length in LENGTHS
    ]
    facts = {"parameters": 100_052, "iterations": 8, "loss": 0.5, "cpu_seconds": 61.0}
    best = run.learning_rate == (2e-3 if "transformer" in run.arm else 4e-3)
    result = {"score": score or [0.5 + 0.25 * best, -1.0], "facts": facts, "test": cells}
    return Outcome(run, result, 70.0, 66.0, {"torch": "2"})


def outcomes_of(level, spread=0.01):
    """All runs of the study; `level` by network, a little more for each seed."""
    plan = study_called("reveals")
    found = []
    for _ in range(2):
        done = {each.run.name for each in found}
        found += [
            outcome(run, level[run.arm.partition("-")[2]] + spread * run.seed)
            for run in runs_of(plan, 3, found)
            if run.name not in done
        ]
    return plan, found


def verdicts(text, group):
    part = text.partition(f"**{group}:")[2].partition("**S5:")[0].partition("*Above*")[0]
    return re.findall(
        r"^\| (.*?) \| (?:ours|arXiv [0-9.]+) \| (holds|is reversed|is open) \|$", part, re.MULTILINE
    )


def test_every_study_has_a_page():
    assert PAGES.keys() == STUDIES.keys()


def test_the_published_order_is_recognised():
    plan, found = outcomes_of(PUBLISHED)
    text = page_of(plan, found, MADE).text
    for group in GROUPS:
        assert f"**{group}: the published order holds.**" in text
        assert [each for _, each in verdicts(text, group)] == [HOLDS] * 6
    assert "DeltaNet [-1,1] 0.910 (0.900..0.920), hybrid 0.860" in text
    assert "| Transformer | 0.110 (0.100..0.120) | " in text


def test_another_order_is_told_relation_by_relation():
    level = {
        **PUBLISHED,
        "transformer": 0.6,
        "hybrid": 0.95,
        "deltaproduct": 0.895,
        "deltanet-positive": 0.88,
    }
    text = page_of(*outcomes_of(level), MADE).text
    for group in GROUPS:
        assert f"**{group}: the published order does not hold in full.**" in text
        found = dict(verdicts(text, group))
        assert found == {
            "DeltaNet [-1,1] above DeltaNet [0,1]": OPEN,
            "DeltaNet [-1,1] above Transformer": HOLDS,
            "DeltaProduct at least DeltaNet [-1,1]": OPEN,
            "DeltaNet [-1,1] at least hybrid": FAILS,
            "hybrid above DeltaNet [0,1]": HOLDS,
            "DeltaNet [0,1] above Transformer": HOLDS,
        }


def test_what_we_expected_besides_is_not_the_published_order():
    level = {**PUBLISHED, "hybrid": 0.01, "deltanet-positive": 0.05}
    text = page_of(*outcomes_of(level), MADE).text
    for group in GROUPS:
        assert f"**{group}: the published order holds.**" in text
        failed = {relation for relation, each in verdicts(text, group) if each == FAILS}
        assert failed == {"hybrid above DeltaNet [0,1]", "DeltaNet [0,1] above Transformer"}


def test_a_network_that_diverged_everywhere_leaves_the_order_open():
    plan, found = outcomes_of(PUBLISHED)
    found = [replace(each, result=None) if each.run.arm == "S3-hybrid" else each for each in found]
    rate = min(plan.rates["S3-hybrid"])
    found = [each for each in found if each.run.arm != "S3-hybrid" or each.run.seed == 0]
    page = page_of(plan, found, MADE)
    assert ("hybrid above DeltaNet [0,1]", OPEN) in verdicts(page.text, "S3")
    assert "| S3-hybrid |  | **diverged** | diverged |" in page.text
    assert f"| S3-hybrid |  | {rate:g} | 0 (diverged) | none |" in page.text


def test_a_network_that_has_lost_a_seed_leaves_the_order_open():
    plan, found = outcomes_of(PUBLISHED)
    lost = ("S5-deltanet", 1)
    found = [replace(each, result=None) if (each.run.arm, each.run.seed) == lost else each for each in found]
    text = page_of(plan, found, MADE).text
    assert "**Diverged** (the loss was no longer a number): S5-deltanet-lr" in text
    assert {each for relation, each in verdicts(text, "S5") if "DeltaNet [-1,1]" in relation} == {OPEN}
    assert "**S3: the published order holds.**" in text


@given(VALUES, VALUES)
def test_a_relation_and_its_opposite_never_both_hold(one, other):
    above, below = verdict(one, "above", other), verdict(other, "above", one)
    assert (above == HOLDS) == (below == FAILS)
    assert (above == HOLDS) == (min(one) > max(other))
    at_least = verdict(one, "at least", other)
    assert at_least == HOLDS or above != HOLDS
    assert (at_least == FAILS) == (above == FAILS)
    assert verdict(one, "at least", one) == HOLDS


def test_the_sweep_and_its_choice_are_shown_and_an_end_of_the_sweep_is_named():
    plan, found = outcomes_of(PUBLISHED)
    assert "| S5-hybrid |  | 0.500 | **0.750** | 0.500 |" in sweep_table(plan, found)
    assert edge_note(plan, found).startswith("No arm")
    found = [
        replace(each, result={**each.result, "score": [0.9, 0.0]})
        if each.run.arm == "S5-hybrid" and each.run.learning_rate == 8e-3
        else each
        for each in found
    ]
    assert edge_note(plan, found).endswith("beyond: S5-hybrid.")


def test_the_page_is_written_with_its_plots_beside_it(tmp_path):
    page = page_of(*outcomes_of(PUBLISHED), MADE)
    write_page(page, tmp_path / "sparse.md")
    text = (tmp_path / "sparse.md").read_text()
    named = re.findall(r"!\[[^]]*\]\(([^)]*)\)", text)
    assert sorted(named) == sorted(path.name for path in tmp_path.glob("*.svg"))
    assert len(named) == 4
    drawn = (tmp_path / "sparse-spacing-s5.svg").read_text()
    assert all(label in drawn for label in LABELS.values())
    assert "Made by `worldline study reveals -o x`: 52 runs, 2 minutes with 2 at once, 57 minutes" in text
    assert text.count("| 100,052 | 0.002 | 0, 1, 2 | 61 |") == len(GROUPS)
    assert text.count("| 100,052 | 0.004 | 0, 1, 2 | 61 |") == len(GROUPS) * (len(NETWORKS) - 1)


@given(VALUES)
def test_a_spread_is_the_mean_between_its_ends(values):
    found = [float(each) for each in re.findall(r"\d\.\d+", spread(values, ".9f"))]
    if len(found) == 1:
        assert max(values) - min(values) < 1e-8
    else:
        assert found[1] <= found[0] <= found[2]
        assert found[1:] == pytest.approx([min(values), max(values)], abs=1e-8)


def test_a_table_has_a_row_for_each():
    assert table(["a", "b"], [["1", "2"]]) == "| a | b |\n|---|---|\n| 1 | 2 |"
    assert spread([]) == "none"
