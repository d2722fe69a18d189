"""The C core writes, byte for byte, what its naive twin writes: on every hazard, and on random programs."""

import contextlib
import gc
import io
import itertools
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_programs import mutating_programs

from worldline.record import Limits, Options, record_file
from worldline.record.engine import core, record_function

LIFETIMES = {"finalizers", "dropped_objects", "reference_counts"}
"""Samples that see how long objects live. On these the twin itself is wrong before CPython 3.13, where any
trace function in Python makes the frame keep its variables a step longer."""
HAZARDS = [
    path
    for path in sorted((Path(__file__).parents[1] / "samples" / "hazards").glob("*.py"))
    if path.stem not in LIFETIMES or sys.version_info >= (3, 13)
]
VARIANTS = {
    "as it is": Options(max_value=None),
    "folded": Options(fold=True),
    "cut": Options(max_value=20),
    "cut short": Options(max_value=5),
    "own repr": Options(user_repr=True, max_value=200),
}

pytestmark = pytest.mark.skipif(
    core() is None, reason="the C core was not built: install gcc and python3-dev"
)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("path", HAZARDS, ids=lambda path: path.stem)
def test_on_every_hazard(path, variant):
    options = VARIANTS[variant]
    twin, fast = (
        _ended(record_file(path, options=replace(options, engine=engine), limits=Limits(seconds=60)))
        for engine in ("python", "c")
    )
    assert fast == twin


def _ended(trace):
    assert trace.steps
    return trace.steps, trace.ending


_numbers = itertools.count()


def recorded(source: str, engine: str, **options) -> bytes:
    """The lines of one run. Generators of programs before may end during it: they have another file name."""
    namespace = {"__name__": "program"}
    exec(compile(source, f"program{next(_numbers)}.py", "exec"), namespace)
    asked = Options(engine=engine, max_steps=3000, **options)
    gc.collect()
    with contextlib.redirect_stdout(io.StringIO()):
        return record_function(_quietly(namespace["main"]), source=source, options=asked)


def _quietly(main):
    """`main` without what it raises; its code object is what the recorder looks for."""

    class Quiet:
        __code__ = main.__code__

        def __call__(self):
            with contextlib.suppress(Exception):
                main()

    return Quiet()


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(source=mutating_programs(), max_value=st.sampled_from([None, 10, 60]))
def test_on_random_programs(source, max_value):
    assert recorded(source, "c", max_value=max_value) == recorded(source, "python", max_value=max_value)


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(source=mutating_programs())
def test_recording_twice_gives_the_same_bytes(source):
    assert recorded(source, "c", max_value=None) == recorded(source, "c", max_value=None)
