"""The benchmark `composition`: its programs run, its draws repeat, and its expectations are right."""

import ast
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldline.bench.composition import (
    COMPOSITION,
    FORMS,
    Composition,
    CompositionSettings,
    expected_by_depth,
    problems,
    program_of,
)
from worldline.bench.families import FAMILIES, function, functions, random_input
from worldline.bench.model import Score, settings_of
from worldline.bench.registry import data_hash
from worldline.diagnose.intervals import Ratio, wilson
from worldline.errors import UserError
from worldline.record import record
from worldline.record.entry import MARKER, find_entry

BOTH = CompositionSettings(form=FORMS)


def answer(program):
    """What Python itself gives."""
    space = {}
    exec(program.source, space)
    return repr(space["main"]())


def by_calls(problem):
    """What the functions give that the problem says it nests, called one after the other."""
    tree = ast.parse(problem.program.source)
    inner = next(
        node for node in ast.walk(tree.body[-1]) if isinstance(node, ast.Call) and not has_call(node)
    )
    value = ast.literal_eval(inner.args[0])
    for name in problem.facts["functions"]:
        value = function(problem.labels["family"], name)(value)
    return repr(value)


def has_call(node):
    return any(isinstance(part, ast.Call) for part in ast.walk(node.args[0]))


@st.composite
def compositions(draw):
    family = draw(st.sampled_from(FAMILIES))
    names = draw(st.lists(st.sampled_from(list(functions(family))), min_size=1, max_size=5, unique=True))
    return Composition(family, tuple(names), random_input(family, Random(draw(st.integers(0, 10**6)))))


@given(compositions())
@settings(max_examples=150, deadline=None)
def test_nested_and_flat_give_what_the_calls_give(composition):
    value = ast.literal_eval(composition.value)
    for name in composition.functions:
        value = function(composition.family, name)(value)
    for form in FORMS:
        program = program_of(composition, form)
        assert answer(program) == repr(value)
        assert find_entry(program.source, program.path) == program.entry
        defined = [node.name for node in ast.parse(program.source).body]
        assert sorted(defined) == sorted([*composition.functions, "main"])


def test_the_forms_are_written_as_promised():
    asked = Composition("strings", ("swap_case", "add_suffix", "rotate_left"), "'aB c'")
    nested, flat = (program_of(asked, form).source.partition(f"def main(): {MARKER}\n")[2] for form in FORMS)
    assert nested == "    return rotate_left(add_suffix(swap_case('aB c')))\n"
    assert flat == (
        "    v1 = swap_case('aB c')\n    v2 = add_suffix(v1)\n    v3 = rotate_left(v2)\n    return v3\n"
    )


@pytest.mark.parametrize("family", FAMILIES)
def test_problems_really_run(family):
    found = problems(CompositionSettings((family,), (1, 3, 5), count=2, atomic=1, form=FORMS), 11)
    for problem in [*found[:2], *found[-8:-6], *found[-2:]]:
        recording = record(problem.program, isolation="process")
        assert recording.ending.kind == "returned"
        assert recording.ending.value == answer(problem.program) == by_calls(problem)
        called = [step.function for step in recording.trace.steps if step.event == "call"]
        assert called[0] == "main"
        assert set(problem.facts["functions"]) <= set(called)


def test_the_default_set_has_its_counts_ids_and_labels():
    found = problems(COMPOSITION.settings(), 0)
    sizes = {family: len(functions(family)) for family in FAMILIES}
    assert len(found) == sum(4 * size + 4 * 20 for size in sizes.values())
    assert len({problem.id for problem in found}) == len(found)
    assert "strings/3/nested/007" in {problem.id for problem in found}
    assert all(tuple(problem.labels) == ("family", "depth", "form") for problem in found)
    assert set(COMPOSITION.by) == {"family", "depth", "form"}
    for problem in found:
        assert len(problem.facts["functions"]) == problem.labels["depth"]
        assert len(set(problem.facts["functions"])) == problem.labels["depth"]
    alone = [problem.facts["functions"][0] for problem in found if problem.labels["depth"] == 1]
    assert all(alone.count(name) >= 4 for family in FAMILIES for name in functions(family))


def test_every_call_of_a_problem_changes_its_value():
    small = CompositionSettings(count=40, atomic=2)
    idle = 0
    for problem in problems(small, 4):
        calls = len(problem.facts["functions"])
        shorter = [
            replace(problem, facts={"functions": problem.facts["functions"][:end]})
            for end in range(calls + 1)
        ]
        values = [by_calls(each) for each in shorter]
        idle += any(before == after for before, after in pairwise(values))
    assert idle == 0


def test_one_number_asks_the_same_in_both_forms():
    found = {problem.id: problem for problem in problems(BOTH, 2)}
    nested = [key for key in found if "/nested/" in key]
    assert 2 * len(nested) == len(found)
    for key in nested:
        other = found[key.replace("/nested/", "/flat/")]
        assert other.facts == found[key].facts
        assert answer(other.program) == answer(found[key].program)
        assert other.program.source != found[key].program.source


