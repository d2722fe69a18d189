"""Lines, frames and depths that the format `cwm` does not write, found again."""

import re
from textwrap import dedent

import pytest
from hypothesis import given, settings

from formats.program_strategies import recorded, sources
from worldline.formats.cwm import CWM, stripped
from worldline.formats.cwm_lines import SourceText
from worldline.trace.model import Entry, Program, SourceFile, Step, Trace

LOOKAHEAD = """
    def f(a):
        if a:
            x = 1  # one
            y = 2
        else:
            x = 1  # one
            z = 3
        x = 1  # one
        return x

    def main():
        return f(0) + f(1)
    """

METHODS = """
    class A:
        def __init__(self, x):
            self.x = x

    class B:
        def __init__(self, x):
            self.x = x

    def main():
        return A(1).x + B(2).x
    """

GENERATORS = """
    def count(n):
        while n:
            n = n - 1
            yield n

    def main():
        a, b = count(9), count(3)
        next(a), next(b), next(b), next(a)
        return [sum(i * j for j in count(2)) for i in count(2)]
    """

SAME_LINE = """
    def main():
        f = lambda: 1
        g = lambda x: [y for y in x]
        return f() + sum(map(lambda i: i + f(), g([1, 2])))
    """

NESTED = """
    def main():
        def inner():
            return 1
        inner()
        def inner():
            return 1
        return inner()
    """

UNWINDING = """
    def low(n):
        try:
            return 1 // n
        finally:
            n = 1

    def main():
        try:
            return low(0)
        except ZeroDivisionError:
            return low(1)
    """

TWIN_NAMES = """
    def main():
        return [sum(i for j in range(2)) for i in range(2)]
    """

TURNS = """
    def count(n):
        while n:
            n = n - 1
            yield n

    def tagged(tag, log):
        for i in range(2):
            log.append(tag)
            yield i

    def main():
        log = []
        for a, b in zip(tagged("a", log), tagged("b", log)):
            for c in count(2):
                for d in count(2):
                    log.append(c)
        for a, b in zip(count(2), count(2)):
            log.append(a)
        return log
    """

ABANDONED = """
    def main():
        found = []
        for wanted in (1, 2, 1, 2):
            found.append(any(x == wanted for x in (0, 1, 2)))
        return found
    """

SHARED = """
    def logged(log):
        n = 0
        while True:
            log.append(n)
            yield n
            n = n + 1

    def main():
        log = []
        a, b = logged(log), logged(log)
        return [next(a), next(b), next(a)]
    """

ENDED = """
    def twice(x):
        yield x
        yield x

    def main():
        a, b = twice(1), twice(1)
        for i in a:
            pass
        next(b)
        b.close()
    """

SAMPLES = {
    "lookahead": LOOKAHEAD,
    "methods": METHODS,
    "generators": GENERATORS,
    "same line": SAME_LINE,
    "nested": NESTED,
    "unwinding": UNWINDING,
    "twin names": TWIN_NAMES,
    "ended": ENDED,
    "turns": TURNS,
    "shared": SHARED,
    "abandoned": ABANDONED,
}


def derived(step: Step) -> tuple[object, ...]:
    return step.event, step.line, step.depth, step.frame, step.function


@pytest.mark.parametrize("source", SAMPLES.values(), ids=SAMPLES.keys())
def test_all_that_is_not_written_is_found_again(source):
    trace = recorded(dedent(source))
    text = CWM.encode(trace)
    for each in (text, stripped(text)):
        read = CWM.decode(each, trace.program).steps
        assert [derived(step) for step in read] == [derived(step) for step in trace.steps]


def test_the_samples_are_hard_their_lines_are_not_told_apart_by_text_alone():
    for source in (LOOKAHEAD, METHODS, NESTED):
        trace = recorded(dedent(source))
        text = SourceText(trace.program)
        first = [text.places(text.line(0, step.line))[0][1] for step in trace.steps]
        assert first != [step.line for step in trace.steps]


