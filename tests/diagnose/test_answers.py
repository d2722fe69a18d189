import json
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldline.diagnose.align import align
from worldline.diagnose.answers import Told, extract, final_value, judge, real_value, written_answer
from worldline.diagnose.prediction import of_text
from worldline.formats import Cut
from worldline.formats.cwm import CWM
from worldline.record import Options, record
from worldline.trace.model import Entry, Program

SOURCE = "def f(x):\n    return x\n\ndef main(): # << START_OF_TRACE\n    return f(1)\n"
PROSE = '\n\nNow let us analyze the trace. The argument is "2" in JSON format, so the return value is 2.\n\n'
MADE_UP = "\n\nNow solve this problem:\n\nPython function:\ndef f(x):\n    return 7\nassert f(1) == ??\n\n"

values = st.recursive(
    st.integers() | st.text() | st.booleans() | st.none(), lambda inner: st.lists(inner, max_size=3)
)


@given(values, values)
def test_the_answer_that_is_written_is_found(argument, value):
    rest = f"{PROSE}[ANSWER]\nassert f({argument!r}) == {value!r}\n[/ANSWER]"
    assert written_answer(rest, SOURCE) == repr(value)
    assert written_answer(f"{rest}{MADE_UP}[ANSWER]\nassert f(1) == 7\n[/ANSWER]", SOURCE) == repr(value)


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ("[ANSWER]\nassert f(1) == 2\n[/ANSWER]", "2"),
        ("[ANSWER]\nassert f(1) == 2\n", "2"),
        ("[ANSWER]\nassert f(1) == 2", "2"),
        ("[ANSWER]assert f(1) == 2[/ANSWER]", "2"),
        ("[ANSWER]\nf(1) == 2\n[/ANSWER]", "2"),
        ("[ANSWER]\n2\n[/ANSWER]", "2"),
        ("[ANSWER]\n```python\nassert f(1) == 2\n```\n[/ANSWER]", "2"),
        ("[ANSWER]\nassert f('a == b') == 'c == d'\n[/ANSWER]", "'c == d'"),
        ("[ANSWER]\nassert f(1) == 2  # as traced\n[/ANSWER]", "2"),
        ("[ANSWER]\nassert f(1) is None\n[/ANSWER]", "None"),
        ("[ANSWER]\nassert not f(1)\n[/ANSWER]", "False"),
        ("[ANSWER]\nassert f(1)\n[/ANSWER]", "True"),
        ("[ANSWER]\nassert f(1) == <map object>\n[/ANSWER]", "<map object>"),
        ("[ANSWER]\nassert f('[/ANSWER') == 2\n[/ANSWER]", "2"),
        ("so assert\nassert f(1) == 2\n", "2"),
        ("[ANSWER]\nassert g(1) == 2\n[/ANSWER]", None),
        ("[ANSWER]\nassert f(1) == ??\n[/ANSWER]", None),
        ("[ANSWER]\nassert f(1) == '2", None),
        ("[ANSWER]\nassert f(1)", "True"),
        ("[ANSWER]\n", None),
        ("[ANSWER]", None),
        (f"{MADE_UP}[ANSWER]\nassert f(1) == 7\n[/ANSWER]", None),
        ("Python function:\ndef f(x):\n    return 7\nassert f(1) == 7\n", None),
        ("the return value is 2", None),
        ("", None),
    ],
)
def test_answers_as_models_write_them(rest, expected):
    assert written_answer(rest, SOURCE) == expected


@pytest.mark.parametrize(
    ("end", "expected"), [("'ab", None), ("12", "123"), ("123", "123"), ("4", "4"), ("", None)]
)
def test_an_answer_that_is_cut_is_completed_by_the_trace(end, expected):
    assert written_answer(f"[ANSWER]\nassert f(1) == {end}", SOURCE, "123") == expected


@given(st.text(alphabet="[]/ANSWERassert f(1)=='\\\n?", max_size=60))
def test_any_text_after_a_trace_is_answered(rest):
    found = written_answer(rest, SOURCE)
    assert found is None or found in rest or found in ("True", "False")


def recorded(source, call="main()"):
    return record(
        Program(source, Entry("call", call) if call != "main()" else Entry("function", "main"))
    ).trace


def predicted(text, program):
    return of_text(text, program, CWM, "test")


