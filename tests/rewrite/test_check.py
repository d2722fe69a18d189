"""This file is what a check promises: equal programs pass, each kind of difference is found and small."""

from dataclasses import replace

import pytest

from worldline.errors import UserError
from worldline.record.box import Limits, probe
from worldline.rewrite.check import CheckOptions, check, check_all
from worldline.trace.model import Entry, Program

QUICK = CheckOptions(limits=Limits(seconds=1.0), seconds=0.2, total=0.6, slower=5.0, slack=1.0)
PATIENT = CheckOptions(seconds=5.0, total=60.0)  # for what ends by itself, however busy the machine is


def program(source, call="", kind="call"):
    return Program(source, Entry(kind, call))


def pair(original, rewritten, call):
    return program(original, call), program(rewritten, call)


EQUAL = {
    "the same": ("def f(x):\n    return x * 2", "def f(x):\n    y = x + x\n    return y", "f(3)"),
    "sets in another order": (
        "def f(x):\n    return {c for c in x}",
        "def f(x):\n    s = set()\n    for c in reversed(list(x)):\n        s.add(c)\n    return s",
        "f('hello')",
    ),
    "another kind of iterator": (
        "def f(x):\n    return map(str, x)",
        "def f(x):\n    it = iter(x)\n    def g():\n        for i in it: yield str(i)\n    return g()",
        "f([1, 2])",
    ),
    "an endless iterator": (
        "import itertools\ndef f(n):\n    return itertools.count(n)",
        "import itertools\ndef f(n):\n    if type(n) not in (int, float): return itertools.count(n)\n"
        "    def g(n):\n        while True:\n            yield n\n            n += 1\n    return g(n)",
        "f(3)",
    ),
    "not a number": (
        "def f():\n    return [float('nan')]",
        "def f():\n    return [float('inf') * 0.0]",
        "f()",
    ),
    "addresses": (
        "def f():\n    return repr(object()), object()",
        "def f():\n    k = [object() for i in range(99)]\n    return repr(object()), object()",
        "f()",
    ),
    "objects": (
        "class P:\n    def __init__(self, x):\n        self.x = x\ndef f(x):\n    return [P(x), P(x)]",
        "class P:\n    def __init__(self, x):\n        self.x = x\n"
        "def f(x):\n    a = P(x)\n    b = P(x)\n    return [a, b]",
        "f([1])",
    ),
    "deeper recursion": (
        "def f(n):\n    return 0 if n <= 0 else f(n - 1) + 1",
        "def g(n):\n    return f(n - 1)\ndef f(n):\n    if n <= 0: return 0\n    r = g(n)\n    return r + 1",
        "f(900)",
    ),
    "a function": (
        "def f(x):\n    return lambda: x",
        "def f(x):\n    def g():\n        return x\n    return g",
        "f(1)",
    ),
    "random numbers": ("import random\ndef f(n):\n    return random.random()",) * 2 + ("f(1)",),
    "input": ("def f(n):\n    return input() * n",) * 2 + ("f(1)",),
}


@pytest.mark.parametrize("name", EQUAL)
def test_equal_programs_are_found_equal(name):
    verdict = check(*pair(*EQUAL[name]), n=12, options=PATIENT)
    assert verdict.equal, verdict
    assert verdict.difference is None
    assert verdict.inputs + verdict.skipped == len(verdict_calls(EQUAL[name][2]))
    assert verdict.inputs > 0


def verdict_calls(call):
    from worldline.rewrite.mutate import calls

    return calls(call, 12, 0)


