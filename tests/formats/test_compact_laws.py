"""The laws of `compact` beyond those of every format: whole traces of changing values, read step by step."""

from hypothesis import given, settings
from hypothesis import strategies as st

from laws.test_edits import mutated, values
from worldline.formats import Cut
from worldline.formats.compact import COMPACT
from worldline.formats.compact_text import name_text, quoted, read_name, unquoted
from worldline.trace.model import EVENTS, Ending, Entry, Origin, Program, Step, Trace

SOURCE = """def f(x, y):
    x = [n for n in x]
    return g(lambda: x)
class C:
    @staticmethod
    def g(x):
        return x()
"""

everything = st.text(st.characters(exclude_categories=()))
names = st.sampled_from(["x", "y", "items", ".0", "__", "ñ", "x y", "None"])


@st.composite
def changing(draw: st.DrawFn) -> Trace:
    """Steps whose values change a little from one to the next, in frames that call and return at will."""
    program = Program(SOURCE, Entry("call", "f([1], 2)"))
    held: dict[str, object] = {}
    steps = []
    for _ in range(draw(st.integers(0, 12))):
        name = draw(names)
        held[name] = mutated(held[name], draw) if name in held else draw(values)
        if draw(st.integers(0, 5)) == 0:
            del held[name]
        elif draw(st.booleans()):
            held[draw(names)] = held[name]
        event = draw(st.sampled_from(EVENTS))
        state = {name: repr(value) for name, value in held.items()}
        told = draw(
            st.sampled_from([*state.values(), "None", "E()", "(<class 'a.E'>, E(1, 2), <traceback object>)"])
        )
        step = Step(
            event,
            draw(st.integers(1, 8)),
            state,
            told if event in ("return", "exception") else None,
            depth=draw(st.integers(0, 2)),
            function=draw(st.sampled_from(["f", "C.g", "f.<locals>.<lambda>"])),
            frame=draw(st.integers(0, 2)),
            output=draw(st.sampled_from(["", "", "out;\n"])),
        )
        steps.append(step)
    return Trace(program, tuple(steps), Ending("open"), Origin("predicted", "chance"))


@settings(deadline=None)
@given(changing())
def test_each_step_is_known_where_its_span_ends(trace):
    text = COMPACT.encode(trace)
    whole = COMPACT.decode(text, trace.program)
    assert whole.steps == trace.steps
    assert [list(step.locals) for step in whole.steps] == [list(step.locals) for step in trace.steps]
    for number, (_, end) in enumerate(whole.spans, 1):
        decoded = COMPACT.decode(text[:end], trace.program)
        assert decoded.steps == trace.steps[:number]
        assert decoded.problem in (None, Cut(end, number))


@settings(deadline=None)
@given(changing(), st.data())
def test_a_cut_leaves_the_steps_before_it(trace, data):
    text = COMPACT.encode(trace)
    end = data.draw(st.integers(0, len(text)))
    decoded = COMPACT.decode(text[:end], trace.program)
    assert decoded.steps == trace.steps[: len(decoded.steps)]
    assert decoded.problem is None or isinstance(decoded.problem, Cut)


@given(everything)
def test_any_text_can_be_quoted(text):
    shown = quoted(text)
    assert unquoted(shown) == text
    assert shown.isprintable()


@given(everything, everything)
def test_any_name_can_be_told_from_what_follows(name, after):
    assert read_name(f"{name_text(name)}={after}") == (name, f"={after}")
