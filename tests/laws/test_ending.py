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
    assert ending_of(trace.steps) == trace.ending


def test_a_generator_that_is_closed_after_the_end_is_not_the_end() -> None:
    entry = [Step("call", 1, {}, frame=0), Step("return", 2, {}, "7", frame=0)]
    left = "(<class 'GeneratorExit'>, GeneratorExit(), <traceback object>)"
    closed = [Step("exception", 5, {}, left, 1, frame=1), Step("return", 5, {}, "None", 1, frame=1)]
    assert ending_of(entry + closed) == Ending("returned", "7")


def test_of_no_steps_nothing_is_known() -> None:
    assert ending_of([]) == Ending("returned")
