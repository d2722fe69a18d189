"""The recorder on CRUXEval: every row records, and what came out is what the data set says."""

import json

from worldline.record.box import Limits
from worldline.record.collect import collect, read_rows
from worldline.record.options import Options


def test_all_rows_record_and_each_result_is_the_rows_output(data, tmp_path):
    rows = data / "cruxeval.jsonl"
    outputs = {row["id"]: row["output"] for row in map(json.loads, rows.open())}
    found = collect(read_rows(rows), tmp_path, Options(), Limits(seconds=30), "strict")
    results = {entry.id: entry.result for entry in found}
    assert results == outputs
