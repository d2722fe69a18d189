"""Every step of a real recording is a legal successor of the one before it."""

from pathlib import Path

import pytest

from worldline.flow.position import first_illegal
from worldline.record import Limits, Options, record_file

HAZARDS = sorted((Path(__file__).parents[1] / "samples" / "hazards").glob("*.py"))


@pytest.mark.parametrize("path", HAZARDS, ids=lambda path: path.stem)
def test_every_recorded_transition_is_legal(path):
    trace = record_file(path, options=Options(max_value=200), limits=Limits(seconds=60))
    assert trace.steps, trace.ending
    assert first_illegal(trace.program, trace.steps) is None
