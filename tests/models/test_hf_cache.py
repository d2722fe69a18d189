"""This file is the laws of the store of prefixes: the longest is found, and the bound is kept."""

from itertools import takewhile
from operator import eq

from hf_weights import torch
from hypothesis import given
from hypothesis import strategies as st

from worldline.models.hf_cache import PrefixStore, common_length

IDS = st.lists(st.integers(0, 1), min_size=1, max_size=8)
BYTES = 2 * 4  # a key and a value of one float32 each, a token


def pairs(ids):
    """Keys and values that name their row."""
    row = torch.tensor(ids, dtype=torch.float32).reshape(1, -1, 1)
    return [(row, -row)]


@given(one=IDS, other=IDS)
def test_the_common_beginning(one, other):
    assert common_length(one, other) == len(list(takewhile(bool, map(eq, one, other))))


@given(rows=st.lists(IDS, max_size=8), asked=IDS)
def test_the_longest_prefix_is_found_with_its_own_values(rows, asked):
    store = PrefixStore(10**6)
    for row in rows:
        store.put(row, pairs(row))
    found, length = store.longest(asked)
    assert length == max((common_length(row, asked) for row in rows), default=0)
    if length:
        assert found[0][0][0, :length, 0].tolist() == asked[:length]


@given(rows=st.lists(IDS, max_size=12), bound=st.integers(0, 12))
def test_the_bound_is_kept_and_the_last_row_is_there_if_it_fits(rows, bound):
    store = PrefixStore(bound * BYTES)
    for row in rows:
        store.put(row, pairs(row))
        assert store.size <= bound * BYTES
        if len(row) <= bound:
            assert store.longest(row)[1] == len(row)


def test_what_was_used_stays_and_what_was_not_goes():
    store = PrefixStore(4 * BYTES)
    for row in ([0, 0], [1, 1]):
        store.put(row, pairs(row))
    store.longest([0, 0])
    store.put([2, 2], pairs([2, 2]))
    assert [store.longest(row)[1] for row in ([0, 0], [1, 1], [2, 2])] == [2, 0, 2]


def test_a_row_is_kept_as_a_copy():
    store, given_pairs = PrefixStore(10**6), pairs([1, 2, 3])
    store.put([1, 2, 3], given_pairs)
    given_pairs[0][0].zero_()
    assert store.longest([1, 2, 3])[0][0][0].flatten().tolist() == [1, 2, 3]
