import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldline.diagnose.labels import AGREEMENTS, LABELS, agreement, confusion
from worldline.diagnose.model import CAUSES

PUBLISHED_BUT_SAYING_NOTHING = {"Other"}
rows = st.lists(
    st.tuples(st.sampled_from(["Truncated", "Other", "Loop/Counter Error"]), st.sampled_from(sorted(CAUSES)))
)


def test_the_reading_knows_only_our_causes():
    for label in LABELS:
        assert label.same <= set(CAUSES)
        assert label.compatible <= set(CAUSES)


@given(rows)
def test_nothing_is_lost_in_the_table(pairs):
    table = confusion(pairs)
    assert table.total == len(pairs)
    assert sum(table.label_totals.values()) == sum(table.cause_totals.values()) == len(pairs)
    assert sum(table.agreements.values()) == len(pairs)
    for label, counts, total in table.rows():
        assert sum(counts) == total == sum(each == label for each, _ in pairs)
    for column, cause in enumerate(table.cause_totals):
        assert sum(counts[column] for _, counts, _ in table.rows()) == table.cause_totals[cause]


def test_the_most_frequent_comes_first():
    table = confusion([("b", "stale"), ("a", "format"), ("a", "stale")])
    assert list(table.label_totals) == ["a", "b"]
    assert list(table.cause_totals) == ["stale", "format"]
    assert table.rows() == [("a", [1, 1], 2), ("b", [1, 0], 1)]


@pytest.mark.parametrize(
    ("label", "cause", "expected"),
    [
        ("Truncated", "budget", "same"),
        ("truncation", "extraction", "contradicts"),
        ("data_bug", "dataset", "same"),
        ("Method Semantics Error", "method-semantics", "same"),
        ("Method Semantics Error", "string-value", "compatible"),
        ("Method Semantics Error", "budget", "contradicts"),
        ("Loop/Counter Error", "lost-iteration", "same"),
        ("discontinuity_bin", "method-semantics", "same"),
        ("recurrence_arithmetic", "arithmetic", "same"),
        ("Other", "stale", "not comparable"),
        ("Other, truncation", "budget", "same"),
        ("string_counting, digit_counting", "arithmetic", "same"),
        ("truncation, arithmetic", "stale", "contradicts"),
    ],
)
def test_agreement(label, cause, expected):
    assert agreement(label, cause) == expected
    assert expected in AGREEMENTS


def test_every_published_label_is_read(data):
    with (data / "cwm32b_failures.jsonl").open() as file:
        labels = {json.loads(line)["paper_cause"] for line in file}
    assert {
        label for label in labels if agreement(label, "stale") == "not comparable"
    } == PUBLISHED_BUT_SAYING_NOTHING
