"""Rewriting as an intervention: its effect is known in advance where the model fails for known reasons."""

import json
from random import Random

import pytest

from recorded_programs import SOURCES, recorded
from worldline.diagnose import rewritten_step
from worldline.diagnose.intervention import attribute_by_intervention
from worldline.diagnose.rewriting import Outcome, arms, intervene, mcnemar
from worldline.diagnose.rewritten_step import small_steps, visits
from worldline.diagnose.truth import truth
from worldline.models.faulty import faulty
from worldline.models.oracle import oracle
from worldline.record.collect import Row
from worldline.record.entry import as_marked
from worldline.rewrite import LEVELS, rewrite
from worldline.rewrite.trim import trim
from worldline.rollout.options import RolloutOptions
from worldline.trace.model import Entry, Program, Step

PLENTY = RolloutOptions(max_tokens=10**9)
SOURCE = """\
def f(text, n):
    out = []
    for w in text.split():  # @loop
        k = w.upper().count("A") + len(w) * n  # @count
        out.append((k, w[::-1]))
    return sorted(out)
"""


def rows(count=6):
    dice = Random(3)
    words = ["banana", "an", "apple", "Aa", "", "x"]
    calls = [f"f({' '.join(dice.choices(words, k=3))!r}, {dice.randrange(4)})" for _ in range(count)]
    return [Row(f"r{at}", Program(SOURCE, Entry("call", call))) for at, call in enumerate(calls)]


def marked(name):
    return next(at for at, line in enumerate(SOURCE.split("\n"), 1) if f"@{name}" in line)


def test_the_oracle_is_right_in_every_arm():
    found = list(intervene(rows(2), oracle(), options=PLENTY))
    assert [each.arm for each in found[::2]] == ["baseline", "control", *LEVELS]
    assert all(each.is_right and each.is_exact and each.line is None for each in found)


def test_a_model_that_hidden_operations_make_fail_is_cured_by_hiding_none():
    model = faulty("hidden=0.2,seed=1")
    by_arm = {arm.name: arm for arm in arms(list(intervene(rows(), model, options=PLENTY)))}
    assert by_arm["baseline"].right <= 2
    assert by_arm["atomic"].right == by_arm["atomic"].exact == 6
    assert by_arm["atomic"].gains == 6 - by_arm["baseline"].right
    assert by_arm["control"].net == 0  # nothing is drawn without a temperature


def test_a_model_that_long_texts_make_fail_is_not_helped():
    """Every step of a loop over characters writes the text again: rewriting must hurt here."""
    model = faulty("length=0.02,seed=1")
    by_arm = {arm.name: arm for arm in arms(list(intervene(rows(), model, options=PLENTY)))}
    assert by_arm["atomic"].right < by_arm["baseline"].right
    assert by_arm["atomic"].losses > 0


def test_with_a_temperature_the_control_is_another_draw():
    options = RolloutOptions(max_tokens=10**9, temperature=0.7)
    found = list(intervene(rows(), faulty("hidden=0.03,seed=1"), (), options))
    by_arm = {arm.name: arm for arm in arms(found)}
    assert by_arm["control"].gains + by_arm["control"].losses > 0


def test_a_divergence_is_told_at_the_line_of_the_original():
    found = [
        each for each in intervene(rows(), faulty("hidden=0.2,seed=2"), ("strings",), PLENTY) if each.line
    ]
    assert {each.arm for each in found} == {"baseline", "control", "strings"}
    assert {each.line for each in found} <= set(range(1, SOURCE.count("\n") + 1))


def test_what_is_done_is_not_asked_again():
    every = list(intervene(rows(3), oracle(), ("atomic",), PLENTY))
    done = frozenset((each.id, each.arm) for each in every[:4])
    rest = list(intervene(rows(3), oracle(), ("atomic",), PLENTY, done=done))
    assert rest == every[4:]


def test_a_bad_row_counts_as_wrong_and_stops_nothing():
    bad = Row("bad", None, "line 1 is not a JSON object")
    found = list(intervene([bad, *rows(1)], oracle(), (), PLENTY))
    assert [(each.id, each.is_right) for each in found] == [("bad", False), ("r0", True)] * 2
    assert found[0].problem == bad.problem


@pytest.mark.parametrize(
    ("gains", "losses", "p"), [(0, 0, 1.0), (5, 0, 0.0625), (1, 1, 1.0), (8, 1, 0.0390625), (0, 10, 2 / 1024)]
)
def test_mcnemar(gains, losses, p):
    assert mcnemar(gains, losses) == pytest.approx(p)


