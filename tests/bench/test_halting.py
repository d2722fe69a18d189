"""Halting: what is said of a program holds, and the verdict needs no more than the trace."""

import pytest

from worldline.bench.halting import HALTING, MAX_STEPS, Settings, problems, repeats, rescored, verdict
from worldline.bench.model import Score
from worldline.diagnose.subject import recorded
from worldline.rollout.model import Cost, Finished, OutOfBudget, Rollout
from worldline.rollout.options import RolloutOptions

EVERY = problems(Settings(count=6), 5)


@pytest.mark.parametrize("problem", EVERY, ids=lambda each: each.id)
def test_what_is_said_of_a_program_holds(problem):
    trace = recorded(problem.program, "process", MAX_STEPS)
    is_growing = problem.labels["family"] == "growing"
    if problem.labels["truth"] == "halts":
        assert trace.ending.kind == "returned"
        assert len(trace.steps) < MAX_STEPS
        assert not repeats(trace.steps)
    else:
        assert trace.ending.kind == "steps"
        assert repeats(trace.steps[:MAX_STEPS]) is not is_growing


def rollout(trace, stop):
    return Rollout(trace, stop, (), Cost(), RolloutOptions(), "test")


def test_the_verdict_is_read_off_what_the_model_wrote():
    ends, loops = EVERY[0], EVERY[1]
    short, long = (recorded(each.program, "process", MAX_STEPS) for each in (ends, loops))
    score = Score("x", "free", 0, {}, False, False, verdict="exact")
    said = rescored(score, ends, rollout(short, Finished()), short)
    assert (said.is_right, said.facts["halting"]) == (True, "halts")
    said = rescored(score, loops, rollout(long, OutOfBudget("tokens")), long)
    assert (said.is_right, said.facts["halting"]) == (True, "loops")
    said = rescored(score, loops, rollout(short, Finished()), long)
    assert (said.is_right, said.facts["halting"]) == (False, "halts")
    cut = recorded(ends.program, "process", MAX_STEPS)
    assert verdict(cut, has_ended=False) == "unknown"
    assert HALTING.by[0] == "truth"


def test_a_state_repeats_only_with_its_callers():
    """The same line and variables of a function mean nothing if its callers have moved on."""
    source = (
        "def same(x):\n    y = 1\n    return y\n\n\ndef main():  # << START_OF_TRACE\n"
        "    n = 0\n    while n < 3:\n        same(0)\n        n += 1\n    return n\n"
    )
    from worldline.trace.model import Entry, Program

    assert not repeats(recorded(Program(source, Entry("function", "main")), "process").steps)
