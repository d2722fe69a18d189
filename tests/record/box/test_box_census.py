"""Who is counted, and what of theirs."""

import os
import signal
import subprocess
import sys

from worldline.record.box import census, supervisor

GRANDCHILD = """
import os, sys, time
if os.fork() == 0:
    held = bytearray(b"x") * (50 << 20)
    os.write(1, b"!")
    time.sleep(60)
os.wait()
"""


def test_a_process_tree():
    with subprocess.Popen([sys.executable, "-I", "-S", "-c", GRANDCHILD], stdout=subprocess.PIPE) as child:
        try:
            assert child.stdout.read(1) == b"!"
            found = supervisor.below(os.getpid())
            assert child.pid in found
            grandchildren = supervisor.below(child.pid)
            assert len(grandchildren) == 1
            assert grandchildren[0] in found
            counted = census.take(child.pid, enough=1 << 40)
            assert counted.tasks == 1
            assert 50 << 20 < counted.memory < 80 << 20
            exact = census.take(child.pid, enough=0)
            assert 50 << 20 < exact.memory <= counted.memory
        finally:
            for pid in (*grandchildren, child.pid):
                os.kill(pid, 9)


def test_a_process_tree_from_lists_of_children(tmp_path, monkeypatch):
    """Where the kernel lists the children of each thread, that is used; here with lists of our own."""
    for task, children in {"1/task/1": "2 3", "1/task/9": "4", "2/task/2": "", "4/task/4": "5"}.items():
        (tmp_path / task).mkdir(parents=True)
        (tmp_path / task / "children").write_text(children)
    monkeypatch.setattr(supervisor, "_PROC", str(tmp_path))
    monkeypatch.setattr(supervisor, "_HAS_CHILDREN", True)
    assert sorted(supervisor.below(1)) == [2, 3, 4, 5]
    assert supervisor.below(4) == [5]
    assert supervisor.below(3) == []


def test_bytes_written(tmp_path):
    (tmp_path / "known").write_bytes(bytes(100_000))
    known = census.inodes([str(tmp_path)])
    assert census.bytes_written([str(tmp_path)], known) == 0
    (tmp_path / "known").write_bytes(bytes(200_000))
    assert census.bytes_written([str(tmp_path)], known) == 0
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "new").write_bytes(b"x" * 100_000)
    (tmp_path / "loop").symlink_to(tmp_path)
    assert 100_000 <= census.bytes_written([str(tmp_path)], known) < 150_000


def test_too_many_files(tmp_path, monkeypatch):
    monkeypatch.setattr(census, "_MANY_FILES", 5)
    for number in range(6):
        (tmp_path / str(number)).touch()
    assert census.bytes_written([str(tmp_path)], set()) > 1 << 60


def test_a_session_is_killed_until_nobody_of_it_lives():
    """A process that has been sent its signal lives on for a moment, and is named until it is gone."""
    command = ["/bin/sh", "-c", "sleep 60 & sleep 60 & echo up; wait"]
    with subprocess.Popen(command, start_new_session=True, stdout=subprocess.PIPE) as shell:
        assert shell.stdout is not None
        shell.stdout.readline()
        alive = supervisor.kill_session(shell.pid)
        assert len(alive) == 3
        while supervisor.kill_session(shell.pid):
            pass
        assert not any(map(_is_alive, alive))
    assert shell.returncode == -signal.SIGKILL


def _is_alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return bool(file.read())  # empty for one that has ended
    except OSError:
        return False
