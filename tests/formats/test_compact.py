"""The format `compact`: its text to the letter, what it notes, and how it answers any other text."""

import pytest

from formats.program_strategies import recorded
from worldline.formats import Cut, Malformed
from worldline.formats.compact import COMPACT
from worldline.record.recording import record
from worldline.trace.model import Ending, Entry, Origin, Program, Step, Trace

SOURCE = """def spell(text, n):             # @def
    seen, letters = {}, []              # @empty
    for c in text:                      # @for
        if c in seen:                   # @if
            raise ValueError(c)         # @raise
        seen[c] = n                     # @seen
        letters.append(c * n)           # @append
    return ''.join(letters)             # @return

def main():                             # @main
    word = 'abcde'                      # @word
    double = spell(word, 2)             # @double
    try:                                # @try
        spell('aa', 1)                  # @twice
    except ValueError:                  # @except
        return double                   # @answer
"""

ROWS = """\
main(
word
double word='abcde'
def(text=word;n=2
empty
for seen={};letters=[]
if c='a'
seen
append seen['a']=2
for letters+'aa'
if c='b'
seen
append seen['b']=2
for letters+'bb'
if c='c'
seen
append seen['c']=2
for letters+'cc'
if c='d'
seen
append seen['d']=2
for letters+'dd'
if c='e'
seen
append seen['e']=2
for letters+'ee'
return
='aabbccddee'
try double=
twice
def(text='aa';n=1
empty
for seen={};letters=[]
if c='a'
seen
append seen['a']=1
for letters+'a'
if
raise
!ValueError('a')
=None
!
except
answer
=double
"""
"""What is expected: each row names the line that runs, and says what was changed before it runs."""


def lines_of(source: str) -> dict[str, int]:
    marked = enumerate(source.splitlines(), 1)
    return {line.partition("# @")[2].strip(): number for number, line in marked if "# @" in line}


def in_rows(expected: str, source: str) -> str:
    """The text of the expectation: what was changed before a line stands behind the line before it."""
    lines, text = lines_of(source), ""
    for row in expected.splitlines():
        mark, space, changes = row.partition(" ")
        name, bracket, arguments = mark.partition("(")
        is_line = name in lines and not bracket
        if space and is_line:
            text = text[:-1] + (" " if text[-2:-1].isdigit() else "\n") + changes + "\n"
        text += f"{lines[name]}{bracket}{arguments}\n" if name in lines else f"{row}\n"
    return text


def test_the_text_to_the_letter():
    trace = recorded(SOURCE)
    assert COMPACT.encode(trace) == in_rows(ROWS, SOURCE)


PROGRAMS = {
    "generator": """
def count(n):
    while n:
        got = yield n
        n -= 1
def main():
    total = 0
    numbers = count(3)
    for n in numbers:
        total += n
    other, again = count(2), count(1)
    return total + next(other) + next(again) + other.send(5)
""",
    "unfinished": """
def count():
    closed = False
    try:
        yield 1
    finally:
        closed = True
def main():
    numbers = count()
    return next(numbers) + 9
""",
    "classes": """
class Shelf:
    def __init__(self):
        self.items = []
        self.size = 0
    def put(self, item):
        self.items.append(item)
        self.size += 1
        return self
def main():
    shelf = Shelf()
    shelf.put('a').put('b')
    same = shelf
    class Inner(Shelf):
        name = 'inner'
    return same.items, Inner.name
""",
    "nested": """
def main():
    def outer(x):
        return sorted([lambda y: y + x, lambda y: y - x], key=lambda f: f(1))
    small, large = outer(2)
    rows = [[0, 0, 0], [0, 1, 2], [j + 1 for j in range(3)]]
    rows[1][2], rows[2][0] = rows[2][0], rows[1][2]
    return small(1), large(1), sum(n for row in rows for n in row)
""",
    "comprehensions": """
def main():
    rows = [[i * j for i in range(3)] for j in range(3)]
    return {k: str(k) for k in range(2)}, {i for row in rows for i in row}
""",
    "names": """
def main():
    a = b = [1, 2, 3]
    b = [1, 2, 3]
    del a
    größe = 'ä; ö'
    nan = float('nan')
    same = nan
    text = "it's; a\\nlist"
    text += '"'
    a = b
    return a
""",
    "recursion": """
def fib(n, seen):
    if n not in seen:
        seen[n] = fib(n - 1, seen) + fib(n - 2, seen)
    return seen[n]
def main():
    return fib(6, {0: 0, 1: 1})
""",
    "finally": """
class Own(Exception):
    pass
def deep(n):
    try:
        if n == 0:
            raise Own('x', n) from KeyError(1)
        deep(n - 1)
    finally:
        n += 10
def main():
    try:
        deep(2)
    except Own as error:
        return error.args
""",
    "async": """
async def twice(n):
    return n * 2
async def both():
    return await twice(1) + await twice(2)
def main():
    work = both()
    try:
        work.send(None)
    except StopIteration as stop:
        return stop.value
""",
}

