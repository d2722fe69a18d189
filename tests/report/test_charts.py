"""Laws of the charts: every value has its place, and no text leaves its own."""

import math
import re
from itertools import pairwise
from xml.etree import ElementTree

import chart_samples
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from worldline.errors import UserError
from worldline.report.charts import Chart, Point, Series, number, rows, svg
from worldline.report.charts.marks import COLOURS, MARKERS
from worldline.report.charts.model import LARGEST

SPACE = "{http://www.w3.org/2000/svg}"
NEAR = 0.11  # coordinates are written with one decimal
KNOWN = {"svg", "title", "desc", "rect", "g", "path", "text"}
ATTRIBUTES = {
    *(
        "class",
        "viewBox",
        "width",
        "height",
        "role",
        "aria-labelledby",
        "aria-describedby",
        "id",
        "x",
        "y",
        "d",
    ),
    *("color", "fill", "fill-opacity", "font-size", "font-family", "font-weight", "text-anchor", "transform"),
    *("stroke", "stroke-width", "stroke-linejoin", "stroke-dasharray", "stroke-opacity"),
}

values = st.one_of(
    st.floats(-LARGEST, LARGEST),
    st.floats(0, 1),
    st.integers(-3, 3).map(float),
    st.sampled_from([0.0, 5e-324, -5e-324, 1e-300, LARGEST, -LARGEST, 1e15, 1e15 + 0.125]),
)
unhurried = settings(deadline=None, max_examples=60)
above_zero = values.map(abs).filter(bool)
texts = st.one_of(
    st.text(max_size=30), st.sampled_from([chart_samples.HOSTILE, "\ud800\x00\x1b", "{{data}}"])
)


@st.composite
def charts(draw):
    is_log = draw(st.booleans())
    bound = st.none() | values
    points = st.builds(Point, above_zero if is_log else values, values, bound, bound, texts)
    series = st.builds(Series, texts, st.lists(points, max_size=5))
    return Chart(
        *(draw(texts), draw(texts), draw(texts)),
        draw(st.lists(series, max_size=5)),
        is_log,
        draw(st.none() | st.tuples(values, values)),
        draw(st.sampled_from(["lines", "scatter"])),
        draw(texts),
    )


def drawn(chart):
    return ElementTree.fromstring(svg(chart))


def of_class(root, name):
    return [each for each in root.iter() if each.get("class") == name]


def plot(root):
    (area,) = of_class(root, "plot")
    left, top, wide, high = (float(area.get(each)) for each in ("x", "y", "width", "height"))
    return left, top, left + wide, top + high


def places(root):
    """Where the markers are, in the order of series and points."""
    found = [each.get("transform") for each in of_class(root, "point")]
    return [tuple(map(float, re.fullmatch(r"translate\((\S+) (\S+)\)", each).groups())) for each in found]


def ys_of_intervals(root):
    for each in of_class(root, "interval"):
        path = each.get("d")
        yield from (float(y) for y in re.findall(r"[ML]\S+ ([-\d.e]+)|V([-\d.]+)", path) for y in y if y)


def ticks(root):
    found = of_class(root, "tick")
    return (
        [(each.text, float(each.get("x"))) for each in found if each.get("text-anchor") == "middle"],
        [(each.text, float(each.get("y")) - 4) for each in found if each.get("text-anchor") == "end"],
    )


def line(*points, **how):
    return Chart("t", "x", "y", [Series("s", [Point(*each) for each in points])], **how)


