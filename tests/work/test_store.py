"""The store: what is finished stays, once; a file has one setting; a killed writer loses nothing."""

import os
import signal
import sqlite3
import subprocess
import sys
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from worldline.errors import UserError
from worldline.work.store import opened

FACTS = {"setting": {"model": "oracle", "seed": 1}, "history": {"command": "worldline bench"}}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.dictionaries(st.text(), st.tuples(st.dictionaries(st.text(), JSON), st.none() | st.binary())))
def test_what_is_put_in_comes_out_again(tmp_path_factory, items):
    path = tmp_path_factory.mktemp("store") / "run.db"
    with opened(path, FACTS) as store:
        for key, (result, attachment) in items.items():
            assert store.put(key, result, attachment)
    with opened(path) as store:
        assert store.keys() == set(items)
        assert {kept.key: kept.result for kept in store.items()} == {
            key: one for key, (one, _) in items.items()
        }
        assert all(store.attachment(key) == attachment for key, (_, attachment) in items.items())
        assert store.facts["history"] == [{"command": "worldline bench"}]


def test_the_first_result_stays(tmp_path):
    with opened(tmp_path / "run.db", FACTS) as store:
        assert store.put("a", {"n": 1}, b"one")
        assert not store.put("a", {"n": 2}, b"two")
        assert [kept.result for kept in store.items()] == [{"n": 1}]
        assert store.attachment("a") == b"one"
        assert store.attachment("b") is None


def test_a_file_belongs_to_one_setting(tmp_path):
    path = tmp_path / "run.db"
    with opened(path, FACTS) as store:
        store.put("a", {})
    for _ in range(2):
        with opened(path, {**FACTS, "history": {"command": "another"}}) as store:
            assert [each["command"] for each in store.facts["history"]] == ["worldline bench", "another"]
    with (
        pytest.raises(UserError, match="another seed"),
        opened(path, {"setting": {"model": "oracle", "seed": 2}}),
    ):
        pass
    with (
        pytest.raises(UserError, match="another model"),
        opened(path, {"setting": {"model": "x", "seed": 1}}),
    ):
        pass


@pytest.mark.parametrize("content", [b"no database", b""])
def test_what_is_no_run_is_refused(tmp_path, content):
    path = tmp_path / "run.db"
    path.write_bytes(content)
    with pytest.raises(UserError), opened(path):
        pass
    with pytest.raises(UserError, match="there is no run"), opened(tmp_path / "other.db"):
        pass
    with pytest.raises(UserError, match="cannot be opened"), opened(tmp_path / "none" / "run.db", FACTS):
        pass


def test_another_database_is_left_alone(tmp_path):
    path = tmp_path / "customers.db"
    with sqlite3.connect(path) as other:
        other.execute("create table customers (name text)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(UserError, match="another database"), opened(path, FACTS):
        pass
    assert path.read_bytes() == before


WRITER = """
import sys
from pathlib import Path
from worldline.work.store import opened
with opened(Path(sys.argv[1]), {"setting": {"model": "oracle", "seed": 1}}) as store:
    for number in range(10**6):
        store.put(str(number), {"number": number})
        print(number, flush=True)
"""


def test_a_killed_writer_loses_nothing_that_it_has_told(tmp_path):
    path = tmp_path / "run.db"
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
    ) as writer:
        for line in writer.stdout:
            if int(line) >= 50:
                break
        time.sleep(0.05)
        os.kill(writer.pid, signal.SIGKILL)
        told = [int(line) for line in writer.stdout if line.strip().isdigit() and line.endswith("\n")]
    last = told[-1] if told else 50
    with opened(path, FACTS) as store:
        assert {str(number) for number in range(last + 1)} <= store.keys()
        store.put("more", {})
