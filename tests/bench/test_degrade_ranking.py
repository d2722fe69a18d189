"""This file is what holds rankings, mutants and the counting of records."""

import ast
from collections import Counter
from math import isclose, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldline.bench.degrade import TASKS, Degraded, curves
from worldline.bench.degrade.mutants import mutants
from worldline.bench.degrade.ranking import best_is_right, tau_b

SCORES = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=9)


def by_definition(first, second):
    """Concordant less discordant pairs over sqrt((n0-n1)(n0-n2)), with ties counted by their groups."""
    n = len(first)
    pairs = [(i, j) for i in range(n) for j in range(i)]
    products = [(first[i] - first[j]) * (second[i] - second[j]) for i, j in pairs]
    tied = [sum(t * (t - 1) // 2 for t in Counter(each).values()) for each in (first, second)]
    below = (n * (n - 1) // 2 - tied[0]) * (n * (n - 1) // 2 - tied[1])
    return (sum(p > 0 for p in products) - sum(p < 0 for p in products)) / sqrt(below) if below else None


@given(SCORES)
def test_tau_is_as_defined(pairs):
    first, second = zip(*pairs, strict=True)
    found = tau_b(first, second)
    assert found == by_definition(first, second)
    assert found == tau_b(second, first)
    if found is None:
        assert len(set(first)) == 1 or len(set(second)) == 1
    else:
        assert -1 - 1e-12 <= found <= 1 + 1e-12
        assert isclose(tau_b(first, [-one for one in second]), -found)
        assert isclose(tau_b(first, first), 1.0)


def test_a_known_tau():
    assert isclose(tau_b([1, 2, 3, 4], [1, 2, 4, 3]), 4 / 6)
    assert isclose(tau_b([1, 1, 2, 3], [1, 2, 2, 3]), 4 / 5)


def test_ties_at_the_top_are_shared():
    assert best_is_right([0.5, 1.0, 1.0], [False, True, False]) == 0.5
    assert best_is_right([1.0, 0.5], [True, False]) == 1.0


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_mutants_are_other_programs(task):
    found = mutants(task.source, 100, 0)
    assert len(found) >= 3
    assert len({ast.dump(ast.parse(source)) for source, _ in found}) == len(found)
    assert ast.dump(ast.parse(task.source)) not in {ast.dump(ast.parse(source)) for source, _ in found}
    assert found == mutants(task.source, 100, 0)
    assert mutants(task.source, 2, 0) == found[:2]
    assert all(change for _, change in found)


def test_every_task_is_ours_to_run():
    assert len({task.name for task in TASKS}) == len(TASKS) == 20
    for task in TASKS:
        assert len(set(task.calls)) == 6
        assert 5 <= len(task.source.splitlines()) <= 15


def test_records_are_counted():
    def one(candidate, is_hit, right, hits, errors, call="f(1)"):
        return Degraded(
            "t",
            candidate,
            "",
            call,
            "state",
            0.5,
            2,
            "1",
            is_hit,
            right,
            hits,
            errors,
            {"steps": right.count(False)},
        )

    records = [
        one(0, True, (True, False), (True, False), (1, 2)),
        one(0, True, (True, True), (True, True), (0, 0), "f(2)"),
        one(1, False, (True, True), (False, True), (0, 0)),
        one(1, True, (True, True), (True, True), (0, 0), "f(2)"),
    ]
    (curve,) = curves(records)
    assert (curve.problems, curve.runs, curve.right, curve.unanswered) == (2, 4, 3, 1)
    assert curve.untouched == 0.25
    assert (curve.erring, curve.absorbed) == (2, 0.5)
    # seed 0: 1.0 and 0.5, as it is; seed 1: 0.5 and 1.0, the other way round
    assert (curve.tasks, curve.tau, curve.best) == (1, 0.0, 0.5)
