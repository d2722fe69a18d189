"""This file is the laws of degrading: no errors change nothing, and the same seed errs the same way."""

import sys
from dataclasses import asdict
from json import dumps, loads
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from worldline.bench.degrade import KINDS, TASKS, curves, degrade
from worldline.bench.degrade.mistakes import can_be_wrong, wrong
from worldline.bench.degrade.runs import Run, answers, hook_name
from worldline.errors import UserError
from worldline.record import Options, record
from worldline.record.box import choose
from worldline.record.collect import Row, program_of, read_rows
from worldline.record.entry import call_entry
from worldline.trace.model import Entry, Program

sys.path[:0] = [str(Path(__file__).parents[1] / folder) for folder in ("laws", "rewrite")]
from random_programs import mutating_programs  # noqa: E402
from typed_programs import typed_program  # noqa: E402

KEYS = st.integers(-9, 9) | st.text("ab", max_size=3)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(KEYS, inner, max_size=3)
        | st.sets(KEYS, max_size=3)
    ),
    max_leaves=6,
)
SLOW = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))


@given(VALUES.filter(can_be_wrong), st.integers(0, 1000))
@settings(max_examples=400)
def test_a_wrong_value_is_another_one_of_the_same_type(value, seed):
    before = repr(value)
    other = wrong(value, Random(seed))
    assert type(other) is type(value)
    assert repr(other) != repr(value)
    assert other is not value
    assert repr(value) == before
    assert repr(wrong(value, Random(seed))) == repr(other)


@given(st.lists(mutating_programs(), min_size=8, max_size=8))
@SLOW
def test_without_errors_a_random_program_does_what_it_did(sources):
    _same_with_hooks([Program(source, Entry("function", "main")) for source in sources])


@given(st.integers(0, 10**6))
@SLOW
def test_without_errors_a_typed_program_does_what_it_did(seed):
    made = [typed_program(seed * 8 + number) for number in range(8)]
    _same_with_hooks([Program(source, Entry("call", calls[0])) for source, calls in made])


def test_without_errors_real_programs_do_what_they_did(data):
    rows = list(read_rows(data / "cruxeval.jsonl"))[:400]
    _same_with_hooks([row.program for row in rows])


def _same_with_hooks(programs):
    """Every kind of run without an error ends as the program does."""
    kinds = ("real", "lines", "clean", "state", "string", "action")
    runs = [Run(at, at, kind) for at in range(len(programs)) for kind in kinds]
    said = answers([one.source for one in programs], [one.entry for one in programs], runs, "process")
    for run, answer in zip(runs, said, strict=True):
        real = said[run.program * len(kinds)]
        assert (answer.how, answer.value) == (real.how, real.value), (run, programs[run.program].source)
        assert answer.errors == 0
    assert any(answer.is_given for answer in said)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_the_answer_and_its_lines_are_those_that_are_recorded(task):
    entries = [call_entry(task.source, "program.py", call) for call in task.calls]
    runs = [Run(0, at, kind) for at in range(len(entries)) for kind in ("clean", "lines")]
    said = answers([task.source], entries, runs, "process")
    for at, entry in enumerate(entries):
        program = Program(task.source, entry)
        trace = record(program, Options()).trace
        clean, lines = said[2 * at], said[2 * at + 1]
        assert (clean.how, clean.value) == (trace.ending.kind, trace.ending.value)
        assert lines.lines == sum(step.event == "line" for step in trace.steps)


def test_truncation_changes_nothing_from_the_last_line_on_and_ends_it_before():
    sources = [task.source for task in TASKS]
    entries = [call_entry(task.source, "program.py", task.calls[-1]) for task in TASKS]
    real = answers(sources, entries, [Run(at, at, "lines") for at in range(len(TASKS))], "process")
    wanted = [
        Run(at, at, "truncation", one.lines + more) for at, one in enumerate(real) for more in (-1, 0, 7)
    ]
    said = answers(sources, entries, wanted, "process")
    for at, one in enumerate(real):
        short, equal, more = said[3 * at : 3 * at + 3]
        assert short.how == "budget"
        assert (equal.how, equal.value) == (more.how, more.value) == (one.how, one.value)


def test_the_same_seed_gives_the_same_and_records_go_through_json():
    first = list(degrade(TASKS[:2], rates=(0.1,), seeds=4))
    second = list(degrade(TASKS[:2], rates=(0.1,), seeds=4))
    key = lambda one: (one.task, one.candidate, one.call, one.kind, one.rate)  # noqa: E731
    assert sorted(first, key=key) == sorted(second, key=key)
    assert any(not all(one.right) for one in first)
    for one in first:
        kept = loads(dumps(asdict(one)))
        assert kept["right"] == list(one.right)


def test_accuracy_falls_with_the_rate_and_no_error_is_no_cost():
    rates = (0.0, 0.03, 0.3)
    records = list(degrade(TASKS[::3], kinds=KINDS[:3], rates=rates, seeds=6))
    found = curves(records)
    assert curves(sorted(records, key=lambda one: one.task, reverse=True)) == found
    for kind in KINDS[:3]:
        rows = [row for row in found if row.kind == kind]
        assert [row.rate for row in rows] == list(rates)
        none, few, many = (row.accuracy for row in rows)
        assert none == 1.0
        assert none > few > many
        assert rows[0].tau == rows[0].best == 1.0
        assert rows[0].tau > rows[2].tau
        assert rows[0].erring == 0
        assert all(abs(row.untouched - (1 - row.erring / row.runs)) < 0.08 for row in rows)


def test_errors_of_strings_change_nothing_where_there_are_none():
    tasks = [task for task in TASKS if task.name in ("ladder", "bubble", "find")]
    for one in degrade(tasks, kinds=("string",), rates=(1.0,), seeds=3):
        assert one.places == 0
        assert all(one.right)
        assert not any(one.errors)


def test_the_isolation_is_that_of_the_caller():
    try:
        level = choose("strict")
    except UserError:
        pytest.skip("there is no stronger box here")
    found = list(degrade(TASKS[:1], kinds=("state",), rates=(0.0,), seeds=1, isolation=level))
    assert {one.isolation for one in found} == {level}
    assert all(all(one.right) for one in found)


def test_names_of_the_program_do_not_clash():
    source = (
        "def f(d):\n    _hook0_1 = 2\n    _hook1 = 3\n    d[len(d) - 1] += _hook0_1\n    return d, _hook1\n"
    )
    assert not any(word.startswith(hook_name(source)) for word in ("_hook0_1", "_hook1"))
    _same_with_hooks([Program(source, Entry("call", "f([1])"))])


def test_a_row_is_degraded_and_a_bad_one_is_told():
    row = Row("good", program_of({"code": "def f(x):\n    y = x + 1\n    return y\n", "input": "3"}))
    found = list(degrade([row, Row("bad", None, "it is broken")], kinds=("state",), rates=(1.0,), seeds=5))
    good, bad = sorted(found, key=lambda one: one.flaw)
    assert (good.task, good.real, good.places, good.errors) == ("good", "4", 1, (1,) * 5)
    assert not any(good.right)
    assert (bad.task, bad.flaw) == ("bad", "it is broken")
    (curve,) = curves(found)
    assert (curve.problems, curve.runs, curve.right, curve.flaws, curve.tau) == (1, 5, 0, 1, None)
