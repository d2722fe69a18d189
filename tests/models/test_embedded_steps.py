"""The embedded model's bookkeeping: with a network that is never wrong, a rollout is the real trace."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from right_answers import perfect, right_answers

from worldline.diagnose.divergence import first_divergence
from worldline.diagnose.prediction import of_trace
from worldline.models.embedded.model import Embedded
from worldline.models.embedded.objects import Generator, Walk
from worldline.models.embedded.state import _KEPT, Frame, State, read, written
from worldline.models.model import Ask
from worldline.record import Limits, Options, record
from worldline.record.entry import as_marked
from worldline.rewrite import rewrite
from worldline.rollout.model import NoAnswer
from worldline.rollout.options import RolloutOptions
from worldline.rollout.rollout import Rollout, predict_all
from worldline.trace.model import Entry, Program, Trace

STATE = RolloutOptions(actions="grounded", context="state", max_tokens=10**9, seconds=600)

PROGRAMS = {
    "strings": ("""
def f(text, n):
    out = []
    for i, c in enumerate(text):
        if c.isalpha() and i % n == 0:
            out.insert(0, c.upper())
    s = ','.join(out).replace('A', 'xy').strip().title()
    return s[::-1], s.find('x'), s.count('o'), text.startswith('he')
""", "f('hello big wide', 2)"),
    "lists": ("""
def f(nums):
    total = 0
    for x in nums:
        total += x * 2
    nums.sort(reverse=True)
    nums.remove(9)
    ys = [x * x for x in nums if x % 2]
    return total, max(nums) - min(nums), ys, list(zip(nums, ys)), any(y > 5 for y in ys), nums[1:3]
""", "f([3, 1, 4, 1, 5, 9])"),
    "dicts": ("""
def f(d):
    r = {}
    for k in d:
        r.setdefault(d[k], []).append(k)
    r.update({'z': 3})
    q = r.pop('z')
    return r, tuple(r), q, sorted(r.items(), key=lambda p: -p[0]), len(r)
""", "f({'a': 1, 'b': 2, 'c': 1})"),
    "shared": ("""
def grow(rows):
    for row in rows:
        row.append(len(rows))
    return rows

def f(n):
    one = [n]
    rows = [one, one, [0]]
    other = grow(rows)
    one.append(7)
    return rows, other, one
""", "f(4)"),
    "generators": ("""
def count(n):
    i = 0
    while i < n:
        yield i
        i += 1

def f(n):
    walk = count(n)
    first = next(walk)
    rest = []
    for x in walk:
        rest.append(x)
        if x == 2:
            break
    return first, rest
""", "f(5)"),
    "recursion": ("""
def g(n):
    if n < 2:
        return n
    return g(n - 1) + g(n - 2)

def f(n):
    a, b, c = 1, 2, n
    a, b, c = c, a, b
    return g(c), a, b
""", "f(6)"),
    "failures": ("""
def g(x):
    if x > 1:
        raise ValueError('big')
    return x

