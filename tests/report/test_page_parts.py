"""The parts of the page that have an inverse or a reference, run in the browser against Python."""

import json
import random
import re
from dataclasses import replace
from importlib.resources import files

import page_samples
import pytest

import worldline.report.page as report
from worldline.diagnose.model import Alignment, Pair
from worldline.errors import UserError
from worldline.report.page import page_data, page_html
from worldline.report.page.facets import STEP_BOUNDS, binned
from worldline.report.page.operation import operation_of
from worldline.report.page.steps import runs, status_runs

ASSETS = files("worldline.report.page") / "assets"
MANY_FRAMES = """
def items(n):
    for each in range(n):
        yield each

def fib(n):
    if n < 2:
        del n
        return 1
    return fib(n - 1) + fib(n - 2)

def go(n):
    found = []
    for each in items(n):
        print(each)
        found.append(fib(each))
    try:
        found[99]
    except IndexError:
        found = None
    return found
"""
COLOURED = """\
def f(x='a\\'b'):  # it's
    return f'''{x}
# no
''' if x is not None else 1_0.5e3\r
'open
\tend"""


def asset(*names):
    return "".join((ASSETS / name).read_text(encoding="utf-8") for name in names)


@pytest.mark.xdist_group("browser")
def test_the_page_decodes_the_steps_that_were_packed(reader, tmp_path):
    real = page_samples.recorded(MANY_FRAMES, "go(5)")
    assert len({step.frame for step in real.steps}) > 5
    diagnosis = replace(page_samples.exact(), real=real, predicted=replace(real, steps=real.steps[::-1]))
    report.write_page([diagnosis], tmp_path / "p.html", "t")
    reader.browser.get((tmp_path / "p.html").as_uri())
    fields = "s.event, s.line, [...s.locals], s.value, s.depth, s.called, s.frame, s.output"
    shown = f"(steps) => steps.map((s) => [{fields}])"
    found = reader.run(
        f"{asset('data.js')}; const t = openTrace(0); return [t.real, t.predicted].map({shown})"
    )
    for side, trace in zip(found, (real, diagnosis.predicted), strict=True):
        assert side == [
            [
                step.event,
                step.line,
                [list(item) for item in step.locals.items()],
                step.value,
                step.depth,
                step.function,
                step.frame,
                step.output,
            ]
            for step in trace.steps
        ]


def text_pairs():
    dice = random.Random(7)
    for size in (0, 1, 3, 12, 60, 700):
        for letters in ("ab", "abcdefgh", "a😀\u2028é "):
            text = "".join(dice.choices(letters, k=size))
            changed = list(text)
            for _ in range(dice.randint(0, 4)):
                at = dice.randint(0, len(changed))
                changed[at : at + dice.randint(0, 2)] = dice.choices(letters, k=dice.randint(0, 2))
            yield text, "".join(changed)
            yield text, "".join(dice.choices(letters, k=dice.randint(0, size)))


@pytest.mark.xdist_group("browser")
def test_differences_give_both_texts_back(reader):
    pairs = list(text_pairs())
    reader.open()
    script = (
        f"{asset('elements.js', 'differences.js')}; return arguments[0].map(([a, b]) => differences(a, b))"
    )
    for (real, predicted), parts in zip(pairs, reader.run(script, pairs), strict=True):
        assert "".join(text for kind, text in parts if kind in ("same", "real")) == real
        assert "".join(text for kind, text in parts if kind in ("same", "predicted")) == predicted
        if real == predicted:
            assert {kind for kind, _ in parts} <= {"same"}


@pytest.mark.xdist_group("browser")
def test_a_differing_letter_is_all_that_is_marked(reader):
    reader.open()
    script = f"{asset('elements.js', 'differences.js')}; return differences(arguments[0], arguments[1])"
    assert reader.run(script, "[1, 22, 3]", "[1, 2, 33]") == [
        ["same", "[1, 2"],
        ["real", "2"],
        ["same", ", "],
        ["predicted", "3"],
        ["same", "3]"],
    ]


@pytest.mark.xdist_group("browser")
@pytest.mark.parametrize("statuses", ["1r", "40r1o12c", "328r19672m", "8m", "5r1o90a3g500m2c"])
def test_every_step_has_its_place_on_the_timeline(reader, statuses):
    reader.open()
    count = sum(int(number) for number in re.findall(r"\d+", statuses))
    script = f"""{asset("data.js", "timeline.js")}; const scale = timelineScale(arguments[0]);
        const found = [];
        for (let at = 0; at < arguments[1]; at++) found.push(scale.pairAt(scale.placeOf(at)));
        return [found, scale.room, scale.pairAt(0), scale.pairAt(scale.room), timelineColumns(scale, 300)]"""
    found, room, first, last, columns = reader.run(script, statuses, count)
    assert found == list(range(count))
    assert (first, last) == (0, count - 1)
    assert len(columns) <= 300
    assert set(columns) == set(re.findall("[a-z]", statuses))
    assert room <= count


