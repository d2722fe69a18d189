"""This file is the laws of the trace: changes and files give back what went in, and any prefix reads."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from laws.strategies import anything, holds_no_pair, steps, traces, with_order
from worldline.errors import UserError
from worldline.trace import jsonl
from worldline.trace.delta import apply, deltas
from worldline.trace.edits import EDITED, Edit, Texts
from worldline.trace.model import Ending, Entry, Origin, Program, Step, Trace

EMPTY = Trace(Program("", Entry("script")), (), Ending("open"), Origin("predicted", ""))


def lines_of(trace: Trace) -> list[bytes]:
    return [line.encode() + b"\n" for line in jsonl.lines(trace)]


def read_or_told(lines: list[bytes]) -> Trace | UserError:
    try:
        return jsonl.parse(lines)
    except UserError as error:
        return error


@given(st.lists(steps()))
@example([Step("line", 1, {}, frame=-1)])
@example([Step("line", 1, {"a": "1", "b": "2"}), Step("line", 2, {"b": "2", "a": "1"})])
@example([Step("line", 1, {"a": "1"}), Step("line", 1, {"a": "1"}, frame=1), Step("line", 2, {})])
def test_changes_give_back_the_steps(sequence):
    again = list(apply(deltas(sequence)))
    assert again == sequence
    assert [list(step.locals) for step in again] == [list(step.locals) for step in sequence]


@given(st.lists(steps(), min_size=1), st.data())
def test_a_step_that_changes_nothing_stores_nothing(sequence, data):
    step = data.draw(st.sampled_from(sequence))
    *_, change = deltas([*sequence, step, step])
    assert (change.set, change.gone, change.frame, change.depth, change.shared) == ({}, (), None, None, None)


@given(traces())
@example(EMPTY)
def test_json_lines_give_back_the_trace(trace):
    assert with_order(jsonl.parse(lines_of(trace))) == with_order(trace)


@given(traces())
def test_json_lines_are_plain_ascii_lines(trace):
    for line in lines_of(trace):
        assert line.isascii()
        assert line.count(b"\n") == 1
        assert isinstance(json.loads(line), dict)


@given(traces(), st.data())
def test_a_file_cut_anywhere_reads_as_a_prefix(trace, data):
    whole = b"".join(lines_of(trace))
    cut = data.draw(st.integers(0, len(whole)))
    header_ends = len(lines_of(trace)[0]) - 1
    if cut < header_ends:
        with pytest.raises(UserError):
            jsonl.parse(whole[:cut].splitlines(keepends=True))
        return
    read = jsonl.parse(whole[:cut].splitlines(keepends=True))
    assert (read.program, read.origin) == (trace.program, trace.origin)
    assert read.steps == trace.steps[: len(read.steps)]
    if cut < len(whole) - 1:
        assert read.ending.kind == "open"
    else:
        assert read == trace


@given(traces(), st.data())
def test_a_changed_file_reads_or_says_what_is_wrong(trace, data):
    whole = bytearray(b"".join(lines_of(trace)))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(whole) - 1))
        whole[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    found = read_or_told(bytes(whole).splitlines(keepends=True))
    assert isinstance(found, Trace) or (found.what and found.hint)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
keys = st.sampled_from(
    [
        "event",
        "line",
        "frame",
        "depth",
        "function",
        "thread",
        "file",
        "del",
        "set",
        "shared",
        "value",
        "out",
        "step",
        "path",
        "source",
        "end",
        "detail",
        "schema",
        "version",
        "program",
        "origin",
        "entry",
        "files",
    ]
)


@given(st.dictionaries(keys, json_values), st.sampled_from([{}, {"event": "line", "line": 1}]))
def test_a_line_of_any_shape_reads_or_says_what_is_wrong(record, good):
    body = (json.dumps(good | record) + "\n").encode()
    found = read_or_told([lines_of(EMPTY)[0], body])
    if isinstance(found, UserError):
        assert "line 2" in found.what
        return
    for step in found.steps:
        assert type(step.line) is int
        assert all(type(text) is str for text in step.locals.values())
        assert type(found.program.source_of(step.file)) is str


@given(st.dictionaries(keys, json_values), st.booleans())
def test_a_header_of_any_shape_reads_or_says_what_is_wrong(record, is_inside):
    header = jsonl.header(EMPTY.program, EMPTY.origin)
    changed = header | {"program": header["program"] | record} if is_inside else header | record
    found = read_or_told([(json.dumps(changed) + "\n").encode()])
    if isinstance(found, UserError):
        assert "<trace>" in found.what
    else:
        assert type(found.program.source) is str


long_texts = st.builds(
    lambda head, middle, tail: head * 20 + middle + tail * 20, anything, anything, anything
)


@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from("xy"), long_texts | anything)))
def test_edits_give_back_the_texts(sequence):
    writing, reading = Texts(), Texts()
    for frame, name, text in sequence:
        edit = writing.edit(frame, name, text)
        assert reading.whole(frame, edit) == text
        assert len(edit.text) <= len(text)
        if len(text) < EDITED:
            assert edit == Edit(name, 0, 0, 0, text)


@given(st.text(min_size=EDITED), st.text(max_size=5), st.text(min_size=EDITED))
def test_an_edit_holds_no_more_than_what_is_new(head, new, tail):
    texts = Texts()
    texts.edit(0, "x", head + tail)
    assert len(texts.edit(0, "x", head + new + tail).text) <= len(new)


@given(st.lists(st.text(min_size=EDITED), min_size=1), st.data())
def test_a_text_that_was_there_is_not_stored_again(sequence, data):
    texts = Texts()
    for number, text in enumerate(sequence):
        texts.edit(number, "x", text)
    assert texts.edit(-1, "y", data.draw(st.sampled_from(sequence))).text == ""


@given(st.text(st.characters(categories=["Cs"])))
def test_the_one_text_json_cannot_tell_is_a_surrogate_pair(text):
    assert (json.loads(json.dumps(text)) == text) == holds_no_pair(text)
