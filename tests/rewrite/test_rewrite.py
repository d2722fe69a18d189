"""What rewriting makes of single programs: names, lines, markers, and what it leaves as it was."""

import ast
import json
import os
from pathlib import Path

import pytest
from humaneval_programs import problems
from test_rewrite_laws import behaviour

from worldline.diagnose.truth import truth
from worldline.errors import UserError
from worldline.record.collect import program_of
from worldline.record.entry import MARKER
from worldline.rewrite import LEVELS, rewrite
from worldline.rewrite.check import check, check_all
from worldline.rewrite.expressions.flat import is_flat
from worldline.rewrite.hidden import hidden_by_line
from worldline.rewrite.microcode.library import library
from worldline.rewrite.trim import trim
from worldline.trace.model import Entry, Program

DATA = os.environ.get("WORLDLINE_DATA")
needs_data = pytest.mark.skipif(DATA is None, reason="WORLDLINE_DATA is not set")


def rewritten(source, level="atomic", call="f()"):
    return rewrite(Program(source, Entry("call", call)), level)


def body(found):
    """The rewritten program without its library."""
    lines = found.program.source.splitlines()
    return "\n".join(line for line, original in zip(lines, found.lines, strict=True) if original)


def same(source, *calls, level="atomic"):
    found = rewritten(source, level)
    for call in calls:
        assert behaviour(found.program.source, call) == behaviour(source, call), found.program.source
    return found


def test_a_level_includes_those_before_it():
    source = "def f(a, b):\n    return a.upper().count(b) + len(sorted(a[1:]))\n"
    for level in LEVELS:
        found = same(source, "f('banana', 'A')", "f('', '')", "f(3, 4)", level=level)
        tree = ast.parse(found.program.source)
        own = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and found.lines[node.lineno - 1]]
        assert all(map(is_flat, own))
    assert "sorted(" in body(rewritten(source, "strings"))
    assert "builtin_sorted(" in body(rewritten(source, "atomic"))
    assert "call_upper(" in body(rewritten(source, "strings"))


def test_every_line_is_mapped_to_its_original():
    source = "def f(a):\n    # why\n    b = a.strip() + 'x'\n\n    return (b *\n            2)\n"
    found = rewritten(source)
    assert len(found.lines) == len(found.program.source.splitlines())
    for line, original in zip(found.program.source.splitlines(), found.lines, strict=True):
        if "_strip(a)" in line:
            assert original == 3
        if line.lstrip().startswith("return _t") and original:
            assert original == 5
    assert set(found.lines) == {0, 1, 3, 5}


def test_names_of_the_program_are_never_taken():
    source = (
        "def str_find(a):\n    return 'mine'\n\n"
        "def call_find(a):\n    return 'mine, too'\n\n"
        "def f(s, _t0, kind):\n"
        "    text_in = str_find(s) + call_find(s)\n"
        "    return 'abc'.find('c'), s.find('b', _t0), text_in, kind.find('x')\n"
    )
    for level in LEVELS:
        same(source, "f('abc', 1, 'x')", "f('', 0, 3)", level=level)


@pytest.mark.parametrize(
    "source",
    [
        "def len(x):\n    return 99\n\ndef f(s):\n    return s.find('b'), len(s), s[::-1]\n",
        "str = repr\n\ndef f(s):\n    return str(s), s.replace('a', 'b')\n",
        "def f(list):\n    return list.count('a'), sorted(list), [x for x in list]\n",
        "def f(s):\n    range = s\n    return range.upper(), max(range)\n",
        "def f(s):\n    def sorted(x):\n        return 'own'\n    return sorted(s)\n",
        "def f(s):\n    global type\n    type = 3\n    return s.upper()\n",
        "from operator import *\n\ndef f(s):\n    return abs(-3), s.count('a'), index(4)\n",
    ],
)
def test_a_built_in_name_with_another_meaning_keeps_it(source):
    for level in LEVELS:
        same(source, "f('banana')", "f('')", level=level)


def test_what_is_left_is_told_with_its_line():
    source = (
        "import math\n\ndef f(s):\n    a = float(s)\n    b = math.floor(a)\n    return '{x}'.format(x=b)\n"
    )
    left = {(each.line, each.what) for each in rewritten(source).left}
    assert left == {(4, "float(s)"), (5, "math.floor"), (6, "str.format")}
    assert rewritten("def f(s):\n    return s.find('a')\n").left == ()


