"""A program made ready to be asked about: rewritten, the call that it begins with included."""

import pytest

from worldline.diagnose.subject import subject
from worldline.trace.model import Entry, Program

SOURCE = "def f(a, b):\n    return a + b\n"


@pytest.mark.parametrize(
    ("call", "is_rewritten"),
    [
        ("f('a'.upper(), 'b')", True),
        ("f(b='c', a='x'.strip())", True),
        ("f([1, -2], [(3, {'a': None})])", False),
        ("f(a='x', b='y')", False),
    ],
)
def test_arguments_that_are_computed_are_rewritten_too(call: str, is_rewritten: bool) -> None:
    found = subject(Program(SOURCE, Entry("call", call)), "atomic", "process")
    last = found.program.source.rstrip().splitlines()[-1].strip()
    assert last.startswith("return _t" if is_rewritten else f"return {call}")
    assert found.real.ending.value == repr(eval(f"(lambda a, b: a + b){call[1:]}"))


def test_a_call_that_is_more_than_a_call_is_rewritten() -> None:
    found = subject(Program(SOURCE, Entry("call", "f(1, 2) + f(3, 4)")), "expressions", "process")
    assert found.real.ending.value == "10"


SEVERAL = "def f(a):\n    return a.upper() if a else a.lower()\n"


def test_microcode_is_cut_to_what_the_real_run_enters_only_where_that_is_wanted() -> None:
    program = Program(SEVERAL, Entry("call", "f('x')"))
    cut, whole = (subject(program, "atomic", "process", is_trimmed=each) for each in (True, False))
    assert cut.real.ending == whole.real.ending
    assert [f"def str_{name}(" in cut.program.source for name in ("upper", "lower")] == [True, False]
    assert [f"def str_{name}(" in whole.program.source for name in ("upper", "lower")] == [True, True]


def test_a_program_that_is_too_long_when_rewritten_is_asked_about_as_far_as_it_was_recorded() -> None:
    program = Program(SEVERAL, Entry("call", "f('some text')"))
    found = subject(program, "atomic", "process", most=20, is_trimmed=False)
    assert found.real.ending.kind == "steps"
    assert len(found.real.steps) == 20
