"""What `flow` refuses, and what it knows of single lines."""

import sys

import pytest
from settrace_reference import marked

from worldline.errors import UserError
from worldline.flow.position import Illegal, Position, advance, choices, first_illegal, land, start
from worldline.flow.successors import flow
from worldline.trace import Entry, Program, SourceFile, Step

SOURCE = """\
def f(xs, n):  # @f
    if n:  # @if
        total = n  # @then
    else:
        total = None  # @else
    for x in xs:  # @for
        total = x  # @body
    try:
        total = xs[n]  # @try
    except IndexError:  # @except
        total = x is n  # @handler
    finally:
        n = None  # @finally
    return total  # @return

def g(n):  # @g
    x = yield n  # @yield
    return h()  # @g return

def h():  # @h
    return 1  # @h return

class A:  # @class
    x = [i for i in range(3)]  # @class body
"""
AT = marked(SOURCE)


def after(*names):
    """The position after the events of `names`: `call f`, `line if`, ..."""
    here = start(flow(SOURCE))
    for name in names:
        event, _, mark = name.partition(" ")
        here = advance(here, event, AT[mark])
        assert isinstance(here, Position), (name, here)
    return here


def is_legal(here, name):
    event, _, mark = name.partition(" ")
    return isinstance(advance(here, event, AT[mark]), Position)


@pytest.mark.parametrize(
    ("so_far", "legal", "refused"),
    [
        ([], ["call f", "call g"], ["line f", "line if", "return return"]),
        (["call f"], ["line if"], ["line then", "line else", "line f", "return f", "call h"]),
        (["call f", "line if"], ["line then", "line else"], ["line for", "line body", "line h return"]),
        (
            ["call f", "line if", "line then"],
            ["line for"],
            ["line else", "line body", "line then", "line if"],
        ),
        (["call f", "line if", "line else", "line for"], ["line body"], ["line return", "line try"]),
        (
            ["call f", "line if", "line else", "line for", "line body"],
            ["line for"],
            ["line body", "return body", "line else", "call h", "exception body"],
        ),
    ],
)
def test_next(so_far, legal, refused):
    here = after(*so_far)
    assert [name for name in legal if not is_legal(here, name)] == []
    assert [name for name in refused if is_legal(here, name)] == []


def test_an_exception_leads_to_its_handler_and_nowhere_else():
    here = start(flow(SOURCE))
    here = land(land(here, "call", AT["f"]), "line", AT["try"])
    assert is_legal(here, "exception try")
    assert not is_legal(here, "line except")
    here = advance(here, "exception", AT["try"])
    assert choices(here) == {("line", AT["except"])}
    here = advance(here, "line", AT["except"])
    # `except` does not match: the finally block runs and the frame unwinds, it cannot go on to `return`.
    unmatched = advance(here, "line", AT["finally"])
    assert is_legal(unmatched, "return finally")
    assert not is_legal(unmatched, "line return")
    matched = advance(advance(here, "line", AT["handler"]), "line", AT["finally"])
    assert is_legal(matched, "line return")
    assert not is_legal(matched, "return finally")


def test_a_generator_is_resumed_only_where_one_was_suspended():
    outside = start(flow(SOURCE))
    assert not is_legal(outside, "call yield")
    inside = after("call g", "line yield")
    assert not is_legal(inside, "line g return")
    suspended = advance(inside, "return", AT["yield"])
    resumed = advance(suspended, "call", AT["yield"])
    assert choices(resumed) >= {("line", AT["g return"]), ("exception", AT["yield"])}
    assert not is_legal(resumed, "return yield")


def test_calls_nest_and_come_back():
    here = after(
        "call g", "line yield", "return yield", "call yield", "line g return", "call h", "line h return"
    )
    assert (here.depth, here.function, here.line) == (2, "h", AT["h return"])
    back = advance(here, "return", AT["h return"])
    assert (back.depth, back.function) == (1, "g")
    assert {event for event, _ in choices(back)} >= {"return", "exception", "call"}
    assert advance(back, "return", AT["g return"]).depth == 0


def test_a_class_body_is_run_only_by_the_code_around_it():
    inside = after("call g", "line yield", "return yield", "call yield", "line g return")
    assert not is_legal(inside, "call class")
    assert not is_legal(inside, "call class body")  # a comprehension's own frame on 3.11
    module = land(land(start(flow(SOURCE)), "call", 0, "<module>"), "line", AT["class"])
    assert is_legal(module, "call class")


def test_the_name_of_a_function_tells_codes_of_one_line_apart():
    here = start(flow("def f(x): return lambda: None\n"))
    assert advance(here, "call", 1).top.state.codes != advance(here, "call", 1, "f").top.state.codes
    for name in ("f", "<lambda>", "f.<locals>.<lambda>"):
        assert advance(here, "call", 1, name).function.endswith(name)
    assert isinstance(advance(here, "call", 1, "h"), Illegal)


def test_after_says_what_a_line_may_do():
    program = flow(SOURCE)
    lines = program.after(AT["for"], "f")
    assert lines.lines == {AT["body"], AT["try"] - 1}
    assert (lines.may_call, lines.may_raise, lines.may_return, lines.may_yield) == (True, True, False, False)
    assert program.after(AT["try"], "f").lines == {AT["except"], AT["finally"]}
    assert program.after(AT["yield"], "g").may_yield
    body = program.after(AT["body"])
    assert (body.lines, body.may_call, body.may_return) == ({AT["for"]}, False, False)
    assert program.after(AT["body"], "g").lines == frozenset()


@pytest.mark.parametrize(
    "source",
    ["def f(:\n", "x = '\0'\n", "return 1\n"],
)
def test_what_is_no_program_is_the_users_error(source):
    with pytest.raises(UserError, match=r"bad\.py is not a Python program"):
        flow(source, "bad.py")


def test_a_flow_is_kept():
    assert flow(SOURCE) is flow(SOURCE)


def test_the_first_illegal_step_is_found_with_its_reason():
    program = Program(SOURCE, Entry("call", "f([], 1)"))
    names = ["call f", "line if", "line then", "line for", "line body", "line body"]
    steps = [Step(event, AT[mark], {}) for event, _, mark in (name.partition(" ") for name in names)]
    index, illegal = first_illegal(program, steps)
    assert index == 5
    assert f"line {AT['for']}" in illegal.reason
    assert first_illegal(program, steps[:5]) is None


def test_threads_and_files_have_their_own_frames():
    other = "def k():\n    return 2\n"
    program = Program(SOURCE, Entry("script"), files=(SourceFile("other.py", other),))
    steps = [
        Step("call", AT["h"], {}),
        Step("call", 1, {}, thread=1, file=1),
        Step("line", AT["h return"], {}),
        Step("line", 2, {}, thread=1, file=1),
        Step("return", 2, {}, thread=1, file=1),
        Step("return", AT["h return"], {}),
    ]
    assert first_illegal(program, steps) is None
    index, illegal = first_illegal(program, [steps[0], Step("line", 2, {}, file=1)])
    assert (index, illegal.reason) == (1, "the running frame is in another file")


def test_a_comprehension_is_called_by_its_function_or_inlined_into_it():
    here = start(flow("def f(xs):\n    return [x for x in xs]\n"))
    own_frame = [("call", 2), ("line", 2), ("line", 2), ("line", 2), ("return", 2)]
    inlined = [("line", 2), ("line", 2)]
    events = own_frame if sys.version_info < (3, 12) else inlined
    for event, line in [("call", 1), ("line", 2), *events, ("return", 2)]:
        assert (event, line) in choices(here)
        here = advance(here, event, line)
    assert here.depth == 0
