"""The oracle is right in every mode; a fault of the faulty model goes away where the mode forbids it."""

import itertools
from dataclasses import replace
from random import Random

import pytest

from recorded_programs import SOURCES, recorded
from worldline.diagnose.divergence import first_divergence
from worldline.diagnose.prediction import of_trace
from worldline.diagnose.truth import truth
from worldline.errors import UserError
from worldline.formats.cwm import CWM
from worldline.formats.reveal import revealed
from worldline.models import model
from worldline.models.faults import FAULTS
from worldline.models.faulty import faults_of, faulty
from worldline.models.oracle import Oracle, oracle
from worldline.rollout.model import Finished, OutOfBudget, Unsure
from worldline.rollout.options import ACTIONS, RolloutOptions
from worldline.rollout.rollout import predict, predict_all
from worldline.tokens import tokenizer
from worldline.trace.model import Entry, Program

PLENTY = 10**9
CONTEXTS = ("history", "window:3", "state")
REVEALS = ("dense", "every:3", "changed", "read")


def divergence(real, rollout):
    shown = revealed(real, rollout.options.reveal)
    return first_divergence(shown, of_trace(rollout.trace))


@pytest.mark.parametrize("name", SOURCES)
def test_the_oracle_is_right_in_every_mode(name):
    real = recorded(name)
    for actions, states, context, reveal in itertools.product(ACTIONS, (0, 1, 3), CONTEXTS, REVEALS):
        options = RolloutOptions(actions, states, context, reveal, max_tokens=PLENTY)
        rollout = predict(real.program, oracle(), options, real)
        assert rollout.stop == Finished(), options
        assert divergence(real, rollout) is None, options
        assert rollout.trace.ending.value == real.ending.value


@pytest.mark.parametrize("reveal", ["over", "return", "line:6"])
def test_the_oracle_can_jump(reveal):
    for name in SOURCES:
        real = recorded(name)
        for actions, states, context in itertools.product(("free", "forced"), (0, 1), CONTEXTS):
            options = RolloutOptions(actions, states, context, reveal, max_tokens=PLENTY)
            rollout = predict(real.program, oracle(), options, real)
            assert rollout.stop == Finished(), options
            assert divergence(real, rollout) is None, options
            assert len(rollout.trace.steps) < len(real.steps)


def test_the_lines_depths_and_functions_of_a_rollout_are_the_real_ones():
    for name in SOURCES:
        real = CWM.holds(recorded(name))
        options = RolloutOptions(actions="grounded", max_tokens=PLENTY)
        steps = predict(real.program, oracle(), options).trace.steps
        for step, said in zip(real.steps, steps, strict=True):
            assert (step.event, step.line, step.depth) == (said.event, said.line, said.depth)
            assert (step.locals, step.value, step.function) == (said.locals, said.value, said.function)


def cases(count, seed):
    """Models with one fault each, where it is, and what it is."""
    dice = Random(seed)
    names = list(FAULTS)
    while count:
        name = names[count % len(names)]
        real = recorded(dice.choice(list(SOURCES)))
        wrong = faulty(f"{name}@{dice.randrange(len(real.steps))},seed={dice.randrange(10**6)}")
        found = faults_of(wrong, real)
        if found:
            count -= 1
            yield real, wrong, next(iter(found.values()))


def found_in(real, wrong, **options):
    return divergence(real, predict(real.program, wrong, RolloutOptions(max_tokens=PLENTY, **options), real))


def test_faults_vanish_where_the_mode_forbids_them():
    for real, wrong, fault in cases(220, seed=1):
        free = found_in(real, wrong, context="window:2")
        assert (free.frame, free.kind) == (fault.step, fault.kind), fault
        is_action = fault.kind == "action"
        forced = found_in(real, wrong, actions="forced")
        assert (forced is None) is is_action, fault
        given = found_in(real, wrong, states=1)
        assert (given is None) is not is_action, fault
        grounded = found_in(real, wrong, actions="grounded")
        assert (grounded is None) is (fault.name == "invented-line"), fault
        assert found_in(real, wrong, actions="forced", states=1) is None


def test_the_illegal_share_is_told_where_it_is_prevented():
    for real, wrong, fault in cases(60, seed=2):
        if fault.name != "invented-line":
            continue
        options = RolloutOptions(actions="grounded", max_tokens=PLENTY)
        told = predict(real.program, wrong, options).sureness[fault.step]
        assert told.illegal is None or told.illegal > 0.5


def test_many_programs_in_one_batch_are_as_each_alone():
    traces = [recorded(name) for name in SOURCES]
    wrong = faulty("stale=0.2,invented-line=0.1,seed=5")
    options = RolloutOptions(context="state", max_tokens=PLENTY)
    together = predict_all([trace.program for trace in traces], wrong, options)
    for trace, rollout in zip(traces, together, strict=True):
        assert rollout.trace == predict(trace.program, wrong, options).trace


def test_a_state_context_stays_small_while_a_history_grows():
    real = recorded("numbers")
    peaks = {}
    for context in ("history", "state"):
        options = RolloutOptions(context=context, actions="forced", max_tokens=PLENTY)
        peaks[context] = [
            predict(real.program, oracle(), replace(options, max_steps=steps), real).cost.peak
            for steps in (10, 20, 40)
        ]
    assert peaks["history"][0] < peaks["history"][1] < peaks["history"][2]
    assert max(peaks["state"]) < peaks["history"][2]


class Small(Oracle):
    """The oracle with little room."""

    can = replace(Oracle.can, context=1500)
    longest = 0

    def complete(self, asks):
        Small.longest = max([Small.longest, *(self.count(ask.prefix) for ask in asks)])
        return super().complete(asks)


