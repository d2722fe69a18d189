"""This file is what the laws draw from: texts, steps and traces of any shape."""

import re
from typing import get_args

from hypothesis import strategies as st

from worldline.trace.model import (
    EVENTS,
    Ending,
    EndingKind,
    Entry,
    EntryKind,
    Origin,
    Program,
    SourceFile,
    Step,
    Trace,
)

PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def holds_no_pair(text: str) -> bool:
    """Whether JSON can tell the text: two surrogates side by side read as the one character they form."""
    return not PAIR.search(text)


anything = st.text(st.characters(exclude_categories=())).filter(holds_no_pair)
surrogates = st.text(st.characters(categories=["Cs"]), max_size=3).filter(holds_no_pair)
names = st.one_of(st.sampled_from(["x", "y", "total", ".0", "_", "ñ", ""]), anything)
value_texts = st.one_of(
    st.sampled_from(["0", "1", "[]", "None", "'' …", '"', "\\", "\n", "\0"]),
    st.integers().map(repr),
    st.text().map(repr),
    st.builds(lambda head, middle: head * 30 + middle, st.sampled_from("ab, "), anything),
    anything,
    surrogates,
)
states = st.dictionaries(names, value_texts, max_size=5)
whole = st.one_of(st.integers(0, 3), st.integers(-(2**63), 2**63 - 1))
groups = st.lists(st.lists(names, max_size=3).map(tuple), max_size=2).map(tuple)


def steps(files: int = 1, held: st.SearchStrategy[dict[str, str]] = states) -> st.SearchStrategy[Step]:
    """One step of a program that has so many files, with a state out of `held`."""
    return st.builds(
        Step,
        event=st.sampled_from(EVENTS),
        line=whole,
        locals=held,
        value=st.none() | value_texts,
        depth=whole,
        function=names,
        frame=whole,
        thread=whole,
        file=st.integers(0, files - 1),
        output=st.just("") | anything,
        shared=st.just(()) | groups,
    )


entries = st.builds(
    Entry,
    kind=st.sampled_from(get_args(EntryKind)),
    text=anything,
    args=st.lists(anything, max_size=2).map(tuple),
    stdin=anything,
)
programs = st.builds(
    Program,
    source=anything,
    entry=entries,
    path=anything,
    language=anything,
    files=st.lists(st.builds(SourceFile, path=anything, source=anything), max_size=2).map(tuple),
)
endings = st.builds(
    Ending, kind=st.sampled_from(get_args(EndingKind)), value=st.none() | value_texts, detail=anything
)
origins = st.builds(
    Origin,
    kind=st.sampled_from(["recorded", "predicted"]),
    by=anything,
    python=anything,
    isolation=anything,
    options=st.dictionaries(anything, st.one_of(anything, st.integers(), st.booleans()), max_size=2),
)


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    """A trace of any shape; its few states come back again and again, as in a real one."""
    program = draw(programs)
    held = st.sampled_from(draw(st.lists(states, min_size=1, max_size=3)))
    drawn = draw(st.lists(steps(1 + len(program.files), held), max_size=8))
    return Trace(program, tuple(drawn), draw(endings), draw(origins))


def with_order(trace: Trace) -> tuple[Trace, list[list[str]]]:
    """A trace and what `==` does not look at: the order of the names in each state."""
    return trace, [list(step.locals) for step in trace.steps]
