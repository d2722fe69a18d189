"""Every benchmark: problems that run, are the same for the same seed, and that the oracle solves."""

import pytest

from worldline.bench.model import Mode, settings_of
from worldline.bench.registry import BENCHMARKS, benchmark, data_hash
from worldline.bench.run import Plan, begun, items_of, problems_of, run, scores_of
from worldline.diagnose.subject import recorded
from worldline.errors import UserError
from worldline.rollout.options import RolloutOptions

SMALL = {
    "permutation": ["lengths=3,6", "count=2"],
    "composition": ["families=strings,dicts", "depths=2", "count=2"],
    "horizon": ["steps=60", "count=1"],
    "halting": ["count=2"],
    "probes": ["count=1"],
    "humaneval": ["inputs=1"],
    "cruxeval": [],
    "programs": [],
}
OWN = ("permutation", "composition", "horizon", "halting")
MODES = (
    Mode(),
    Mode(RolloutOptions("grounded", context="state")),
    Mode(RolloutOptions("forced", states=1)),
)


def plan(name, *chosen, **more):
    found = benchmark(name)
    return Plan(found, settings_of(found, [*SMALL[name], *chosen]), "oracle", engine="here", **more)


def all_scores(asked, path):
    problems = problems_of(asked)
    with begun(asked, problems, path, ["test"]) as store:
        assert list(run(asked, items_of(asked, problems), store))
        return scores_of(store)


def test_every_benchmark_is_here():
    assert set(SMALL) == set(BENCHMARKS)


@pytest.mark.parametrize("name", OWN)
def test_the_same_seed_gives_the_same_problems(name):
    asked = plan(name)
    one, same, other = (
        data_hash(asked.benchmark.problems(asked.settings, seed, "process")) for seed in (1, 1, 2)
    )
    assert one == same != other


@pytest.mark.parametrize("name", OWN)
def test_the_oracle_is_right_in_every_mode(name, tmp_path):
    asked = plan(name, modes=MODES, limit=6)
    scores = all_scores(asked, tmp_path / "run.db")
    assert {each.mode for each in scores} == {mode.name for mode in MODES}
    wrong = [each for each in scores if not (each.is_right and each.is_exact)]
    assert not [each for each in wrong if each.labels.get("family") != "growing"], wrong


@pytest.mark.parametrize("level", ["expressions", "atomic"])
def test_the_oracle_is_right_about_rewritten_programs(level, tmp_path):
    asked = plan("composition", modes=(Mode(rewrite=level),), limit=4)
    scores = all_scores(asked, tmp_path / "run.db")
    assert all(each.is_right and each.is_exact for each in scores)
    assert {each.mode for each in scores} == {f"free, {level}"}


@pytest.mark.parametrize("form", ["lines", "loop", "repl"])
@pytest.mark.parametrize("kind", ["permutations", "swaps"])
def test_permutations_keep_what_there_is(form, kind, tmp_path):
    asked = plan("permutation", "lengths=10,20", f"form={form}", f"kind={kind}", "count=1", "spacing=7")
    for each in all_scores(asked, tmp_path / "run.db"):
        values = sorted(int(digit) for digit in each.real if digit.isdigit())
        assert len(set(values)) == 5
        assert each.is_right
        assert each.is_exact
        if form == "repl":
            assert each.steps == each.steps_right == each.labels["length"]
            assert each.asks == -(-each.labels["length"] // 7)


def test_a_permutation_of_lines_has_a_step_for_each():
    asked = plan("permutation", "lengths=40", "count=1")
    (problem,) = asked.benchmark.problems(asked.settings, 0, "process")
    steps = recorded(problem.program, "process").steps
    assert sum(step.event == "line" and step.function == "track" for step in steps) == 41


def test_a_loop_stays_small_whatever_its_length():
    short, long = (
        plan("permutation", f"lengths={length}", "form=loop", "count=1") for length in (100, 100_000)
    )
    sizes = [
        len(each.benchmark.problems(each.settings, 0, "process")[0].program.source) for each in (short, long)
    ]
    assert sizes[1] - sizes[0] < 10


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("permutation", "kind=cycles"),
        ("permutation", "variables=1"),
        ("permutation", "lengths=0"),
        ("permutation", "length=8"),
        ("permutation", "lengths=eight"),
        ("permutation", "lengths="),
        ("permutation", "count=-1"),
        ("horizon", "programs=chess"),
        ("horizon", "steps=5"),
        ("probes", "lines=0"),
        ("halting", "families=busy-beaver"),
        ("cruxeval", "task=both"),
        ("cruxeval", "data=nowhere.jsonl"),
        ("programs", "data="),
        ("programs", "data=nowhere.jsonl"),
        ("programs", "data=nowhere.py"),
    ],
)
def test_settings_that_make_no_sense_are_refused(name, bad):
    with pytest.raises(UserError):
        problems_of(plan(name, bad))


def test_horizon_programs_run_about_as_long_as_they_say():
    asked = plan("horizon", "steps=100,1000", "count=2")
    for problem in problems_of(asked):
        steps = len(recorded(problem.program, "process").steps)
        assert 0.3 * problem.labels["steps"] < steps < 3 * problem.labels["steps"], problem.id
