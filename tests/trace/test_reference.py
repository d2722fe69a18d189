import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from sample_trace import TRACE

from worldline.trace import jsonl
from worldline.trace.model import Step

PAGE = (Path(__file__).parents[2] / "docs/reference/trace-files.md").read_text(encoding="utf-8")


def block(kind):
    return re.search(rf"^```{kind}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)[1]


def test_the_example_reads():
    trace = jsonl.parse(block("jsonl").encode().splitlines(keepends=True))
    assert (trace.ending.kind, trace.ending.value) == ("returned", "[3]")
    assert trace.steps[-1].locals == {
        **{"prices": "[3, 12]", "limit": "10"},
        **{"kept": "[3]", "price": "12", "same": "[3]"},
    }
    assert trace.steps[-1].shared == (("kept", "same"),)
    assert [step.output for step in trace.steps if step.output] == ["[3]\n"]


def test_every_key_that_is_written_is_described():
    header, *body = map(json.loads, jsonl.lines(TRACE))
    keys = {key for record in body for key in record} | {*header}
    keys |= {f"{part}.{key}" for part in ("program", "origin") for key in header[part]}
    keys |= {*header["program"]["entry"]}
    missing = [key for key in keys - {"program", "origin"} if f"`{key}`" not in PAGE]
    assert missing == []


def test_the_columns_are_those_of_the_page(tmp_path):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'worldline[data]'")
    from pyarrow import parquet as plain

    from worldline.trace import parquet

    parquet.write(TRACE, tmp_path / "t.parquet")
    schema = plain.read_schema(tmp_path / "t.parquet")
    shown = {field.name: re.sub(r"element: | not null", "", str(field.type)) for field in schema}
    told = dict(re.findall(r"(\w+): (\S+(?:<.*>)?)(?: not null)?(?:\s{2,}|$)", _schema(), re.MULTILINE))
    assert told == shown


def _schema():
    return re.search(r"^```\n(event: string.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)[1]


def test_the_program_on_the_page_gives_the_texts(tmp_path, monkeypatch):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'worldline[data]'")
    from worldline.trace import parquet

    steps = [
        *(Step("line", count, {"text": repr("abc" * count)}, frame=count % 2) for count in range(40)),
        Step("line", 40, {"text": repr("abc" * 39), "other": repr("abc" * 38), "short": "1"}, frame=1),
    ]
    trace = replace(TRACE, steps=tuple(steps))
    parquet.write(trace, tmp_path / "trace.parquet")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(block("python"), names)
    assert names["lines"] == [step.line for step in steps]
    assert names["texts"] == [*(step.locals["text"] for step in steps[:-1]), repr("abc" * 38), "1"]
    assert names["last"] == dict(steps[-1].locals)
    assert names["header"]["ending"]["end"] == "returned"