def test_a_lazy_value_that_is_kept_stays_what_it_is():
    source = "def f(s):\n    m = map(len, s)\n    return type(m).__name__, list(m), list(m)\n"
    found = same(source, "f(['a', ''])")
    assert [each.what for each in found.left] == ["map()"]
    source = (
        "def f(s):\n    def g(x):\n        print(x)\n        return x\n"
        "    for y in map(g, s):\n        print('got', y)\n"
    )
    assert same(source, "f([1, 2])", "f(3)").left == ()


def test_methods_of_own_classes_are_called_as_they_are():
    source = (
        "class C:\n    def count(self, x):\n        return 'own', x\n"
        "    def __add__(self, other):\n        return 'sum'\n"
        "    def __len__(self):\n        return 7\n    def __eq__(self, other):\n        return 'equal?'\n"
        "def f(n):\n    c = C()\n    return c.count(n), c + n, len(c), c == n, [c, n].count(n), c in [n]\n"
    )
    for level in LEVELS:
        same(source, "f(3)", "f('x')", level=level)


SUBCLASSED = """\
class Own(str):
    def upper(self):
        return "own"
    def __add__(self, other):
        return "own sum"
class Shown:
    def __str__(self):
        return Own("x")
    __repr__ = __str__
    def __format__(self, spec):
        return Own("x")
    def __divmod__(self, other):
        return Own("pair")
"""


@pytest.mark.parametrize(
    "made",
    [
        "str(c)",
        "repr(c)",
        "ascii(c)",
        "format(c)",
        "'%s' % c",
        "'{}'.format(c)",
        "'{}{}'.format('', c)",
        "'{}{}'.format(c, '')",
        "'{a}'.format_map({'a': c})",
        "f'{c}'",
        "f'{c}{n}'",
        "divmod(c, 2)",
    ],
)
def test_a_text_of_another_class_keeps_its_own_methods(made):
    """What `str(c)` gives need not be a `str`: its type is known only if that of `c` is."""
    source = SUBCLASSED + f"def f(n):\n    c = Shown()\n    s = {made}\n    return s.upper(), s + 'ab'\n"
    for level in LEVELS:
        same(source, "f(1)", level=level)


@pytest.mark.parametrize(
    "body",
    [
        "    g = str.lower\n    return g.__name__, 1\n",
        "    g = str.lower\n    return [g] == [str.lower]\n",
        "    return {'a': str.lower}['a'] is str.lower\n",
        "    return sorted(s, key=str.lower), list(map(str.upper, s)), max(s, key=str.swapcase)\n",
    ],
)
def test_a_method_as_a_value_stays_itself_unless_it_is_only_called(body):
    for level in LEVELS:
        same(f"def f(s):\n{body}", "f('bAc')", "f([3])", level=level)


def test_own_methods_get_what_they_are_given():
    source = (
        "class C:\n    def update(self, what):\n        return type(what).__name__, list(what)\n"
        "def f(s):\n    return C().update(map(ord, s)), C().update(enumerate(s))\n"
    )
    for level in LEVELS:
        same(source, "f('ab')", level=level)


def test_a_method_is_looked_up_before_its_arguments_are_computed():
    source = (
        "def f(x):\n    def g():\n        print('argument')\n        return 'a'\n"
        "    return x.find(g() + '')\n"
    )
    for level in LEVELS:
        same(source, "f('banana')", "f(None)", level=level)


@pytest.mark.parametrize(
    "header", ["range(n)", "range(1, n)", "range(n, 0, -2)", "range(0, n, n)", "range(-n)"]
)
def test_counted_loops(header):
    source = (
        f"def f(n):\n    out = []\n    for i in {header}:\n"
        "        if i == 3:\n            continue\n        i = i * 2\n        out.append(i)\n        n = 0\n"
        "        if i > 8:\n            break\n    else:\n        out.append('end')\n"
        "    return out, n\n"
    )
    same(source, "f(0)", "f(1)", "f(4)", "f(9)", "f(True)", "f('x')", "f(2.5)")


def test_the_marker_stays_where_the_entry_is():
    source = f"def g(x):\n    return x.upper()\n\ndef main(): {MARKER}\n    return g('ab')\n"
    for level in LEVELS:
        found = rewrite(Program(source, Entry("function", "main")), level)
        (line,) = [line for line in found.program.source.splitlines() if MARKER in line]
        assert line == f"def main(): {MARKER}"
        assert truth(found.program).ending.value == "'AB'"


def test_what_stands_at_the_top_stays_there():
    source = '"""What it is."""\nfrom __future__ import annotations\n\ndef f(s):\n    return s.upper()\n'
    text = rewritten(source).program.source
    assert text.startswith('"""What it is."""\nfrom __future__ import annotations\ndef ')
    assert ast.get_docstring(ast.parse(text)) == "What it is."


