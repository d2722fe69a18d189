"""The runner of studies: what is run, what is kept, and that nothing is done twice or lost."""

import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from study_samples import ARMS, RATES, study

from worldline.errors import UserError
from worldline.learn.studies import grid
from worldline.learn.studies.grid import Outcome, chosen, count, finals, kept, run_study, runs_of

SCORES = st.lists(st.floats(0, 1), min_size=2, max_size=2) | st.none()


def outcome(run, score):
    return Outcome(run, None if score is None else {"score": score}, 1.0, 1.0, {})


def asked(folder):
    return {path.parent.name: path.stat().st_size for path in folder.glob("runs/*/asked")}


@given(st.data(), st.integers(1, 4))
def test_whatever_comes_out_and_in_whatever_order_every_arm_gets_its_best_rate_and_all_its_seeds(data, seeds):
    plan = study("formula")
    outcomes = []
    while missing := [run for run in runs_of(plan, seeds, outcomes) if run not in [o.run for o in outcomes]]:
        run = data.draw(st.sampled_from(missing))
        outcomes.append(outcome(run, data.draw(SCORES)))
    assert len(outcomes) == count(plan, seeds)
    assert len({each.run.name for each in outcomes}) == len(outcomes)
    rates = chosen(plan, outcomes)
    for arm, final in finals(plan, outcomes).items():
        assert [each.run.seed for each in final] == list(range(seeds))
        swept = {o.run.learning_rate: o.score for o in outcomes if o.run.arm == arm and o.run.seed == 0}
        assert set(swept) == set(RATES)
        assert all(swept[rates[arm]] >= score for score in swept.values())
        assert not [rate for rate in swept if rate < rates[arm] and swept[rate] == swept[rates[arm]]]
        assert all(each.run.setting["best"] == ARMS[arm]["best"] for each in final)


@given(st.data(), st.integers(1, 4))
def test_runs_of_a_shorter_sweep_choose_and_are_no_results(data, seeds):
    plan = replace(study("formula"), trial={"iterations": 3})
    outcomes = []
    while missing := [run for run in runs_of(plan, seeds, outcomes) if run not in [o.run for o in outcomes]]:
        outcomes.append(outcome(data.draw(st.sampled_from(missing)), data.draw(SCORES)))
    assert len({each.run.name for each in outcomes}) == len(outcomes) == count(plan, seeds)
    tried = {(o.run.arm, o.run.learning_rate): o.score for o in outcomes if o.run.is_trial}
    assert all(o.run.setting.get("iterations") == (3 if o.run.is_trial else None) for o in outcomes)
    for arm, final in finals(plan, outcomes).items():
        assert [(each.run.seed, each.run.is_trial) for each in final] == [(n, False) for n in range(seeds)]
        best = chosen(plan, outcomes)[arm]
        assert all(each.run.learning_rate == best for each in final)
        assert all(tried[arm, best] >= tried[arm, rate] for rate in RATES)


def test_a_seed_is_run_only_once_the_whole_sweep_of_its_arm_is_done():
    plan = study("formula")
    sweep = runs_of(plan, 3, ())
    assert {(run.arm, run.learning_rate, run.seed) for run in sweep} == {
        (arm, rate, 0) for arm in ARMS for rate in RATES
    }
    some = [outcome(run, [1.0, 1.0]) for run in sweep if run.name != "one-lr0.2-seed0"]
    assert {run.arm for run in runs_of(plan, 3, some) if run.seed} == {"two"}


def test_a_study_is_run_in_processes_of_one_thread_and_never_again(tmp_path):
    plan = study("formula")
    under_way = []
    first = list(run_study(plan, tmp_path, seeds=2, workers=3, watch=lambda names: under_way.append(names)))
    assert chosen(plan, first) == {"one": 0.1, "two": 0.3}
    assert {each.result["threads"] for each in first} == {"1"}
    assert [each.result["seed"] for each in finals(plan, first)["two"]] == [0, 1]
    assert max(map(len, under_way)) == 3
    assert under_way[-1] == []
    again = list(run_study(plan, tmp_path, seeds=2))
    assert sorted(again, key=lambda o: o.run.name) == sorted(first, key=lambda o: o.run.name)
    assert set(asked(tmp_path).values()) == {1}
    more = list(run_study(plan, tmp_path, seeds=3, workers=1))
    assert len(more) == len(first) + 2 == count(plan, 3)
    assert set(asked(tmp_path).values()) == {1}
    assert len(kept(plan, tmp_path, 2)) == len(first)


def test_a_result_of_another_setting_is_refused_by_name(tmp_path):
    list(run_study(study("formula"), tmp_path, seeds=1))
    with pytest.raises(UserError, match=r"one-lr0.1-seed0.json is of a run with another best, extra"):
        list(run_study(replace(study("formula", best=0.2, extra=1)), tmp_path, seeds=1))