BOXED = """
import threading
def say(word, times):
    for _ in range(times):
        print(word)
    return word.upper()
def main():
    print(say('a\\n"b"', 2))
    thread = threading.Thread(target=say, args=('t', 3))
    thread.start()
    other = say('m', 2)
    thread.join()
    print(other, end='')
"""


def reread(trace: Trace) -> str:
    text = COMPACT.encode(trace)
    decoded = COMPACT.decode(text, trace.program)
    assert decoded.problem is None
    assert decoded.steps == trace.steps
    assert [list(step.locals) for step in decoded.steps] == [list(step.locals) for step in trace.steps]
    return text


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_was_recorded_comes_back(name):
    reread(recorded(PROGRAMS[name]))


def test_output_and_threads_come_back():
    trace = record(Program(BOXED, Entry("function", "main"))).trace
    assert trace.ending.kind == "returned"
    text = reread(trace)
    assert "@thread=1" in text
    assert ">'m\\n'" in text


def test_what_a_generator_does_after_the_entrys_end_is_marked():
    trace = recorded(PROGRAMS["unfinished"])
    before, mark, after = COMPACT.encode(trace).partition("\n&\n")
    decoded = COMPACT.decode(before + "\n", trace.program)
    assert (decoded.problem, decoded.steps[-1].function, decoded.steps[-1].value) == (None, "main", "10")
    assert (mark, "GeneratorExit" in before, "!GeneratorExit()" in after) == ("\n&\n", False, True)


def test_objects_that_look_alike_are_not_written_as_one():
    assert "other=<generator object count>;again=<gen" in COMPACT.encode(recorded(PROGRAMS["generator"]))


def test_structure_and_source_say_what_is_not_noted():
    assert "@" not in COMPACT.encode(recorded(PROGRAMS["recursion"]))
    assert "@function" not in COMPACT.encode(recorded(PROGRAMS["nested"]))
    assert "(@frame=1\n" in COMPACT.encode(recorded(PROGRAMS["generator"]))
    assert "@shared=(a,b)\n" in COMPACT.encode(recorded(PROGRAMS["names"]))


def test_an_exception_of_the_program_is_written_once_and_short():
    text = COMPACT.encode(recorded(PROGRAMS["finally"]))
    assert text.count("!program.Own('x',0)\n") == 1
    assert "traceback" not in text


def steps(*made: Step, program: Program | None = None) -> Trace:
    return Trace(program or Program("", Entry("script")), made, Ending("open"), Origin("predicted", "a test"))


@pytest.mark.parametrize(
    "trace",
    [
        steps(),
        steps(Step("line", 3, {}), Step("return", 9, {}, None)),
        steps(Step("return", 1, {}, "1"), Step("call", 1, {"x": "1"}, "2", output="out")),
        steps(Step("call", 1, {"b": "1", "a": "2"}), Step("line", 2, {"a": "2", "b": "1"})),
        steps(
            Step("call", 1, {"x": "''"}, function="\ud83d\ude00"),
            Step("line", 2, {"x": "x", "": "\ud83d\ude00"}),
        ),
        steps(Step("exception", -1, {"x y": "~1"}, "x y"), Step("exception", -1, {"x y": "~1"}, "E(1)")),
        steps(Step("call", 1, {}, depth=7, frame=3, thread=2, file=9), Step("line", 5, {}, frame=1)),
        steps(Step("line", 1, {}, shared=(("a", "b;"), (), ("",)))),
    ],
)
def test_steps_that_no_recorder_makes_come_back(trace):
    text = COMPACT.encode(trace)
    decoded = COMPACT.decode(text, trace.program)
    assert decoded.steps == trace.steps
    assert [list(step.locals) for step in decoded.steps] == [list(step.locals) for step in trace.steps]
    text.encode()  # no surrogates


