"""Summaries and comparisons by hand-computed numbers."""

import pytest
from exchange_scores import made

from worldline.bench.compare import compare
from worldline.bench.summary import summary
from worldline.errors import UserError


def test_samples_of_one_problem_are_no_other_problems():
    """Twenty times the same answers are no better evidence than once."""
    once = [made(str(n), 0, n < 4) for n in range(6)]
    often = [made(str(n), seed, n < 4) for n in range(6) for seed in range(20)]
    (one,), (many,) = summary(once).modes, summary(often).modes
    assert one.right.value == many.right.value
    assert many.right.interval.high - many.right.interval.low > 0.4
    better = [made(str(n), seed, n < 5) for n in range(6) for seed in range(20)]
    assert compare({"before": often, "after": better})[1].p == 1.0


def test_problems_of_the_same_id_are_not_the_same():
    other = [made("a", 0, True, asked="another")]
    with pytest.raises(UserError, match="no problem in common"):
        compare({"one": [made("a", 0, True)], "two": other})


def test_flaws_are_told_and_what_has_no_steps_claims_none():
    found = summary([made("a", 0, False, flaw="it is no program", steps=0), made("b", 0, True, steps=0)])
    assert found.modes[0].exact is None
    assert [each.flaw for each in found.flawed] == ["it is no program"]


def scores():
    return [
        made("a", 0, True, labels={"length": 8}, spent=10, steps=4, steps_right=4),
        made(
            "b", 0, False, labels={"length": 8}, spent=30, steps=4, steps_right=1, kind="state", cause="stale"
        ),
        made("c", 0, True, labels={"length": 100}, spent=20, steps=9, steps_right=9, reference=False),
        made("a", 0, False, mode="grounded", labels={"length": 8}, spent=5, steps=4, steps_right=2),
    ]


def test_a_summary_counts_by_mode_and_label():
    found = summary(scores(), ("length",))
    free, grounded = found.modes
    assert (free.mode, free.right.part, free.right.whole, free.spent) == ("free", 2, 3, 20)
    assert free.right.interval.low < 2 / 3 < free.right.interval.high
    assert (grounded.mode, grounded.right.part) == ("grounded", 0)
    assert [(each.labels["length"], each.mode, each.right.whole) for each in found.groups] == [
        (8, "free", 2),
        (8, "grounded", 1),
        (100, "free", 1),
    ]
    assert found.causes["free"] == {"stale": 1}
    assert found.kinds["free"] == {"state": 1}
    assert [each.id for each in found.disagreements] == ["c"]
    assert free.by_reference.whole == 1


def test_pass_at_k_takes_samples_of_a_problem_together():
    several = [made("a", seed, seed < 2) for seed in range(5)] + [made("b", seed, False) for seed in range(5)]
    found = summary(several).pass_at["free"]
    assert found[1] == pytest.approx((2 / 5 + 0) / 2)
    assert found[5] == pytest.approx(1 / 2)
    assert set(found) == {1, 5}


def test_what_a_benchmark_counts_itself_is_added_up():
    some = [
        made("a", 0, True, facts={"state": [1, 4], "halting": "loops", "functions": ["x", "y"]}),
        made("b", 0, True, facts={"state": [3, 4], "halting": "halts"}),
    ]
    found = summary(some).facts["free"]
    assert {name: (share.part, share.whole) for name, share in found.items()} == {
        "state": (4, 8),
        "halting: loops": (1, 2),
        "halting: halts": (1, 2),
    }


def test_runs_are_compared_problem_by_problem():
    before = [made(str(n), 0, n < 3) for n in range(10)]
    after = [made(str(n), 0, n != 0) for n in range(12)]
    first, second = compare({"before": before, "after": after})
    assert (first.right.part, second.right.part, second.right.whole) == (3, 9, 10)
    assert (second.gains, second.losses) == (7, 1)
    assert second.p == pytest.approx(2 * (1 + 8) / 2**8)
    assert second.changed == ("0", "3", "4", "5", "6", "7", "8", "9")
    assert (first.gains, first.losses, first.p) == (0, 0, 1.0)


def test_the_modes_of_one_run_are_sides():
    assert [side.name for side in compare({"run": scores()})] == ["free", "grounded"]
    sides = compare({"run": scores(), "other": [made("a", 0, True)]})
    assert [side.name for side in sides] == ["run (free)", "run (grounded)", "other"]
    assert {side.right.whole for side in sides} == {1}


@pytest.mark.parametrize("runs", [{"one": [made("a", 0, True)], "two": [made("b", 0, True)]}, {"one": []}])
def test_what_cannot_be_compared_is_refused(runs):
    with pytest.raises(UserError):
        compare(runs)
