"""Outputs as models write them: harmless differences are none, broken ones are told as what they are."""

import json
import re

import pytest

from worldline.diagnose.diagnosis import diagnose
from worldline.diagnose.prediction import of_text
from worldline.diagnose.transcripts import diagnose_row, read_rows
from worldline.diagnose.truth import truth
from worldline.formats.cwm import CWM, stripped
from worldline.record import Limits
from worldline.record.entry import find_entry
from worldline.trace.model import Program

CLASSES = """\
class Plain:
    def __init__(self, x):
        self.x = x

class Shown:
    def __repr__(self):
        return 'Shown!'

class Numbers(list):
    pass

class OwnError(Exception):
    pass

def f(n):
    plain = Plain(n)
    shown = Shown()
    numbers = Numbers([n])
    kind = Plain
    try:
        raise OwnError('a')
    except OwnError:
        n += 1
    return n

def main(): # << START_OF_TRACE
    return f(1)
"""
LOOP = """\
def best(xs):
    found = 0
    for x in xs:
        if x > found:
            found = x
    return found

def main(): # << START_OF_TRACE
    return best([3, 9, 5])
"""
SETS = "def main(): # << START_OF_TRACE\n    letters = set('hello')\n    return letters\n"
RAISES = """\
def f(x):
    try:
        return 10 // x
    except ZeroDivisionError:
        return -1

def main(): # << START_OF_TRACE
    return f(0), f(5)
"""


def real_of(source):
    program = Program(source, find_entry(source, "program.py"))
    return truth(program).trace


def outputs(real):
    text = CWM.encode(real)
    return [stripped(text, real.program), text]


def diagnosed(real, text):
    return diagnose(real, of_text(text, real.program, CWM, "test")).diagnosis


def as_cpython(text):
    """Objects as CPython itself writes them."""
    text = re.sub(r"<(Plain)[^<>]*>", r"<__main__.\1 object at 0x7f00>", text)
    text = re.sub(r"<Numbers (\[[^<>]*\])>", r"\1", text)
    return text.replace("'program.", "'__main__.").replace(
        "<traceback object>", "<traceback object at 0x7f01>"
    )


def test_objects_as_cpython_writes_them_are_no_divergence():
    real = real_of(CLASSES)
    for text in outputs(real):
        assert "object at 0x7f00" in as_cpython(text)
        assert "Shown!" in text
        assert diagnosed(real, as_cpython(text)).verdict == "exact"
    wrong = as_cpython(outputs(real)[0]).replace("__main__.Plain object", "__main__.Other object")
    assert diagnosed(real, wrong).divergence.kind == "state"


def test_the_order_of_a_set_is_nobodys_fault_but_that_of_a_dict_is():
    real = real_of(SETS)
    shown = real.steps[-1].value
    turned = "{" + ", ".join(reversed(shown[1:-1].split(", "))) + "}"
    for text in outputs(real):
        assert diagnosed(real, text.replace(shown, turned)).verdict == "exact"
        assert diagnosed(real, text.replace(shown, "{'h', 'e', 'l'}")).verdict == "diverged"
    ordered = real_of("def main(): # << START_OF_TRACE\n    d = {'a': 1, 'b': 2}\n    return d\n")
    for text in outputs(ordered):
        assert diagnosed(ordered, text.replace("'a': 1, 'b': 2", "'b': 2, 'a': 1")).verdict == "diverged"


@pytest.mark.parametrize(
    "before", ["\n", "  \n\n", "Here is the trace:\n", "```\n", "{program}\n\n", "{prompt}"]
)
def test_what_comes_before_the_trace_does_not_matter(before):
    real = real_of(RAISES)
    for text in outputs(real):
        opening = before.replace("{program}", RAISES).replace("{prompt}", CWM.prompt(real.program))
        assert diagnosed(real, opening + text).verdict == "exact", opening


def test_blank_lines_between_frames_do_not_matter():
    real = real_of(LOOP)
    text = outputs(real)[0]
    assert diagnosed(real, text.replace("    for x in xs:\n", "    for x in xs:\n\n")).verdict == "exact"


@pytest.mark.parametrize("text", ["", " ", "\n\n"])
def test_nothing_is_cut(text):
    found = diagnosed(real_of(LOOP), text)
    assert (found.verdict, found.divergence.frame) == ("cut", 0)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"x": "3"}', '"x": "3"}}'),
        ('"found": "0"}', '"found": "9", "found": "0"}'),
        ('"found": "0"}', '"found": 0}'),
        ('"found": "0"}', "'found': '0'}"),
    ],
)
def test_broken_json_is_unreadable(old, new):
    real = real_of(LOOP)
    for text in outputs(real):
        found = diagnosed(real, text.replace(old, new, 1))
        assert (found.verdict, found.cause.name) == ("unreadable", "format")


def test_a_value_without_its_closing_quote_is_unreadable():
    source = LOOP.replace("return best([3, 9, 5])", "x = best([3, 9, 5])\n    return x + 1")
    real = real_of(source)
    at = next(index for index, step in enumerate(real.steps) if step.event == "return")
    for text in outputs(real):
        found = diagnosed(
            real,
            text.replace('"9"<|frame_sep|><|line_sep|>', '"9<|frame_sep|><|line_sep|>').replace(
                '"9"{', '"9{'
            ),
        )
        assert (found.verdict, found.divergence.frame) == ("unreadable", at)


def test_a_loop_that_is_left_too_early_or_too_late_has_lost_an_iteration():
    real = real_of(LOOP)
    text = outputs(real)[0]
    unchanged = '{"xs": "..", "found": "..", "x": ".."}'
    second = '{"xs": "..", "found": "..", "x": "9"}        if x > found:\n'
    early = text[: text.index(second)] + f"{unchanged}    return found\n    return found\n" + '"3"'
    assert diagnosed(real, early).cause.name == "lost-iteration"
    late = text.replace(
        f"{unchanged}    return found\n", '{"xs": "..", "found": "..", "x": "7"}        if x > found:\n'
    )
    assert diagnosed(real, late).cause.name == "lost-iteration"


def test_dots_where_the_value_is_wanted_stand_for_the_value_before():
    source = LOOP.replace("return best([3, 9, 5])", "a = 1\n    x = best([3, 9, 5])\n    return x + a")
    real = real_of(source)
    for text in outputs(real):
        assert (
            diagnosed(real, text.replace('{"a": "1", "x": "9"}', '{"a": "..", "x": "9"}')).verdict == "exact"
        )


def test_a_line_that_breaks_off_in_the_other_branch_is_a_wrong_branch():
    real = real_of(LOOP)
    text = outputs(real)[0]
    taken = "            found = x"
    cut = text[: text.index(taken)] + "    for x"
    assert diagnosed(real, cut).cause.name == "wrong-branch"


def test_a_marked_function_with_arguments_is_called_as_the_row_says(tmp_path):
    program = "def f(a): # << START_OF_TRACE\n    return a + 1\n"
    output = '{"a": "2"}def f(a): # << START_OF_TRACE\n{"a": ".."}    return a + 1\n    return a + 1\n"3"'
    row = {"id": "m", "program": program, "call": "f(2)", "output": output}
    (tmp_path / "rows.jsonl").write_text("\ufeff" + json.dumps(row))
    (read,) = read_rows(tmp_path / "rows.jsonl")
    assert diagnose_row(read, "process", Limits()).diagnosis.verdict == "exact"
