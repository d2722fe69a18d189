"""Folded, a program has the same trace on every CPython: the one kept beside the sample."""

from pathlib import Path

import pytest

from worldline.record.engine import core, record_function
from worldline.record.options import Options

SAMPLE = Path(__file__).parents[1] / "samples" / "fold" / "comprehensions.py"


def recorded(engine: str, fold: bool, source: str | None = None) -> bytes:
    source = source or SAMPLE.read_text()
    namespace = {"__name__": "program"}
    exec(compile(source, SAMPLE.name, "exec"), namespace)
    return record_function(namespace["main"], source=source, options=Options(engine=engine, fold=fold))


@pytest.mark.parametrize("engine", ["python"] + ["c"] * (core() is not None))
def test_folded_trace_is_the_same_on_every_version(engine):
    assert recorded(engine, fold=True) == SAMPLE.with_suffix(".jsonl").read_bytes()


def test_the_law_can_fail_without_folding_there_are_more_steps():
    source = "def main():\n    return [n for n in range(3)]\n"
    assert recorded("python", False, source).count(b"\n") > recorded("python", True, source).count(b"\n")