@pytest.mark.xdist_group("browser")
def test_source_is_coloured_without_losing_a_character(reader):
    reader.open()
    source = COLOURED
    script = f"""{asset("elements.js", "highlight.js")};
        const lines = highlighted(arguments[0]);
        const text = (piece) => typeof piece === "string" ? piece : piece.textContent;
        return [lines.map((pieces) => pieces.map(text).join("")),
            lines.flat().filter((piece) => piece.className)
                .map((piece) => [piece.className.slice(5), piece.textContent])]"""
    lines, pieces = reader.run(script, source)
    assert lines == re.split(r"\r\n|\n", source)
    assert ["comment", "# it's"] in pieces
    assert ["string", "# no"] in pieces
    assert ["number", "1_0.5e3"] in pieces
    assert {text for kind, text in pieces if kind == "keyword"} == {
        *("def", "return", "if", "is", "not", "None", "else"),
    }


@pytest.mark.xdist_group("browser")
def test_a_line_that_is_nowhere_or_elsewhere_is_said(reader):
    reader.open()
    script = f"""{asset("elements.js", "highlight.js", "source.js")};
        const trace = {{ lines: [["a", "b"], ["c"]], files: [["p.py"], ["q.py"]] }};
        const step = ([event, line, file]) => ({{ event, line, file }});
        return arguments[0].map(([real, predicted]) => lineNote(trace, step(real), step(predicted), ""))"""
    cases = {
        "": (["line", 1, 0], ["line", 2, 0]),
        "The predicted line is not in the program.": (["line", 1, 0], ["line", 0, 0]),
        "The predicted line is line 1 of q.py.": (["line", 1, 0], ["line", 1, 1]),
        "Really a call, predicted a line.": (["call", 1, 0], ["line", 1, 0]),
        "Really a return, predicted an exception.": (["return", 1, 0], ["exception", 1, 0]),
    }
    assert reader.run(script, list(cases.values())) == list(cases)


def test_pairs_are_runs_with_a_letter_each():
    pairs = (
        *(Pair(0, 0, True), Pair(1, 1, True), Pair(2, 2, False, True), Pair(None, 3, False)),
        *(Pair(3, 4, False, False), Pair(4, 5, True), Pair(5, None, False), Pair(6, 6, False)),
    )
    assert status_runs(Alignment(pairs)) == "2r1o1a1c1g1m1u"
    assert runs(pairs) == [(3, 0, 0), (1, -1, 3), (2, 3, 4), (1, 5, -1), (1, 6, 6)]
    assert status_runs(Alignment(())) == ""


@pytest.mark.parametrize(("count", "name"), [(0, "0–4"), (4, "0–4"), (5, "5–9"), (99999, "5,000 or more")])
def test_numbers_fall_into_bins(count, name):
    assert binned(count, STEP_BOUNDS) == name


def test_the_operation_is_that_of_the_line_before():
    assert operation_of(page_samples.string()) == "+"
    assert operation_of(page_samples.branch()) == ">"
    assert operation_of(page_samples.value()) == ".strip"
    assert operation_of(page_samples.cut()) == operation_of(page_samples.exact()) == ""


def test_an_empty_set_and_an_empty_trace_have_a_page():
    empty = replace(page_samples.cut(), alignment=Alignment(()))
    assert page_data([], "t")["rows"] == []
    (row,) = page_data([empty], "t")["rows"]
    assert (row["statuses"], row["first"]) == ("", 0)


def test_the_page_needs_nothing_from_outside(diagnoses):
    text = page_html(diagnoses, "t")
    head = text[: text.index('<script type="application/json"')] + text[text.index("</script>") :]
    assert not re.search(
        r"https?://(?!www\.w3\.org/2000/svg)|\bimport\(|@import|\burl\(|\bfetch\(|src=", head
    )
    assert json.loads(text.split('id="data">')[1].split("</script>")[0])["title"] == "t"
    assert text.split('id="data">')[1].split("</script>")[0].isascii()


def test_a_page_that_cannot_be_written_is_said(tmp_path):
    with pytest.raises(UserError, match="cannot be written"):
        report.write_page([], tmp_path / "no" / "page.html", "t")


def test_no_asset_is_too_long():
    for path in ASSETS.iterdir():
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, path.name
