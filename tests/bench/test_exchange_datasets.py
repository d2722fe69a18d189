"""A folder of traces as a data set: everything comes back, in bounded memory, with a card for the Hub."""

import json
from dataclasses import asdict

import pyarrow.parquet
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from laws.strategies import traces, with_order
from worldline.bench.exchange import datasets
from worldline.bench.exchange.data_card import size_category
from worldline.bench.exchange.datasets import COLUMNS, read_dataset, write_dataset
from worldline.errors import UserError
from worldline.record.box import Limits
from worldline.record.collect import Collected, Row, collect, program_of
from worldline.record.options import Options
from worldline.trace import jsonl


def kept(folder, named):
    """A folder as `worldline collect` leaves it."""
    folder.mkdir()
    with (folder / "index.jsonl").open("w") as index:
        for number, (name, trace) in enumerate(named):
            jsonl.write(trace, folder / f"{number}.jsonl")
            entry = Collected(
                name, trace.ending.kind, None, len(trace.steps), 0.0, "process", f"{number}.jsonl"
            )
            index.write(json.dumps(asdict(entry)) + "\n")
        index.write(json.dumps(asdict(Collected("bad", "bad-row", None, 0, 0.0, "", None, "why"))) + "\n")
    return folder


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """Real recordings: returned, raised, and stopped by a limit."""
    codes = ["return a * 2", "return 1 // 0", "while True: a += 1", "return 'é\\udc80'"]
    rows = [
        Row(f"r{n}", program_of({"code": f"def f(a):\n    {code}", "input": str(n)}))
        for n, code in enumerate([*codes, *(f"return a + {n}" for n in range(8))])
    ]
    folder = tmp_path_factory.mktemp("recorded")
    list(collect([*rows, Row("broken", None, "no")], folder, Options(max_steps=50), Limits(), "process"))
    return folder


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=30)
@given(
    named=st.dictionaries(st.text(max_size=5), traces(), min_size=1, max_size=4),
    shard=st.integers(1, 3000),
)
def test_every_trace_comes_back(tmp_path_factory, named, shard):
    place = tmp_path_factory.mktemp("x")
    written = write_dataset(kept(place / "in", named.items()), place / "out", shard=shard)
    found = dict(read_dataset(place / "out"))
    assert {name: with_order(trace) for name, trace in found.items()} == {
        name: with_order(trace) for name, trace in named.items()
    }
    assert (written.rows, written.left_out) == (len(named), 1)
    total = len(written.files)
    assert written.files == tuple(f"train-{n:05}-of-{total:05}.parquet" for n in range(total))
    assert sorted(path.name for path in (place / "out" / "data").iterdir()) == list(written.files)


def test_columns_tell_what_was_recorded(recorded, tmp_path):
    write_dataset(recorded, tmp_path / "set")
    (path,) = (tmp_path / "set" / "data").iterdir()
    rows = pyarrow.parquet.read_table(path).to_pylist()
    assert list(rows[0]) == list(COLUMNS)
    assert [row["id"] for row in rows] == [f"r{n}" for n in range(12)]
    assert [row["ending"] for row in rows[:4]] == ["returned", "raised", "steps", "returned"]
    assert [row["value"] for row in rows[:2]] == [
        "0",
        "ZeroDivisionError('integer division or modulo by zero')",
    ]
    assert rows[0]["entry"] == "f(0)"
    assert "def f(a)" in rows[0]["cwm"]
    assert [row["steps"] for row in rows] == [len(trace.steps) for _, trace in read_dataset(path)]


def test_a_collection_gives_the_same_bytes_whatever_order_it_was_made_in(recorded, tmp_path):
    mixed = tmp_path / "mixed"
    mixed.mkdir()
    for path in recorded.glob("r*.jsonl"):
        (mixed / path.name).write_bytes(path.read_bytes())
    lines = (recorded / "index.jsonl").read_text().splitlines(keepends=True)
    (mixed / "index.jsonl").write_text("".join(reversed(lines)))
    for source, name in ((recorded, "a"), (mixed, "b")):
        write_dataset(source, tmp_path / name)
    (one,), (other,) = ((tmp_path / name / "data").iterdir() for name in "ab")
    assert one.read_bytes() == other.read_bytes()