def test_a_trimmed_program_does_the_same_on_its_call_and_is_much_shorter():
    source = "def f(s, n):\n    return sorted(s.split(','), key=str.lower)[:n]\n"
    found = rewritten(source, call="f('b,A,c', 2)")
    trace = truth(found.program).trace
    cut = trim(found, trace)
    again = truth(cut.program).trace
    assert again.ending == trace.ending
    assert [step.locals for step in again.steps] == [step.locals for step in trace.steps]
    assert [cut.original_line(step.line) for step in again.steps] == [
        found.original_line(step.line) for step in trace.steps
    ]
    assert len(cut.program.source) < len(found.program.source) * 0.6


def test_what_runs_before_the_entry_is_not_trimmed():
    found = rewritten("s = 'ab' * 3\n\ndef f(n):\n    return s[n:]\n", call="f(2)")
    assert truth(trim(found, truth(found.program).trace).program).ending.value == "'abab'"


def test_deep_nesting_does_not_explode():
    deep = "x"
    for _ in range(90):
        deep = f"len(str({deep}))"
    wide = " + ".join(["x"] * 1500)
    for expression, most in ((deep, 400), (wide, 3200)):
        found = same(f"def f(x):\n    return {expression}\n", "f(7)")
        assert body(found).count("\n") < most


def test_nothing_is_hidden_in_microcode():
    found = rewritten("def f(s, n):\n    return s.title().split(), sorted(s), n in [n], {**{}}, f'{s}{n}'\n")
    hidden = hidden_by_line(found.program.source)
    assert found.left == ()
    ran = {
        step.line
        for step in truth(rewritten(found.original.source, call="f('ab cd', 3)").program).trace.steps
    }
    assert all(not hidden.get(line) for line in ran)


def test_a_wrong_level_or_program_is_one_clear_line():
    with pytest.raises(UserError, match="no level"):
        rewritten("def f(): pass\n", "everything")
    with pytest.raises(UserError, match="line 1"):
        rewritten("def f(:\n")


def test_the_check_finds_a_wrong_rewriting():
    """The judge itself: microcode that is wrong in one case is found."""
    source = "def f(s):\n    return s.find('a')\n"
    found = rewritten(source, call="f('banana')")
    wrong = found.program.source.replace("return -1", "return 0")
    assert wrong != found.program.source
    bad = Program(wrong, found.program.entry)
    assert check(found.original, found.program, n=10).equal
    assert check(found.original, bad, n=10).difference is not None


def rows():
    lines = Path(str(DATA), "cruxeval.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@needs_data
@pytest.mark.parametrize("level", LEVELS)
def test_every_program_of_cruxeval_gives_its_answer(level):
    complete = 0
    for row in rows():
        found = rewrite(program_of(row), level)
        names = {}
        exec(compile(found.program.source, row["id"], "exec"), names)
        assert eval(f"f({row['input']})", names) == eval(row["output"]), row["id"]
        complete += not found.left
    assert complete >= 0.98 * len(rows())


PARTS = 8


@needs_data
@pytest.mark.parametrize("part", range(PARTS))
def test_every_program_of_cruxeval_does_the_same_on_inputs_derived_from_its_own(part):
    programs = [program_of(row, f"{row['id']}.py") for row in rows()[part::PARTS]]
    pairs = [(program, rewrite(program, "atomic").program) for program in programs]
    for (program, _), verdict in zip(pairs, check_all(pairs, n=5, workers=1), strict=True):
        assert verdict.equal, (program.path, verdict)


@pytest.mark.parametrize("part", range(PARTS))
def test_every_solution_of_humaneval_passes_its_own_test(part):
    for problem in problems()[part::PARTS]:
        for level in ("strings", "atomic"):
            source = rewrite(problem.script, level).program.source
            exec(compile(source, problem.id, "exec"), {"__name__": "__main__"})


MISSING = {
    "int": {"to_bytes", "from_bytes", "is_integer"},
    "frozenset": {"difference", "intersection", "symmetric_difference", "union"},  # their order is CPython's
}


@pytest.mark.parametrize("kind", [str, list, dict, set, frozenset, tuple, int])
def test_microcode_has_every_method_of_its_types(kind):
    """In general complete: what is missing is named here."""
    methods = {name for name in dir(kind) if not name.startswith("_") and callable(getattr(kind, name))}
    missing = {name for name in methods if f"{kind.__name__}_{name}" not in library()}
    assert missing == MISSING.get(kind.__name__, set()) & methods
