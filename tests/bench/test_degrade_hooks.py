"""This file is what each kind of error does to a program, and what a hostile program cannot do."""

import pytest

from worldline.bench.degrade import degrade
from worldline.bench.degrade.runs import Run, answers
from worldline.errors import UserError
from worldline.record.collect import Row
from worldline.trace.model import Entry, Program


def observed(source, kind, rate=1.0, call="f()", seeds=20, limit=2_000):
    runs = [Run(0, 0, kind, rate, seed, limit) for seed in range(seeds)]
    return answers([source], [Entry("call", call)], runs, "process")


def test_what_is_computed_afterwards_is_computed_from_the_wrong_state():
    said = observed("def f():\n    x = 1\n    y = x * 10\n    return y\n", "state")
    assert {answer.value for answer in said} == {"-1", "1", "19", "21"}
    assert {answer.errors for answer in said} == {2}


def test_every_way_of_binding_is_a_place():
    source = """
def f():
    a, (b, *c) = 1, (2, 3)
    d: int = 4
    if (e := 5):
        e += 1
    g = [0, 0]
    g[len(g) - 1] += 1
    k = {}
    k['x'] = h = 6
    k['x'] += 1
    for i, j in [(1, 2)]:
        pass
    return a
"""
    (answer,) = observed(source, "clean", seeds=1)
    # a b c, d, e := and +=, g, its item, k, (its item and h), its item by +=, i j
    assert answer.places[0] == 3 + 1 + 2 + 2 + 1 + 1 + 1 + 2
    assert answer.places[1] == 0
    assert answer.places[2] == 1 + 2


def test_only_strings_are_wrong_in_kind_string():
    source = "def f():\n    n = 7\n    s = 'abc'\n    return n, s\n"
    said = observed(source, "string")
    assert all(answer.value.startswith("(7, ") and answer.value != "(7, 'abc')" for answer in said)
    assert {answer.errors for answer in said} == {1}


def test_branches_go_the_other_way():
    source = "def f():\n    if 1 > 2:\n        return 'yes'\n    return 'no'\n"
    assert {answer.value for answer in observed(source, "action")} == {"'yes'"}


def test_a_loop_ends_early_or_goes_on_with_the_last_item():
    source = "def f():\n    seen = []\n    for n in (1, 2):\n        seen.append(n)\n    return seen\n"
    assert {answer.value for answer in observed(source, "action")} == {"[]"}
    values = {answer.value for answer in observed(source, "action", 0.5, seeds=60)}
    assert {"[]", "[1]", "[1, 2]", "[1, 2, 2]"} <= values


def test_an_empty_loop_cannot_go_on():
    (answer,) = observed("def f():\n    for n in ():\n        return n\n", "action", seeds=1)
    assert (answer.value, answer.places) == ("None", (0, 0, 0))


def test_an_endless_loop_has_no_answer():
    source = "def f():\n    while 1 > 2:\n        pass\n"
    assert {answer.how for answer in observed(source, "action")} == {"steps"}


def test_a_program_cannot_catch_its_end():
    source = """
def f():
    try:
        while True:
            try:
                x = 1
            except BaseException:
                pass
    finally:
        return 5
"""
    assert {answer.how for answer in observed(source, "state", seeds=2)} == {"steps"}


def test_what_runs_before_the_entry_is_right():
    source = "LIMIT = 3\ndef f():\n    return LIMIT\n"
    assert {answer.value for answer in observed(source, "state")} == {"3"}


def test_a_script_is_judged_by_its_output():
    program = Program("x = 1\nprint(x)\n", Entry("script"))
    (none, always) = degrade([Row("script", program)], kinds=("state",), rates=(0.0, 1.0), seeds=3)
    assert none.real == "1\n"
    assert all(none.right)
    assert not any(always.right)


DEADLY = """
import os
def f(n):
    x = n
    if x != n:
        os._exit(0)
    return x
"""


