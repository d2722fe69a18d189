"""The positions of loops: derived from lines, they are those of the iterators themselves."""

import pytest
from hypothesis import HealthCheck, given, settings
from iterator_oracle import true_loops
from settrace_reference import marked, watch
from structured_programs import Writer, programs

from worldline.flow.loops import Loop, loops
from worldline.trace import Entry, Program, SourceFile, Step

EXAMPLES = {
    "nested": """
def f():
    for x in track([1, 2, 3]):  # @outer
        for y in track([4, 5]):  # @inner
            for z in track([]):  # @empty
                z += 1
            y += x
        else:
            x += 1
    return x
f()
""",
    "left early": """
def f(n):
    for x in track([1, 2, 3]):
        for y in track([1, 2, 3]):
            if y == n: break
            if x == n:
                continue
            if x + y == 5:
                return y
        try:
            x = [1, 2][x]
        except IndexError:
            break
        finally:
            n += 1
    x = 1
for n in range(4):
    f(n)
""",
    "raised out of": """
def f():
    for x in track([1, 2, 3]):
        if x == 2:
            raise ValueError
def g():
    for y in track([1, 2]):
        try:
            f()
        except ValueError:
            y += 1
g()
try:
    f()
except ValueError:
    pass
""",
    "run again": """
def f():
    n = 0
    while True:
        for x in track([1, 2, 3]):
            if x == 2: break
        for x in track([1, 2]):
            n += x
        n += 1
        while n < 20:
            for x in track([5, 6]): n += x
            for x in track([]):
                pass
        if n > 9: return
f()
""",
    "suspended": """
def g(n):
    for x in track([1, 2, 3]):
        got = yield x
        for y in track([4, 5]):
            yield y
    yield 0
def one(n):
    for x in track([1, 2]): yield x
def both():
    for x in track([1]):
        yield from g(2)
a, b = g(1), g(2)
for x in track([1, 2, 3, 4]):
    next(a)
    next(b)
list(both())
list(one(1))
for x in one(1):
    break
del x
""",
    "recursion": """
def walk(tree):
    total = 0
    for part in track(tree):  # @parts
        if isinstance(part, list):
            total += walk(part)
        else:
            total += part
    return total
walk([1, [2, [3, 4], 5], [6]])
""",
    "scopes": """
class A:
    for i in track([1, 2]):
        def f(self):
            for j in track([3]):
                k = (lambda: [m for m in (1, 2)])()
            return sum(n for n in (1, 2))
        g = lambda self: self.f()
    else:
        i = 5
for i in track([1, 2]):
    @property
    def later():
        pass
    A().g()
    A().f()
""",
    "asynchronous": """
class Wait:
    def __await__(self):
        yield 1
async def numbers():
    for i in track([1, 2, 3]):
        await Wait()
        yield i
async def work():
    async for i in numbers():
        for j in track([1]):
            await Wait()
    async with Room():
        for j in track([1, 2]):
            await Wait()
class Room:
    async def __aenter__(self): await Wait()
    async def __aexit__(self, *raised): await Wait()
c = work()
try:
    while True: c.send(None)
except StopIteration:
    pass
""",
    "several lines": """
def f(*args):
    return 1
def g():
    for x in track([
            1,
            2]):
        f(x,
          f(x),
          3)
        y = [i
             for i in range(3)
             if i]
g()
""",
}


def derived(source, events):
    """What `loops` says of the loops that are tracked."""
    steps = [Step(e.event, e.line, {}, e.value, function=e.function, frame=e.frame) for e in events]
    tracked = {for_line(source, n) for n, line in enumerate(source.splitlines(), 1) if "track(" in line}
    found = loops(Program(source, Entry("script")), steps)
    return [
        tuple((loop.line, loop.position) for loop in running if loop.line in tracked) for running in found
    ]


def for_line(source, line):
    """The line of the loop that has `line` in its header."""
    lines = source.splitlines()
    return next(n for n in range(line, 0, -1) if lines[n - 1].strip().startswith("for "))


def first_difference(source):
    events, truth = true_loops(source)
    for event, running, said in zip(events, truth, derived(source, events), strict=True):
        true = tuple((for_line(source, line), taken) for line, taken in running)
        if true != said:
            return event, source.splitlines()[event.line - 1], true, said
    return None


@pytest.mark.parametrize("name", EXAMPLES)
def test_positions_are_those_of_the_iterators(name):
    source = EXAMPLES[name].lstrip("\n")
    assert first_difference(source) is None
    assert max(map(len, true_loops(source)[1])) >= 1


def test_a_header_of_several_lines_counts_in_the_body():
    source = """\
def f():
    for (a,
         b,
         c) in (
            track(["abc", "def", "ghi"])):
        a = b  # @body
        b = c  # @end
f()
"""
    body = marked(source).values()
    events, truth = true_loops(source)
    seen = [
        (true[0][1], said[0][1])
        for event, true, said in zip(events, truth, derived(source, events), strict=True)
        if event.line in body
    ]
    assert seen == [(1, 1), (1, 1), (2, 2), (2, 2), (3, 3), (3, 3)]


class LoopWriter(Writer):
    """Random programs whose `for` loops are tracked. What lines cannot tell (see loops.py) is left out."""

    def for_(self, depth, inside):
        items = self.pick("[]", "[1]", "[1, 2, 3]")
        self.put(depth, f"for {self.name()} in track({items}):")
        self.put(depth + 1, "tick()")
        self.block(depth + 1, inside | {"loop"})
        if self.choose(2):
            self.put(depth, "else:")
            self.block(depth + 1, inside)

    def one_line(self, depth, inside):
        self.put(depth, self.pick("for a in track([1, 2]): pass", "for b in track([]): c = b"))


@settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
@given(programs(LoopWriter))
def test_positions_are_those_of_the_iterators_on_random_programs(source):
    assert first_difference(source) is None


def test_a_lost_iteration_would_be_seen():
    source = EXAMPLES["recursion"].lstrip("\n")
    header = marked(source)["parts"]
    events, truth = true_loops(source)
    lost = next(i for i, e in enumerate(events) if e.event == "line" and e.line == header and truth[i])
    assert derived(source, events[:lost] + events[lost + 1 :]) != truth[:lost] + truth[lost + 1 :]


def test_loops_of_another_file_and_of_text_that_is_no_program():
    other = "x = 1\nfor x in 'ab':  # @for\n    pass  # @body\n"
    program = Program("def f(:\n", Entry("script"), files=(SourceFile("b.py", other),))
    header, body = marked(other).values()
    lines = [header, body, header, body]
    steps = [Step("line", line, {}, function="<module>", file=1) for line in lines]
    assert loops(program, steps) == [(), (Loop(header, 1),), (Loop(header, 1),), (Loop(header, 2),)]
    assert loops(program, [Step("line", 1, {})]) == [()]


def test_a_trace_that_begins_inside_a_loop_counts_from_there():
    source = EXAMPLES["nested"].lstrip("\n")
    events = [e for e in watch(source, namespace={"track": list}) if e.function == "f"]
    at = marked(source)
    inside = next(i for i, e in enumerate(events) if e.line == at["empty"])
    assert derived(source, events[inside : inside + 1]) == [((at["outer"], 1), (at["inner"], 1))]
