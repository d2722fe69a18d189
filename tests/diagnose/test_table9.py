from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldline.diagnose.align import align
from worldline.diagnose.intervals import Ratio, wilson
from worldline.diagnose.prediction import of_text, of_trace
from worldline.diagnose.table9 import TraceMetrics, counted_pairs, llama3_count, pooled, trace_metrics
from worldline.formats.cwm import CWM, stripped
from worldline.record import record
from worldline.trace.model import Entry, Program

SOURCE = """\
def f(n):
    total = 0
    for i in range(n):
        total += i
    return total

def main(): # << START_OF_TRACE
    return f(3)
"""
COUNTS = st.integers(0, 30).flatmap(lambda whole: st.integers(0, whole).map(lambda part: Ratio(part, whole)))
ONE = st.integers(0, 1).map(lambda part: Ratio(part, 1))
METRICS = st.builds(
    TraceMetrics, ONE, ONE, ONE, *[COUNTS] * 6, state_tokens=COUNTS, action_tokens=COUNTS | st.none()
)


@pytest.fixture(scope="module")
def real():
    return CWM.holds(record(Program(SOURCE, Entry("function", "main"))).trace)


def metrics(real, text, *, is_right=True, count=None):
    prediction = of_text(text, real.program, CWM, "test")
    return trace_metrics(real, prediction, align(real, prediction), is_right, count)


def shares(found):
    return {
        field.name: getattr(found, field.name) for field in fields(TraceMetrics) if "tokens" not in field.name
    }


def test_a_right_trace_is_right_in_everything(real):
    for text in (CWM.encode(real), stripped(CWM.encode(real), real.program)):
        assert all(ratio.value == 1 for ratio in shares(metrics(real, text)).values())
    found = trace_metrics(real, of_trace(real), align(real, of_trace(real)), True)
    assert found == metrics(real, CWM.encode(real))
    assert found.states == found.actions == Ratio(len(real.steps), len(real.steps))
    assert found.keys == Ratio(len(real.steps) - 2, len(real.steps) - 2)


def test_a_wrong_value_is_wrong_in_every_frame_that_shows_it(real):
    text = CWM.encode(real)
    assert text.count('"total": "1"') == 1
    found = metrics(real, text.replace('"total": "1"', '"total": "2"'), is_right=False)
    n = len(real.steps)
    showing = sum(step.locals.get("total") == "1" for step in real.steps)
    assert showing == 2
    assert (found.output, found.states) == (Ratio(0, 1), Ratio(n - showing, n))
    assert found.keys_and_values == Ratio(n - 2 - showing, n - 2)
    assert found.keys == Ratio(n - 2, n - 2)
    assert found.actions == Ratio(n, n)


def test_a_missing_name_is_no_match_of_keys(real):
    text = CWM.encode(real)
    found = metrics(real, text.replace('"total": "1", "i": ".."}', '"total": "1"}'))
    assert found.keys == Ratio(found.keys.whole - 1, found.keys.whole)
    assert found.keys_and_values == found.keys


def test_a_wrong_value_at_the_end_is_a_wrong_state_only(real):
    text = CWM.encode(real)
    found = metrics(real, text[::-1].replace('"3"', '"4"', 1)[::-1])
    n = len(real.steps)
    assert (found.states, found.actions) == (Ratio(n - 1, n), Ratio(n, n))
    assert found.keys_and_values.value == 1


def test_frames_left_out_and_made_up_are_wrong(real):
    parts = CWM.encode(real).split("<|line_sep|>")
    loop = parts[3:5]  # one turn
    n = len(real.steps)
    without = metrics(real, "<|line_sep|>".join([*parts[:3], *parts[5:]]))
    assert (without.actions.whole, without.actions.part) == (n, n - 2)
    twice = metrics(real, "<|line_sep|>".join([*parts[:5], *loop, *parts[5:]]))
    assert (twice.actions.whole, twice.actions.part) == (n + 2, n)


