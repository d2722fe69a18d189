"""The laws of beliefs over real programs: what Python did follows; one disturbance is one error.

The disturbed runs come from `oracle.py`, which shares only value texts with the code under test.
"""

import ast
import itertools
import json
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from belief_oracle import disturbed, put

from worldline.diagnose.beliefs.judge import judge
from worldline.formats.cwm import CWM
from worldline.formats.cwm_agreement import neutral
from worldline.record import Options, record
from worldline.record.entry import as_marked, find_entry
from worldline.trace.model import Entry, Program, lines_of
from worldline.trace.value import type_of

HAZARDS = sorted((Path(__file__).parents[1] / "samples" / "hazards").glob("*.py"))
ROWS = 16  # of each law
NEEDED = 0.8  # of all steps are judged


@pytest.fixture(scope="module")
def programs(data):
    with (data / "cruxeval.jsonl").open() as file:
        rows = [json.loads(line) for line in file]
    random.Random(3).shuffle(rows)
    return [as_marked(Program(row["code"], Entry("call", f"f({row['input']})"))) for row in rows]


def all_of(function, items):
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(function, items))


def judged(program, steps):
    return [each.follows for each in judge(program, steps, range(len(steps))).values()]


def real_steps(program):
    return CWM.holds(record(program, Options(max_steps=2000)).trace).steps


def test_what_python_did_follows(programs):
    found = all_of(lambda program: judged(program, real_steps(program)), programs[:ROWS])
    verdicts = [each for one in found for each in one]
    assert False not in verdicts
    assert verdicts.count(True) >= NEEDED * len(verdicts)


def test_what_python_did_follows_in_hazardous_programs():
    def one(path):
        source = path.read_text()
        program = Program(source, find_entry(source, path.name), path.name)
        return judged(program, real_steps(program))

    found = dict(zip((path.stem for path in HAZARDS), all_of(one, HAZARDS), strict=True))
    assert [name for name, verdicts in found.items() if False in verdicts] == []
    verdicts = [each for one in found.values() for each in one]
    assert verdicts.count(True) >= NEEDED * len(verdicts)


def changed(value, chance):
    """Another value of the same type; None: this type is left alone."""
    if type(value) is int:
        return value + chance.choice([-1, 1])
    if type(value) is str:
        return value + "x" if chance.random() < 0.5 or not value else value[1:]
    return not value if type(value) is bool else None


def corruption(chance):
    """Change one variable of a frame: a list in place, as the loop over it must see that, too."""

    def disturb(frame):
        values = {name: value for name, value in dict(frame.f_locals).items() if name.isidentifier()}
        chance.shuffle(names := list(values))
        for name in names:
            if type(values[name]) is list:
                values[name].append(7)
                return True
            if (new := changed(values[name], chance)) is not None:
                put(frame, name, new)
                return True
        return False

    return disturb


def jump(chance, headers):
    """Go to another line of the function; not to a `for`, which Python then begins anew."""

    def disturb(frame):
        code = frame.f_code
        if code.co_name.startswith("<"):
            return False
        lines = {line for _, _, line in code.co_lines() if line and line > code.co_firstlineno}
        lines -= headers | {frame.f_lineno}
        try:
            frame.f_lineno = chance.choice(sorted(lines) or [0])
        except ValueError:
            return False
        return True

    return disturb


def disturbances(programs, count, kind):
    """Programs with the steps of a run that was disturbed once, and where that was."""
    chance = random.Random(4)
    found = []
    for program in programs:
        loops = (node for node in ast.walk(ast.parse(program.source)) if isinstance(node, ast.For))
        disturb = corruption(chance) if kind == "state" else jump(chance, {node.lineno for node in loops})
        real = disturbed(program, 0, lambda frame: True)
        lines = [index for index, step in enumerate(real or ()) if index > 2 and step.event == "line"]
        texts = {type_of(text) for step in real or () for text in step.locals.values()}
        if not lines or "set" in texts:  # the order of sets is another one here than in the box
            continue
        at = chance.choice(lines)
        steps = disturbed(program, at, disturb)
        shown = lines_of(program.source)
        if steps and (kind == "state" or shown[steps[at].line - 1] != shown[real[at].line - 1]):
            found.append((program, steps, at))
        if len(found) == count:
            return found
    raise AssertionError(f"only {len(found)} programs could be disturbed")


