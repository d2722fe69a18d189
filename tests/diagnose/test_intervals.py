from hypothesis import assume, given, settings
from hypothesis import strategies as st

from worldline.diagnose.intervals import Interval, Ratio, bootstrap, bootstraps, total, wilson

shares = st.integers(1, 400).flatmap(lambda whole: st.integers(0, whole).map(lambda part: Ratio(part, whole)))
FEW = 100  # resamples


@given(shares)
def test_wilson_holds_the_share_within_0_and_1(share):
    found = wilson(share)
    assert 0 <= found.low <= share.value <= found.high <= 1
    assert found.low < found.high


@given(shares, st.integers(2, 50))
def test_wilson_shrinks_with_the_number_of_cases(share, more):
    wide, narrow = wilson(share), wilson(Ratio(share.part * more, share.whole * more))
    assert narrow.high - narrow.low < wide.high - wide.low


@given(shares, st.floats(0.5, 0.9))
def test_less_confidence_is_narrower(share, confidence):
    wide, narrow = wilson(share), wilson(share, confidence)
    assert narrow.high - narrow.low < wide.high - wide.low


def test_wilson_is_the_textbooks():
    """Newcombe (1998), table I: 81 of 263 gives 0.2553 to 0.3662, 0 of 20 gives 0 to 0.1611."""
    found = wilson(Ratio(81, 263))
    assert (round(found.low, 4), round(found.high, 4)) == (0.2553, 0.3662)
    assert round(wilson(Ratio(0, 20)).high, 4) == 0.1611


def test_no_case_no_interval():
    assert wilson(Ratio(0, 0)) is None
    assert Ratio(0, 0).value is None
    assert bootstrap([]) is None
    assert bootstrap([Ratio(3, 4)]) is None
    assert bootstrap([Ratio(3, 4), Ratio(0, 0)]) is None


@settings(deadline=None)
@given(st.lists(shares | st.just(Ratio(0, 0)), max_size=12))
def test_bootstrap_holds_the_share_within_0_and_1(clusters):
    found = bootstrap(clusters, resamples=FEW)
    assert (found is None) == (sum(bool(each.whole) for each in clusters) < 2)
    if found:
        assert 0 <= found.low <= total(clusters).value <= found.high <= 1


@settings(deadline=None)
@given(st.lists(shares, min_size=2, max_size=10), st.integers(0, 5))
def test_bootstrap_is_the_same_again_and_for_each_column(clusters, seed):
    one = bootstrap(clusters, resamples=FEW, seed=seed)
    doubled = [Ratio(2 * each.part, 2 * each.whole) for each in clusters]
    both = bootstraps({"a": clusters, "b": doubled}, resamples=FEW, seed=seed)
    assert both == {"a": one, "b": one}


@settings(deadline=None, max_examples=30)
@given(st.lists(shares, min_size=3, max_size=6))
def test_bootstrap_shrinks_with_the_number_of_clusters(clusters):
    assume(len({each.value for each in clusters}) > 1)
    wide, narrow = bootstrap(clusters), bootstrap(clusters * 25, resamples=400)
    assert narrow.high - narrow.low < wide.high - wide.low


def test_frames_of_one_trace_do_not_count_as_independent():
    """Ten traces, each all right or all wrong: as uncertain as ten cases, not as a thousand."""
    clusters = [Ratio(100, 100)] * 5 + [Ratio(0, 100)] * 5
    by_trace, by_frame = bootstrap(clusters), wilson(total(clusters))
    assert by_trace.high - by_trace.low > 5 * (by_frame.high - by_frame.low)


def test_a_share_without_spread_still_has_an_interval():
    assert bootstrap([Ratio(50, 50)] * 10) == wilson(Ratio(10, 10))
    assert bootstrap([Ratio(0, 50)] * 10) == wilson(Ratio(0, 10))


def test_a_mean_may_be_above_1():
    found = bootstrap([Ratio(30, 3), Ratio(40, 2)])
    assert isinstance(found, Interval)
    assert (found.low, found.high) == (10, 20)


@given(st.lists(shares))
def test_a_total_is_the_sum(ratios):
    summed = Ratio(0, 0)
    for ratio in ratios:
        summed += ratio
    assert total(ratios) == summed
