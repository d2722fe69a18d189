"""What a job gets and what the judge says of it, at every level."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from interrupts import heed_interrupts
from worldline.errors import UserError
from worldline.record.box import Job, Limits, interpreter, nursery, run

SURROUNDINGS = """
import json, os, sys
print(json.dumps({
    "descriptors": [int(name) for name in os.listdir("/proc/self/fd")],
    "environment": dict(os.environ), "cwd": os.getcwd(), "stdin": sys.stdin.read(),
    "ignored": [line.split()[1] for line in open("/proc/self/status") if line.startswith("SigIgn:")],
}))
"""


def test_surroundings(level, python):
    given = {"GIVEN": "1", "LC_ALL": "C.UTF-8"}
    outcome = python(level, "-c", SURROUNDINGS, env=given, stdin=b"hello " * 20_000)
    seen = json.loads(outcome.stdout)
    assert set(seen["descriptors"]) <= {0, 1, 2, 3}  # 3 is the listing itself
    assert set(seen["environment"]) - {"PWD", "LC_CTYPE"} == set(given)
    assert seen["stdin"] == "hello " * 20_000
    ignored = {number for number in range(1, 32) if int(seen["ignored"][0], 16) >> (number - 1) & 1}
    assert ignored == {signal.SIGPIPE, signal.SIGXFSZ}  # by Python itself


def test_private_folder_is_writable_and_empty(level, python):
    code = "import os; print(os.listdir()); open('file', 'w').write('x'); print(os.listdir())"
    outcome = python(level, "-c", code)
    assert outcome.stdout.split(b"\n")[:2] == [b"[]", b"['file']"]


def test_exchange_goes_both_ways(level, python, tmp_path):
    exchange = tmp_path / "exchange"
    exchange.mkdir(mode=0o700)
    (exchange / "in").write_text("from the judge")
    (exchange / "in").chmod(0o600)
    code = "import os; words = open('in').read(); open('out', 'w').write(words.upper()); os.unlink('in')"
    outcome = python(level, "-c", code, exchange=exchange, cwd=str(exchange))
    assert outcome.stderr == b""
    assert [path.name for path in exchange.iterdir()] == ["out"]
    assert (exchange / "out").read_text() == "FROM THE JUDGE"


def test_readable_is_not_writable(strict_level, python, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "file").write_text("content")
    executable, readable = interpreter()
    code = "import sys; print(open(sys.argv[1]).read(), flush=True); open(sys.argv[1], 'w')"
    job = Job([executable, "-I", "-S", "-c", code, str(folder / "file")], readable=[*readable, folder])
    outcome = run(job, Limits(), strict_level)
    assert outcome.stdout == b"content\n"
    assert b"OSError" in outcome.stderr or b"PermissionError" in outcome.stderr
    assert (folder / "file").read_text() == "content"


@pytest.mark.parametrize("code", [0, 1, 42, 255])
def test_exit_code(level, code, python):
    outcome = python(level, "-c", f"import os; os._exit({code})")
    assert (outcome.verdict, outcome.exit_code, outcome.signal) == ("finished", code, None)
    assert outcome.detail == f"it exited with code {code}"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGSYS])
def test_signal(level, number, python):
    verdict = "violation" if number == signal.SIGSYS else "crashed"
    outcome = python(level, "-c", f"import os; os.kill(os.getpid(), {int(number)})")
    assert (outcome.verdict, outcome.exit_code, outcome.signal) == (verdict, None, number)


def test_file_size_signal(level, python):
    code = (
        "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\nopen('f', 'wb').write(bytes(2 << 20))"
    )
    outcome = python(level, "-c", code, limits=Limits(files=1 << 20))
    assert (outcome.verdict, outcome.signal) == ("files", signal.SIGXFSZ)


def test_output_of_exactly_the_limit(level, python):
    code = "import os; os.write(1, b'x' * 1000); os.write(2, b'y' * 1000)"
    outcome = python(level, "-c", code, limits=Limits(output=2000))
    assert (outcome.verdict, len(outcome.stdout), len(outcome.stderr)) == ("finished", 1000, 1000)
    outcome = python(level, "-c", code, limits=Limits(output=1999))
    assert (outcome.verdict, len(outcome.stdout) + len(outcome.stderr)) == ("output", 1999)


def test_closing_stdout_early_is_no_end(level, python):
    outcome = python(level, "-c", "import os, time; os.close(1); os.close(2); time.sleep(0.2); os._exit(5)")
    assert (outcome.verdict, outcome.exit_code) == ("finished", 5)


def test_memory_shared_after_fork_counts_once(level, python):
    code = """
import os, time
held = bytearray(b"x") * (200 << 20)
for _ in range(8):
    if os.fork() == 0:
        time.sleep(0.5)
        os._exit(0)
time.sleep(0.3)
"""
    assert python(level, "-c", code, limits=Limits(memory=600 << 20)).verdict == "finished"


def test_a_program_that_is_not_there(level):
    with pytest.raises(UserError, match="/no/such/program"):
        run(Job(["/no/such/program"]), Limits(), level)


def test_an_unknown_level():
    with pytest.raises(UserError, match="'chroot'"):
        run(Job(["/bin/true"]), Limits(), "chroot")


def test_many_at_once(level, python):
    def square(number: int) -> bytes:
        return python(level, "-c", f"print({number} ** 2)").stdout

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(square, range(24))) == [b"%d\n" % number**2 for number in range(24)]


def _in_a_fork(level: str) -> tuple[str, bytes]:
    executable, readable = interpreter()
    outcome = run(Job([executable, "-I", "-S", "-c", "print('here')"], readable=readable), Limits(), level)
    return outcome.verdict, outcome.stdout


def test_from_forks_of_the_judge(level, python):
    python(level, "-c", "pass")  # so that there is something to inherit
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(_in_a_fork, [level] * 4) == [("finished", b"here\n")] * 4


def test_a_nursery_that_was_killed_is_replaced(level, python):
    python(level, "-c", "pass")
    killed = nursery._nursery._process
    killed.kill()
    killed.wait()
    assert python(level, "-c", "pass").verdict == "finished"


JUDGE = """
import sys
from worldline.record.box import Job, Limits, interpreter, run
executable, readable = interpreter()
code = "import os, time; os.fork() or os.setsid(); time.sleep(60)"
job = Job([executable, "-I", "-S", "-c", code, sys.argv[2]], readable=readable)
run(job, Limits(seconds=60), sys.argv[1])
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_judge_that_is_interrupted_leaves_nothing(level, number, tmp_path, running):
    marker = f"marker-{level}-{number}-{os.getpid()}"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", JUDGE, level, marker]
    judge = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, preexec_fn=heed_interrupts)
    _until(lambda: len(running(marker)) >= 3)  # the judge itself and both of the job
    judge.send_signal(number)
    error = judge.communicate()[1]
    assert (b"KeyboardInterrupt" in error) is (number == signal.SIGINT)
    _until(lambda: running(marker) == [])
    _until(lambda: list(tmp_path.iterdir()) == [])


def _until(condition) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError("it never came to that")
