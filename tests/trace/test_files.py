import sys

import pytest
from sample_trace import TRACE

from worldline.errors import UserError
from worldline.trace.files import SUFFIXES, read, write


def need(suffix):
    if suffix == ".parquet":
        pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'worldline[data]'")


@pytest.mark.parametrize("suffix", [*SUFFIXES, ".JSONL"])
@pytest.mark.parametrize("kind", [str, lambda path: path])
def test_the_suffix_chooses_and_the_trace_comes_back(tmp_path, suffix, kind):
    need(suffix)
    path = tmp_path / f"t{suffix}"
    write(TRACE, kind(path))
    assert read(kind(path)) == TRACE


def test_the_two_kinds_are_different_files(tmp_path):
    need(".parquet")
    for suffix in SUFFIXES:
        write(TRACE, tmp_path / f"t{suffix}")
    assert (tmp_path / "t.jsonl").read_bytes()[:1] == b"{"
    assert (tmp_path / "t.parquet").read_bytes()[:4] == b"PAR1"


@pytest.mark.parametrize("name", ["t.txt", "t", "t.jsonl.gz", ".jsonl"])
def test_another_suffix(tmp_path, name):
    for act in (lambda path: write(TRACE, path), read):
        with pytest.raises(UserError, match="does not end like a trace") as caught:
            act(tmp_path / name)
        assert ".jsonl or .parquet" in caught.value.hint
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_no_such_file(tmp_path, suffix):
    need(suffix)
    with pytest.raises(UserError, match="there is no file") as caught:
        read(tmp_path / f"nothing{suffix}")
    assert "worldline record" in caught.value.hint


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_no_such_folder(tmp_path, suffix):
    need(suffix)
    with pytest.raises(UserError, match="there is no folder"):
        write(TRACE, tmp_path / "no" / f"t{suffix}")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_folder_instead_of_a_file(tmp_path, suffix):
    need(suffix)
    path = tmp_path / f"folder{suffix}"
    path.mkdir()
    with pytest.raises(UserError, match="cannot be read"):
        read(path)
    with pytest.raises(UserError, match="cannot be written"):
        write(TRACE, path)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("contents", [b"", b"\n", b"[]\n", b"hello\n", b'{"schema": "other"}\n', b"\0\0\0"])
def test_a_file_of_something_else(tmp_path, suffix, contents):
    need(suffix)
    path = tmp_path / f"t{suffix}"
    path.write_bytes(contents)
    with pytest.raises(UserError) as caught:
        read(path)
    assert str(path) in caught.value.what


def test_without_pyarrow_the_install_line_is_told(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for act in (lambda path: write(TRACE, path), read):
        with pytest.raises(UserError, match="pyarrow") as caught:
            act(tmp_path / "t.parquet")
        assert caught.value.hint == "pip install 'worldline[data]'"
    write(TRACE, tmp_path / "t.jsonl")
    assert read(tmp_path / "t.jsonl") == TRACE
