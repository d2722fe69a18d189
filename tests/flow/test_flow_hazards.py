"""Every recorded transition is legal: on programs whose control flow is easy to get wrong."""

import pytest
from hazard_frames import SUSPENDING
from hazard_programs import HAZARDS
from settrace_reference import watch

from worldline.flow.position import first_illegal
from worldline.trace import Entry, Program

PROGRAMS = HAZARDS | SUSPENDING


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_recorded_transition_is_legal(name):
    source = PROGRAMS[name]
    events = watch(source)
    assert len(events) > 20
    illegal = first_illegal(Program(source, Entry("script")), events)
    assert illegal is None, (illegal, events[max(0, illegal[0] - 5) : illegal[0] + 1])


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_program_runs_to_its_last_line(name):
    source = PROGRAMS[name]
    last = [event for event in watch(source) if event.function == "<module>"][-1]
    assert (last.event, last.value) == ("return", "None")
    assert last.line >= len(source.splitlines()) - 4


def test_lines_far_from_the_first_of_their_function():
    source = HAZARDS["one line"].replace("    # far\n", "\n" * 200)
    assert first_illegal(Program(source, Entry("script")), watch(source)) is None