def f(xs):
    found = []
    for i in range(3):
        try:
            found.append(xs[i] // i)
        except IndexError:
            found.append(-1)
        except ZeroDivisionError as error:
            found.append(0)
    try:
        g(5)
    except (KeyError, ValueError):
        found.append(g(1))
    return found
""", "f([7, 8])"),
    "ranges": ("""
def f(n):
    seen = []
    walk = iter(range(n, 2, -3))
    for i in walk:
        seen.append(i)
        if i < 150:
            break
    seen.append(next(walk))
    for i in range(5, 2):
        seen.append(i)
    return seen, next(walk, 'none'), 7777 % 97, -123 // 45, -90 % 45, 321 * 654
""", "f(160)"),
    "names": ("""
LIMIT = 3

def f(words, least):
    keep = lambda word: len(word) >= least
    def shorten(word):
        return word[:LIMIT + least]
    found = [shorten(word) for word in words if keep(word)]
    same = [words[0] == found[-1], 'tree' in words]
    some, all = sum(1 for w in found if w == 'oak'), sum(1 for w in found if w)
    return sorted(found, key=len), same, some, all, [0, 5][same[1]]
""", "f(['linden', 'oak', 'tree', 'a'], 'ab'.count('a') + 1)"),
    "dropped": ("""
def f(rows):
    found = []
    for row in rows:
        found.append(any(x > 2 for x in row))
    walk = iter([9])
    for walk in ((x for x in row) for row in rows):
        found.append(next(walk))
    return found
""", "f([[3, 1], [1, 4, 5], [0]])"),
    "described": ('''
def f(n):
    """What it does,

    and for whom.
    """
    total = 0
    # nothing

    while n:
        def half(k):
            return k // 2
        total += (
            n
        )
        n = half(n)
    return total
''', "f(20)"),
    "paper": ("""
def f(a, b):
    x = a * b
    x %= 997
    y = -a // b, a % -b, a // 17, (a ^ b) & 255 | 3, b << 5, a >> 3, b ** 3
    return x, y, divmod(a, b)
""", "f(123456, 789)"),
    "loops left early": ("""
def f(rows):
    found = []
    for row in rows:
        for x in row:
            if x > 2:
                found.append(x)
                break
        try:
            for x in row:
                found.append(6 // x)
        except ZeroDivisionError:
            continue
        while True:
            for x in row:
                break
            found.append(x)
            break
    return found
""", "f([[1, 3, 4], [3, 0, 5], [3, 4]])"),
    "raised again": ("""
def f(x):
    try:
        try:
            y = x // 0
        except ZeroDivisionError:
            raise
    except ZeroDivisionError:
        y = 1
    try:
        y = y // 0
    except (KeyError, ZeroDivisionError):
        y += 1
    finally:
        y += 5
    return y
""", "f(3)"),
    "whose names": ("""
def walk(n, ask):
    def inner():
        return n
    if n == 0:
        return ask()
    return walk(n - 1, ask or inner)

def f(x):
    k = 1
    g = (each * k for each in [1, 2])
    k = 10
    if x:
        def h(a):
            return a + 1
    else:
        def h(a):
            return a + 2
    return walk(2, None), list(g), h(3)
""", "f(3)"),
    "keys that are true": ("""
def f(n):
    d = {0: 'even', 1: 'odd'}
    return d[n % 2 == 1], True in d, {True: 1, 1: 2}
""", "f(3)"),
    "equal lines": ("""
def g(a, b):
    for x in a:
        yield x
    for x in b:
        yield x

def f(a, b):
    return list(g(a, b)), any(x > 1 for x in g(a, b))
""", "f([1, 2], [2])"),
    "one tuple": ("""
def f(n):
    return (1, 2) in [(1, 2)], (1, 2) is (1, 2), (n, 2) is (n, 2)
""", "f(1)"),
    "said beside it": ("""
LIMIT = -1
WAYS: tuple = (1, -1)

def g(LIMIT):
    LIMIT += 1
    return LIMIT

def f(n):
    total: int = n + LIMIT
    assert total, 'nothing'
    try:
        assert total > n, 'less'
    except AssertionError:
        total += WAYS[1]
    return g(total)
""", "f(3)"),
    "codes": ("""
def f(text):
    return [ord(c) for c in text], chr(955), text == 'x'
""", "f('aé')"),
}  # fmt: skip


def made(name: str) -> tuple[Program, Trace]:
    source, call = PROGRAMS[name]
    rewritten = rewrite(as_marked(Program(source.lstrip("\n"), Entry("call", call))), "atomic").program
    return rewritten, record(rewritten, Options(max_value=None), Limits(seconds=60), "process").trace


def rolled(program: Program, model: Embedded, options: RolloutOptions = STATE, **given: object) -> Rollout:
    return predict_all([program], model, options, **given)[0]  # type: ignore[arg-type]


@pytest.mark.parametrize("name", PROGRAMS)
def test_right_answers_give_the_real_trace(name: str) -> None:
    program, truth = made(name)
    said = rolled(program, perfect())
    assert first_divergence(truth, of_trace(said.trace)) is None
    assert len(said.trace.steps) == len(truth.steps)


@pytest.mark.parametrize("name", ["shared", "recursion", "ranges", "described"])
def test_right_answers_give_the_real_trace_with_free_actions(name: str) -> None:
    """Nobody tells which lines are legal: the network is asked for the next line."""
    program, truth = made(name)
    kinds: set[str] = set()

    def right(questions):
        kinds.update(question.kind for question in questions)
        return right_answers(questions)

    said = rolled(program, Embedded(right), replace(STATE, actions="free"))
    assert first_divergence(truth, of_trace(said.trace)) is None
    assert len(said.trace.steps) == len(truth.steps)
    assert "line" in kinds


def test_a_wrong_line_is_written_down_where_actions_are_free() -> None:
    program, truth = made("recursion")

    def wrong(questions):
        found = right_answers(questions)
        return [
            ([told[0] - 1], 1.0) if question.kind == "line" else (told, sure)
            for question, (told, sure) in zip(questions, found, strict=True)
        ]

    said = rolled(program, Embedded(wrong), replace(STATE, actions="free", max_steps=50))
    parted = first_divergence(truth, of_trace(said.trace))
    assert parted is not None
    assert parted.kind == "action"


def test_programs_are_rolled_out_together_as_alone() -> None:
    programs = [made(name)[0] for name in ("shared", "recursion", "generators")]
    together = predict_all(programs, perfect(), STATE)
    for program, said in zip(programs, together, strict=True):
        assert said.trace.steps == rolled(program, perfect()).trace.steps


def test_a_wrong_answer_leaves_the_real_trace() -> None:
    """The bookkeeping knows nothing that the network does not say."""
    program, truth = made("recursion")

    def wrong(questions):
        found = right_answers(questions)
        return [([*told[:-1], told[-1] ^ 1], 1.0) if len(told) == 1 else (told, 1.0) for told, _ in found]

    said = rolled(program, Embedded(wrong))
    assert said.trace.steps != truth.steps


def test_the_note_is_all_that_is_remembered() -> None:
    """A model that has just been made goes on as one that has been asked all along."""
    program, truth = made("shared")
    asked: list[Ask] = []

    class Listening(Embedded):
        def complete(self, asks):
            asked.extend(asks)
            return super().complete(asks)

    rolled(program, Listening(right_answers))
    for ask in asked:
        _KEPT.clear()
        assert perfect().complete([ask]) == perfect().complete([ask])
    fresh = []
    for ask in asked:
        _KEPT.clear()
        fresh.append(perfect().complete([ask])[0])
    kept = Embedded(right_answers)
    assert fresh == [kept.complete([ask])[0] for ask in asked]
    assert len(asked) >= len(truth.steps) - 2


def test_shown_values_count_more_than_the_note() -> None:
    program, truth = made("recursion")
    forced = RolloutOptions(actions="grounded", states=1, context="state", max_tokens=10**9)
    said = rolled(program, perfect(), forced, truths=[truth])
    assert first_divergence(truth, of_trace(said.trace)) is None


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        (RolloutOptions(actions="grounded", context="history"), "--context state"),
        (RolloutOptions(actions="grounded", context="state", reveal="every:2"), "--reveal"),
    ],
)
def test_what_it_cannot_do_is_refused(options: RolloutOptions, hint: str) -> None:
    said = rolled(made("recursion")[0], perfect(), options)
    assert isinstance(said.stop, NoAnswer)
    assert hint in said.stop.hint


WALK = "def g():\n    yield 1\n    yield 2\n\n\ndef f(x):\n    a = g()\n    y = next(a)\n    "
NOT_LEARNT = {
    "a float": "def f(x):\n    y = x / 2\n    return y\n",
    "a set of values": "def f(x):\n    y = {x, 4}\n    return y\n",
    "steps of 0": "def f(x):\n    for y in range(3, x, 0):\n        pass\n    return x\n",
    "a range beyond counting": "def f(x):\n    y = range(10000000000000000000)\n    return len(y)\n",
    "an item and a power": "def f(x):\n    y = [x]\n    y[0] = x ** 2\n    return y\n",
    "two names and bits": "def f(x):\n    y = z = x ^ 2\n    return y\n",
    "a deleted generator": f"{WALK}del a\n    return y\n",
    "a generator let go by several": f"{WALK}a, y = y, x\n    return y\n",
    "a return through finally": "def f(x):\n    try:\n        return x\n    finally:\n        x = 1\n",
    "an error through finally": "def f(x):\n    try:\n        y = x // 0\n    finally:\n        x = 1\n",
    "an attribute": "def f(x):\n    y = f.__name__\n    return y\n",
    "a dict that grows": "def f(x):\n    d = {1: 2}\n    for y in d:\n        d[x] = y\n    return d\n",
    "a generator's result": "def g():\n    yield 1\n    return 5\n\n\n"
    "def f(x):\n    for y in g():\n        x = y\n    return x\n",
    "an order of hashes": "def f(x):\n    y = set('abcd')\n    z = list(y)\n    return z\n",
}


@pytest.mark.parametrize("name", NOT_LEARNT)
def test_a_step_that_was_not_learnt_is_not_sure(name: str) -> None:
    said = rolled(as_marked(Program(NOT_LEARNT[name], Entry("call", "f(3)"))), perfect())
    assert min(each.step for each in said.sureness if each.step is not None) < 0.01


@pytest.mark.parametrize(("items", "least"), [("{'a', 'b', 'c', 'd'}", 0.25), ("{4, 5, 6, 7}", 1.0)])
def test_the_order_of_a_set_of_texts_is_a_guess(items: str, least: float) -> None:
    source = "def f(held):\n    count = 0\n    for each in held:\n        count += 1\n    return count\n"
    said = rolled(as_marked(Program(source, Entry("call", f"f({items})"))), perfect())
    assert min(each.step for each in said.sureness if each.step is not None) == least
    assert said.trace.steps[-1].value == "4"


@pytest.mark.parametrize(("most", "least"), [(256, 1.0), (257, 0.5)])
def test_whether_equal_numbers_are_one_is_a_guess(most: int, least: float) -> None:
    source = f"def f(x):\n    y = {most - 3} + x\n    z = {most - 3} + x\n    return y is z\n"
    said = rolled(as_marked(Program(source, Entry("call", "f(3)"))), perfect())
    assert min(each.step for each in said.sureness if each.step is not None) == least


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4) | st.sampled_from([int, list, ...]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=2) | st.integers(), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from("abcd"), VALUES))
def test_a_note_gives_the_state_back(values: dict[str, object]) -> None:
    shared: list[object] = [values.get("a")]
    generator = Generator(Frame("g", 3, {"x": shared}, {4: Walk(shared, 1)}))
    frame = Frame("f", 7, {**values, "s": shared, "t": (shared,), "g": generator}, {}, None, KeyError("k"))
    note = written(State([frame], "line", shared))
    _KEPT.clear()
    state = read(note)
    found = state.frames[0]
    assert repr(found.locals) == repr(frame.locals)
    assert found.locals["t"][0] is found.locals["s"] is state.value
    assert found.locals["g"].frame.walks[4].container is state.value
    assert json.loads(note)["frames"][0][:2] == ["f", 7]


@pytest.mark.parametrize("level", [None, "atomic"])
def test_an_entry_without_a_marker_is_one_with(level: str | None) -> None:
    source = "def g(x):\n    return x + 1\n\n\ndef main():\n    y = g(2)\n    return y\n"
    program = Program(source, Entry("function", "main"))
    if level is not None:
        program = rewrite(program, level).program
    truth = record(program, Options(max_value=None), Limits(seconds=60), "process").trace
    for actions in ("grounded", "free"):
        said = rolled(program, perfect(), replace(STATE, actions=actions))
        assert first_divergence(truth, of_trace(said.trace)) is None
        assert len(said.trace.steps) == len(truth.steps)
