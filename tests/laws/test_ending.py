"""How a program ends can be read off its steps: what was recorded beside them says the same."""

from pathlib import Path

import pytest

from worldline.record import Limits, Options, record_file
from worldline.trace.ending import ending_of
from worldline.trace.model import Ending, Step

OTHERS = ("exit_codes", "leaving", "stopping")  # two exit, one ends its recording before it ends itself
FOLDER = Path(__file__).parents[1] / "samples" / "hazards"
HAZARDS = [path for path in sorted(FOLDER.glob("*.py")) if path.stem not in OTHERS]


@pytest.mark.parametrize("path", HAZARDS, ids=lambda path: path.stem)
def test_on_every_hazard(path: Path) -> None:
    trace = record_file(path, options=Options(max_value=None), limits=Limits(seconds=60))
    assert ending_of(trace.steps, trace.program.source) == trace.ending


def test_a_generator_that_is_closed_after_the_end_is_not_the_end() -> None:
    entry = [Step("call", 1, {}, frame=0), Step("return", 2, {}, "7", frame=0)]
    left = "(<class 'GeneratorExit'>, GeneratorExit(), <traceback object>)"
    closed = [Step("exception", 5, {}, left, 1, frame=1), Step("return", 5, {}, "None", 1, frame=1)]
    assert ending_of(entry + closed) == Ending("returned", "7")


OUT = {
    "not taken": "except ValueError:\n        return 2",
    "again": "except KeyError:\n        raise",
    "taken": "except KeyError: pass",
    "taken below": "except KeyError:\n        x = 1",
    "finally": "finally:\n        x = 1\n        y = 2",
    "finally returns": "finally:\n        return None",
    "both": "except KeyError:\n        x = 0\n    finally:\n        x = 1",
    "other": "except KeyError as error:\n        raise ValueError from error",
}


@pytest.mark.parametrize("text", OUT.values(), ids=OUT)
def test_what_passes_out_is_seen_whoever_looked_at_it(text: str, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(f"def main():\n    try:\n        raise KeyError(1)\n    {text}\n")
    trace = record_file(tmp_path / "program.py", options=Options(max_value=None))
    assert ending_of(trace.steps, trace.program.source) == trace.ending


def test_of_no_steps_nothing_is_known() -> None:
    assert ending_of([]) == Ending("returned")