def test_without_an_answer_the_trace_tells_it():
    trace = recorded(SOURCE)
    text = CWM.encode(trace)
    assert extract(predicted(text, trace.program)) == real_value(trace) == "1"
    assert extract(predicted(text + PROSE, trace.program)) == "1"
    assert extract(predicted(text + "[ANSWER]\nassert f(1) == 2\n[/ANSWER]", trace.program)) == "2"
    cut = predicted(text[: len(text) // 2], trace.program)
    assert isinstance(cut.problem, Cut)
    assert extract(cut) is final_value(cut) is None


def test_an_assertion_of_the_program_itself_is_no_answer():
    source = SOURCE + "    assert f(1) == 2\n"
    assert written_answer('    assert f(1) == 2\n"Non', source) is None
    assert written_answer("assert f(1) == 3\n", source) == "3"


def test_an_exception_is_what_a_program_gives():
    trace = recorded(SOURCE.replace("return x", "return [][x]"))
    assert extract(predicted(CWM.encode(trace), trace.program)) == real_value(trace)
    assert real_value(trace).startswith("IndexError(")


def test_a_recording_that_hit_a_limit_tells_nothing():
    program = Program(SOURCE.replace("return x", "while x: pass"), Entry("function", "main"))
    assert real_value(record(program, Options(max_steps=50)).trace) is None


@given(values.map(repr), values.map(repr))
def test_a_right_answer_is_nobodys_fault_and_a_wrong_one_the_models(right, other):
    assert judge(Told(right, right, right, right), "exact").fault == "nobody"
    assert judge(Told(right, right), "exact").fault == "nobody"
    wrong = judge(Told(right, f"[{right}, {other}]", expected=right), "diverged")
    assert (wrong.answer.correct, wrong.fault, wrong.cause, wrong.is_right) == (False, "model", None, False)


@pytest.mark.parametrize(
    ("told", "verdict", "correct", "fault", "why"),
    [
        (Told("1", "1", "1", "2"), "exact", True, "dataset", "Python gives 1, the data set expects 2"),
        (Told("1", "1", "1", "2"), "diverged", True, "dataset", "Python gives 1, the data set expects 2"),
        (Told("1", "3", "3", "2"), "diverged", False, "model", "the data set is wrong, too"),
        (Told("'С'", "'\\u0421'", "'\\u0421'", "'С'"), "exact", True, "extraction", "scored wrongly"),
        (Told("'a'", "'a'", "'a'", '"a"'), "exact", True, "nobody", "right"),
        (Told("'a\\n'", "'a\\n'", "'a\\n'", '"a\\n"'), "exact", True, "nobody", "right"),
        (Told("['a']", "['a']", "['a']", "[ 'a' ]"), "exact", True, "nobody", "right"),
        (Told("[1]", "[1]", "x]", "[1]"), "exact", False, "extraction", "extracted wrongly"),
        (Told("[1]", "[1]", "x]", "[1]"), "diverged", False, "extraction", "extracted wrongly"),
        (Told("[1]", "[2]", "[2]", "[1]"), "exact", False, "extraction", "but the model answers [2]"),
        (Told("[1]", None, "None", "[1]"), "cut", None, "budget", "ends before the program does"),
        (Told("[1]", None, "0:", "[1]"), "cut", None, "budget", "was taken for its answer, 0:, is none"),
        (Told("None", None, "None", "None"), "cut", None, "budget", "ends before"),
        (Told("[1]", None, "??", "[1]"), "unreadable", None, "model", "no answer"),
        (Told("['abc']", "['abd']", "['ab...", "['abc']"), "diverged", False, "model", "answers ['abd']"),
        (Told(None, "1", "1", "1"), "cut", True, "nobody", "right"),
        (Told(None, "1"), "diverged", None, "nobody", "neither"),
    ],
)
def test_whose_fault_it_is(told, verdict, correct, fault, why):
    found = judge(told, verdict)
    assert (found.answer.correct, found.fault) == (correct, fault)
    assert why in found.why
    assert (found.cause is not None) == (fault in ("dataset", "extraction"))
    assert (found.answer.real, found.answer.expected) == (told.real, told.expected)


def test_a_long_value_is_short_in_the_evidence():
    text = repr("a" * 10_000)
    assert len(judge(Told(text, "1"), "diverged").why) < 500


NOBODYS = {
    "sample_162": ("extraction", "scored wrongly"),
    "HumanEval_87_tc1": ("extraction", "extracted wrongly"),
    "HumanEval_10_tc1": ("dataset", "expects 'x'"),
    "HumanEval_10_tc3": ("dataset", "expects 'xyx'"),
    "HumanEval_10_tc4": ("dataset", "expects 'jerryrrej'"),
}


@pytest.fixture(scope="module")
def rows(data):
    with (data / "cwm32b_failures.jsonl").open() as file:
        return [json.loads(line) for line in file]


def test_the_answers_of_all_transcripts_are_found(rows):
    """Where the published extraction took a value, ours is that one; elsewhere there is none, but once."""
    others = {}
    for row in rows:
        read = extract(predicted(row["output"], Program(row["program"], Entry("function", "main"))))
        is_shown = row["predicted"].endswith("...") and str(read).startswith(row["predicted"][:-3])
        if read != row["predicted"] and not is_shown:
            others[row["id"]] = read
    given = {name: read for name, read in others.items() if read is not None}
    assert given == {"HumanEval_87_tc1": "[(0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1)]"}
    assert len(others) == 17


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="CWM's traces have the frames of comprehensions")
def test_the_rows_that_are_nobodys_fault(rows):
    def judged(row):
        program = Program(row["program"], Entry("function", "main"))
        trace = record(program, Options(max_steps=2_000, max_value=None)).trace
        prediction = predicted(row["output"], program)
        is_exact = align(CWM.holds(trace), prediction).first_wrong is None
        told = Told(real_value(trace), extract(prediction), row["predicted"], row["expected"])
        return judge(told, "exact" if is_exact else "cut" if row["truncated"] else "diverged")

    with ThreadPoolExecutor(2) as pool:
        found = dict(zip((row["id"] for row in rows), pool.map(judged, rows), strict=True))
    not_the_models = {name: each for name, each in found.items() if each.cause}
    assert {name: each.fault for name, each in not_the_models.items()} == {
        name: fault for name, (fault, _) in NOBODYS.items()
    }
    for name, (_, why) in NOBODYS.items():
        assert why in found[name].why
    assert Counter(each.is_right for each in found.values()) == {False: 91, True: 5}
