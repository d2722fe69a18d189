"""Diagnoses made by hand: real programs recorded, and predictions of them with known mistakes."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from worldline.diagnose.model import Alignment, Answer, Cause, Diagnosis, Divergence, Pair, WrongVariable
from worldline.record import record
from worldline.record.entry import call_entry
from worldline.trace.model import Ending, Origin, Program, Step, Trace

WORDS = '''def shout(words):
    """Join the words, the long ones in capitals."""
    said = ""
    for word in words:  # @loop
        if len(word) > 4:  # @long
            word = word.upper()  # @upper
        said = said + word + " "  # @join
    return said.strip()  # @back
'''
CALL = "shout(['the', 'quick', 'brown', 'fox', 'jumped'])"
HOSTILE = """def f(x):
    # </script><script>window.broken = 1</script> <img src=x onerror="window.broken = 2">
    y = x + "<!--<script>"  # @y
    return y  # @back
"""
HOSTILE_CALL = r"""f('</script><img src=x onerror="window.broken=3">\u2028&amp;')"""
MODEL = Origin("predicted", "a model made by hand")


def line_of(source: str, marker: str) -> int:
    return next(number for number, line in enumerate(source.splitlines(), 1) if f"# @{marker}" in line)


@cache
def recorded(source: str, call: str) -> Trace:
    return record(Program(source, call_entry(source, "program.py", call), "program.py")).trace


def predicted(real: Trace, steps: Sequence[Step], ending: Ending | None = None) -> Trace:
    return Trace(real.program, tuple(steps), ending or real.ending, MODEL)


def side_by_side(real: Trace, other: Trace, own: Sequence[int] = (), judged: bool = True) -> Alignment:
    """The steps paired by their number; those in `own` are errors by themselves, the others carried along."""
    pairs = []
    for index in range(max(len(real.steps), len(other.steps))):
        has = index < len(real.steps), index < len(other.steps)
        is_right = all(has) and real.steps[index] == other.steps[index]
        is_own = None if is_right or not judged else index in own
        pairs.append(Pair(index if has[0] else None, index if has[1] else None, is_right, is_own))
    return Alignment(tuple(pairs))


def wrong_from(trace: Trace, name: str, old: str, new: str) -> tuple[list[Step], int]:
    """The steps with a text replaced in one variable wherever it is, and the first step where it is."""
    steps, first = [], -1
    for index, step in enumerate(trace.steps):
        if old in step.locals.get(name, ""):
            first = index if first < 0 else first
            step = replace(step, locals={**step.locals, name: step.locals[name].replace(old, new)})
        if step.value is not None:
            step = replace(step, value=step.value.replace(old, new))
        steps.append(step)
    return steps, first


def exact(name: str = "exact") -> Diagnosis:
    real = recorded(WORDS, CALL)
    value = real.ending.value
    return Diagnosis(
        name,
        real,
        predicted(real, real.steps),
        "exact",
        None,
        side_by_side(real, real),
        (Cause("extraction", "the trace is right, but the answer was read from the prose after it"),),
        Answer(value, "'the'", False, value),
        "extraction",
        tokens=812,
    )


def string(name: str = "string", tokens: int | None = 930) -> Diagnosis:
    """One letter dropped from a string, and carried along to the answer."""
    real = recorded(WORDS, CALL)
    steps, first = wrong_from(real, "said", "BROWN", "BRWN")
    other = predicted(real, steps, Ending("returned", steps[-1].value))
    texts = real.steps[first].locals["said"], steps[first].locals["said"]
    wrong = WrongVariable("said", *texts, "str")
    return Diagnosis(
        name,
        real,
        other,
        "diverged",
        Divergence(first, first, "state", real.steps[first].line, (wrong,), *texts),
        side_by_side(real, other, own=(first,)),
        (
            Cause("string-value", "`said` has 15 characters in 7 tokens; the letter O is dropped", 0.6),
            Cause("hidden-composition", "the line before adds twice", 0.3),
            Cause("method-semantics", "the part was made by str.upper", 0.1),
        ),
        Answer(real.ending.value, steps[-1].value, False, real.ending.value),
        "model",
        tokens,
        {"paper_cause": "string"},
    )


def branch(name: str = "branch") -> Diagnosis:
    """One wrong next line, one step made up, and back on the path."""
    real = recorded(WORDS, CALL)
    at = next(index for index, step in enumerate(real.steps) if step.line == line_of(WORDS, "join"))
    wrong = replace(real.steps[at], line=line_of(WORDS, "upper"))
    made_up = replace(real.steps[at], line=line_of(WORDS, "loop"))
    other = predicted(real, [*real.steps[:at], wrong, made_up, *real.steps[at + 1 :]])
    pairs = [Pair(index, index, True) for index in range(at)]
    pairs += [Pair(at, at, False, True), Pair(None, at + 1, False)]
    pairs += [Pair(index, index + 1, True) for index in range(at + 1, len(real.steps))]
    return Diagnosis(
        name,
        real,
        other,
        "diverged",
        Divergence(at, at, "action", real.steps[at].line, (), "said = said + word", "word = word.upper()"),
        Alignment(tuple(pairs)),
        (Cause("wrong-branch", "len(word) > 4 is false for 'the', the model went in"),),
        Answer(real.ending.value, real.ending.value, True),
        "nobody",
        tokens=2410,
        labels={"paper_cause": "branch"},
    )


def cut(name: str = "cut") -> Diagnosis:
    real = recorded(WORDS, CALL)
    kept = len(real.steps) // 2
    other = predicted(real, real.steps[:kept], Ending("open"))
    return Diagnosis(
        name,
        real,
        other,
        "cut",
        Divergence(kept, kept, "budget", real.steps[kept].line),
        side_by_side(real, other),
        (Cause("budget", "the text ends after 11 of 22 steps"),),
        Answer(real.ending.value, None, None),
        "budget",
        tokens=32768,
    )


def broken_off(name: str = "broken off") -> Diagnosis:
    """The text ends within a step that is wrong already."""
    found = cut(name)
    assert found.divergence is not None
    variables = (WrongVariable("said", "'the '", "'th", "str"),)
    divergence = replace(found.divergence, kind="state", variables=variables)
    return replace(found, verdict="diverged", divergence=divergence)


def value(name: str = "value") -> Diagnosis:
    """A wrong return, not judged; an id that is there twice."""
    real = recorded(WORDS, CALL)
    wrong = replace(real.steps[-1], value="'the QUICK BROWN fox JUMPED '")
    other = predicted(real, [*real.steps[:-1], wrong], Ending("returned", wrong.value))
    at = len(real.steps) - 1
    return Diagnosis(
        name,
        real,
        other,
        "diverged",
        Divergence(at, at, "value", real.steps[at].line, (), real.ending.value, wrong.value),
        side_by_side(real, other, judged=False),
        (Cause("hidden-return", "the return hides one call: strip"),),
        Answer(real.ending.value, wrong.value, False),
        "model",
    )


def hostile(name: str = "</script><b>&id=1#x") -> Diagnosis:
    """Everything that comes from a program or a model tries to get out of its place."""
    real = recorded(HOSTILE, HOSTILE_CALL)
    steps, first = wrong_from(real, "y", "script", "\u2028\ud800<img src=x onerror=window.broken=4>")
    other = predicted(real, steps)
    texts = real.steps[first].locals["y"], steps[first].locals["y"]
    return Diagnosis(
        name,
        real,
        other,
        "diverged",
        Divergence(
            first, first, "state", real.steps[first].line, (WrongVariable("y", *texts, "str"),), *texts
        ),
        side_by_side(real, other, own=(first,)),
        (Cause("string-value", "<script>window.broken = 5</script> {{script}}"),),
        Answer(real.ending.value, "<img src=x onerror=window.broken=6>", False, "]]><!--"),
        "model",
        labels={"<i>label</i>": "<svg onload=window.broken=7>"},
    )


def samples() -> list[Diagnosis]:
    return [string(), branch(), cut(), exact(), value(), hostile(), value(), broken_off()]
