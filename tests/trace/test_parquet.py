import json
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from laws.strategies import traces, with_order
from worldline.errors import UserError
from worldline.trace.model import Ending, Entry, Origin, Program, Step, Trace

pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'worldline[data]'")
from pyarrow import parquet as plain

from worldline.trace import parquet

GROWING = Trace(
    Program("text = ''", Entry("script")),
    tuple(Step("line", 1, {"text": repr("abc" * count)}, frame=count % 2) for count in range(40)),
    Ending("returned", "None"),
    Origin("recorded", "a test"),
)


@settings(deadline=None)
@given(trace=traces())
@example(trace=replace(GROWING, steps=()))
@example(trace=replace(GROWING, steps=(Step("return", 1, {"x": "\ud800", "\udfff": ""}, value="\udc00"),)))
def test_parquet_gives_back_the_trace(tmp_path_factory, trace):
    path = tmp_path_factory.mktemp("law") / "t.parquet"
    parquet.write(trace, path)
    assert with_order(parquet.read(path)) == with_order(trace)


def test_more_steps_than_one_row_group_holds(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "_BATCH_STEPS", 7)
    parquet.write(GROWING, tmp_path / "t.parquet")
    assert plain.ParquetFile(tmp_path / "t.parquet").num_row_groups == 6
    assert parquet.read(tmp_path / "t.parquet") == GROWING


def test_more_characters_than_one_row_group_holds(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "_BATCH_CHARACTERS", 50)
    parquet.write(GROWING, tmp_path / "t.parquet")
    assert plain.ParquetFile(tmp_path / "t.parquet").num_row_groups > 1
    assert parquet.read(tmp_path / "t.parquet") == GROWING


def test_the_metadata_is_plain_json(tmp_path):
    parquet.write(GROWING, tmp_path / "t.parquet")
    header = json.loads(plain.read_metadata(tmp_path / "t.parquet").metadata[b"worldline.trace"])
    assert header["program"]["source"] == GROWING.program.source
    assert header["ending"] == {"end": "returned", "value": "None", "detail": ""}


def test_growing_texts_do_not_repeat(tmp_path):
    parquet.write(GROWING, tmp_path / "t.parquet")
    changes = plain.read_table(tmp_path / "t.parquet").column("set").to_pylist()
    assert max(len(change["text"]) for row in changes for change in row) < 30


def test_shared_texts_do_not_repeat(tmp_path):
    shown = repr("abc" * 40)
    steps = (
        Step("line", 1, {"a": shown}),
        Step("line", 2, {"a": shown, "b": shown}),
        Step("call", 1, {"c": shown}, frame=1),
    )
    parquet.write(replace(GROWING, steps=steps), tmp_path / "t.parquet")
    changes = plain.read_table(tmp_path / "t.parquet").column("set").to_pylist()
    assert [[(change["back"], change["text"]) for change in row] for row in changes] == [
        [(0, shown)],
        [(1, "")],
        [(1, "")],
    ]
    assert parquet.read(tmp_path / "t.parquet").steps == steps


def test_it_is_compressed_with_zstd(tmp_path):
    parquet.write(GROWING, tmp_path / "t.parquet")
    group = plain.read_metadata(tmp_path / "t.parquet").row_group(0)
    assert {group.column(at).compression for at in range(group.num_columns)} == {"ZSTD"}


def test_texts_are_strings_unless_one_holds_a_lone_surrogate(tmp_path):
    odd = replace(GROWING, steps=(Step("line", 1, {"x": "\ud800"}),))
    parquet.write(GROWING, tmp_path / "t.parquet")
    parquet.write(odd, tmp_path / "odd.parquet")
    kinds = [
        str(plain.read_schema(tmp_path / name).field("value").type) for name in ("t.parquet", "odd.parquet")
    ]
    assert kinds == ["string", "binary"]


@settings(deadline=None)
@given(at=st.integers(0, 10**6), byte=st.integers(0, 255), is_cut=st.booleans())
def test_a_damaged_file_reads_or_says_what_is_wrong(tmp_path_factory, at, byte, is_cut):
    path = tmp_path_factory.mktemp("damaged") / "t.parquet"
    parquet.write(GROWING, path)
    whole = bytearray(path.read_bytes())
    at %= len(whole)
    path.write_bytes(whole[:at] if is_cut else whole[:at] + bytes([byte]) + whole[at + 1 :])
    try:
        told = "" if parquet.read(path) and not is_cut else "nothing"
    except UserError as error:
        told = error.what
    assert not told or str(path) in told


def test_a_table_that_is_no_trace(tmp_path):
    import pyarrow

    plain.write_table(pyarrow.table({"a": [1]}), tmp_path / "t.parquet")
    with pytest.raises(UserError, match="is not a trace file"):
        parquet.read(tmp_path / "t.parquet")


def test_a_trace_whose_columns_were_changed(tmp_path):
    parquet.write(GROWING, tmp_path / "t.parquet")
    file = plain.ParquetFile(tmp_path / "t.parquet")
    table = file.read().drop_columns(["depth"]).replace_schema_metadata(file.metadata.metadata)
    plain.write_table(table, tmp_path / "t.parquet")
    with pytest.raises(UserError, match="columns"):
        parquet.read(tmp_path / "t.parquet")


def test_a_number_that_is_too_long_leaves_no_file(tmp_path):
    path = tmp_path / "t.parquet"
    with pytest.raises(UserError, match="64 bits") as caught:
        parquet.write(replace(GROWING, steps=(Step("line", 2**64, {}),)), path)
    assert ".jsonl" in caught.value.hint
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_the_file_of_before(tmp_path):
    path = tmp_path / "t.parquet"
    parquet.write(GROWING, path)
    with pytest.raises(UserError):
        parquet.write(replace(GROWING, steps=(Step("line", 2**64, {}),)), path)
    assert parquet.read(path) == GROWING
