"""Engines: every item is done, whoever dies; what kills its worker each time is told, and takes no other."""

import os
import signal
from collections import Counter
from pathlib import Path

import pytest

from worldline.errors import UserError
from worldline.work.engines import ATTEMPTS, ENGINES, Hands, Job, Lost, Result, Task, batches

HERE = str(Path(__file__).parent)
LOCAL = [name for name in ENGINES if name != "ray"]


@pytest.fixture(autouse=True)
def _found_by_workers(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", HERE + os.pathsep + os.environ.get("PYTHONPATH", ""))
    monkeypatch.syspath_prepend(HERE)


def job(tmp_path, **setup):
    (tmp_path / "notes").mkdir(exist_ok=True)
    return Job("workers:squares", {"notes": str(tmp_path / "notes"), **setup})


def tasks(count):
    return [Task(str(number), {"number": number}) for number in range(count)]


def tries(tmp_path):
    return Counter(int(note.name.split("-")[1]) for note in (tmp_path / "notes").iterdir())


def test_batches_keep_everything_in_order():
    every = tasks(7)
    assert [task for batch in batches(every, 3) for task in batch] == every
    assert [len(batch) for batch in batches(every, 3)] == [3, 3, 1]


@pytest.mark.parametrize("engine", LOCAL)
def test_every_item_is_done_once(tmp_path, engine):
    found = list(Hands(engine, 2).do(job(tmp_path), tasks(9), 2))
    assert all(isinstance(each, Result) for each in found)
    assert {each.key: (each.value["square"], each.attachment) for each in found} == {
        str(n): (n * n, b"x" * n) for n in range(9)
    }
    assert set(tries(tmp_path).values()) == {1}
    assert list(Hands(engine, 2).do(job(tmp_path), [], 2)) == []


def test_what_kills_its_worker_takes_no_other_with_it(tmp_path):
    found = list(Hands("processes", 2).do(job(tmp_path, deadly=[4], seconds=0.01), tasks(10), 5))
    lost = [each for each in found if isinstance(each, Lost)]
    assert [each.key for each in lost] == ["4"]
    assert "-9" in lost[0].why
    assert sorted(int(each.key) for each in found) == list(range(10))
    assert tries(tmp_path)[4] == ATTEMPTS


def test_what_fails_is_told_with_the_reason(tmp_path):
    found = list(Hands("processes", 2).do(job(tmp_path, failing=[2]), tasks(4), 2))
    lost = [each for each in found if isinstance(each, Lost)]
    assert [each.key for each in lost] == ["2"]
    assert "no square of 2" in lost[0].why
    assert len(found) == 4


@pytest.mark.parametrize("engine", LOCAL)
def test_wrong_input_is_the_users_to_know(tmp_path, engine):
    with pytest.raises(UserError, match="cannot be squared") as caught:
        list(Hands(engine, 2).do(job(tmp_path, refused=[1]), tasks(3), 1))
    assert caught.value.hint == "give another number"


def test_a_worker_that_is_killed_from_outside_costs_nothing(tmp_path):
    found = []
    for each in Hands("processes", 2).do(job(tmp_path, seconds=0.05), tasks(20), 5):
        if len(found) == 3:
            os.kill(each.value["pid"], signal.SIGKILL)
        found.append(each)
    assert sorted(int(each.key) for each in found) == list(range(20))
    assert all(isinstance(each, Result) for each in found)


def test_workers_go_when_nobody_listens_any_more(tmp_path):
    work = Hands("processes", 2).do(job(tmp_path, seconds=0.05), tasks(20), 5)
    pids = {next(work).value["pid"] for _ in range(4)}
    work.close()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_an_unknown_engine_is_refused():
    with pytest.raises(UserError, match="no engine called 'rey'") as caught:
        list(Hands("rey").do(Job("workers:squares", {}), tasks(1), 1))
    assert "ray" in caught.value.hint
