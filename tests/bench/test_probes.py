"""Probes: the answers that a trace gives about a line, and when they go together."""

import pytest

from worldline.bench.model import Problem, Score
from worldline.bench.probes import lines_of_functions, rescored, run_of
from worldline.diagnose.subject import recorded
from worldline.models.faulty import faulty
from worldline.models.oracle import oracle
from worldline.rollout.options import RolloutOptions
from worldline.rollout.rollout import predict
from worldline.trace.model import Entry, Program

SOURCE = """\
def f(n):
    total = 0  # @first
    while n > 0:  # @loop
        total += n  # @add
        n -= 1
    if total > 100:
        return None  # @never
    return total  # @last


def main():  # << START_OF_TRACE
    return f(3)
"""
LINES = {line.split("@")[1]: at for at, line in enumerate(SOURCE.split("\n"), 1) if "@" in line}
PROGRAM = Program(SOURCE, Entry("function", "main"))


def test_what_a_trace_says_about_a_line():
    trace = recorded(PROGRAM, "process")
    add = run_of(trace, LINES["add"])
    assert (add.does_run, add.state["total"], add.following) == (True, "3", LINES["add"] + 1)
    assert run_of(trace, LINES["loop"]).following == LINES["add"]
    assert not run_of(trace, LINES["never"]).does_run
    assert set(LINES.values()) <= set(lines_of_functions(SOURCE))


@pytest.mark.parametrize(("model", "is_sound"), [(oracle(), True), (faulty("off-by-one@4,seed=1"), False)])
def test_the_four_questions(model, is_sound):
    real = recorded(PROGRAM, "process")
    rollout = predict(PROGRAM, model, RolloutOptions(max_tokens=10**6), real)
    problem = Problem("p", PROGRAM, facts={"lines": 9, "seed": 0})
    found = rescored(Score("p", "free", 0, {}, True, is_sound), problem, rollout, real).facts
    assert found["coverage"] == [8, 8]
    assert found["output"] == [8, 8]
    asked = found["state"][1]
    assert 5 <= asked < 8  # lines that never run, or end their function, have no state after them
    if is_sound:
        assert found["state"] == [asked, asked]
        assert found["consistent"] == found["sound"] == [8, 8]
    else:
        assert found["state"][0] < asked
        assert found["consistent"][0] < 8  # the output is right after a wrong state
