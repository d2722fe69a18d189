"""One error carried along is told from many: a prediction is a recording with one line changed.

So the model misreads that line, wherever it runs, and is right about all others: only what comes directly
after the line may be its own error, and all else must follow.
"""

from collections.abc import Sequence

import pytest

from worldline.diagnose.beliefs.judge import Judgement, judge
from worldline.formats.cwm import CWM
from worldline.record import Limits, record
from worldline.trace.model import Entry, Program, Step, lines_of

SOURCE = """\
SEEN = []

class Box:
    def __init__(self):
        self.total = 0
    def add(self, n):
        self.total += n

def half(n):
    return n // 2

def quotient(n):
    return 100 // n

def counter():
    count = 0
    def step():
        nonlocal count
        count += 1
        return count
    return step

def tail(n):
    if n > 0:
        return n + tail(n - 1)
    return 0

def main():  # << START_OF_TRACE
    n, row = 5, [1]
    rows = [row, [2]]
    for item in row:
        n += item
    row.append(n)
    if n > 3:
        n = n + 2
    else:
        n = n - 2
    for k in range(n):
        rows[1].append(k)
    try:
        n = n + int('x')
    except ValueError as error:
        n = n + len(error.args)
    try:
        n = n + int('7')
    except ValueError as error:
        n = n + len(error.args)
    SEEN.append(n)
    step = counter()
    row.append(step())
    n = sum([k * k for k in range(n)])
    n = n + sum(k * k for k in range(3))
    n = (lambda k: k + 1)(n)
    while n > 20:
        n = half(n)
        row.append(step())
    match n % 3:
        case 0:
            n = n + 1
        case 1 | 2 as k:
            n = n + k
    for k in range(n):
        if k % 2:
            continue
        for other in rows:
            other.append(k)
            if len(other) > 12:
                break
        else:
            n = n - step()
        if k > 5:
            break
    box = Box()
    box.add(n)
    box.total += half(n)
    try:
        n = quotient(n + 30) + tail(2)
    except ZeroDivisionError as error:
        n = len(str(error))
    finally:
        rows.append([n])
    with open('/dev/null') as file:
        n = n + len(file.read())
    words = sorted({'word': n, 'x': half(n)}, key=lambda w: (len(w), w))
    return box.total, rows, words, SEEN, [w.upper() for w in words], len(row)
"""

MISREAD = {
    "a number": ("        n = n + 2", "        n = n + 3"),
    "a wrong branch": ("    if n > 3:", "    if n < 3:"),
    "another branch in a loop": ("        if k % 2:", "        if not k % 2:"),
    "a loop left early": ("    for k in range(n):\n        rows", "    for k in range(n - 1):\n        rows"),
    "a loop left late": ("    for k in range(n):\n        rows", "    for k in range(n + 1):\n        rows"),
    "a loop left at once": ("    while n > 20:", "    while n > 200000:"),
    "a shared list": ("    row.append(n)", "    row.append(n + 1)"),
    "a return": ("    return n // 2", "    return n // 2 + 1"),
    "no return": ("        return count", "        return"),
    "no exception": ("        n = n + int('x')", "        n = n + int('1')"),
    "an exception": ("        n = n + int('7')", "        n = n + int('y')"),
    "another exception": ("        n = n + int('x')", "        n = n + int('y')"),
    "an exception that leaves": ("    return 100 // n", "    return 100 // (n - n)"),
    "an argument": ("        n = quotient(n + 30) + tail(2)", "        n = quotient(n + 40) + tail(3)"),
    "the end of a recursion": ("    return 0", "    return 1"),
    "a closure": ("        count += 1", "        count += 2"),
    "a comprehension": ("    n = sum([k * k for k in range(n)])", "    n = sum([k + 9 for k in range(n)])"),
    "a generator expression": ("sum(k * k for k in range(3))", "sum(k + 9 for k in range(3))"),
    "a lambda": ("    n = (lambda k: k + 1)(n)", "    n = (lambda k: k + 2)(n)"),
    "a name that is gone": ("    box = Box()", "    box = Box(); del other"),
    "in a with": ("        n = n + len(file.read())", "        n = n + 1"),
    "the last line": ("    return box.total, rows", "    return -box.total, rows"),
}


HIDDEN = {
    "an attribute": ("        self.total += n", "        self.total += n + 1", "    box.add(n)"),
    "a global": ("    SEEN.append(n)", "    SEEN.append(-n)", "    return box.total"),
    "a case": ("    match n % 3:", "    match (n + 1) % 3:", "        case 1 | 2 as k:"),
}
"""What is misread without a trace, and the line after which that shows."""


def may_be_own(steps: Sequence[Step], line: int) -> list[bool]:
    """Whether each step is on the misread line, or comes directly after it in its function or its caller."""
    last: dict[int, int] = {}
    found = []
    for step in steps:
        before = last.get(step.depth - 1 if step.event == "call" else step.depth)
        found.append(line in (step.line, before))
        last[step.depth] = step.line
    return found


def line_of(text: str) -> int:
    assert SOURCE.count(text) == 1
    return SOURCE[: SOURCE.index(text)].count("\n") + 1


