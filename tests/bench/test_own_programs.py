"""The benchmark `programs`: whatever Python files there are, each a problem, and none that is lost."""

import json
from pathlib import Path

import pytest

from worldline.bench.programs import PROGRAMS, Settings, problems
from worldline.bench.run import Plan, begun, items_of, problems_of, run, scores_of
from worldline.errors import UserError

FOLDER = Path(__file__).parents[2] / "benchmarks/programs"
MAIN = "def main():\n    return {}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {
        "one.py": MAIN.format("1 + 1"),
        "deep/two.py": MAIN.format("'b' * 2"),
        "deep/broken.py": "def main(:\n",
        "deep/no_text.py": "\udcff",
        "notes.txt": "no program",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode(errors="surrogateescape"))
    return tmp_path


def test_every_file_of_a_folder_is_a_problem(folder: Path, tmp_path: Path) -> None:
    plan = Plan(PROGRAMS, Settings(str(folder)), "oracle", engine="here")
    found = problems_of(plan)
    with begun(plan, found, tmp_path / "run.db", ["test"]) as store:
        assert len(list(run(plan, items_of(plan, found), store))) == 4
        scores = {each.id: each for each in scores_of(store)}
    right = {name for name, each in scores.items() if each.is_right and each.is_exact}
    assert right == {"one.py", "deep/two.py"}
    assert scores["deep/two.py"].real == "'bb'"
    assert scores["deep/two.py"].labels == {"folder": "deep"}
    assert "line 1" in scores["deep/broken.py"].flaw
    assert "cannot be read" in scores["deep/no_text.py"].flaw


def test_a_file_and_a_row_are_the_same_program(folder: Path, tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({"id": "one", "program": (folder / "one.py").read_text()}) + "\n{}\n")
    (of_file,) = problems(Settings(str(folder / "one.py")), 0)
    of_row, bad = problems(Settings(str(rows)), 0)
    assert of_file.program is not None
    assert of_row.program is not None
    assert (of_file.program.source, of_file.program.entry) == (of_row.program.source, of_row.program.entry)
    assert bad.program is None
    assert bad.flaw


def test_a_folder_without_programs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="has no programs"):
        problems(Settings(str(tmp_path)), 0)


@pytest.mark.parametrize(("folder", "count"), [("everyday", 136), ("corners", 206)])
def test_our_programs_can_be_run(folder: str, count: int) -> None:
    found = problems(Settings(str(FOLDER / folder)), 0)
    assert len(found) == count
    assert not [each.flaw for each in found if each.flaw]
    assert all(each.program and each.program.entry.text == "main" for each in found)
