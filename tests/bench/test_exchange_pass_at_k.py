"""pass@k is the share of the choices of k answers that hold a right one, counted one by one."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldline.bench.exchange.pass_at_k import mean_pass_at_k, pass_at_k


@st.composite
def cases(draw):
    n = draw(st.integers(1, 9))
    return n, draw(st.integers(0, n)), draw(st.integers(1, n))


@given(cases())
def test_it_is_the_share_of_choices_with_a_right_answer(case):
    n, c, k = case
    choices = list(combinations([True] * c + [False] * (n - c), k))
    assert pass_at_k(n, c, k) == sum(map(any, choices)) / len(choices)


@given(st.integers(1, 2000), st.data())
def test_pass_at_1_is_the_mean_and_more_answers_never_make_it_worse(n, data):
    c = data.draw(st.integers(0, n))
    k = data.draw(st.integers(1, n))
    assert pass_at_k(n, c, 1) == c / n
    assert 0.0 <= pass_at_k(n, c, k) <= 1.0
    assert pass_at_k(n, c, k) >= pass_at_k(n, c, 1)
    assert (pass_at_k(n, c, n) == 1.0) == (c > 0)


@given(st.lists(st.integers(0, 10), min_size=1, max_size=20), st.integers(1, 10))
def test_the_mean_is_over_problems(rights, k):
    each = [pass_at_k(10, c, k) for c in rights]
    assert mean_pass_at_k([(10, c) for c in rights], k) == pytest.approx(sum(each) / len(each), rel=1e-12)


@pytest.mark.parametrize(("n", "c", "k"), [(4, 1, 5), (4, 5, 1), (4, -1, 1), (4, 1, 0), (0, 0, 1)])
def test_what_cannot_be_told_is_refused(n, c, k):
    with pytest.raises(ValueError, match="cannot be told"):
        pass_at_k(n, c, k)


def test_no_problem_has_no_mean():
    with pytest.raises(ValueError, match="no problem"):
        mean_pass_at_k([], 1)
