"""The laws of `flow` on random programs: what happens is legal, and little else is."""

from hypothesis import HealthCheck, given, settings
from settrace_reference import watch
from structured_programs import programs

from worldline.flow.position import Illegal, Position, advance, choices, first_illegal, land, start
from worldline.flow.successors import flow
from worldline.trace import EVENTS, Entry, Program

relaxed = settings(deadline=None, max_examples=25, suppress_health_check=list(HealthCheck))


@relaxed
@given(programs())
def test_every_recorded_transition_is_legal(source):
    events = watch(source)
    illegal = first_illegal(Program(source, Entry("script")), events)
    assert illegal is None, (illegal, events[max(0, illegal[0] - 5) : illegal[0] + 1])


@relaxed
@given(programs())
def test_choices_are_what_advance_takes(source):
    program = flow(source)
    here = start(program)
    lines = range(len(source.splitlines()) + 1)
    for seen in watch(source, limit=40):
        offered = choices(here)
        assert (seen.event, seen.line) in offered
        if any(state.flow.slipped(state) for state in here.suspended):
            break  # 3.11: what `advance` takes then, without a call, is not offered
        for event in EVENTS:
            taken = {line for line in lines if isinstance(advance(here, event, line), Position)}
            assert taken == {line for kind, line in offered if kind == event}
        here = advance(here, seen.event, seen.line, seen.function)


@relaxed
@given(programs())
def test_few_lines_are_legal_next(source):
    program = flow(source)
    here = start(program)
    counts = []
    for seen in watch(source):
        if here.top is not None:
            counts.append(len(here.top.state.moves.line))
        here = advance(here, seen.event, seen.line, seen.function)
    assert sum(counts) / len(counts) < 3


@relaxed
@given(programs())
def test_landing_always_gives_a_position_and_a_legal_event_lands_where_it_advances(source):
    program = flow(source)
    legal = lost = start(program)
    for index, seen in enumerate(watch(source, limit=200)):
        moved = advance(legal, seen.event, seen.line, seen.function)
        assert land(legal, seen.event, seen.line, seen.function) == moved
        legal = moved
        lost = land(lost, seen.event, seen.line + index % 3)  # every third is where it should be
        assert isinstance(lost, Position)
        assert isinstance(advance(lost, "line", -1), Illegal)
