"""The first divergence: its kind, and that text which just ends is no mistake."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorded_programs import SOURCES, recorded
from worldline.diagnose.divergence import first_divergence
from worldline.diagnose.prediction import of_text, of_trace
from worldline.formats.cwm import CWM, frames, stripped
from worldline.trace.model import Ending


def texts(real):
    text = CWM.encode(real)
    return {"with tokens": text, "stripped": stripped(text, real.program)}


def found_in(real, text):
    return first_divergence(real, of_text(text, real.program, CWM, "test"))


@given(st.data())
def test_a_text_cut_anywhere_is_cut_at_the_step_that_is_missing(data):
    real = recorded(data.draw(st.sampled_from(sorted(SOURCES))))
    name = data.draw(st.sampled_from(["with tokens", "stripped"]))
    text = texts(real)[name]
    end = CWM.decode(text, real.program).spans[-1][1]
    found = found_in(real, text[: data.draw(st.integers(0, end - 1))])
    assert found is not None
    assert found.kind == "budget"


@given(st.data())
def test_a_wrong_character_before_the_cut_is_a_mistake(data):
    real = recorded("words")
    text = texts(real)["stripped"]
    spans = CWM.decode(text, real.program).spans
    at = data.draw(st.integers(2, len(spans) - 2))
    start, end = spans[at]
    where = data.draw(st.integers(start, end - 2))
    wrong = data.draw(st.sampled_from("#Zq7"))
    if text[where] == wrong or text[where - 1] == "\\":
        return
    cut = text[:where] + wrong
    found = found_in(real, cut)
    assert found is not None
    assert found.frame == at
    assert found.kind != "budget", cut[start:]


def test_what_only_differs_between_interpreters_is_no_divergence():
    real = recorded("words")
    steps = list(real.steps)
    steps[5] = replace(steps[5], locals={**steps[5].locals, "it": "<str_ascii_iterator object>"})
    told = [*steps]
    told[5] = replace(told[5], locals={**told[5].locals, "it": "<str_iterator object at 0x7f00>"})
    real = replace(real, steps=tuple(steps))
    assert first_divergence(real, of_trace(replace(real, steps=tuple(told)))) is None


def test_state_comes_before_action_and_action_before_value():
    real = recorded("numbers")
    at = next(index for index, step in enumerate(real.steps) if step.event == "line" and step.locals)
    both = replace(real.steps[at], line=real.steps[at].line + 1, locals={"x": "1"})
    assert changed(real, at, both).kind == "state"
    other_line = replace(real.steps[at], line=real.steps[at].line + 1)
    assert changed(real, at, other_line).kind == "action"
    back = next(index for index, step in enumerate(real.steps) if step.event == "return")
    assert changed(real, back, replace(real.steps[back], value="7", line=1)).kind == "action"
    assert changed(real, back, replace(real.steps[back], value="7")).kind == "value"
    assert changed(real, back, replace(real.steps[at], line=real.steps[back].line)).kind == "action"


def changed(real, at, step):
    steps = (*real.steps[:at], step, *real.steps[at + 1 :])
    return first_divergence(real, of_trace(replace(real, steps=steps)))


def test_a_trace_that_ends_too_early_has_no_such_action():
    real = recorded("swap")
    short = replace(real, steps=real.steps[:-2])
    found = first_divergence(real, of_trace(short))
    assert (found.kind, found.frame) == ("action", len(real.steps) - 2)
    open_end = replace(short, ending=Ending("open"))
    assert first_divergence(real, of_trace(open_end)).kind == "budget"


def test_what_follows_the_trace_does_not_matter():
    real = recorded("swap")
    for text in texts(real).values():
        assert found_in(real, text.removesuffix("<|end_of_text|>") + "Now let us analyze\n[ANSWER]") is None


@pytest.mark.parametrize("name", SOURCES)
def test_prose_in_place_of_a_step_is_unreadable(name):
    real = recorded(name)
    whole = [stripped(frame, real.program) for frame in frames(real)]
    found = found_in(real, "".join(whole[:3]) + "So the answer is 42.\n\nI am sure.\n")
    assert (found.kind, found.frame) == ("format", 3)