@pytest.mark.parametrize(("flaw", "told"), [("is_broken", "this work is broken"), ("is_mad", "mad")])
def test_a_run_that_fails_is_told_with_its_reason_and_the_rest_is_kept(tmp_path, flaw, told):
    plan = study("formula")
    plan = replace(plan, arms={**plan.arms, "two": {**plan.arms["two"], flaw: True}})
    with pytest.raises(UserError, match=rf"the run two-lr0.1-seed0 has failed: .*{told}"):
        list(run_study(plan, tmp_path, seeds=1, workers=1))
    assert {path.stem for path in tmp_path.glob("results/*.json")} == {
        f"one-lr{rate}-seed0" for rate in RATES
    }


def test_an_arm_that_is_only_tried_has_no_seeds(tmp_path):
    plan = replace(study("formula"), trial={"extra": 1}, tried=frozenset({"two"}))
    outcomes = list(run_study(plan, tmp_path, seeds=2))
    assert len(outcomes) == grid.count(plan, 2) == 2 * len(RATES) + 2
    assert {each.run.arm for each in outcomes if not each.run.is_trial} == {"one"}
    assert set(grid.finals(plan, outcomes)) == {"one"}
    assert chosen(plan, outcomes) == {"one": 0.1, "two": 0.3}


@pytest.mark.parametrize("trial", [{}, {"extra": 1}])
@given(data=st.data(), seeds=st.integers(1, 3))
def test_an_arm_that_follows_takes_the_rate_of_another_and_has_all_its_seeds(trial, data, seeds):
    plan = study("formula")
    plan = replace(plan, arms={"more": {"best": 0.5}, **plan.arms}, trial=trial, follows={"more": "two"})
    outcomes = []
    while missing := [run for run in runs_of(plan, seeds, outcomes) if run not in [o.run for o in outcomes]]:
        outcomes.append(outcome(data.draw(st.sampled_from(missing)), data.draw(SCORES)))
    assert len({each.run.name for each in outcomes}) == len(outcomes) == count(plan, seeds)
    final = finals(plan, outcomes)["more"]
    assert [each.run.seed for each in final] == list(range(seeds))
    assert [each for each in outcomes if each.run.arm == "more" and each not in final] == []
    assert {each.run.learning_rate for each in final} == {chosen(plan, outcomes)["two"]}
    assert all(each.run.setting["best"] == 0.5 and not each.run.is_trial for each in final)
    first = next(at for at, each in enumerate(outcomes) if each.run.arm == "more")
    assert len([each for each in outcomes[:first] if each.run.arm == "two"]) >= len(RATES)


def test_an_arm_follows_one_that_is_swept_and_is_not_swept_itself(tmp_path):
    plan = study("formula")
    with pytest.raises(UserError, match="without learning rates"):
        list(run_study(replace(plan, rates={"one": RATES}, follows={"two": "three"}), tmp_path))
    with pytest.raises(UserError, match="sweeps an arm that follows"):
        list(run_study(replace(plan, follows={"two": "one"}), tmp_path))


def test_two_commands_do_not_work_in_one_folder(tmp_path):
    running = run_study(study("formula"), tmp_path, seeds=1)
    next(running)
    with pytest.raises(UserError, match="another command works in"):
        list(run_study(study("formula"), tmp_path, seeds=1))
    running.close()
    assert len(list(run_study(study("formula"), tmp_path, seeds=1))) == 6


@pytest.mark.parametrize(("seeds", "workers"), [(0, 1), (1, 0)])
def test_no_seeds_or_no_workers_are_refused(tmp_path, seeds, workers):
    with pytest.raises(UserError, match="seeds"):
        list(run_study(study("formula"), tmp_path, seeds, workers))


def test_an_arm_without_rates_or_a_rate_twice_is_refused(tmp_path):
    plan = study("formula")
    with pytest.raises(UserError, match="without learning rates"):
        list(run_study(replace(plan, rates={"one": RATES}), tmp_path))
    with pytest.raises(UserError, match="twice"):
        list(run_study(replace(plan, rates=dict.fromkeys(ARMS, (0.1, 0.1))), tmp_path))


def test_who_stops_listening_stops_the_runs(tmp_path):
    plan = replace(study("slow"), arms={"a": {}, "b": {}}, rates={"a": [1.0], "b": [1.0]})
    seen = []

    def watch(names):
        seen.extend(names)
        while len([path for path in tmp_path.glob("runs/*/pid") if path.read_text()]) < 2:
            time.sleep(0.05)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(run_study(plan, tmp_path, watch=watch))
    assert len(seen) == 2
    assert not any(is_alive(int(path.read_text())) for path in tmp_path.glob("runs/*/pid"))


