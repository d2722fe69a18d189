"""The format `cwm`: its text to the letter, and how it reads what a model may write."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.program_strategies import recorded, sources
from worldline.formats import Cut, Malformed
from worldline.formats.cwm import CWM, SPECIAL_TOKENS, as_marked, frames, line_text, stripped
from worldline.record.entry import MARKER
from worldline.trace.model import Ending, Entry, Origin, Program, Step, Trace

SOURCE = """def half(n):
    if n % 2:
        raise ValueError("ö")
    return n // 2

def main(): # << START_OF_TRACE
    w = "ö"
    try:
        n = half(3)
    except ValueError:
        n = half(0)
    try:
        return int(w)
    except ValueError:
        return n
"""

RAISED = r"""(<class 'ValueError'>, ValueError('\u00f6'), <traceback object>)"""
NO_NUMBER = RAISED.replace(r"'\u00f6'", r"""\"invalid literal for int() with base 10: '\u00f6'\"""")

TEXT = rf"""<|call_sep|>{{}}<|action_sep|>def main(): # << START_OF_TRACE
<|frame_sep|><|line_sep|>{{}}<|action_sep|>    w = "ö"
<|frame_sep|><|line_sep|>{{"w": "'\u00f6'"}}<|action_sep|>    try:
<|frame_sep|><|line_sep|>{{"w": ".."}}<|action_sep|>        n = half(3)
<|frame_sep|><|call_sep|>{{"n": "3"}}<|action_sep|>def half(n):
<|frame_sep|><|line_sep|>{{"n": ".."}}<|action_sep|>    if n % 2:
<|frame_sep|><|line_sep|>{{"n": ".."}}<|action_sep|>        raise ValueError("ö")
<|frame_sep|><|exception_sep|><|action_sep|>        raise ValueError("ö")
<|arg_sep|>"{RAISED}"<|frame_sep|><|return_sep|><|action_sep|>        raise ValueError("ö")
<|arg_sep|>"None"<|frame_sep|><|exception_sep|><|action_sep|>        n = half(3)
<|arg_sep|>"{RAISED}"<|frame_sep|><|line_sep|>{{"w": "'\u00f6'"}}<|action_sep|>    except ValueError:
<|frame_sep|><|line_sep|>{{"w": ".."}}<|action_sep|>        n = half(0)
<|frame_sep|><|call_sep|>{{"n": "0"}}<|action_sep|>def half(n):
<|frame_sep|><|line_sep|>{{"n": ".."}}<|action_sep|>    if n % 2:
<|frame_sep|><|line_sep|>{{"n": ".."}}<|action_sep|>    return n // 2
<|frame_sep|><|return_sep|><|action_sep|>    return n // 2
<|arg_sep|>"0"<|frame_sep|><|line_sep|>{{"w": "'\u00f6'", "n": "0"}}<|action_sep|>    try:
<|frame_sep|><|line_sep|>{{"w": "..", "n": ".."}}<|action_sep|>        return int(w)
<|frame_sep|><|exception_sep|><|action_sep|>        return int(w)
<|arg_sep|>"{NO_NUMBER}"<|frame_sep|><|line_sep|>{{"w": "..", "n": ".."}}<|action_sep|>    except ValueError:
<|frame_sep|><|line_sep|>{{"w": "..", "n": ".."}}<|action_sep|>        return n
<|frame_sep|><|return_sep|><|action_sep|>        return n
<|arg_sep|>"0"<|frame_sep|><|end_of_text|>"""

STRIPPED = rf"""{{}}def main(): # << START_OF_TRACE
{{}}    w = "ö"
{{"w": "'\u00f6'"}}    try:
{{"w": ".."}}        n = half(3)
{{"n": "3"}}def half(n):
{{"n": ".."}}    if n % 2:
{{"n": ".."}}        raise ValueError("ö")
        raise ValueError("ö")
"{RAISED}"        raise ValueError("ö")
"None"        n = half(3)
"{RAISED}"{{"w": "'\u00f6'"}}    except ValueError:
{{"w": ".."}}        n = half(0)
{{"n": "0"}}def half(n):
{{"n": ".."}}    if n % 2:
{{"n": ".."}}    return n // 2
    return n // 2
"0"{{"w": "'\u00f6'", "n": "0"}}    try:
{{"w": "..", "n": ".."}}        return int(w)
        return int(w)
"{NO_NUMBER}"{{"w": "..", "n": ".."}}    except ValueError:
{{"w": "..", "n": ".."}}        return n
        return n
"0"
""".removesuffix("\n")

TRACE = recorded(SOURCE)
HELD = CWM.holds(TRACE).steps
PROGRAM = TRACE.program


def trace_of(source: str, *steps: Step) -> Trace:
    return Trace(Program(source, Entry("script")), steps, Ending("open"), Origin("predicted", "a test"))