@unhurried
@given(charts())
@example(line())
@example(Chart("", "", "", []))
@example(line((1, 1)))
@example(line((5, 0.5), (5, 0.5), (5, 0.5)))
@example(line((-LARGEST, LARGEST, -LARGEST, LARGEST), (LARGEST, 0)))
@example(line((5e-324, 5e-324), (1e-323, 1e-323), is_log_x=True))
@example(line((5e-324, 0), (LARGEST, 0), is_log_x=True, kind="scatter"))
@example(line((1e15, 1), (1e15 + 1, 1 + 1e-9)))
def test_every_value_lies_inside_the_plot(chart):
    root = drawn(chart)
    left, top, right, bottom = plot(root)
    assert right - left > 200
    assert bottom - top >= 200
    found = places(root)
    assert len(found) == sum(len(series.points) for series in chart.series)
    for x, y in found:
        assert left - NEAR <= x <= right + NEAR
        assert top - NEAR <= y <= bottom + NEAR
    assert all(top - NEAR <= y <= bottom + NEAR for y in ys_of_intervals(root))
    assert not re.search(r'="[^"]*\b(?:nan|inf)\b', re.sub(r"<(title|desc|text)\b.*", "", svg(chart)))


@unhurried
@given(charts())
@example(chart_samples.hostile())
def test_text_never_becomes_markup(chart):
    root = drawn(chart)
    assert {each.tag.removeprefix(SPACE) for each in root.iter()} <= KNOWN
    assert {name for each in root.iter() for name in each.attrib} <= ATTRIBUTES
    assert "<script" not in svg(chart)


@unhurried
@given(charts())
def test_larger_values_are_further_right_and_higher_up(chart):
    series = [each for each in chart.series if each.points][:1]
    chart = Chart("", "", "", series, chart.is_log_x, chart.y_range, chart.kind)
    found = list(zip((point for each in series for point in each.points), places(drawn(chart)), strict=True))
    for one, (x, y) in found:
        for other, (other_x, other_y) in found:
            assert one.x >= other.x or x <= other_x
            assert one.y >= other.y or y >= other_y


@unhurried
@given(charts())
def test_ticks_are_apart_and_where_they_say(chart):
    root = drawn(chart)
    left, top, right, bottom = plot(root)
    along, up = ticks(root)
    for (_, before), (_, after) in pairwise(along):
        assert after - before > 8
    assert all(left - NEAR <= x <= right + NEAR for _, x in along)
    assert all(top - NEAR <= y <= bottom + NEAR for _, y in up)
    assert len(up) >= 2
    assert len({text for text, _ in up}) == len(up)
    numbers = [(float(text.replace(",", "")), y) for text, y in up]
    (low, at_low), (high, at_high) = numbers[0], numbers[-1]
    for value, y in numbers:
        share = (value / 2 - low / 2) / (high / 2 - low / 2)
        assert math.isclose(y, at_low + share * (at_high - at_low), abs_tol=1.5)


@unhurried
@given(charts())
def test_the_table_has_every_point(chart):
    head, *body = rows(chart)
    points = [point for series in chart.series for point in series.points]
    assert len(body) == len(points)
    assert all(len(row) == len(head) for row in body)
    for row, point in zip(body, points, strict=True):
        assert number(point.x) in row
        assert number(point.y) in row


def test_a_log_axis_has_equal_ratios_at_equal_distances():
    chart = line(*((2.0**exponent, 0.5) for exponent in range(7)), is_log_x=True)
    xs = [x for x, _ in places(drawn(chart))]
    gaps = [after - before for before, after in pairwise(xs)]
    assert max(gaps) - min(gaps) < 0.25
    along, _ = ticks(drawn(chart))
    assert [text for text, _ in along] == ["1", "2", "4", "8", "16", "32", "64"]
    assert [x for _, x in along] == xs


def test_a_log_axis_of_many_values_has_round_ticks():
    chart = line(*((1.7**exponent * 70, 0.5) for exponent in range(14)), is_log_x=True, kind="scatter")
    labels = [text for text, _ in ticks(drawn(chart))[0]]
    assert labels == ["100", "200", "500", "1,000", "2,000", "5,000", "10k", "20k", "50k"]


