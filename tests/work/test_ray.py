"""The same on a real Ray of this machine, with two workers of which one is killed in the middle."""

import os
import signal
from pathlib import Path

import pytest

from worldline.bench.model import settings_of
from worldline.bench.registry import benchmark
from worldline.bench.run import Plan, begun, items_of, problems_of, run, scores_of
from worldline.diagnose.rewriting_work import Asked, intervene_by
from worldline.errors import UserError
from worldline.record.box import Limits
from worldline.record.collect import Row, collect, program_of
from worldline.record.options import Options
from worldline.rollout.options import RolloutOptions
from worldline.work.engines import Hands, Job, Lost, Result, Task

ray = pytest.importorskip("ray", reason="the extra `ray` is not installed")
HERE = str(Path(__file__).parent)
pytestmark = pytest.mark.xdist_group("ray")


@pytest.fixture(scope="module")
def cluster():
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    environment = {"PYTHONPATH": HERE + os.pathsep + os.environ.get("PYTHONPATH", "")}
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": environment})
    yield
    ray.shutdown()


def tasks(count):
    return [Task(str(number), {"number": number}) for number in range(count)]


def test_all_results_are_there_though_a_worker_is_killed(cluster, tmp_path):
    job = Job("workers:squares", {"notes": str(tmp_path), "seconds": 0.05})
    found = []
    for each in Hands("ray", 2).do(job, tasks(40), 4):
        if len(found) == 6:
            os.kill(each.value["pid"], signal.SIGKILL)
        found.append(each)
    assert all(isinstance(each, Result) for each in found)
    assert sorted(int(each.key) for each in found) == list(range(40))
    assert len({each.value["pid"] for each in found}) > 1


def test_what_kills_its_worker_takes_no_other_with_it(cluster, tmp_path):
    job = Job("workers:squares", {"notes": str(tmp_path), "deadly": [3]})
    found = list(Hands("ray", 2).do(job, tasks(6), 3))
    assert [each.key for each in found if isinstance(each, Lost)] == ["3"]
    assert sorted(int(each.key) for each in found) == list(range(6))


def test_wrong_input_is_the_users_to_know(cluster, tmp_path):
    job = Job("workers:squares", {"notes": str(tmp_path), "refused": [1]})
    with pytest.raises(UserError, match="cannot be squared") as caught:
        list(Hands("ray", 2).do(job, tasks(3), 1))
    assert caught.value.hint == "give another number"


def test_a_benchmark_on_the_cluster_has_every_score_once(cluster, tmp_path):
    chosen = benchmark("permutation")
    settings = settings_of(chosen, ["lengths=4,8", "count=6"])
    plan = Plan(chosen, settings, "oracle", engine="ray", jobs=2)
    problems = problems_of(plan)
    items = items_of(plan, problems)
    killed = []
    with begun(plan, problems, tmp_path / "run.db", ["test"]) as store:
        given = []
        for each in run(plan, items, store):
            given.append(each)
            if len(given) >= 2 and not killed:
                killed = _kill_one()
        assert killed
        assert sorted(each.id for each in given) == sorted(item.problem.id for item in items)
        assert sorted(each.id for each in scores_of(store)) == sorted(item.problem.id for item in items)
        assert all(each.is_exact for each in scores_of(store))


def test_collect_and_intervene_run_on_the_cluster(cluster, tmp_path):
    code = "def f(a):\n    return a[::-1]\n"
    rows = [Row(f"r{n}", program_of({"code": code, "input": repr("ab" * n)})) for n in range(6)]
    done = list(collect(rows, tmp_path / "traces", Options(), Limits(), "process", Hands("ray", 2)))
    assert {each.id: each.result for each in done} == {f"r{n}": repr("ba" * n) for n in range(6)}
    assert len(list((tmp_path / "traces").glob("r*.jsonl"))) == 6
    asked = Asked("oracle", ("atomic",), RolloutOptions(max_tokens=10**6), "process")
    found = list(intervene_by(Hands("ray", 2), rows, asked, frozenset({("r0", "control")})))
    assert len(found) == 17
    assert all(each.is_right and each.is_exact for each in found)


def _kill_one():
    """End one of the processes in which Ray is doing our work."""
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                name = (folder / "cmdline").read_bytes().split(b"\0")[0]
            except OSError:
                continue
            if name.startswith(b"ray::_work"):
                os.kill(int(folder.name), signal.SIGKILL)
                return [int(folder.name)]
    return []