def test_the_text_is_metas_to_the_letter():
    assert CWM.encode(TRACE) == TEXT
    assert stripped(TEXT) == STRIPPED


def test_special_tokens_have_the_ids_of_the_model():
    assert [
        SPECIAL_TOKENS[f"<|{name}|>"] for name in ("frame_sep", "action_sep", "return_sep", "call_sep")
    ] == [*range(128100, 128104)]
    rest = ("line_sep", "exception_sep", "arg_sep", "trace_context_start")
    assert [SPECIAL_TOKENS[f"<|{name}|>"] for name in rest] == [*range(128104, 128108)]
    assert (SPECIAL_TOKENS["<|begin_of_text|>"], SPECIAL_TOKENS["<|end_of_text|>"]) == (128000, 128001)


def test_the_prompt_holds_the_marked_program():
    assert CWM.prompt(PROGRAM) == f"<|begin_of_text|><|trace_context_start|>{SOURCE}<|frame_sep|>"
    plain = Program("def go(a=1):\n    return a\n", Entry("function", "go"))
    assert f"def go(a=1): {MARKER}\n" in CWM.prompt(plain)
    test = Program(
        "class TestA:\n    def test_b(self):\n        assert 1\n", Entry("test", "a.py::TestA::test_b[1]")
    )
    assert f"    def test_b(self): {MARKER}\n" in CWM.prompt(test)
    assert stripped(CWM.prompt(PROGRAM) + TEXT) == SOURCE + STRIPPED


def test_a_call_is_prompted_as_the_wrapped_program_that_can_be_recorded():
    call = Program("def f(a):\n    return a\n", Entry("call", "f(1)"))
    assert as_marked(call).source.endswith(f"\n\ndef main(): {MARKER}\n    return f(1)\n")
    assert CWM.prompt(call) == CWM.prompt(as_marked(call))
    assert CWM.encode(recorded(as_marked(call).source)).startswith(
        f"<|call_sep|>{{}}<|action_sep|>def main(): {MARKER}"
    )


@pytest.mark.parametrize("text", [TEXT, STRIPPED], ids=["tokens", "stripped"])
def test_both_texts_read_as_what_was_recorded(text):
    decoded = CWM.decode(text, PROGRAM)
    assert (decoded.problem, decoded.rest) == (None, "")
    for read, real in zip(decoded.steps, TRACE.steps, strict=True):
        shown = real.locals if real.event in ("call", "line") else {}
        assert (read.event, read.line, read.locals, read.value) == (real.event, real.line, shown, real.value)
        assert (read.depth, read.frame, read.function) == (real.depth, real.frame, real.function)


@pytest.mark.parametrize("text", [TEXT, STRIPPED], ids=["tokens", "stripped"])
def test_what_follows_the_trace_is_the_rest(text):
    answer = '\n\nNow let us analyze the trace. It is\n"2" here.\n\n[ANSWER]\nassert main() == 2\n[/ANSWER]'
    decoded = CWM.decode(text + answer, PROGRAM)
    assert (decoded.steps, decoded.problem, decoded.rest) == (HELD, None, answer)
    quoted = 'The return value of main() is\n"2" in JSON.'
    assert CWM.decode(text + quoted, PROGRAM).rest == quoted


def test_the_marker_may_be_left_out_as_models_do():
    for text in (TEXT, STRIPPED):
        assert CWM.decode(text.replace(f" {MARKER}", ""), PROGRAM).steps == HELD


def test_the_line_end_before_a_token_may_be_left_out():
    assert CWM.decode(TEXT.replace("\n<|", "<|"), PROGRAM).steps == HELD


def test_an_invented_line_is_a_step_on_line_0_and_its_text_is_in_the_span():
    for text in (TEXT, STRIPPED):
        invented = text.replace("        n = half(0)", "        n = half(5)  # no", 1)
        decoded = CWM.decode(invented, PROGRAM)
        [at] = [number for number, step in enumerate(decoded.steps) if step.line == 0]
        assert line_text(invented[slice(*decoded.spans[at])]) == "        n = half(5)  # no"
        assert decoded.steps[:at] + decoded.steps[at + 1 :] == HELD[:at] + HELD[at + 1 :]


@pytest.mark.parametrize("text", [TEXT, STRIPPED], ids=["tokens", "stripped"])
def test_a_text_cut_after_any_character_is_cut_in_its_last_frame(text):
    spans = CWM.decode(text, PROGRAM).spans
    for length in range(spans[-1][1]):
        decoded = CWM.decode(text[:length], PROGRAM)
        whole = [span for span in spans if span[1] <= length]
        assert decoded.problem == Cut(whole[-1][1] if whole else 0, len(whole))
        assert decoded.steps == HELD[: len(whole)]
        assert decoded.rest == text[decoded.problem.offset : length]


