"""This file is the laws of being held to choices, without a network."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldline.models.hf_choices import chosen, paths, tree
from worldline.models.model import Ask

CHOICES = st.lists(st.text("ab<", max_size=4), min_size=1, max_size=6).map(tuple)
STOPS = st.sampled_from([(), ("|",), ("|", "\n"), ("|", "|x")])


def encode(text):
    return [ord(letter) for letter in text]


def walked(root, temperature, seed):
    source = random.Random(seed)
    node, ids = root, []
    while node.children:
        weights = [source.random() for _ in node.children]
        logprobs = [math.log(weight / (1 + sum(weights))) for weight in weights]
        number = chosen(node, logprobs, temperature, source.random())
        if number is None:
            break
        ids.append(number)
        node = node.children[number]
    return node.path, tuple(ids)


@given(choices=CHOICES, stops=STOPS, temperature=st.sampled_from([0.0, 0.5, 2.0]), seed=st.integers(0, 50))
def test_every_walk_ends_at_a_choice(choices, stops, temperature, seed):
    path, ids = walked(tree(paths(Ask("", stops, choices=choices), encode)), temperature, seed)
    assert path.choice in choices
    assert path.stop in (stops or ("",))
    assert ids == tuple(encode(path.choice + path.stop))


@given(choices=CHOICES, stops=STOPS)
def test_every_choice_can_be_reached(choices, stops):
    root = tree(paths(Ask("", stops, choices=choices), encode))
    for choice in choices:
        node = root
        for number in encode(choice + "".join(stops[:1])):
            node = node.children[number]
        assert node.path.choice == choice


def test_a_stop_that_begins_with_another_never_comes():
    assert {path.stop for path in paths(Ask("", ("|", "|x"), choices=("a",)), encode)} == {"|"}


@pytest.mark.parametrize(("goes_on", "expected"), [(0.3, None), (0.7, ord("b"))])
def test_where_a_text_may_end_or_go_on_the_likelier_is_taken(goes_on, expected):
    root = tree(paths(Ask("", choices=("a", "ab")), encode))
    assert chosen(root.children[ord("a")], [math.log(goes_on)], 0.0, 0.0) == expected


@given(uniform=st.floats(0, 1, exclude_max=True), share=st.floats(0.05, 0.95))
def test_a_random_number_below_the_share_takes_the_first(uniform, share):
    root = tree(paths(Ask("", choices=("a", "b")), encode))
    logprobs = [math.log(share / 4), math.log((1 - share) / 4)]  # three quarters went to what is ruled out
    if abs(uniform - share) > 1e-9:
        assert chosen(root, logprobs, 1.0, uniform) == ord("a" if uniform < share else "b")