def misread(right: str, wrong: str) -> tuple[tuple[Step, ...], dict[int, Judgement]]:
    """What is predicted by a model that takes one line for another, and how that is judged."""
    assert line_of(right)
    entry = Entry("function", "main")
    predicted = CWM.holds(record(Program(SOURCE.replace(right, wrong), entry)).trace).steps
    return predicted, judge(Program(SOURCE, entry), predicted, range(len(predicted)))


@pytest.mark.parametrize("name", HIDDEN)
def test_an_error_that_does_not_show_counts_once_where_it_does(name):
    right, wrong, shows_at = HIDDEN[name]
    predicted, found = misread(right, wrong)
    (own,) = [index for index, each in found.items() if each.follows is not True]
    assert found[own].follows is False
    before = [step.line for step in predicted[:own] if step.depth == 0]
    assert before[-1] == line_of(shows_at)


@pytest.mark.parametrize("name", MISREAD)
def test_only_the_misread_line_is_an_error_of_its_own(name):
    right, wrong = MISREAD[name]
    predicted, found = misread(right, wrong)
    allowed = may_be_own(predicted, line_of(right))
    own = [index for index, each in found.items() if each.follows is False]
    assert own, name
    assert all(allowed[index] for index in own), [(index, predicted[index], found[index]) for index in own]
    unknown = [each for each in found.values() if each.follows is None]
    assert not unknown, unknown[:3]


STEPS = (
    ("call", "def main", {}, None),
    ("line", "x = 3", {}, None),
    ("line", "y =", {"x": "{x}"}, None),
    ("line", "z =", {"x": "{x}", "y": "5"}, None),
    ("line", "return", {"x": "{x}", "y": "5", "z": "1"}, None),
    ("return", "return", {}, "1"),
)


def told(operation: str, x: str, limits: Limits | None = None) -> list[Judgement]:
    """What is said of a program in which y is made of x, and x is believed to be something."""
    source = f"import os\ndef main():\n    x = 3\n    y = {operation}\n    z = 1\n    return z\n"
    lines = [line.strip() for line in lines_of(source)]
    steps = []
    for event, start, state, value in STEPS:
        line = next(number for number, text in enumerate(lines, 1) if text.startswith(start))
        steps.append(Step(event, line, {name: text.format(x=x) for name, text in state.items()}, value))
    found = judge(Program(source, Entry("function", "main")), steps, range(len(steps)), limits=limits)
    return list(found.values())


@pytest.mark.parametrize(
    ("operation", "x"),
    [
        ("[0] * x", "99999999999"),  # no memory for it
        ("sum(range(x))", "99999999999"),  # long in C
        ("[k for k in iter(int, x)]", "1"),  # long in Python
        ("x + 1", "<some thing>"),  # not known
        ("x and os._exit(1)", "1"),  # the process is gone
        ("exec('raise MemoryError')", "1"),
    ],
)
def test_what_does_not_finish_is_not_judged_and_the_rest_is(operation, x):
    found = told(operation, x)
    assert [each.follows for each in found] == [True, True, False, None, True, True]
    assert all(each.why for each in found if each.follows is not True)


def test_the_state_is_the_one_believed():
    assert [each.follows for each in told("x + 1", "4")] == [True, True, False, True, True, True]
    assert [each.follows for each in told("x + 2", "3")] == [True] * 6
    assert [each.follows for each in told("x + 1", "3")] == [True, True, True, False, True, True]


def test_no_time_gives_no_judgement():
    found = told("x + 2", "3", Limits(seconds=0.001))
    assert {each.follows for each in found} == {None}


def test_only_what_is_wanted_is_told():
    program = Program("def main():\n    return 1\n", Entry("function", "main"))
    steps = CWM.holds(record(program).trace).steps
    assert list(judge(program, steps, {1})) == [1]
    assert judge(program, steps, []) == {}


@pytest.mark.parametrize(
    "source", ["def main():\n    return 1 +\n", "raise ValueError\n", "def other(): pass\n"]
)
def test_a_program_that_cannot_be_run_is_not_judged(source):
    found = judge(Program(source, Entry("function", "main")), [Step("call", 1, {})], [0])
    assert found[0].follows is None
    assert found[0].why


def test_what_reads_like_nothing_is_not_followed():
    program = Program("def main():\n    x = 1\n    return x\n", Entry("function", "main"))
    steps = [
        Step("call", 1, {}),
        Step("line", 0, {"bogus": "1"}),
        Step("line", 99, {}),
        Step("call", 1, {}, depth=1),
        Step("line", 2, {}, depth=5),
        Step("return", 2, {}, "1", depth=0),
        Step("line", 2, {}),
    ]
    found = judge(program, steps, range(len(steps)))
    assert found[0].follows is True
    assert found[1].follows is False
    assert set(found) == set(range(len(steps)))


def test_an_invented_variable_is_one_error():
    program = Program("def main():\n    x = 1\n    y = 2\n    return x\n", Entry("function", "main"))
    real = CWM.holds(record(program).trace).steps
    steps = [
        Step(
            one.event,
            one.line,
            one.locals if at < 2 or not one.locals else {**one.locals, "w": "9"},
            one.value,
        )
        for at, one in enumerate(real)
    ]
    assert [each.follows for each in judge(program, steps, range(len(steps))).values()] == [
        *(True, True, False, True, True)
    ]
