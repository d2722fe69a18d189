import json

import pytest
from sample_trace import TRACE

from worldline.errors import UserError
from worldline.trace import jsonl

HEADER, *BODY = (line.encode() + b"\n" for line in jsonl.lines(TRACE))


def parse(*records):
    return jsonl.parse([HEADER, *(json.dumps(record).encode() + b"\n" for record in records)])


def test_a_recording_cut_at_every_byte_reads_as_a_prefix():
    whole = HEADER + b"".join(BODY)
    counts = []
    for end in range(len(whole) + 1):
        lines = whole[:end].splitlines(keepends=True)
        if end < len(HEADER) - 1:
            with pytest.raises(UserError, match="not a trace file"):
                jsonl.parse(lines)
            continue
        read = jsonl.parse(lines)
        assert read.steps == TRACE.steps[: len(read.steps)]
        assert read.ending.kind == ("returned" if end >= len(whole) - 1 else "open")
        counts.append(len(read.steps))
    assert counts == sorted(counts)
    assert set(counts) == set(range(len(TRACE.steps) + 1))


def test_only_what_changed_is_written():
    second = json.loads(BODY[1])
    assert second == {"event": "line", "line": 2, "out": "hello\n"}


def test_output_may_come_on_lines_of_its_own():
    step = {"event": "line", "line": 1}
    read = parse(step, {"out": "a"}, {"out": "b"}, step, {"out": "c", "step": 0}, {"out": "d"})
    assert [step.output for step in read.steps] == ["abc", "d"]


def test_a_further_file_may_come_between_the_steps():
    step = {"event": "line", "line": 1}
    read = parse(step, {"path": "late.py", "source": "z = 3"}, {**step, "frame": 1, "file": 2})
    assert read.program.source_of(read.steps[1].file) == "z = 3"


def test_keys_of_a_later_version_are_passed_over():
    assert parse({"event": "line", "line": 1, "colour": "red"}, {"note": "hello"}).steps[0].line == 1


@pytest.mark.parametrize(
    ("record", "told"),
    [
        ({"event": "jump", "line": 1}, "'jump' is none of call, line, return, exception"),
        ({"event": "line"}, "the key 'line' is missing"),
        ({"event": "line", "line": "1"}, "'line' is not of type int"),
        ({"event": "line", "line": True}, "'line' is not of type int"),
        ({"event": "line", "line": None}, "'line' is not of type int"),
        ({"event": "line", "line": 1, "set": {"x": 1}}, "'set' holds something that is not text"),
        ({"event": "line", "line": 1, "del": "x"}, "'del' is not of type list"),
        ({"event": "line", "line": 1, "del": [1]}, "a list of texts is expected"),
        ({"event": "line", "line": 1, "shared": ["x"]}, "a list of texts is expected"),
        ({"event": "line", "line": 1, "file": 2}, "there is no file number 2"),
        ({"event": "line", "line": 1, "file": -1}, "there is no file number -1"),
        ({"path": "a.py"}, "the key 'source' is missing"),
        ({"end": "asleep"}, "'asleep' is none of returned,"),
        ({"out": 3}, "'out' is not of type str"),
    ],
)
def test_a_line_that_does_not_fit_is_named(record, told):
    with pytest.raises(UserError) as caught:
        parse({"event": "line", "line": 1}, record)
    assert caught.value.what.startswith("<trace> line 3 does not fit the schema: ")
    assert told in caught.value.what


@pytest.mark.parametrize(
    "line", [b"{\n", b"[" * 100_000 + b"\n", b"\xff\n", b'{"a": ' + b"1" * 5000 + b"}\n"]
)
def test_a_whole_line_that_is_not_json_is_named(line):
    with pytest.raises(UserError, match="line 2 is not JSON"):
        jsonl.parse([HEADER, line, *BODY])


def test_another_version_of_the_schema():
    header = json.loads(HEADER) | {"version": 2}
    with pytest.raises(UserError, match="has version 2 of the schema, this worldline reads 1"):
        jsonl.parse([json.dumps(header).encode()])
