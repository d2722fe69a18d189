"""This file is random programs that end, and their recording: what the laws of the formats draw from."""

import json
from itertools import count

from hypothesis import strategies as st

from worldline.record.engine import record_function
from worldline.record.options import Options
from worldline.trace.jsonl import parse_body
from worldline.trace.model import Ending, Entry, Origin, Program, Trace

PLAIN = (
    "x = x + 1",
    "y = [x] + y[:2]",
    "y.append(x)",
    "x = g(x)",
    "y = [i + x for i in range(2)]",
    "x = sum(i for i in range(3))",
    "y = sorted(y, key=lambda i: -i)",
    "s = '{\"<|frame_sep|>\"' + str(x)",
    "z = x; del z",
    "if x > 9: raise ValueError('big')",
)
INDENT = "    "
HELPERS = """def g(x):
    if x > 5:
        return x - 1
    x = x + 1
    return x

def h(x):
    yield x
    x = x + 1
    yield x

"""


def indented(lines: list[str]) -> list[str]:
    return [INDENT + line for line in lines]


@st.composite
def blocks(draw: st.DrawFn, depth: int = 2) -> list[str]:
    """The lines of a block; few different ones, so that many are equal."""
    lines = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(["plain", "plain", "if", "for", "generator", "try", "while"]))
        if kind == "plain" or depth == 0:
            lines.append(draw(st.sampled_from(PLAIN)))
            continue
        inner = indented(draw(blocks(depth - 1)))
        if kind == "if":
            lines += ["if x % 2:", *inner, "else:", *indented(draw(blocks(depth - 1)))]
        elif kind == "try":
            lines += ["try:", *inner, "except ValueError as error:", *indented(draw(blocks(depth - 1)))]
            lines += ["finally:", f"{INDENT}x = x + 1"] if draw(st.booleans()) else []
        elif kind == "while":
            lines += ["n = 2", "while n:", f"{INDENT}n = n - 1", *inner]
        else:
            heads = {"for": "for i in range(2):", "generator": "for i in h(x):"}
            leaving = draw(st.sampled_from([[], ["if x > 3: break"], ["if x % 2: continue"]]))
            lines += [heads[kind], *indented(leaving), *inner]
    return lines


@st.composite
def sources(draw: st.DrawFn) -> str:
    """A program whose marked `main` ends."""
    body = indented(["y = []", *draw(blocks()), "return x"])
    call = indented(["try:", "    return f(1)", "except ValueError:", "    return None"])
    return HELPERS + "\n".join(["def f(x):", *body, "", "def main(): # << START_OF_TRACE", *call]) + "\n"


def recorded(source: str, entry: str = "main") -> Trace:
    """The trace of a trusted program that raises nothing."""
    names: dict[str, object] = {"__name__": "program"}
    exec(compile(source, "program.py", "exec"), names)
    body = record_function(names[entry], source=source, options=Options(max_value=None))
    records = zip(count(2), map(json.loads, body.splitlines()), strict=False)
    program = Program(source, Entry("function", entry))
    trace = parse_body(records, program, Origin("recorded", "a test"), "program.py")
    return Trace(program, trace.steps, Ending("returned", trace.steps[-1].value), trace.origin)