def test_the_seed_decides_and_the_other_settings_do_not():
    assert problems(BOTH, 3) == problems(BOTH, 3)
    assert data_hash(problems(BOTH, 3)) != data_hash(problems(BOTH, 4))
    whole = problems(BOTH, 3)
    part = problems(CompositionSettings(("dicts", "lists"), (5, 2, 1, 2), 7, 2, ("flat",)), 3)
    assert len(part) == 2 * (len(functions("dicts")) + len(functions("lists"))) + 4 * 7
    assert [each for each in part if each not in whole] == []


def test_settings_are_written_as_text():
    chosen = settings_of(COMPOSITION, ["form=nested,flat", "depths=2,3", "families=dicts", "count=1"])
    assert [problem.id for problem in problems(chosen, 0)] == [
        f"dicts/{depth}/{form}/000" for depth in (2, 3) for form in FORMS
    ]


@pytest.mark.parametrize(
    ("chosen", "what"),
    [
        (CompositionSettings(form=("deep",)), "deep"),
        (CompositionSettings(families=("sets",)), "sets"),
        (CompositionSettings(depths=(0,)), "depth 0"),
        (CompositionSettings(depths=(2, 99)), "depth 99"),
    ],
)
def test_settings_that_make_no_sense_are_told(chosen, what):
    with pytest.raises(UserError, match=what) as told:
        problems(chosen, 0)
    assert told.value.hint


def score(names, is_right, *, number=0, form="nested", mode="free", told=True):
    depth = len(names)
    place = f"{names[0]}/{number}" if depth == 1 else f"{number:03}"
    labels = {"family": "strings", "depth": depth, "form": form}
    facts = {"functions": list(names)} if told and depth > 1 else {}
    return Score(f"strings/{depth}/{form}/{place}", mode, 0, labels, is_right, is_right, facts=facts)


def alone(name, outcomes, **more):
    return [score([name], bool(right), number=number, **more) for number, right in enumerate(outcomes)]


def test_what_the_parts_let_expect_is_their_product():
    scores = [
        *alone("a", [1, 1, 1, 0]),  # 3/4
        *alone("b", [1, 0]),  # 1/2
        *alone("c", [1, 1]),  # 1
        score("ab", True),  # 3/8
        score("ac", False, number=1),  # 3/4
        score("abc", False),  # 3/8
    ]
    one, two, three = expected_by_depth(scores)
    assert (one.family, one.form, one.mode, one.depth) == ("strings", "nested", "free", 1)
    assert one.right == Ratio(6, 8)
    assert one.interval == wilson(Ratio(6, 8))
    assert one.expected == pytest.approx(6 / 8)
    assert (two.depth, two.right, two.compared) == (2, Ratio(1, 2), 2)
    assert two.expected == pytest.approx((3 / 8 + 3 / 4) / 2)
    assert two.cost == pytest.approx(9 / 16 - 1 / 2)
    assert (three.depth, three.accuracy) == (3, 0.0)
    assert three.expected == three.cost == pytest.approx(3 / 8)


def test_modes_and_forms_are_kept_apart():
    scores = [
        *alone("a", [1, 0]),
        *alone("a", [1, 1], mode="forced"),
        *alone("a", [0, 0], form="flat"),
        *[score("ab", True, form=form, mode=mode) for form in FORMS for mode in ("free", "forced")],
        *alone("b", [1], form="flat"),
        *alone("b", [1]),
        *alone("b", [1], mode="forced"),
    ]
    rows = {(row.form, row.mode, row.depth): row for row in expected_by_depth(scores)}
    assert rows["nested", "free", 2].expected == pytest.approx(1 / 2)
    assert rows["nested", "forced", 2].expected == pytest.approx(1)
    assert rows["flat", "free", 2].expected == pytest.approx(0)
    assert rows["flat", "forced", 2].expected is None
    assert rows["flat", "forced", 2].cost is None
    assert rows["flat", "forced", 2].right == Ratio(1, 1)


def test_a_score_whose_parts_are_not_known_counts_but_is_not_compared():
    scores = [*alone("a", [1]), *alone("b", [0, 1]), score("ab", True), score("ab", False, told=False)]
    row = expected_by_depth(scores)[-1]
    assert (row.right, row.compared, row.expected) == (Ratio(1, 2), 1, 0.5)
    assert expected_by_depth([]) == []


@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), min_size=1))
def test_at_depth_1_the_accuracy_is_what_is_expected(outcomes):
    (row,) = expected_by_depth([score([name], right) for name, right in outcomes])
    assert row.expected == pytest.approx(row.accuracy)
    assert row.interval.low <= row.accuracy <= row.interval.high


def test_a_score_learns_the_functions_of_its_problem():
    problem = problems(CompositionSettings(("lists",), (3,), 1), 0)[0]
    bare = Score(problem.id, "free", 0, problem.labels, True, True, facts={"other": 1})
    scored = COMPOSITION.rescore(bare, problem, None, None)
    assert scored == replace(bare, facts={"other": 1, **problem.facts})