def test_row_groups_are_written_as_they_fill(recorded, tmp_path, monkeypatch):
    monkeypatch.setattr(datasets, "GROUP_ROWS", 5)
    write_dataset(recorded, tmp_path / "set")
    (path,) = (tmp_path / "set" / "data").iterdir()
    about = pyarrow.parquet.ParquetFile(path).metadata
    assert [about.row_group(n).num_rows for n in range(about.num_row_groups)] == [5, 5, 2]


def test_the_card_is_what_the_hub_reads(recorded, tmp_path):
    write_dataset(
        recorded, tmp_path / "set", license="cc-by-4.0", command="worldline collect rows.jsonl -o in"
    )
    _, header, body = (tmp_path / "set" / "README.md").read_text().split("---\n", 2)
    told = yaml.safe_load(header)
    assert told["license"] == "cc-by-4.0"
    assert told["size_categories"] == ["n<1K"]
    (config,) = told["configs"]
    ((pattern,),) = ([each["path"]] for each in config["data_files"])
    assert list((tmp_path / "set").glob(pattern))
    assert "12 programs" in body
    assert "returned (10), raised (1), steps (1)" in body
    assert "left out: 1" in body
    assert "worldline collect rows.jsonl -o in" in body
    assert all(f"`{name}`" in body for name in COLUMNS)


@pytest.mark.parametrize(
    ("rows", "name"),
    [(0, "n<1K"), (999, "n<1K"), (1000, "1K<n<10K"), (99_999, "10K<n<100K"), (10**7, "n>1M")],
)
def test_sizes_are_called_as_the_hub_does(rows, name):
    assert size_category(rows) == name


def test_what_cannot_be_written_is_refused(recorded, tmp_path):
    with pytest.raises(UserError, match="no name of a license"):
        write_dataset(recorded, tmp_path / "set", license="mit\nx: y")
    with pytest.raises(UserError, match="holds no traces"):
        write_dataset(tmp_path, tmp_path / "set")
    (tmp_path / "index.jsonl").write_text("")
    with pytest.raises(UserError, match="holds no trace"):
        write_dataset(tmp_path, tmp_path / "set")
    assert not (tmp_path / "set").exists()
    write_dataset(recorded, tmp_path / "set")
    with pytest.raises(UserError, match="holds a data set already"):
        write_dataset(recorded, tmp_path / "set")


def test_a_trace_that_cannot_be_read_leaves_nothing_half_done(recorded, tmp_path):
    broken = tmp_path / "in"
    broken.mkdir()
    (broken / "index.jsonl").write_bytes((recorded / "index.jsonl").read_bytes())
    for path in recorded.glob("r*.jsonl"):
        (broken / path.name).write_bytes(path.read_bytes())
    (broken / "r9.jsonl").write_text("nope\n")
    with pytest.raises(UserError, match=r"r9\.jsonl"):
        write_dataset(broken, tmp_path / "set", shard=1)
    assert not (tmp_path / "set" / "data").exists()


def test_what_is_no_data_set_of_ours(tmp_path):
    pyarrow.parquet.write_table(pyarrow.table({"id": ["a"]}), tmp_path / "other.parquet")
    with pytest.raises(UserError, match="no column `trace`"):
        list(read_dataset(tmp_path))
    (tmp_path / "other.parquet").write_bytes(b"PAR1 but not really")
    with pytest.raises(UserError, match="not a whole Parquet file"):
        list(read_dataset(tmp_path / "other.parquet"))
    with pytest.raises(UserError, match="holds no Parquet files"):
        list(read_dataset(tmp_path / "nowhere"))
