"""One fault of a known kind, put into a real trace at a known step, is found there and named."""

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from recorded_programs import SOURCES, recorded
from worldline.diagnose.apart import FAMILIES
from worldline.diagnose.causes import attribute
from worldline.diagnose.divergence import first_divergence
from worldline.diagnose.prediction import of_text, of_trace
from worldline.diagnose.statement import statement_at
from worldline.formats.cwm import CWM, stripped
from worldline.models.faults import FAULTS, TEXT_FAULTS, inject, inject_text
from worldline.record import Options, record
from worldline.record.entry import as_marked
from worldline.trace.model import Entry, Program
from worldline.trace.value import type_of

SEED = 20261116
INJECTIONS = 2000
ENOUGH = 0.95  # of the causes
NAMED = {
    "wrong-branch": "wrong-branch",
    "invented-line": "hallucinated-line",
    "stale": "stale",
    "dropped-character": "string-value",
    "doubled-character": "string-value",
    "off-by-one": "arithmetic",
    "wrong-element": "container-value",
    "swapped": "scope",
    "missing": "scope",
    "extra": "scope",
    "truncation": "budget",
    "broken-json": "format",
}
NAMES = [*FAULTS, *TEXT_FAULTS]


def faulty(name, traces, dice):
    """A real trace, the text of its prediction with one fault of this kind in it, and the fault."""
    while True:
        real, is_stripped = dice.choice(traces), dice.random() < 0.5
        if name in TEXT_FAULTS:
            made = inject_text(real, name, dice, is_stripped)
        else:
            changed = inject(real, name, dice)
            made = None if changed is None else (CWM.encode(changed[0]), changed[1])
            if made is not None and is_stripped:
                made = stripped(made[0], real.program), made[1]
        if made is not None:
            return real, *made


def cause_of(fault, real):
    """The cause that is the right one to name."""
    if fault.name == "wrong-branch" and fault.is_loop:
        return "lost-iteration"
    if fault.name != "wrong-return":
        return NAMED[fault.name]
    step = real.steps[fault.step]
    statement = statement_at(real.program.source, step.line)
    operations = statement.operations()
    if len(operations) > 1 or any(each.kind == "comprehension" for each in operations):
        return "hidden-return" if statement.is_return else "hidden-composition"
    if operations and operations[0].kind in ("method", "function"):
        return "method-semantics"
    return FAMILIES.get(type_of(step.value))


def diagnosed(real, text):
    prediction = of_text(text, real.program, CWM, "faulty")
    found = first_divergence(real, prediction)
    return found, attribute(real, prediction, found) if found is not None else ()


def checked(traces, count, seed):
    """Steps and kinds must all be right; gives how many causes are."""
    dice = Random(seed)
    right = Counter()
    for number in range(count):
        name = NAMES[number % len(NAMES)]
        real, text, fault = faulty(name, traces, dice)
        found, causes = diagnosed(real, text)
        where = f"{fault}\n{real.program.source}\n{text[-400:]}"
        assert found is not None, where
        assert (found.frame, found.kind) == (fault.step, fault.kind), where
        assert abs(sum(cause.weight for cause in causes) - 1) < 0.01
        right[name] += causes[0].name == cause_of(fault, real)
    print({name: f"{right[name]}/{count // len(NAMES)}" for name in NAMES})
    return sum(right.values())


def test_every_fault_is_found_in_our_programs():
    traces = [recorded(name) for name in SOURCES]
    assert checked(traces, 650, SEED) >= ENOUGH * 650


def test_every_fault_is_found_in_cruxeval(data):
    rows = [json.loads(line) for line in (data / "cruxeval.jsonl").open()]
    programs = [as_marked(Program(row["code"], Entry("call", f"f({row['input']})"))) for row in rows]
    with ThreadPoolExecutor(2) as pool:
        traces = list(pool.map(lambda program: record(program, Options(max_value=None)).trace, programs))
    assert checked(traces, INJECTIONS, SEED) >= ENOUGH * INJECTIONS


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_a_trace_file_is_found_as_in_text(name):
    dice = Random(SEED)
    for _ in range(20):
        real = recorded(dice.choice(list(SOURCES)))
        made = inject(real, name, dice)
        if made is not None:
            found = first_divergence(real, of_trace(made[0]))
            assert (found.frame, found.kind) == (made[1].step, made[1].kind)


@pytest.mark.parametrize("name", SOURCES)
def test_no_fault_no_divergence(name):
    real = recorded(name)
    for text in (CWM.encode(real), stripped(CWM.encode(real), real.program)):
        assert diagnosed(real, text) == (None, ())
    assert first_divergence(real, of_trace(real)) is None