@pytest.mark.filterwarnings("ignore:assigning None:RuntimeWarning")
@pytest.mark.parametrize("kind", ["state", "action"])
def test_one_disturbance_is_one_error(programs, kind):
    cases = disturbances(programs, ROWS, kind)
    found = all_of(lambda case: judged(case[0], case[1]), cases)
    for (program, steps, at), verdicts in zip(cases, found, strict=True):
        expected = [index != at for index in range(len(steps))]
        unlike = [
            index for index, each in enumerate(verdicts) if each is not None and each is not expected[index]
        ]
        assert not unlike, (program.source, steps[at - 1 : at + 1], [steps[index] for index in unlike])
    verdicts = [each for one in found for each in one]
    assert verdicts.count(None) <= (1 - NEEDED) * len(verdicts)


def test_a_single_wrong_step_is_followed_by_a_second_error(programs):
    """The model forgets what it said: the step after the wrong one is right, but does not follow from it."""
    cases = []
    for program in programs:
        steps = real_steps(program)
        cases += itertools.islice(forgotten(program, steps), 1)
        if len(cases) == ROWS // 2:
            break
    assert len(cases) == ROWS // 2
    found = all_of(lambda case: judged(*case[:2]), cases)
    for (program, steps, at), verdicts in zip(cases, found, strict=True):
        assert verdicts[at : at + 2] == [False, False], (program.source, steps[at])
        assert False not in verdicts[:at] + verdicts[at + 2 :], program.source


def forgotten(program, steps):
    """The steps with one number wrong in one of them, on a line that does not set it."""
    lines = lines_of(program.source)
    for at in range(3, len(steps) - 1):
        here, after = steps[at : at + 2]
        words = lines[here.line - 1].split()
        if here.function.endswith(">") or words[:1] == ["for"]:
            continue  # a loop or a comprehension keeps what it made of the wrong number, unseen
        if here.event == after.event == "line" and here.depth == after.depth:
            for name, shown in here.locals.items():
                if shown.isdecimal() and name not in words and after.locals.get(name) == shown:
                    wrong = replace(here, locals={**here.locals, name: str(int(shown) + 1)})
                    yield program, [*steps[:at], wrong, *steps[at + 1 :]], at


def test_real_failures_are_judged(data):
    """What CWM-32B wrote: right up to its first mistake, which is one, and nearly all after it is judged."""
    with (data / "cwm32b_failures.jsonl").open() as file:
        rows = random.Random(6).sample([json.loads(line) for line in file], ROWS)

    def one(row):
        program = Program(row["program"], Entry("function", "main"))
        real = CWM.holds(record(program, Options(max_steps=1000, max_value=None)).trace).steps
        steps = CWM.decode(row["output"], program).steps
        pairs = enumerate(zip(real, steps, strict=False))
        first = next((index for index, (left, right) in pairs if content(left) != content(right)), len(steps))
        return judged(program, steps), first

    found = all_of(one, rows)
    for row, (verdicts, first) in zip(rows, found, strict=True):
        assert all(verdicts[:first]), row["id"]
        assert verdicts[first : first + 1] in ([False], []), row["id"]
    after = [each for verdicts, first in found for each in verdicts[first + 1 :]]
    assert after.count(None) <= (1 - NEEDED) * len(after)


def content(step):
    state = {name: neutral(shown) for name, shown in step.locals.items()}
    return step.event, step.line, state, neutral(step.value or "")