DIFFERENT = {
    "value": ("return x + 1", "return x + 2", "f(5)", "value", "f(0)"),
    "type of the value": ("return x == x", "return int(x == x)", "f(5)", "value", "f(0)"),
    "float for int": ("return x * 1", "return x * 1.0", "f(5)", "value", "f(0)"),
    "sign of zero": ("return 0.0", "return -0.0", "f(5)", "value", "f(0)"),
    "order of a dict": (
        "return {'a': x, 'b': x}",
        "return {'b': x, 'a': x}",
        "f(5)",
        "value",
        "f(0)",
    ),
    "list for tuple": ("return tuple(x)", "return list(x)", "f((5, 6))", "value", "f(())"),
    "exception type": ("raise KeyError('a')", "raise IndexError('a')", "f(5)", "exception", "f(0)"),
    "message": ("raise ValueError('a')", "raise ValueError('b')", "f(5)", "exception", "f(0)"),
    "raises": ("return x", "raise ValueError('b')", "f(5)", "ending", "f(0)"),
    "exits": ("raise SystemExit(3)", "raise SystemExit(4)", "f(5)", "value", "f(0)"),
    "output": ("print('a')", "print('b')", "f(5)", "output", "f(0)"),
    "stream": ("print(1)", "import sys\n    print(1, file=sys.stderr)", "f(5)", "output", "f(0)"),
    "order of output": (
        "for c in x: print(c)",
        "for c in sorted(x): print(c)",
        "f([5, 7, 6])",
        "output",
        "f([1, 0])",
    ),
    "mutated argument": ("x.append(1)", "x = x + [1]", "f([5, 6])", "arguments", "f([])"),
    "a copy for the argument": ("return x", "return list(x)", "f([5, 6])", "identity", "f([])"),
    "shared items": ("return [[x]] * 2", "return [[x], [x]]", "f(5)", "value", "f(0)"),
    "only empty": ("return x[:1]", "return x[:1] if x else None", "f('hello')", "value", "f('')"),
    "only negative": (
        "return x % 3",
        "return x % 3 if x >= 0 else -(-x % 3)",
        "f(5)",
        "value",
        "f(-1)",
    ),
    "only with a space": (
        "return x.split()",
        "return x.split(' ') if ' ' in x else x.split()",
        "f('hello world')",
        "value",
        "f(' ')",
    ),
    "laziness": (
        "return (print(i) for i in x)",
        "return iter([print(i) for i in x])",
        "f([5, 6])",
        "output",
        "f([0])",
    ),
    "an iterator that fails": (
        "return (1 // i for i in x)",
        "return iter([1 // i for i in x if i])",
        "f([5, 0])",
        "value",
        "f([0])",
    ),
    "an attribute": (
        "class A: pass\n    a = A()\n    a.x = x\n    return a",
        "class A: pass\n    a = A()\n    a.y = x\n    return a",
        "f(5)",
        "value",
        "f(0)",
    ),
    "far down a long text": (
        "return 'a' * 9000 + 'b'",
        "return 'a' * 9000 + 'c'",
        "f(5)",
        "value",
        "f(0)",
    ),
    "code that is none": ("return x", "return return", "f(5)", "ending", "f(0)"),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_each_difference_is_found_and_made_small(name):
    original, rewritten, call, respect, smallest = DIFFERENT[name]
    head = "def f(x):\n    "
    verdict = check(*pair(head + original, head + rewritten, call), n=12, options=PATIENT)
    assert not verdict.equal
    assert verdict.difference.respect == respect
    assert verdict.difference.call == smallest
    assert verdict.difference.original != verdict.difference.rewritten


def test_a_call_that_differs_somewhere_is_made_small_step_by_step():
    original = "def f(words, k):\n    return [w for w in words if len(w) > k]"
    rewritten = "def f(words, k):\n    return [w for w in words if len(w) > k or w == 'needle']"
    verdict = check(*pair(original, rewritten, "f(['hay', 'needle', 'straw', 'grass'], 30)"), options=PATIENT)
    assert verdict.difference.call == "f(['needle'], 6)"
    assert verdict.difference.original.startswith("returned []")
    assert verdict.difference.rewritten.startswith("returned ['needle']")


def test_a_method_of_a_mutable_object_shows_what_it_did_to_it():
    head = "class A:\n    x = 0\n    def run(self, n):\n        "
    verdict = check(*pair(head + "self.x = n", head + "self.x = n + 1", "A().run(4)"), options=PATIENT)
    assert verdict.difference.respect == "arguments"
    assert verdict.difference.call == "A().run(0)"


HOSTILE = {
    "endless": "def f(x):\n    while True: pass",
    "endless and deaf": "def f(x):\n    while True:\n        try: f(x)\n        except: pass",
    "endless in C": "def f(x):\n    return 3 ** (10 ** 10)",
    "endless output": "def f(x):\n    while True: print('x' * 1000)",
    "output past Python": "import os\ndef f(x):\n    for i in range(3000): os.write(1, b'x' * 1000)",
    "leaves": "import os\ndef f(x):\n    os._exit(3)",
    "deep recursion": "def f(x):\n    return f(x)",
    "huge memory": "def f(x):\n    return [0] * (1 << 40)",
    "growing memory": "def f(x):\n    s = [0]\n    while True: s += s",
    "kills itself": "import os\ndef f(x):\n    os.kill(os.getpid(), 11)",
    "kills its parent": "import os\ndef f(x):\n    os.kill(os.getppid(), 9)",
    "forks": "import os, time\ndef f(x):\n    while True:\n        os.fork()\n        time.sleep(0.01)",
    "deep value": "def f(x):\n    for i in range(100000): x = [x]\n    return x",
    "cyclic value": "def f(x):\n    y = [x]\n    y.append(y)\n    return y",
    "objects that lie": "class L:\n    def __getattribute__(s, n): raise KeyError(n)\n"
    "    __class__ = property(lambda s: 1 / 0)\n    def __repr__(s): 1 / 0\ndef f(x):\n    return L()",
    "an exception that lies": "class L(Exception):\n    def __str__(s): 1 / 0\ndef f(x):\n    raise L",
    "no streams": "import sys\ndef f(x):\n    sys.stdout = sys.stderr = None\n    print(1)\n    return x",
    "closes all": "import os\ndef f(x):\n    os.closerange(0, 200)\n    return x",
}
ENDED = {  # of those, what is a meaning and not a limit
    "endless output", "output past Python", "leaves", "deep recursion", "deep value", "cyclic value",
    "objects that lie", "an exception that lies", "no streams", "closes all",
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_programs_give_a_verdict(name):
    hostile = program(HOSTILE[name], "f(1)")
    verdict = check(hostile, hostile, n=4, options=PATIENT if name in ENDED else QUICK)
    assert verdict.difference is None
    assert verdict.inputs + verdict.skipped == 4
    assert verdict.equal == (verdict.inputs > 0)
    assert verdict.equal == (name in ENDED)
    assert sum(verdict.reasons.values()) == verdict.skipped


@pytest.mark.parametrize("name", ["endless", "endless in C", "leaves", "growing memory", "kills its parent"])
def test_a_rewritten_program_that_turns_hostile_is_different(name):
    verdict = check(
        program("def f(x):\n    return x", "f(1)"), program(HOSTILE[name], "f(1)"), n=3, options=QUICK
    )
    assert not verdict.equal
    assert verdict.difference.respect == "ending"


def test_one_endless_input_does_not_spoil_the_rest():
    source = "def f(n):\n    while n < 0: pass\n    return n"
    other = "def f(n):\n    while n < 0: pass\n    return n if n < 6 else 6"
    options = replace(QUICK, seconds=1.0, total=60.0, slack=60.0)
    verdict = check(*pair(source, source, "f(5)"), options=options)
    assert verdict.equal
    assert list(verdict.reasons) == ["the original did not end in its time"]
    assert verdict.inputs > verdict.skipped > 0
    assert check(*pair(source, other, "f(5)"), options=options).difference.call == "f(7)"


def test_a_slow_rewritten_program_has_the_time_it_needs():
    quick = "def f(n):\n    return n"
    slow = "import time\ndef f(n):\n    time.sleep(0.5)\n    return n"
    assert check(*pair(quick, slow, "f(1)"), n=2, options=replace(QUICK, slack=20.0)).equal


def test_calls_do_not_see_each_other():
    source = "import json\nseen = []\ndef f(x):\n    seen.append(x)\n"
    source += "    json.mark = getattr(json, 'mark', 0) + 1\n"
    verdict = check(*pair(source + "    return len(seen), json.mark", source + "    return 1, 1", "f(3)"))
    assert verdict.equal


def test_a_program_that_is_never_the_same_is_not_called_different():
    source = "import time\ndef f(x):\n    return time.perf_counter_ns()"
    verdict = check(*pair(source, source, "f(1)"), options=PATIENT)
    assert verdict.difference is None
    assert not verdict.equal
    assert verdict.reasons["the original is not the same twice"] == verdict.skipped


def test_what_is_read_is_the_entrys_input():
    entry = Entry("call", "f(2)", stdin="one\ntwo\n")
    original = Program("def f(n):\n    return input() * n", entry)
    other = Program("def f(n):\n    input()\n    return input() * n", entry)
    assert check(original, original).equal
    assert "returned 'two'" in check(original, other, n=1).difference.rewritten


@pytest.mark.parametrize(
    ("kind", "text", "source"),
    [
        ("script", "", "print(sum([1, 2]))\nif __name__ == '__main__':\n    raise ValueError('end')"),
        ("function", "main", "def main():\n    print(sum([1, 2]))\n    return [1]"),
    ],
)
def test_scripts_and_marked_functions_are_run_once(kind, text, source):
    original = program(source, text, kind)
    assert check(original, original).inputs == 1
    assert check(original, original).equal
    verdict = check(original, program(source.replace("2]", "3]"), text, kind))
    assert verdict.difference.respect == "output"
    assert check(original, program(source.replace("end", "END").replace("[1]", "[2]"), text, kind)).difference


def test_a_test_of_the_user_runs_on_the_rewritten_source(tmp_path):
    (tmp_path / "conftest.py").write_text("import pytest\n@pytest.fixture\ndef three():\n    return 3\n")
    source = "def double(x):\n    return x * 2\n\ndef test_it(three):\n    assert double(three) == 6\n"
    path = tmp_path / "test_mine.py"
    path.write_text(source)
    options = CheckOptions(roots=(tmp_path,))
    original = Program(source, Entry("test", f"{path}::test_it"), str(path))
    verdict = check(original, replace(original, source=source.replace("x * 2", "x + x")), options=options)
    assert verdict.equal, verdict
    verdict = check(original, replace(original, source=source.replace("x * 2", "x + 2")), options=options)
    assert verdict.difference.respect == "ending"
    assert "AssertionError" in verdict.difference.rewritten
    nowhere = replace(original, entry=Entry("test", f"{path}::test_other"))
    with pytest.raises(UserError, match="pytest finds no test"):
        check(nowhere, nowhere, options=options)


@pytest.mark.parametrize("level", ["bwrap", "sandlock"])
def test_a_difference_is_found_at_every_level_of_isolation(level):
    if not probe(level).is_strict:
        pytest.skip(f"{level} does not work here")
    original, other = pair("def f(x):\n    return x", "def f(x):\n    return x + 1", "f(3)")
    options = replace(PATIENT, isolation=level)
    assert check(original, original, n=3, options=options).inputs == 3
    assert check(original, other, n=3, options=options).difference.call == "f(0)"


def test_many_pairs_come_in_order_and_a_bad_one_stops_nothing():
    good, bad = program("def f(x):\n    return x", "f(1)"), program("def f(", "f(1)")
    other = program("def f(x):\n    return -x", "f(1)")
    verdicts = list(check_all([(good, good), (bad, good), (good, other), (good, good)], n=3))
    assert [type(one).__name__ for one in verdicts] == ["Verdict", "UserError", "Verdict", "Verdict"]
    assert [one.equal for one in verdicts if not isinstance(one, UserError)] == [True, False, True]


@pytest.mark.parametrize(
    ("original", "rewritten", "words"),
    [
        (program("def f(", "f(1)"), program("", "f(1)"), "program.py line 1"),
        (program("def f(): 0", "f("), program("def f(): 0", "f("), "is not an expression"),
        (program("def f(): 0", "f()"), program("def f(): 0", "", "script"), "start differently"),
        (replace(program("f", "f()"), language="c"), program("f", "f()"), "only Python"),
    ],
)
def test_what_cannot_be_checked_is_said_in_one_line(original, rewritten, words):
    with pytest.raises(UserError, match=words) as caught:
        check(original, rewritten)
    assert "\n" not in caught.value.what