@settings(max_examples=40, deadline=None)
@given(sources())
def test_lines_that_differ_are_found_without_fail(source):
    lines = source.splitlines()
    unlike = "\n".join(f"{line}  # {number}" if line else "" for number, line in enumerate(lines)) + "\n"
    trace = recorded(re.sub(r"# << START_OF_TRACE {2}# \d+", "", unlike))
    text = CWM.encode(trace)
    for each in (text, stripped(text, trace.program)):
        for read, real in zip(CWM.decode(each, trace.program).steps, trace.steps, strict=True):
            assert (read.event, read.line) == (real.event, real.line)
            assert (read.depth, read.function) == (real.depth, real.function)


@settings(max_examples=40, deadline=None)
@given(sources())
def test_lines_that_are_alike_are_found_among_their_like(source):
    trace = recorded(source)
    text = SourceText(trace.program)
    for read, real in zip(CWM.holds(trace).steps, trace.steps, strict=True):
        assert text.line(0, read.line) == text.line(0, real.line)
        assert (read.event, read.depth, read.function) == (real.event, real.depth, real.function)


def test_a_jump_that_no_program_makes_leads_to_the_nearest_line_of_the_running_function():
    source = "def f():\n    x = 1\n    y = 2\n    return x  # @back\n\ndef g():\n    return x\n"
    source += "def main():\n    return f()  # @call\n"
    call = 1 + source[: source.index("# @call")].count("\n")
    text = f"{{}}def main():\n{{}}{source.splitlines()[call - 1]}\n{{}}def f():\n{{}}    return x  # @back\n"
    steps = CWM.decode(text, Program(source, Entry("function", "main"))).steps
    assert [step.line for step in steps][-1] == 1 + source[: source.index("# @back")].count("\n")
    assert [step.depth for step in steps] == [0, 0, 1, 1]


def test_a_call_that_no_program_makes_is_a_call_all_the_same():
    source = "def f(n):\n    return n\n\ndef main():\n    n = 1\n    return n\n"
    text = '{}def main():\n{}    n = 1\n{"n": "2"}def f(n):\n{"n": ".."}    return n\n    return n\n"2"'
    text += '{"n": "1"}    return n\n    return n\n"1"'
    program = Program(source, Entry("function", "main"))
    decoded = CWM.decode(text, program)
    events = [step.event for step in decoded.steps]
    assert events == ["call", "line", "call", "line", "return", "line", "return"]
    assert [step.depth for step in decoded.steps] == [0, 0, 1, 1, 1, 0, 0]
    cut = CWM.decode(text[: decoded.spans[2][1]], program)  # nothing follows that would tell
    assert [step.event for step in cut.steps] == events[:3]


def test_lines_of_further_files_are_found():
    program = Program(
        "from near import twice\ndef main():\n    return twice(2)\n",
        Entry("function", "main"),
        files=(SourceFile("near.py", "def twice(n):\n    m = n * 2\n    return m\n"),),
    )
    places = [
        ("call", 0, 2),
        ("line", 0, 3),
        ("call", 1, 1),
        ("line", 1, 2),
        ("line", 1, 3),
        ("return", 1, 3),
    ]
    places.append(("return", 0, 3))
    states = {1: {"n": "2"}, 0: {}}
    real = recorded("def main():\n    pass\n")
    steps = tuple(
        Step(event, line, states[file], "4" if event == "return" else None, file=file)
        for event, file, line in places
    )
    trace = Trace(program, steps, real.ending, real.origin)
    for text in (CWM.encode(trace), stripped(CWM.encode(trace))):
        assert [(step.event, step.file, step.line) for step in CWM.decode(text, program).steps] == places


def test_a_program_that_is_not_python_is_read_by_its_text():
    source = "function f(n) {\n  n = 1;\n  n = 1;\n  return n;\n}\nf(0);\n"
    program = Program(source, Entry("script"), "a.js", "javascript")
    text = '{"n": "0"}function f(n) {\n{"n": ".."}  n = 1;\n{"n": "1"}  n = 1;\n{"n": ".."}  return n;\n'
    text += '  return n;\n"1"'
    steps = CWM.decode(text, program).steps
    assert [step.line for step in steps] == [1, 2, 3, 4, 4]
    assert steps[-1].event == "return"


def test_lines_end_where_python_ends_them():
    text = SourceText(Program("a\x0cb\r\nc\rd\u2028e\n", Entry("script")))
    assert [text.line(0, number) for number in range(6)] == ["", "a\x0cb", "c", "d\u2028e", "", ""]