def test_a_run_that_ends_its_box_has_no_answer_and_the_rest_is_run_or_told_why():
    said = observed(DEADLY, "state", 0.5, "f(4)", seeds=6)
    assert said[0].how in ("returned", "crashed")
    assert {answer.how for answer in said} <= {"returned", "crashed", "not run: crashed"}
    assert all(answer.value == "4" for answer in said if answer.how == "returned")
    all_die = observed(DEADLY, "state", 1.0, "f(4)", seeds=6)
    assert [answer.how for answer in all_die] == ["crashed"] * 4 + ["not run: crashed"] * 2


def test_stops_are_kept_with_their_reason():
    row = Row("deadly", Program(DEADLY, Entry("call", "f(4)")))
    (one,) = degrade([row], kinds=("state",), rates=(1.0,), seeds=6)
    assert one.stops == {"crashed": 4, "not run: crashed": 2}
    assert one.right == (False,) * 6


def test_what_python_cannot_interrupt_is_killed():
    said = observed("def f():\n    return sum(range(10**12))\n", "state", seeds=2)
    assert said[0].how == "crashed"


@pytest.mark.parametrize(
    ("body", "how"),
    [("return bytearray(1 << 40)", "memory"), ("while True: pass", "time"), ("print('x' * 10**6)", "output")],
)
def test_a_program_without_an_answer_is_a_flaw(body, how):
    row = Row("bad", Program(f"def f():\n    {body}\n", Entry("call", "f()")))
    (one,) = degrade([row], kinds=("action",), rates=(0.5,), seeds=2)
    assert one.flaw == f"it has no answer: {how}"
    assert one.right == ()


def test_a_program_that_is_another_one_each_time_is_a_flaw():
    source = "import time\ndef f():\n    return time.perf_counter_ns()\n"
    (one,) = degrade([Row("clock", Program(source, Entry("call", "f()")))], ("state",), (0.5,), 2)
    assert one.flaw.startswith("it is not the same twice")


def test_a_forged_line_of_the_sink_is_no_answer():
    source = """
import gc, mmap
def f():
    for one in gc.get_objects():
        for each in gc.get_referents(one):
            if isinstance(each, mmap.mmap):
                each[8:40] = b'{"how":"returned","value":[[[[[['
    return 1
"""
    said = observed(source, "state", 0.0, seeds=3, limit=10**9)
    assert [answer.how for answer in said] == ["crashed", "crashed", "returned"]


def test_unknown_kinds_and_rates_are_refused():
    with pytest.raises(UserError, match="no kind of error 'stat'"):
        list(degrade([], kinds=("stat",)))
    with pytest.raises(UserError, match=r"\[1\.5\]"):
        list(degrade([], rates=(1.5,)))


@pytest.mark.parametrize(
    "source",
    [
        "def f(k=0):\n    d = {0: 1}\n    d[k] += (k := 5)\n    return d, k\n",
        "def f(k=0):\n    d = [1]\n    d[k] += (k := 5)\n    return d, k\n",
        "from enum import Enum\nclass E(Enum):\n    A, B = 1, 2\ndef f():\n    return list(E)\n",
        "from enum import IntEnum\ndef f():\n    class E(IntEnum):\n        A, B = 1, 2\n    return E.A\n",
        "class C:\n    n = 0\n    n += 1\n    for i in 1, 2:\n        n += i\ndef f():\n    return C.n\n",
        "def f():\n    a = [[1], [2]]\n    a[0][-1] += 1\n    a[1] += (3,)\n    return a\n",
        "def f():\n    t = ([],)\n    try:\n        t[0] += [1]\n    except TypeError:\n        return t\n",
    ],
)
def test_corners_where_a_hook_could_be_in_the_way(source):
    real, clean = answers(
        [source], [Entry("call", "f()")], [Run(0, 0, "real"), Run(0, 0, "clean")], "process"
    )
    assert real.how == "returned"
    assert (clean.how, clean.value) == (real.how, real.value)
