"""How two traces lie side by side: coming back, skipping, making up; and that it stays linear."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorded_programs import SOURCES, recorded
from worldline.diagnose.align import align
from worldline.diagnose.prediction import of_trace
from worldline.trace.model import Ending, Entry, Origin, Program, Step, Trace


def aligned(real, steps):
    return align(real, of_trace(replace(real, steps=tuple(steps))))


def changed(step, **values):
    return replace(step, locals={**step.locals, **values})


@pytest.mark.parametrize("name", SOURCES)
def test_a_trace_lies_on_itself(name):
    real = recorded(name)
    pairs = aligned(real, real.steps).pairs
    assert [(pair.real, pair.predicted, pair.is_right) for pair in pairs] == [
        (index, index, True) for index in range(len(real.steps))
    ]


@given(st.data())
def test_every_step_is_in_exactly_one_pair_and_in_order(data):
    real = recorded(data.draw(st.sampled_from(sorted(SOURCES))))
    indices = data.draw(st.lists(st.integers(0, len(real.steps) - 1), max_size=60))
    pairs = aligned(real, [real.steps[index] for index in indices]).pairs
    assert [pair.real for pair in pairs if pair.real is not None] == list(range(len(real.steps)))
    assert [pair.predicted for pair in pairs if pair.predicted is not None] == list(range(len(indices)))


@given(st.data())
def test_a_model_that_skips_or_repeats_steps_comes_back(data):
    real = recorded("numbers")
    start = data.draw(st.integers(1, len(real.steps) - 8))
    count = data.draw(st.integers(1, 3))
    if data.draw(st.booleans()):
        steps = [*real.steps[:start], *real.steps[start + count :]]
    else:
        steps = [*real.steps[: start + count], *real.steps[start:]]
    alignment = aligned(real, steps)
    assert alignment.pairs[-1].is_right
    assert sum(not pair.is_right for pair in alignment.pairs) <= 2 * count


def test_one_wrong_state_is_one_wrong_pair():
    real = recorded("numbers")
    at = next(index for index, step in enumerate(real.steps) if "total" in step.locals)
    steps = [*real.steps[:at], changed(real.steps[at], total="99"), *real.steps[at + 1 :]]
    alignment = aligned(real, steps)
    assert [index for index, pair in enumerate(alignment.pairs) if not pair.is_right] == [at]
    assert [(each.start, each.length) for each in alignment.recoveries] == [
        (at + 1, len(real.steps) - at - 1)
    ]


def test_an_error_that_is_carried_along_breaks_no_pair():
    real = recorded("words")
    steps = [changed(step, sep="';'") if "sep" in step.locals else step for step in real.steps]
    pairs = aligned(real, steps).pairs
    assert all(pair.real == pair.predicted for pair in pairs)


def test_a_hundred_thousand_steps():
    """That it ends at all shows that it is not quadratic; a test asserts no time."""
    program = Program("x = 0\nwhile True:\n    x += 1\n", Entry("script"))
    steps = [Step("line", 2 + number % 2, {"x": str(number // 2)}) for number in range(100_000)]
    real = Trace(program, tuple(steps), Ending("returned"), Origin("recorded", "test"))
    lost = [step for number, step in enumerate(steps) if number % 1000 > 1]
    shifted = [changed(step, x=str(int(step.locals["x"]) + 1)) for step in steps]
    alignment = aligned(real, lost)
    assert sum(pair.is_right for pair in alignment.pairs) > 0.99 * len(lost)
    assert len(aligned(real, shifted).pairs) >= len(steps)
    unrelated = [Step("line", 2 + number % 2, {"x": f"'{number}'"}) for number in range(100_000)]
    assert not any(pair.is_right for pair in aligned(real, unrelated).pairs)
