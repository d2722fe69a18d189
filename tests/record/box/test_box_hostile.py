"""Hostile programs at every level: the judge survives, nothing is left, the verdict names the limit."""

import os
import signal
import socket

import pytest

from worldline.record.box import Limits, census

QUICK = Limits(seconds=0.5)
MEMORY = Limits(memory=700 << 20)


@pytest.mark.parametrize("name", ["fork_bomb", "session_bomb", "thread_bomb"])
def test_too_many_tasks(level, name, hostile):
    outcome = hostile(level, name, limits=Limits(memory=16 << 30))  # a thread's stack takes address space
    assert (outcome.verdict, outcome.isolation) == ("processes", level)


def test_memory_of_many_processes(level, hostile):
    assert hostile(level, "memory_bomb", limits=MEMORY).verdict == "memory"


def test_memory_of_one_process_is_refused(level, hostile):
    outcome = hostile(level, "memory_alone", limits=MEMORY)
    assert outcome.verdict == "finished"
    assert 0 < int(outcome.stdout) < 700


def test_endless_output(level, hostile):
    outcome = hostile(level, "endless_output", limits=Limits(output=100_000))
    assert outcome.verdict == "output"
    assert len(outcome.stdout) + len(outcome.stderr) == 100_000


def test_sudden_exit(level, hostile):
    outcome = hostile(level, "exit_now")
    assert (outcome.verdict, outcome.exit_code) == ("finished", 7)


@pytest.mark.parametrize("name", ["close_everything", "ignore_signals"])
def test_time(level, name, hostile):
    assert hostile(level, name, limits=QUICK).verdict == "time"


def test_stopping_the_supervisor(level, hostile):
    assert hostile(level, "stop_parent", limits=QUICK).verdict == "time"


def test_killing_others(level, hostile, bystander):
    limits = Limits() if level == "process" else QUICK  # there it ends by itself
    outcome = hostile(level, "kill_parent", bystander.pid, limits=limits)
    if level == "process":  # it stops nobody from sending signals, but says what happened
        assert outcome.verdict == "violation"
    else:
        assert outcome.verdict == "time"
        assert bystander.poll() is None


def test_daemon_left_behind(level, hostile):
    outcome = hostile(level, "straggler")  # that it is gone is checked by the fixture
    assert (outcome.verdict, outcome.exit_code) == ("finished", 0)


@pytest.mark.parametrize("name", ["bad_pointer", "deep_recursion"])
def test_crash(level, name, hostile):
    outcome = hostile(level, name)
    assert (outcome.verdict, outcome.signal) == ("crashed", signal.SIGSEGV)


def test_filling_its_own_folder(level, hostile):
    outcome = hostile(level, "fill_files", ".", limits=Limits(files=16 << 20))
    if level == "bwrap":  # its folder is in memory, of a fixed size
        assert (outcome.verdict, outcome.stdout) == ("finished", b"ENOSPC\n")
    else:
        assert outcome.verdict == "files"


def test_filling_the_exchange(level, hostile, tmp_path):
    exchange = tmp_path / "exchange"
    exchange.mkdir()
    outcome = hostile(level, "fill_files", exchange, exchange=exchange, limits=Limits(files=16 << 20))
    assert outcome.verdict == "files"


def test_many_files(level, hostile, tmp_path, monkeypatch):
    monkeypatch.setattr(census, "_MANY_FILES", 500)
    exchange = tmp_path / "exchange"
    exchange.mkdir()
    assert hostile(level, "many_files", exchange, exchange=exchange).verdict == "files"
    (exchange / "closed").chmod(0o700)


def test_folders_beyond_any_path(level, hostile):
    assert hostile(level, "deep_folders").verdict == "finished"


def test_reading_files(level, hostile, tmp_path):
    canary = tmp_path / "canary"
    canary.write_text("secret of the user")
    outcome = hostile(level, "read_files", canary, "/etc/shadow", os.path.expanduser("~/.profile"))
    if level == "process":  # it promises nothing about files
        assert b"secret of the user" in outcome.stdout
    else:
        assert outcome.stdout.split() == [b"refused"] * 4  # the marker is no file, too


def test_writing_outside(level, hostile, tmp_path):
    canary, new = tmp_path / "canary", tmp_path / "new"
    canary.write_text("untouched")
    hostile(level, "write_outside", canary, new)
    is_written = level == "process"  # it promises nothing about files
    assert (canary.read_text() == "hostile") is is_written
    assert new.exists() is is_written


def test_network(level, hostile):
    with socket.socket() as tcp, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        tcp.bind(("127.0.0.1", 0))
        tcp.listen()
        udp.bind(("127.0.0.1", 0))
        outcome = hostile(level, "network", tcp.getsockname()[1], udp.getsockname()[1])
        udp.setblocking(False)
        tcp.setblocking(False)
        if level == "process":  # it promises nothing about the network
            assert outcome.stdout.split() == [b"reached", b"sent"]
            assert udp.recv(100) == b"hostile"
        else:
            with pytest.raises(BlockingIOError):
                tcp.accept()
            with pytest.raises(BlockingIOError):
                udp.recv(100)


def test_looking_into_another_process(strict_level, hostile, bystander):
    outcome = hostile(strict_level, "look_into", bystander.pid)
    assert outcome.stdout.split() == [b"refused", b"refused"]


def test_new_namespaces(strict_level, hostile):
    outcome = hostile(strict_level, "new_namespaces")
    assert outcome.stdout.split() == [b"refused", b"refused"]