def test_the_arms_are_counted_problem_by_problem():
    def outcome(name, arm, is_right):
        return Outcome(name, arm, is_right, False, 1, 1, "")

    found = [outcome("a", "baseline", True), outcome("b", "baseline", False), outcome("c", "baseline", False)]
    found += [outcome("a", "atomic", False), outcome("b", "atomic", True), outcome("c", "atomic", True)]
    (_, atomic) = arms(found)
    assert (atomic.gains, atomic.losses, atomic.net, atomic.right) == (2, 1, 1, 2)


def test_visits_are_parted_by_other_lines_of_the_same_activation_only():
    lines, frames = [3, 0, 3, 4, 7, 3, 9, 3, 5], [0, 0, 0, 0, 1, 0, 1, 0, 0]
    steps = [Step("line", line, {}, frame=frame) for line, frame in zip(lines, frames, strict=True)]
    assert visits(steps, lines, 3) == [0, 5]


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("level", LEVELS)
def test_the_small_steps_of_a_step_end_in_its_state(name, level):
    """After the work of a line, the rewritten program has the values that the original has."""
    real = recorded(name)
    found = rewrite(real.program, level)
    small = truth(found.program).trace
    seen = 0
    for at, step in enumerate(real.steps):
        if step.event != "line":
            continue
        place = small_steps(real.steps, at, small.steps, found)
        if place is None:
            continue
        after = small.steps[place.end - 1]
        if after.event != "line" or after.depth != step.depth or after.function != step.function:
            continue
        own = {key: value for key, value in after.locals.items() if key in step.locals}
        assert own == dict(step.locals), (at, place)
        seen += 1
    assert seen > len([step for step in real.steps if step.event == "line"]) // 3


def test_rewriting_is_a_cure_where_it_leaves_nothing_to_be_wrong_about():
    """Known in advance: with nothing hidden in any of the small steps, the model cannot fail at one."""
    tried = 0
    for seed in range(12):
        for name in SOURCES:
            real = recorded(name)
            model = faulty(f"hidden=0.2,seed={seed}")
            found = attribute_by_intervention(real.program, model, real, levels=("atomic",))
            names = [each.name for each in found.interventions]
            if found.divergence is None or "rewritten: atomic" not in names:
                continue
            tried += 1
            assert "rewritten: atomic" in found.cures, (seed, name)
        if tried >= 12:
            break
    assert tried >= 8


@pytest.mark.parametrize(("context", "is_cut"), [("history", True), ("state", False)])
def test_a_rewritten_step_is_cut_only_for_who_reads_all_of_the_program(context, is_cut, monkeypatch):
    cut = []
    monkeypatch.setattr(rewritten_step, "trim", lambda *given: cut.append(given) or trim(*given))
    program = as_marked(rows(1)[0].program)
    real = truth(program).trace
    at = next(at for at, step in enumerate(real.steps) if step.line == marked("count")) + 1
    options = RolloutOptions("grounded", context=context, max_tokens=10**9)
    assert rewritten_step.is_right_when_rewritten(program, oracle(), real, at, "atomic", options)
    assert bool(cut) == is_cut


def test_a_step_inside_microcode_works_for_the_line_that_called_it():
    from worldline.diagnose.truth import truth

    found = rewrite(Program(SOURCE, Entry("call", "f('banana', 2)")))
    small = truth(found.program).trace
    inside = [
        at for at, step in enumerate(small.steps) if step.function == "str_upper" and step.event == "line"
    ]
    assert inside
    assert {found.original_line_of(small, at) for at in inside} == {marked("count")}


def test_outcomes_are_kept_and_read_again(tmp_path):
    from worldline.diagnose.rewriting import outcome_line, read_outcomes
    from worldline.errors import UserError

    one = Outcome("a", "baseline", True, True, 3, 40, "the entry has ended")
    path = tmp_path / "run.jsonl"
    path.write_text(outcome_line(one, {"model": "x"}) + "\n" + json.dumps({"id": "b"})[:-3])
    assert read_outcomes(path, {"model": "x"}) == [one]
    assert path.read_text() == outcome_line(one, {"model": "x"}) + "\n"  # the cut line is gone
    with pytest.raises(UserError, match="another setting"):
        read_outcomes(path, {"model": "y"})
    path.write_text("nothing\n")
    with pytest.raises(UserError, match="no outcome"):
        read_outcomes(path, {})
