"""Calibration: the laws of its numbers, and that knowing when one is wrong is worth something."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from recorded_programs import SOURCES, recorded
from worldline.diagnose.calibration import calibration, outcomes
from worldline.models.faulty import faulty
from worldline.rollout.options import RolloutOptions
from worldline.rollout.rollout import predict

pairs = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=60)


@given(pairs)
def test_bins_hold_every_pair_once_and_numbers_are_shares(found):
    told = calibration(found)
    assert told.count == sum(each.count for each in told.bins) == len(found)
    assert 0 <= told.error <= 1
    assert 0 <= told.brier <= 1
    for each in told.bins:
        assert each.low - 1e-9 <= each.sure <= each.high + 1e-9
        assert 0 <= each.right <= 1


def test_perfect_and_perfectly_wrong():
    assert calibration([(1.0, True), (0.0, False)]).brier == 0
    assert calibration([(1.0, True), (0.0, False)]).error == 0
    assert calibration([(1.0, False), (0.0, True)]).brier == 1
    assert calibration([]).count == 0


def test_a_coin_is_calibrated_and_useless():
    dice = Random(1)
    told = calibration([(0.5, dice.random() < 0.5) for _ in range(20_000)])
    assert told.error < 0.02
    assert abs(told.brier - 0.25) < 0.001


def test_doubt_where_it_is_wrong_lowers_the_brier_score():
    scores = []
    for blur in (0, 1):
        found = []
        for name in SOURCES:
            model = faulty(f"missing=0.2,extra=0.2,blur={blur},seed=4")
            options = RolloutOptions(context="state", max_tokens=10**9)
            found += outcomes(predict(recorded(name).program, model, options), recorded(name))
        scores.append(calibration(found).brier)
    assert scores[1] < scores[0]