def test_runs_end_when_their_parent_is_killed(tmp_path):
    told = (
        f"import sys; sys.path[:0] = {sys.path!r}\n"
        "from pathlib import Path\nfrom study_samples import study\n"
        "from worldline.learn.studies.grid import run_study\n"
        f"list(run_study(study('slow'), Path({str(tmp_path)!r}), 1, 2))\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", told])
    while len([path for path in tmp_path.glob("runs/*/pid") if path.read_text()]) < 2:
        assert parent.poll() is None
        time.sleep(0.05)
    pids = [int(path.read_text()) for path in tmp_path.glob("runs/*/pid")]
    parent.kill()
    parent.wait()
    until = time.monotonic() + 30
    while any(map(is_alive, pids)) and time.monotonic() < until:
        time.sleep(0.1)
    assert not any(map(is_alive, pids))


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not (stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z")


def training(rates=(0.01,), **setting):
    """With the real trainer."""
    pytest.importorskip("training_samples", reason="no torch: pip install 'worldline[learn]'")
    return replace(study("training"), arms={"only": setting}, rates={"only": rates})


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run that nothing broke off."""
    folder = tmp_path_factory.mktemp("whole")
    (outcome,) = run_study(training(), folder, seeds=1)
    return folder, outcome


def test_the_network_that_is_scored_is_the_trained_one(whole):
    folder, outcome = whole
    log = [json.loads(line) for line in (folder / "runs/only-lr0.01-seed0/log.jsonl").open()]
    assert outcome.result["score"] == [log[-1]["scores"]["next.right"]]
    assert outcome.result["facts"]["loss"] == log[-1]["loss"]
    assert outcome.result["facts"]["iterations"] == 12
    assert 0 < outcome.result["facts"]["cpu_seconds"] <= outcome.cpu_seconds
    assert "torch" in outcome.versions
    assert not list(folder.glob("runs/*/checkpoints"))
    assert not [*folder.glob("runs/*.clock"), *folder.glob("runs/*.cpu")]  # done again it begins at 0


@pytest.mark.parametrize("content", ["", "null", "{}", "[1]", '{"setting": {}}'])
def test_a_spoilt_result_is_one_line(tmp_path, content):
    plan = study("formula")
    name = runs_of(plan, 1, ())[0].name
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / f"{name}.json").write_text(content)
    with pytest.raises(UserError, match=f"{name}.json cannot be read as a result") as error:
        list(run_study(plan, tmp_path, seeds=1))
    assert "done again" in error.value.hint


@pytest.mark.parametrize("dies", ["SIGKILL", "SIGTERM"])
def test_a_run_that_is_broken_off_goes_on_and_comes_to_the_same(whole, tmp_path, dies):
    plan = training(dies=dies)
    with pytest.raises(UserError, match="has failed"):
        list(run_study(plan, tmp_path, seeds=1))
    assert kept(plan, tmp_path, 1) == []
    (outcome,) = run_study(plan, tmp_path, seeds=1)
    assert outcome.result["score"] == whole[1].result["score"]
    for file in ("model.safetensors", "log.jsonl"):
        theirs = (whole[0] / "runs/only-lr0.01-seed0" / file).read_bytes()
        assert (tmp_path / "runs/only-lr0.01-seed0" / file).read_bytes() == theirs


def test_a_run_whose_loss_is_no_number_ranks_last(tmp_path):
    plan = training((0.01, 0.02), is_bad=True)
    outcomes = list(run_study(plan, tmp_path, seeds=1))
    assert [each.result for each in outcomes] == [None, None]
    assert chosen(plan, outcomes) == {"only": 0.01}
    assert sorted(kept(plan, tmp_path, 1), key=repr) == sorted(outcomes, key=repr)


def test_commands_are_written_down(tmp_path):
    assert grid.commands(tmp_path) == []
    grid.add_command(tmp_path, "worldline study x", 12.34, 3)
    grid.add_command(tmp_path, "worldline study x", 1.0, 0)
    assert [(each["seconds"], each["runs"]) for each in grid.commands(tmp_path)] == [(12.3, 3), (1.0, 0)]


def test_time_is_counted_for_each_study_by_itself(tmp_path):
    for command in ("x -o f", "x -o f --quick", "xy -o f", "x -o g"):
        grid.add_command(tmp_path, f"worldline study {command}", 1.0, 1)
    assert grid.seconds_spent(tmp_path, "x", is_quick=False) == 2.0
    assert grid.seconds_spent(tmp_path, "x", is_quick=True) == 1.0
