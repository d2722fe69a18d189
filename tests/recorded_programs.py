"""This file is small programs with loops, branches, calls and values of every family, recorded once."""

from functools import cache

from worldline.record import Options, record
from worldline.trace.model import Entry, Program, Trace

SOURCES = {
    "words": """\
def f(text, sep):
    words = text.split(sep)
    longest = ''
    counts = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
        if len(word) > len(longest):
            longest = word
    longest = longest.strip('!')
    return longest.upper() + sep.join(words)[:3]

def main(): # << START_OF_TRACE
    return f('one,three!,one,two', ',')
""",
    "numbers": """\
def double(n):
    result = n * 2
    return result

def f(items, limit):
    total = 0
    kept = []
    while items and total < limit:
        item = items.pop()
        if item % 2 == 0:
            kept.append(double(item))
        else:
            kept.insert(0, item)
        total += item
    return kept, total

def main(): # << START_OF_TRACE
    return f([9, 4, 7, 2, 8], 16)
""",
    "raising": """\
def parse(text):
    value = int(text)
    return value

def f(texts):
    good = []
    bad = 0
    for text in texts:
        try:
            good.append(parse(text))
        except ValueError:
            bad += 1
    name = 'bad'
    return {name: bad, 'good': good}

def main(): # << START_OF_TRACE
    return f(['1', 'x', '22', ''])
""",
    "swap": """\
def f(a, b, c):
    for _ in range(3):
        a, b, c = b, c, a + 1
    pair = (a, b)
    return pair

def main(): # << START_OF_TRACE
    return f(1, 'two', 3) if False else f(10, 20, 30)
""",
}


@cache
def recorded(name: str) -> Trace:
    """The real trace of one of them."""
    return record(Program(SOURCES[name], Entry("function", "main")), Options(max_value=None)).trace
