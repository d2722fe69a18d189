"""Probes tell the truth, and no level is taken for more than it is."""

import ctypes
import importlib.util
import os
import shutil
import sys

import pytest

import worldline
from worldline.errors import UserError
from worldline.record.box import choose, probe, trial
from worldline.record.box import filter as rules


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    """Nothing is known yet, and what will be is kept in a folder of the test."""
    monkeypatch.setattr(trial, "_known", {})
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "worldline" / "box"


def test_strict_levels_block_every_attempt(strict_level, fresh):
    result = probe(strict_level)
    assert result.is_strict
    assert len(result.blocked) == 15


def test_every_attempt_is_real(fresh):
    """At `process` each of them works; one that could not work anywhere would prove nothing."""
    result = probe("process")
    assert result.is_available
    assert not result.is_strict
    working = {name for name, is_blocked in result.blocked.items() if not is_blocked}
    machine = {"namespace"}  # may be switched off for everybody
    assert working | machine == set(result.blocked)


def test_process_is_given_only_by_its_name(fresh, monkeypatch):
    _nothing_installed(monkeypatch)
    assert choose("process") == "process"
    with pytest.raises(UserError) as refused:
        choose("strict")
    assert "apt-get install bubblewrap" in refused.value.hint
    assert "pip install 'worldline[sandbox]'" in refused.value.hint


@pytest.mark.parametrize("name", ["bwrap", "sandlock"])
def test_a_level_that_is_not_installed(name, fresh, monkeypatch):
    _nothing_installed(monkeypatch)
    assert "not installed" in probe(name).reason
    with pytest.raises(UserError, match="not installed"):
        choose(name)


def test_an_unknown_level():
    with pytest.raises(UserError, match="'docker'"):
        choose("docker")


def _nothing_installed(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)


def test_a_hole_is_no_isolation(strict_level, fresh, monkeypatch):
    """A level that lets one attempt through is refused, and not kept on disk."""
    kept = trial._Bait.taken
    monkeypatch.setattr(trial._Bait, "taken", lambda bait, said: kept(bait, said) | {"udp": False})
    with pytest.raises(UserError, match="not blocked: udp"):
        choose(strict_level)
    assert not fresh.exists()


def test_a_probe_is_kept(strict_level, fresh, monkeypatch):
    first = probe(strict_level)
    (file,) = fresh.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    monkeypatch.setattr(trial, "_known", {})
    monkeypatch.setattr(trial, "_probe", lambda level: pytest.fail("probed again"))
    assert probe(strict_level) == first


def test_what_others_could_have_written_is_not_believed(strict_level, fresh):
    probe(strict_level)
    (file,) = fresh.iterdir()
    file.chmod(0o666)
    assert trial._kept(strict_level) is None


def test_another_situation_is_probed_again(strict_level, fresh, monkeypatch):
    before = trial._path(strict_level)
    monkeypatch.setattr(worldline, "__version__", "another")
    assert trial._path(strict_level) != before


STRICT_WITHOUT_NAMESPACES = """
from worldline.record.box import choose, probe
print(probe("bwrap").is_available, choose("strict"))
"""


def test_where_namespaces_are_forbidden(tmp_path, monkeypatch):
    """As in a container: bwrap says why it cannot, and sandlock takes its place."""
    if not probe("sandlock").is_strict:
        pytest.skip("needs sandlock (pip install 'worldline[sandbox]')")
    monkeypatch.setattr(
        rules, "_REFUSED", {name: rules._REFUSED[name] for name in ("unshare", "setns", "mount")}
    )
    program = rules.build()
    paths = os.pathsep.join(sys.path)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            _forbid(program)
            os.dup2(writer, 1)
            environment = {**os.environ, "PYTHONPATH": paths, "XDG_CACHE_HOME": str(tmp_path)}
            os.execve(sys.executable, [sys.executable, "-c", STRICT_WITHOUT_NAMESPACES], environment)
        finally:
            os._exit(1)
    os.close(writer)
    os.waitpid(child, 0)
    assert os.read(reader, 1000) == b"False sandlock\n"
    os.close(reader)


def _forbid(program: bytes) -> None:
    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_char_p)]

    libc = ctypes.CDLL(None)
    steps = Program(len(program) // 8, program)
    assert libc.prctl(38, 1, 0, 0, 0) == 0
    assert libc.prctl(22, 2, ctypes.byref(steps)) == 0
