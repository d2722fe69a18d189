"""This file is the laws of every format: what is written is read, and any text is answered."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.program_strategies import recorded, sources
from laws.strategies import anything, endings, origins, traces, with_order
from worldline.formats import FORMATS, Cut, Decoded, Malformed, format, format_names
from worldline.trace.model import EVENTS, Entry, Program, Step, Trace

every_format = pytest.mark.parametrize("form", [format(name) for name in FORMATS], ids=list(FORMATS))

LINES = (
    "def f(x):",
    "    x = 1",
    "    x = 1",
    "    return x",
    "",
    "x = '<|frame_sep|>'",
    '{"a": "b"}',
    "f(2)",
)


@st.composite
def traces_of_lines(draw: st.DrawFn) -> Trace:
    """Steps on lines that the program has, many of them equal, in any order."""
    source = "\n".join(draw(st.lists(st.sampled_from(LINES), min_size=1, max_size=8)))
    states = draw(st.lists(st.dictionaries(st.sampled_from("xyz"), st.sampled_from(["1", "'a'", ".."]))))
    made = st.builds(
        Step,
        event=st.sampled_from(EVENTS),
        line=st.integers(0, source.count("\n") + 1),
        locals=st.sampled_from([{}, *states]),
        value=st.sampled_from([None, "1", "'\"\\n'", "(<class 'E'>, E(), <traceback object>)"]),
    )
    program = Program(source, Entry("script"))
    return Trace(program, tuple(draw(st.lists(made, max_size=8))), draw(endings), draw(origins))


some_traces = st.one_of(traces(), traces_of_lines())


def written(step: Step) -> tuple[object, ...]:
    """What no format may get wrong, whatever comes after the step."""
    return step.event, list(step.locals.items()), step.value


def is_well_placed(decoded: Decoded, text: str) -> bool:
    """Whether the spans follow each other and lead to what was not read."""
    ends = [0, *(end for _, end in decoded.spans)]
    starts = [start for start, _ in decoded.spans]
    problem = decoded.problem
    return (
        len(decoded.spans) == len(decoded.steps)
        and all(end <= start for end, start in zip(ends, starts, strict=False))
        and all(start <= end for start, end in decoded.spans)
        and text.endswith(decoded.rest)
        and (problem is None or problem.frame_number == len(decoded.steps))
        and (problem is None or ends[-1] <= problem.offset <= len(text))
    )


def test_every_format_has_its_name():
    assert [format(name).name for name in FORMATS] == list(FORMATS)
    assert set(FORMATS) <= set(format_names())


@every_format
@given(some_traces)
def test_what_is_written_is_read(form, trace):
    held = form.holds(trace)
    decoded = form.decode(form.encode(trace), trace.program)
    assert decoded.steps == held.steps
    assert with_order(Trace(held.program, decoded.steps, held.ending, held.origin)) == with_order(held)


@every_format
@settings(max_examples=30, deadline=None)
@given(sources())
def test_what_was_recorded_is_read_to_its_end(form, source):
    trace = recorded(source)
    text = form.encode(trace)
    decoded = form.decode(text, trace.program)
    assert decoded.steps == form.holds(trace).steps
    assert (decoded.problem, decoded.rest) == (None, "")
    assert is_well_placed(decoded, text)


@every_format
@given(some_traces)
def test_what_a_format_holds_it_holds_for_good(form, trace):
    held = form.holds(trace)
    assert with_order(form.holds(held)) == with_order(held)
    assert (held.program, held.ending, held.origin) == (trace.program, trace.ending, trace.origin)
    assert len(held.steps) == len(trace.steps)


@every_format
@given(some_traces)
def test_the_parts_make_up_the_text(form, trace):
    parts = list(form.parts(trace))
    assert "".join(text for _, text in parts) == form.encode(trace)
    kinds = {"name", "source", "special", "syntax", "line-number"}
    assert all(kind in kinds or kind.startswith("value:") for kind, _ in parts)


@every_format
@settings(max_examples=30, deadline=None)
@given(sources(), st.data())
def test_a_text_cut_anywhere_reads_as_a_prefix(form, source, data):
    trace = recorded(source)
    whole = form.encode(trace)
    text = whole[: data.draw(st.integers(0, len(whole)))]
    decoded = form.decode(text, trace.program)
    held = form.holds(trace).steps
    assert [written(step) for step in decoded.steps] == [written(step) for step in held[: len(decoded.steps)]]
    assert not isinstance(decoded.problem, Malformed)
    assert isinstance(decoded.problem, Cut) or len(decoded.steps) == len(held)
    assert is_well_placed(decoded, text)


@every_format
@given(some_traces, st.data())
def test_a_changed_text_is_answered(form, trace, data):
    text = form.encode(trace)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        put = data.draw(st.one_of(anything, st.sampled_from(['"', "{", "}", "\n", "\\", ".."])))
        text = text[:at] + put + text[at + data.draw(st.integers(0, 9)) :]
    assert is_well_placed(form.decode(text, trace.program), text)


@every_format
@given(anything, some_traces)
def test_any_text_is_answered(form, text, trace):
    assert is_well_placed(form.decode(text, trace.program), text)