def test_a_history_that_would_overflow_goes_on_from_a_checkpoint():
    for name in ("words", "numbers", "raising"):  # longer than the room
        real, Small.longest = recorded(name), 0
        model = Small(tokenizer("bytes"))
        options = RolloutOptions(stop_below=0.1, frame_tokens=300, max_tokens=PLENTY)
        rollout = predict(real.program, model, options)
        assert rollout.stop == Finished()
        assert divergence(real, rollout) is None
        assert Small.longest <= model.can.context
        unbounded = predict(real.program, oracle(), options)
        assert unbounded.cost.peak > model.can.context


def test_objects_are_shown_by_their_own_repr_on_both_sides():
    source = """\
class Shown:
    def __repr__(self):
        return 'Shown!'

def main(): # << START_OF_TRACE
    shown = Shown()
    return [shown]
"""
    real = truth(Program(source, Entry("function", "main"))).trace
    rollout = predict(real.program, oracle(), RolloutOptions(context="state"))
    assert rollout.trace.ending.value == "[Shown!]"
    assert divergence(real, rollout) is None


def test_an_exhausted_budget_is_an_outcome_and_keeps_what_there_is():
    real = recorded("numbers")
    few = predict(real.program, oracle(), RolloutOptions(context="state", max_steps=7))
    assert (few.stop, len(few.trace.steps)) == (OutOfBudget("steps"), 7)
    short = predict(real.program, oracle(), RolloutOptions(context="state", max_tokens=300))
    assert short.stop == OutOfBudget("tokens")
    assert 0 < len(short.trace.steps) < len(real.steps)
    whole = predict(real.program, oracle(), RolloutOptions(max_tokens=300))
    assert whole.stop == OutOfBudget("tokens")
    for rollout in (few, short, whole):
        kept = replace(real, steps=real.steps[: len(rollout.trace.steps)])
        assert first_divergence(kept, of_trace(rollout.trace)) is None
        assert rollout.trace.ending.kind == "open"


@pytest.mark.parametrize("context", CONTEXTS)
def test_a_rollout_that_was_broken_off_goes_on_as_if_nothing_had_happened(context):
    for name in SOURCES:
        real = recorded(name)
        wrong = faulty("extra=0.1,invented-line=0.1,seed=8")
        options = RolloutOptions(context=context, actions="grounded", max_tokens=PLENTY)
        whole = predict(real.program, wrong, options)
        for steps in (1, 7, len(whole.trace.steps) - 1):
            begun = predict(real.program, wrong, replace(options, max_steps=steps))
            assert begun.stop == OutOfBudget("steps")
            again = predict(real.program, wrong, options, begun=begun.trace)
            assert again.trace.steps == whole.trace.steps
            assert again.cost.asks < whole.cost.asks


@pytest.mark.parametrize(
    ("name", "changes", "told"),
    [("swap", {}, "another program"), ("words", {"actions": "grounded"}, "other actions")],
)
def test_what_was_begun_otherwise_is_not_gone_on_with(name, changes, told):
    options = RolloutOptions(context="state", max_tokens=PLENTY)
    begun = predict(recorded("words").program, oracle(), replace(options, max_steps=3)).trace
    with pytest.raises(UserError, match=told):
        predict(recorded(name).program, oracle(), replace(options, **changes), begun=begun)


def test_an_unsure_model_stops_or_has_the_interpreter_asked():
    real = recorded("words")
    wrong = faulty("missing@9,blur=1")
    at = next(iter(faults_of(wrong, real)))
    stopped = predict(real.program, wrong, RolloutOptions(stop_below=0.9, max_tokens=PLENTY))
    assert isinstance(stopped.stop, Unsure)
    assert len(stopped.trace.steps) == at
    helped = predict(real.program, wrong, RolloutOptions(ask_below=0.9, max_tokens=PLENTY), real)
    assert divergence(real, helped) is None
    assert 1 <= helped.cost.questions <= 2  # the step after it writes out what it would not have to
    assert helped.sureness[at].is_asked


@pytest.mark.parametrize(
    "options",
    [
        {"actions": "guessed"},
        {"states": -1},
        {"context": "window:0"},
        {"context": "all"},
        {"reveal": "every:0"},
        {"reveal": "nothing"},
        {"reveal": "over", "actions": "grounded"},
        {"reveal": "line:x"},
    ],
)
def test_what_makes_no_sense_is_refused(options):
    with pytest.raises(UserError):
        RolloutOptions(**options)


def test_what_needs_the_truth_is_refused_without_it():
    with pytest.raises(UserError, match="really happens"):
        predict(recorded("swap").program, oracle(), RolloutOptions(actions="forced"))


@pytest.mark.parametrize("spec", ["oracel", "faulty:stale=x", "faulty:flips=1", "replay:nowhere.jsonl"])
def test_a_wrong_model_is_one_clear_line(spec):
    with pytest.raises(UserError) as told:
        model(spec)
    assert told.value.hint


def test_a_whole_trace_tells_as_much_as_its_frames_one_by_one():
    real = recorded("words")
    wrong = faulty("missing@9,blur=1")
    at = next(iter(faults_of(wrong, real)))
    whole = predict(real.program, wrong, RolloutOptions(max_tokens=PLENTY))
    by_frame = predict(real.program, wrong, RolloutOptions(stop_below=1e-9, max_tokens=PLENTY))
    assert whole.cost.asks == 1
    assert by_frame.cost.asks == len(by_frame.trace.steps)
    assert [each.step for each in whole.sureness] == pytest.approx([each.step for each in by_frame.sureness])
    assert min(whole.sureness, key=lambda each: each.step) == whole.sureness[at]
    assert whole.sureness[at].variables.keys() == whole.trace.steps[at].locals.keys()