@pytest.mark.parametrize("steps", range(11))
def test_what_was_never_written_does_not_count(real, steps):
    text = CWM.encode(real)
    end = of_text(text, real.program, CWM, "test").spans[steps][0]
    cut = metrics(real, text[: end + 3], is_right=False)
    assert (cut.finished, cut.trace_format, cut.frame_format) == (
        Ratio(0, 1),
        Ratio(1, 1),
        Ratio(steps, steps),
    )
    assert cut.states == cut.actions == Ratio(steps, steps)
    broken = metrics(real, text[:end] + '<|line_sep|>{"n": 3}<|action_sep|>', is_right=False)
    assert (broken.trace_format, broken.frame_format) == (Ratio(0, 1), Ratio(steps, steps + 1))
    assert broken.json == Ratio(steps, steps + 1)
    assert broken.states == Ratio(steps, steps)
    other = metrics(real, text[:end] + "And now?", is_right=False)
    assert (other.frame_format, other.json) == (Ratio(steps, steps + 1), Ratio(steps, steps))


def test_after_the_two_have_parted_for_good_only_what_was_written_counts(real):
    made_up = replace(real, steps=(*real.steps[:3], *[replace(real.steps[0], line=1)] * 4))
    prediction = of_trace(replace(made_up, ending=replace(real.ending, kind="open")))
    pairs = counted_pairs(align(real, prediction), is_finished=False)
    assert sum(pair.predicted is not None for pair in pairs) == 7
    assert sum(pair.predicted is None for pair in pairs) == 0


def test_lengths_are_those_of_the_text(real):
    text = CWM.encode(real)
    found = metrics(real, text, count=len)
    special = sum(len(part) for kind, part in CWM.parts(real) if kind == "special")
    assert found.state_tokens.part + found.action_tokens.part == len(text) - special
    assert found.action_tokens.part == sum(len(part) for kind, part in CWM.parts(real) if kind == "source")
    bare = metrics(real, stripped(text, real.program), count=len)
    assert (bare.state_tokens, bare.action_tokens) == (found.state_tokens, found.action_tokens)
    from_trace = trace_metrics(real, of_trace(real), align(real, of_trace(real)), True, len)
    assert from_trace.state_tokens == found.state_tokens
    assert found.state_tokens.whole == found.action_tokens.whole == len(real.steps)


def test_lengths_in_llama_3_tokens_are_shorter(real):
    count = llama3_count()
    if count is None:
        pytest.skip("the extra `tokens` is not installed")
    tokens, characters = (metrics(real, CWM.encode(real), count=each) for each in (count, len))
    assert tokens.action_tokens.part < characters.action_tokens.part / 2
    assert tokens.state_tokens.whole == characters.state_tokens.whole


def test_without_the_packages_no_tokens_are_counted(monkeypatch):
    from worldline import plugins
    from worldline.errors import missing_extra
    from worldline.tokens import tokenizer

    def missing(*_):
        raise missing_extra("tiktoken", "tokens")

    tokenizer.cache_clear()
    monkeypatch.setattr(plugins, "load", missing)
    assert llama3_count() is None


@given(METRICS)
def test_a_set_of_one_is_that_one(one):
    for name, estimate in pooled([one]).items():
        assert estimate.ratio == getattr(one, name)
    assert ("action_tokens" in pooled([one])) == (one.action_tokens is not None)


@settings(deadline=None, max_examples=20)
@given(st.lists(METRICS, min_size=1, max_size=8))
def test_a_set_lies_in_its_intervals(several):
    for name, estimate in pooled(several).items():
        parts = [getattr(each, name) for each in several]
        assert estimate.ratio == Ratio(sum(each.part for each in parts), sum(each.whole for each in parts))
        if estimate.interval:
            assert 0 <= estimate.interval.low <= estimate.value <= estimate.interval.high <= 1


def test_shares_of_traces_have_wilsons_interval(real):
    right, wrong = (metrics(real, CWM.encode(real), is_right=each) for each in (True, False))
    found = pooled([right] * 3 + [wrong])
    assert found["output"].interval == wilson(Ratio(3, 4))
    assert list(found) == [field.name for field in fields(TraceMetrics) if "tokens" not in field.name]
    assert pooled([]) == {}


def test_traces_that_differ_spread(real):
    one = metrics(real, CWM.encode(real))
    two = replace(one, states=Ratio(3, 20))
    assert 0 < pooled([one, two] * 100)["states"].interval.low < 1
