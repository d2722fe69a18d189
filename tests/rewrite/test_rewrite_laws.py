"""A rewritten program behaves as the original, at every level, over built-in values."""

import contextlib
import io
import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typed_programs import typed_program

from worldline.rewrite import LEVELS, rewrite
from worldline.trace.model import Entry, Program

EXAMPLES = int(os.environ.get("WORLDLINE_EXAMPLES", "60"))


def behaviour(source, call):
    """What a call returns or raises, what is printed, and what becomes of its arguments."""
    names = {}
    output = io.StringIO()
    exec(compile(source, "program.py", "exec"), names)
    with contextlib.redirect_stdout(output):
        arguments = eval(f"[{call[2:-1]}]")
        try:
            result = repr(names["f"](*arguments))
        except Exception as error:  # noqa: BLE001
            result = f"{type(error).__name__}: {error}"
    return result, output.getvalue(), repr(arguments)


@pytest.mark.parametrize("level", LEVELS)
@settings(deadline=None, max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**9))
def test_a_rewritten_program_does_what_the_original_does(level, seed):
    source, calls = typed_program(seed)
    found = rewrite(Program(source, Entry("call", calls[0])), level)
    for call in calls:
        expected = behaviour(source, call)
        assert behaviour(found.program.source, call) == expected, f"{source}\n{found.program.source}\n{call}"
