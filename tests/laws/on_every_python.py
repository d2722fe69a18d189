"""This file runs the laws of recording and rewriting on each installed CPython from 3.11 to 3.13 but its own.

Each gets an environment of its own (.venv-3.12, ...) with nothing but pytest and hypothesis.
"""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
VERSIONS = ("3.11", "3.12", "3.13")
TESTS = ("tests/laws", "tests/flow")
REWRITING = (
    "test_atoms",
    "test_microcode_*",
    "test_expressions*",
    "test_rewrite_laws",
    "test_roots",
    "test_stars",
)
ELSEWHERE = ("tests/laws/test_faults.py", "tests/laws/test_interventions.py")  # hang on no version of Python


def interpreter(version: str) -> str | None:
    """A Python of this version: on the path, or one that pyenv has."""
    kept = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    for candidate in (shutil.which(f"python{version}"), *map(str, reversed(kept))):
        if candidate and _answers(candidate, version):
            return candidate
    return None


def _answers(candidate: str, version: str) -> bool:
    question = "import sys; print('%d.%d' % sys.version_info[:2])"
    told = subprocess.run([candidate, "-c", question], capture_output=True, text=True, check=False)
    return told.stdout.strip() == version


def main() -> int:
    """Run them; 1 if any law is broken."""
    failed = False
    for version in VERSIONS:
        if version == "{}.{}".format(*sys.version_info[:2]):
            continue
        python = interpreter(version)
        if python is None:
            print(f"laws: no CPython {version} on this machine, so they are not run on it")
            continue
        folder = ROOT / f".venv-{version}"
        if not (folder / "bin/python").exists():
            subprocess.run([python, "-m", "venv", str(folder)], check=True)
        pip = [folder / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--editable", ".[laws]"], cwd=ROOT, check=True)
        print(f"laws: CPython {version}", flush=True)
        ignored = [f"--ignore={path}" for path in ELSEWHERE]
        rewriting = [path for name in REWRITING for path in (ROOT / "tests/rewrite").glob(f"{name}.py")]
        command = [folder / "bin/python", "-m", "pytest", *TESTS, *rewriting, *ignored]
        run = subprocess.run(command, cwd=ROOT, check=False)
        failed |= run.returncode != 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
