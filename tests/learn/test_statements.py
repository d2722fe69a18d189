"""Random statements: the answers that are learnt are what CPython does, and what is written can be read."""

from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracle import REAL, RESULT, told_by_python

from worldline.learn.data import draws
from worldline.learn.data.containers import holding
from worldline.learn.data.statements import SCALARS, Sample, asked, parsed, retargeted
from worldline.models.embedded.effects import apply
from worldline.models.embedded.objects import Walk
from worldline.models.embedded.prompts import Handles
from worldline.models.embedded.vocabulary import END, TOKENS

SEEDS = st.integers(0, 2**32)


def check(sample: Sample, handles: Handles) -> None:
    question = asked(sample, handles)
    answer = question.right()
    ending, values = told_by_python(sample)
    assert answer[-1] == END
    assert all(0 <= token < len(TOKENS) for token in (*question.prompt, *answer))
    effect = apply(parsed(sample.text), question.read(answer[:-1]), sample.values)
    if isinstance(sample.values.get("xs"), range):  # whether there is a further number
        assert (next(iter(effect.bound.values()), effect.value) is True) == (ending == "done")
        return
    assert effect.is_raised == (ending == "failed")
    assert effect.is_stopped == (ending == "stopped")
    if ending != "done":
        return
    if RESULT in values:
        assert same(effect.value, values.pop(RESULT))
    now = {**sample.values, **effect.bound}
    for name, value in values.items():
        if not (sample.cursor is not None and name == "xs"):
            assert same(now[name], value), name


def same(ours: Any, real: Any) -> bool:
    if isinstance(ours, Walk):
        return type(real).__name__.endswith("iterator")
    if type(ours) in REAL:
        return type(real) is type(REAL[type(ours)])
    if isinstance(real, set | frozenset):
        return type(ours) is type(real) and bool(ours == real)
    is_listed_set = isinstance(real, list | tuple) and sorted(map(repr, ours)) == sorted(map(repr, real))
    return type(ours) is type(real) and (repr(ours) == repr(real) or is_listed_set)


@given(
    st.sampled_from(("x = [{}]", "x = ({},)", "return [{}]", "a = [{}]", "x = {{{}}}", "x = {{a: {}}}")),
    st.lists(st.sampled_from("abc"), min_size=1, max_size=8),
    SEEDS,
)
def test_a_display_that_repeats_names_is_asked_as_one_that_does_not(
    form: str, names: list[str], seed: int
) -> None:
    dice = Random(seed)
    items = ", b: ".join(names) if ":" in form else ", ".join(names)
    sample = Sample(form.format(items), {name: draws.key(dice) for name in "abc"})
    check(sample, Handles(dice))
    _, *told, _ = asked(sample, Handles(dice)).right()  # position, name and value of each item
    if ":" not in form:
        assert len(set(told[1::3])) == len(names)


@pytest.mark.parametrize("family", [family for _, family in SCALARS], ids=lambda family: family.__name__)
@given(seed=SEEDS)
def test_an_answer_is_what_cpython_does(family: Any, seed: int) -> None:
    dice = Random(seed)
    check(retargeted(dice, family(dice)), Handles(dice))


@given(seed=SEEDS, difficulty=st.sampled_from([0.08, 0.3, 1.0]))
def test_an_answer_about_a_container_is_what_cpython_does(seed: int, difficulty: float) -> None:
    dice = Random(seed)
    check(holding(dice, difficulty).sample(dice), Handles(dice))


@given(seed=SEEDS)
@example(seed=87807)  # an index far before the first item of a long list
def test_handles_change_tokens_and_nothing_else(seed: int) -> None:
    """The same sample with other handles is read to the same effect."""
    sample = holding(Random(seed), 0.3).sample(Random(seed))
    read = []
    for dice in (None, Random(seed + 1)):
        question = asked(sample, Handles(dice))
        read.append(repr(question.read(question.right()[:-1])))
    assert read[0] == read[1]


def test_a_wrong_answer_is_read_as_a_wrong_effect() -> None:
    """The reading does not repair what the network says."""
    question = asked(Sample("x = a + b", {"a": 17, "b": 25}), Handles())
    wrong = asked(Sample("x = a + b", {"a": 17, "b": 26}), Handles()).right()
    assert apply(parsed("x = a + b"), question.read(wrong[:-1]), {"a": 17, "b": 25}).bound == {"x": 43}