@pytest.mark.parametrize("x", [0, -1, 0.0, -5e-324])
def test_zero_is_refused_on_a_log_axis(x):
    with pytest.raises(
        UserError, match=r"the chart 't', series 's': x = .* has no place on a log axis"
    ) as found:
        svg(line((x, 1), is_log_x=True))
    assert "is_log_x=False" in found.value.hint


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e301])
@pytest.mark.parametrize("at", range(4))
def test_what_is_no_number_is_refused(value, at):
    point = [1.0, 1.0, 1.0, 1.0]
    point[at] = value
    with pytest.raises(UserError, match="cannot be drawn"):
        svg(line(point))
    with pytest.raises(UserError, match="range"):
        svg(line((1, 1), y_range=(0, value)))


def test_the_range_is_kept_and_widened_only_for_values():
    _, up = ticks(drawn(line((1, 0.4), y_range=(0, 1))))
    assert (up[0][0], up[-1][0]) == ("0.0", "1.0")
    root = drawn(line((1, 0.4, 0.3, 1.5), y_range=(0, 1)))
    assert min(ys_of_intervals(root)) == pytest.approx(plot(root)[1])


def test_intervals_are_bands_for_few_lines_and_whiskers_for_many():
    few, many = drawn(chart_samples.by_length(3)), drawn(chart_samples.by_length(5))
    assert len(of_class(few, "interval")) == 3
    assert len(of_class(many, "interval")) == 5 * len(chart_samples.LENGTHS)
    at_first = [x for x, _ in places(many)][:: len(chart_samples.LENGTHS)]
    assert len(set(at_first)) == 5
    assert max(at_first) - min(at_first) < 30


def test_series_differ_in_colour_and_in_shape():
    names = [f"mode {index}" for index in range(len(COLOURS) * len(MARKERS))]
    chart = Chart("t", "x", "y", [Series(name, [Point(1, 1), Point(2, 2)]) for name in names])
    root = drawn(chart)
    looks = [
        (group.get("color"), mark.get("d"))
        for group in root.iter(f"{SPACE}g")
        for mark in of_class(group, "sample")
    ]
    assert len(set(looks)) == len(looks) == len(names)
    assert set(names) <= {each.text for each in root.iter(f"{SPACE}text")}


def test_every_point_of_a_scatter_is_named_beside_it():
    root = drawn(chart_samples.cost())
    assert [each.text for each in of_class(root, "label")] == list(chart_samples.ACCURACY)
    assert of_class(root, "sample") == []
    tops = sorted((float(each.get("y")), float(each.get("x"))) for each in of_class(root, "label"))
    assert len(set(tops)) == len(tops)


def test_points_too_close_to_be_named_beside_them_have_a_legend():
    series = [Series(f"a mode with a long name {at}", [Point(100 + at, 0.9)]) for at in range(9)]
    root = drawn(Chart("t", "x", "y", series, kind="scatter", y_range=(0, 1)))
    assert of_class(root, "label") == []
    assert len(of_class(root, "sample")) == len(series)
    assert {each.name for each in series} <= {each.text for each in root.iter(f"{SPACE}text")}


def test_it_is_said_what_a_chart_is():
    root = drawn(chart_samples.by_length(1))
    assert root.get("role") == "img"
    named = {each.get("id"): each.text for each in root if each.get("id")}
    assert named[root.get("aria-labelledby")] == "Accuracy by length"
    assert named[root.get("aria-describedby")] == (
        "Lines: accuracy by steps of the trace on a log axis. free actions: 0.970 at 4 to 0.120 at 64."
    )
    assert "no values" in [each.text for each in drawn(line()).iter(f"{SPACE}text")]


def test_colours_can_be_read_on_white():
    for colour in (*COLOURS, "#586170", "#1e2329"):
        shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (((each + 0.055) / 1.055) ** 2.4 for each in shares)
        assert 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) > 4.5, colour


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (12345, "12,345"),
        (0.97, "0.970"),
        (1234.56, "1,234.6"),
        (0.00012, "0.00012"),
        (0.05, "0.050"),
        (None, ""),
    ],
)
def test_numbers_can_be_read(value, text):
    assert number(value) == text