def test_what_follows_the_entrys_end_is_the_rest():
    trace = recorded(PROGRAMS["recursion"])
    text = COMPACT.encode(trace)
    decoded = COMPACT.decode(text + "So the answer is 8.\n", trace.program)
    assert decoded.steps == trace.steps
    assert (decoded.problem, decoded.rest) == (None, "So the answer is 8.\n")


def test_a_cut_anywhere_leaves_the_steps_before_it():
    trace = recorded(SOURCE)
    text = COMPACT.encode(trace)
    spans = COMPACT.decode(text, trace.program).spans
    for end in range(len(text)):
        decoded = COMPACT.decode(text[:end], trace.program)
        read = sum(stop <= end for _, stop in spans)
        assert decoded.steps == trace.steps[:read]
        assert decoded.problem == Cut(spans[read - 1][1] if read else 0, read)


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("", "does not begin with a name"),
        ("Sorry, I cannot run code.", "follows the name 'Sorry'"),
        ("(x=1", "no line number"),
        ("12x=1", "follows the number of a line"),
        ("12>hi", "not quoted"),
        ("x", "follows the name"),
        ("x=", "nothing was"),
        ("x='1", "has no end"),
        ("x='a';y='b", "has no end"),
        ("unknown+1", "no value yet"),
        ("items[7]=1", "no item"),
        ("del unknown", "not a variable"),
        ("=1;2", "follows a value"),
        ("=", "nothing was"),
        ("!", "nothing was raised"),
        ("@frame=x", "not a number"),
        ("@colour=1", "is not a note"),
        ("@shared=a,b", "not a group"),
        ("x=~1", "not a quoted text"),
        ("x=~'\\d'", "not an escape"),
        ("items+4;@frame=9", "behind changes"),
        ("&", "does not begin with a name"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\n5\n"])
def test_a_row_that_says_nothing_is_told_with_its_place(row, why, end):
    good = "1(items=[1]\n2 items+2\n"
    between = " " if row[:1].isalpha() else "\n"
    decoded = COMPACT.decode(f"{good}3{between}{row}{end}", Program("", Entry("script")))
    assert len(decoded.steps) == 3
    assert isinstance(decoded.problem, Malformed)
    assert (decoded.problem.offset, decoded.problem.frame_number) == (len(good) + 2, 3)
    assert why in decoded.problem.why


def test_changes_before_a_call_belong_to_nothing():
    decoded = COMPACT.decode("1(\n2 x=1\n3(\n", Program("", Entry("script")))
    assert isinstance(decoded.problem, Malformed)


def test_prose_without_an_end_is_not_a_cut_text():
    decoded = COMPACT.decode("Sorry, I cannot", Program("", Entry("script")))
    assert isinstance(decoded.problem, Malformed)


def test_spaces_as_repr_has_them_are_read():
    decoded = COMPACT.decode("1(x=[1, 2];d={'a, b': 1}\n2 x+3, 4\n3\n", Program("", Entry("script")))
    assert decoded.steps[-1].locals == {"x": "[1, 2, 3, 4]", "d": "{'a, b': 1}"}


def test_the_parts_say_what_each_token_is_spent_on():
    program = Program("def f(s):\n    s = s + [2]\n    return s\n", Entry("call", "f([1])"))
    trace = steps(
        Step("call", 1, {"s": "[1]"}, function="f"),
        Step("line", 2, {"s": "[1]"}, function="f"),
        Step("line", 3, {"s": "[1, 2]"}, function="f"),
        Step("return", 3, {"s": "[1, 2]"}, "[1, 2]", function="f"),
        program=program,
    )
    assert list(COMPACT.parts(trace)) == [
        ("line-number", "1"),
        ("syntax", "("),
        ("name", "s"),
        ("syntax", "="),
        ("value:list", "[1]"),
        ("syntax", "\n"),
        ("line-number", "2"),
        ("name", " s"),
        ("value:list", "+2"),
        ("syntax", "\n"),
        ("line-number", "3"),
        ("syntax", "\n"),
        ("syntax", "="),
        ("name", "s"),
        ("syntax", "\n"),
    ]
