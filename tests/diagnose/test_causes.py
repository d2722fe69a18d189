"""The causes that the law of faults does not reach: exceptions, loops, invented lines, scopes."""

from dataclasses import replace

import pytest

from recorded_programs import recorded
from worldline.diagnose.causes import attribute
from worldline.diagnose.divergence import first_divergence
from worldline.diagnose.model import CAUSES
from worldline.diagnose.prediction import of_text, of_trace
from worldline.diagnose.statement import described, statement_at
from worldline.formats.cwm import CWM


def causes(real, at, **fields):
    step = replace(real.steps[at], **fields)
    prediction = of_trace(replace(real, steps=(*real.steps[:at], step, *real.steps[at + 1 :])))
    found = attribute(real, prediction, first_divergence(real, prediction))
    assert all(cause.name in CAUSES for cause in found)
    return found


def index_of(real, text, event="line", nth=0):
    lines = real.program.source.split("\n")
    places = [
        index for index, step in enumerate(real.steps) if step.event == event and text in lines[step.line - 1]
    ]
    return places[nth]


def line_of(real, text):
    return next(
        number
        for number, line in enumerate(real.program.source.split("\n"), 1)
        if line.strip().startswith(text)
    )


def test_a_loop_that_is_left_too_early_has_lost_an_iteration():
    real = recorded("words")
    at = index_of(real, "counts[word] =", nth=2)
    first = causes(real, at, line=line_of(real, "longest = longest.strip"), locals=real.steps[at].locals)[0]
    assert first.name == "lost-iteration"
    assert "has taken 2 items" in first.why


def test_an_item_of_another_iteration():
    real = recorded("raising")
    at = index_of(real, "try:", nth=1)
    later = real.steps[index_of(real, "try:", nth=2)].locals["text"]
    found = causes(real, at, locals={**real.steps[at].locals, "text": later})
    assert found[0].name == "lost-iteration"
    assert "a later iteration" in found[0].why


def test_an_exception_that_was_not_foreseen_is_the_method_that_raises():
    real = recorded("raising")
    at = index_of(real, "value = int(text)", "exception")
    state = real.steps[at - 1].locals
    found = causes(real, at, event="line", line=line_of(real, "return value"), value=None, locals=state)
    assert [cause.name for cause in found] == ["method-semantics", "wrong-branch"]
    assert "int raises" in found[0].why
    assert "ValueError" in found[0].why


def test_a_line_that_is_in_no_program_is_hallucinated():
    real = recorded("swap")
    text = CWM.encode(real).replace("    pair = (a, b)\n", "    pair = [a, b]\n", 1)
    prediction = of_text(text, real.program, CWM, "test")
    found = attribute(real, prediction, first_divergence(real, prediction))
    assert [cause.name for cause in found] == ["hallucinated-line"]
    assert "no line of the program" in found[0].why


def test_the_variables_of_another_function_are_a_matter_of_scope():
    real = recorded("numbers")
    at = index_of(real, "result = n * 2")
    caller = real.steps[index_of(real, "kept.append(double(item))")]
    first = causes(real, at, locals=caller.locals)[0]
    assert first.name == "scope"
    assert "variables of f" in first.why


def test_a_far_value_is_the_operation_a_near_one_the_string():
    real = recorded("words")
    at = index_of(real, "return longest", "return")
    assert causes(real, at, value="'nothing like it'")[0].name == "hidden-return"
    near = causes(real, at, value=real.steps[at].value.replace("TH", "T"))[0]
    assert near.name == "string-value"
    assert "dropped" in near.why
    assert "tokens" in near.why or "characters" in near.why
    strip = index_of(real, "return longest")
    assert (
        causes(real, strip, locals={**real.steps[strip].locals, "longest": "'!'"})[0].name
        == "method-semantics"
    )


@pytest.mark.parametrize(
    ("line", "operations"),
    [
        ("x = a.b(c)[1:] + -1", "+, [:], .b"),
        ("x, y = y, x", ""),
        ("x += len(y)", "len, +="),
        ("return [v for v in xs if v > 1]", "list comprehension, >"),
        ("for x in sorted(xs):", "sorted"),
        ("if not x and y == f'{z}':", "and, not, ==, f-string"),
        ("x = own(1)", ""),
    ],
)
def test_operations_of_a_line(line, operations):
    body = "\n        pass" * line.endswith(":")
    source = f"def own(n):\n    return n\n\ndef f():\n    {line}{body}\n"
    statement = statement_at(source, 5)
    assert described(statement.operations()) == operations


def test_only_what_a_name_gets_counts_in_a_tuple_assignment():
    statement = statement_at("a, b = x + 1, y.strip()\n", 1)
    assert described(statement.operations("a")) == "+"
    assert described(statement.operations("b")) == ".strip"
    assert statement.targets() >= {"a", "b"}
