"""What the tests of the box share: every level there is, and a way to run a sample at it."""

import os
import secrets
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from worldline.record.box import LEVELS, Job, Limits, Outcome, interpreter, probe, run

HOSTILE = Path(__file__).parents[2] / "samples" / "hostile"
DEFAULT = Limits()
INSTALL = {"bwrap": "apt-get install bubblewrap", "sandlock": "pip install 'worldline[sandbox]'"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One worker for all of them: hostile programs and probes would see each other's processes."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("box"))


@pytest.fixture(params=LEVELS)
def level(request: pytest.FixtureRequest) -> str:
    """Each level in turn; skipped by name where it does not work."""
    result = probe(request.param)
    if not result.is_available:
        pytest.skip(f"needs {request.param} ({INSTALL[request.param]}): {result.reason}")
    return request.param


@pytest.fixture(params=[name for name in LEVELS if name != "process"])
def strict_level(request: pytest.FixtureRequest) -> str:
    """Each level that isolates; skipped by name where it does not work."""
    result = probe(request.param)
    if not result.is_strict:
        pytest.skip(f"needs {request.param} ({INSTALL[request.param]}): {result}")
    return request.param


@pytest.fixture
def bystander() -> Iterator[subprocess.Popen[bytes]]:
    """A process of ours that no job has any business with."""
    with subprocess.Popen(["/bin/sh", "-c", "read line"], stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


@pytest.fixture
def python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Outcome]]:
    """Runs Python at a level; afterwards nothing of it may be left, neither processes nor folders."""
    marker = secrets.token_hex(8)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    executable, readable = interpreter()

    def run_python(level: str, *words: str, limits: Limits = DEFAULT, **job: object) -> Outcome:
        command = [executable, "-I", "-S", "-B", *words, marker]
        more = [Path(word) for word in words if word.startswith(str(HOSTILE))]
        return run(Job(command, readable=[*readable, *more], **job), limits, level)

    yield run_python
    assert _running(marker) == []
    assert list(temporary.iterdir()) == []


@pytest.fixture
def hostile(python: Callable[..., Outcome]) -> Callable[..., Outcome]:
    """Runs one of the hostile samples."""

    def run_hostile(level: str, name: str, *words: object, **options: object) -> Outcome:
        return python(level, str(HOSTILE / f"{name}.py"), *map(str, words), **options)

    return run_hostile


@pytest.fixture
def running() -> Callable[[str], list[str]]:
    """Finds living processes by a word in their command line."""
    return _running


def _running(marker: str) -> list[str]:
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                command = Path(f"/proc/{name}/cmdline").read_bytes()  # empty for one that has ended
            except OSError:
                continue
            if marker.encode() in command:
                found.append(name)
    return found