@pytest.mark.parametrize("has_tokens", [True, False], ids=["tokens", "stripped"])
@given(number=st.integers(0, len(HELD) - 1), data=st.data())
def test_a_broken_frame_is_found_where_it_begins(has_tokens, number, data):
    pieces = list(frames(TRACE)) if has_tokens else [stripped(frame) for frame in frames(TRACE)]
    offset = len("".join(pieces[:number]))
    frame = pieces[number]
    if HELD[number].value is None:
        first = frame.index("{")
        marks = [at for at in range(first, frame.index("}") + 1) if frame[at] in '{":}']
    else:
        marks = [frame.index('\n"') + 1] if not has_tokens else [frame.index('|>"') + 2]
    at = data.draw(st.sampled_from(marks))
    pieces[number] = frame[:at] + "?" + frame[at + 1 :]
    decoded = CWM.decode("".join(pieces), PROGRAM)
    assert isinstance(decoded.problem, Malformed)
    assert (decoded.problem.offset, decoded.problem.frame_number) == (offset, number)
    assert [step.locals for step in decoded.steps] == [step.locals for step in HELD[:number]]
    assert [step.line for step in decoded.steps] == [step.line for step in HELD[:number]]


def test_a_value_that_is_no_string_is_malformed_and_named():
    text = TEXT.replace('{"n": "0"}', '{"n": 0}')
    problem = CWM.decode(text, PROGRAM).problem
    assert isinstance(problem, Malformed)
    assert "'n'" in problem.why
    assert text.startswith('<|call_sep|>{"n": 0}', problem.offset)


def test_a_state_nested_beyond_all_bounds_is_malformed():
    text = '<|call_sep|>{"n": ' + "[" * 100_000
    assert isinstance(CWM.decode(text, PROGRAM).problem, Malformed)


@settings(max_examples=40, deadline=None)
@given(sources(), st.data())
def test_a_stripped_text_reads_like_the_one_with_tokens_and_cut_anywhere_as_a_prefix(source, data):
    trace = recorded(source)
    text = stripped(CWM.encode(trace), trace.program)
    whole = CWM.decode(text, trace.program)
    assert whole.steps == CWM.holds(trace).steps
    assert (whole.problem, whole.rest) == (None, "")
    cut = CWM.decode(text[: data.draw(st.integers(0, len(text) - 1))], trace.program)
    assert isinstance(cut.problem, Cut)
    for read, real in zip(cut.steps, whole.steps, strict=False):
        assert (read.event, read.locals, read.value) == (real.event, real.locals, real.value)


def test_two_surrogates_that_make_one_character_read_as_it():
    trace = trace_of("x = 1\n", Step("line", 1, {"x": "\ud83d\ude00", "y": "\ud83d"}))
    [held] = CWM.holds(trace).steps
    assert held.locals == {"x": "\U0001f600", "y": "\ud83d"}
    assert CWM.decode(CWM.encode(trace), trace.program).steps == (held,)


def test_values_may_hold_anything_and_tokens_in_them_are_no_tokens():
    nasty = "'<|frame_sep|>\\n\n\"{}\u2028\x00\U0001f600'"
    trace = trace_of("x = 1\n", Step("line", 1, {"x": nasty, "<|action_sep|>": nasty}))
    text = CWM.encode(trace)
    assert text.count("\n") == 1
    assert text.isascii()
    assert CWM.decode(text, trace.program).steps[0].locals == trace.steps[0].locals
    assert json.loads(stripped(text).removesuffix("x = 1\n")) == {"x": nasty, "<|action_sep|>": nasty}


def test_a_source_line_may_hold_tokens_and_look_like_a_state():
    source = "def f(): return (\n'<|frame_sep|>', '',\n{'a': 'b'})\n"
    trace = trace_of(
        source, Step("call", 1, {}), Step("line", 2, {}), Step("line", 3, {}), Step("return", 3, {}, "3")
    )
    text = CWM.encode(trace)
    for each in (text, stripped(text, trace.program)):
        assert [step.line for step in CWM.decode(each, trace.program).steps] == [1, 2, 3, 3]
        cut = CWM.decode(each[: each.index("', '',") + 1], trace.program)
        assert cut.problem == Cut(each.index("\n") + 1 if each is not text else cut.spans[0][1], 1)


def test_a_state_in_a_call_frame_owes_nothing_to_the_caller():
    text = TEXT.replace('{"n": "0"}', '{"n": ".."}')
    read = CWM.decode(text, PROGRAM).steps
    changed = [step.locals for step, real in zip(read, HELD, strict=True) if step.locals != real.locals]
    assert changed == [{"n": ".."}] * 3  # the call and the two lines that say "as before"
