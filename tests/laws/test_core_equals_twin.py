"""The C core writes, byte for byte, what its naive twin writes: on every hazard, and on random programs."""

import contextlib
import gc
import io
import itertools
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st
from random_programs import mutating_programs

from worldline.record import Limits, Options, record_file, segments
from worldline.record.engine import FactsFinder, core, record_function, recorder
from worldline.record.options import Scope

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
    "analysed": Options(max_value=None, patience=0),
    "analysed and cut": Options(max_value=20, patience=0),
    "analysed and folded": Options(fold=True, patience=0),
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


def recorded(source: str, engine: str, is_blind: bool = False, **options) -> bytes:
    """The lines of one run. Generators of programs before may end during it: they have another file name."""
    namespace = {"__name__": "program"}
    exec(compile(source, f"program{next(_numbers)}.py", "exec"), namespace)
    asked = Options(engine=engine, max_steps=3000, **options)
    gc.collect()
    with contextlib.redirect_stdout(io.StringIO()):
        if is_blind:
            return _recorded_blindly(_quietly(namespace["main"]), source, asked)
        return record_function(_quietly(namespace["main"]), source=source, options=asked)


def _recorded_blindly(function, source, options):
    scope = Scope((function.__code__.co_filename,))
    finder = FactsFinder(scope, (source,), options.fold, lambda path, text: None)
    made = recorder(options, finder, None, lambda kind: None)
    made._is_blind = 1
    made.start()
    function()
    made.stop()
    return made.contents()


def _quietly(main):
    """`main` without what it raises; its code object is what the recorder looks for."""

    class Quiet:
        __code__ = main.__code__

        def __call__(self):
            with contextlib.suppress(Exception):
                main()

    return Quiet()


@pytest.mark.alone
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    source=mutating_programs(),
    max_value=st.sampled_from([None, 10, 60]),
    patience=st.sampled_from([0, 50, 100_000]),
)
def test_on_random_programs(source, max_value, patience):
    fast = recorded(source, "c", max_value=max_value, patience=patience)
    assert fast == recorded(source, "python", max_value=max_value)


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(source=mutating_programs())
def test_recording_twice_gives_the_same_bytes(source):
    assert recorded(source, "c", max_value=None) == recorded(source, "c", max_value=None)


def test_a_core_that_overlooks_changes_breaks_the_law():
    """A negative control: the law finds it out if containers are never looked at again."""
    assert find(mutating_programs(), _differs_if_blind, settings=settings(max_examples=300, deadline=None))


def _differs_if_blind(source):
    return recorded(source, "c", max_value=None, is_blind=True) != recorded(source, "python", max_value=None)


@pytest.mark.alone
def test_a_core_that_trusts_too_much_breaks_the_law(monkeypatch):
    """A negative control: the law finds it out if every stretch of code is believed to change nothing."""

    def believed(code, start):
        return segment_of(code, start)._replace(is_pure=True, functions=(), builtins=(), iterator=-1, plain=0)

    segment_of = segments.segment_of
    monkeypatch.setattr(segments, "segment_of", believed)
    assert find(mutating_programs(), _differs_if_analysed, settings=settings(max_examples=300, deadline=None))


def _differs_if_analysed(source):
    fast = recorded(source, "c", max_value=None, patience=0)
    return fast != recorded(source, "python", max_value=None)
