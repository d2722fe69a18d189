"""This file is the axes of a chart: where values are in the drawing, and the ticks."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from worldline.report.charts.model import Chart, number
from worldline.report.charts.text import MARGIN, WIDTH, shortened, width_of, words

INSET = 18
"""Room left and right of the outermost points."""
MOST_BANDS = 3
"""With more lines than this, intervals are whiskers: bands on top of each other tell nothing."""
MOST_OWN_TICKS = 12

_TINY = 1e-290

Ticks = list[tuple[float, str]]


@dataclass(frozen=True, slots=True)
class Axis:
    """A scale. The bounds of a log axis are exponents."""

    low: float
    high: float
    start: float
    end: float
    is_log: bool = False

    def place(self, value: float) -> float:
        """Where a value is in the drawing."""
        scaled = math.log10(value) if self.is_log else value
        return self.start + (scaled - self.low) / (self.high - self.low) * (self.end - self.start)


@dataclass(frozen=True, slots=True)
class Box:
    """A part of the drawing."""

    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: "Box") -> float:
        """The area that both cover."""
        if self.left >= other.right or other.left >= self.right:
            return 0.0
        wide = min(self.right, other.right) - max(self.left, other.left)
        return wide * max(min(self.bottom, other.bottom) - max(self.top, other.top), 0.0)


@dataclass(frozen=True, slots=True)
class Plot:
    """The area between the axes, and the axes."""

    box: Box
    x: Axis
    y: Axis
    shifts: tuple[float, ...]  # of each series, so that whiskers stand side by side


def plot_of(chart: Chart, top: float, bottom: float) -> Plot:
    """The plot of a chart between two heights."""
    points = [point for series in chart.series for point in series.points]
    values = [each for point in points for each in (point.y, point.low, point.high) if each is not None]
    low, high = _bounds([*values, *(chart.y_range or ())])
    if chart.y_range is None:
        step = _step(high - low, 5)
        low, high = math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
        low, high = min([low, *values]), max([high, *values])
    left = MARGIN + 8 + math.ceil(max((width_of(label) for _, label in _even(low, high, 5)), default=0))
    xs = [math.log10(point.x) if chart.is_log_x else point.x for point in points]
    x = Axis(*_bounds(xs, chart.is_log_x), left + INSET, WIDTH - MARGIN - INSET, chart.is_log_x)
    return Plot(Box(left, top, WIDTH - MARGIN, bottom), x, Axis(low, high, bottom, top), _shifts(chart, x))


def has_bands(chart: Chart) -> bool:
    """Whether intervals are bands around the lines."""
    return chart.kind == "lines" and len(chart.series) <= MOST_BANDS


def path(kind: str, places: Sequence[tuple[float, float]], attributes: str) -> str:
    """A line through places."""
    line = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    return f'<path class="{kind}" d="M{line}" fill="none" {attributes}/>'


def axes(chart: Chart, plot: Plot) -> Iterator[str]:
    """Grid, ticks and titles."""
    box = plot.box
    size = f'width="{box.right - box.left:.1f}" height="{box.bottom - box.top:.1f}"'
    yield f'<rect class="plot" x="{box.left:.1f}" y="{box.top:.1f}" {size} fill="none"/>'
    yield '<g class="soft" color="#586170">'
    for value, label in _even(plot.y.low, plot.y.high, 5):
        y = plot.y.place(value)
        yield path("grid", [(box.left, y), (box.right, y)], 'stroke="#e2dfd7"')
        yield words(box.left - 8, y + 4, label, 'class="tick" text-anchor="end"')
    yield path("axis", [(box.left, box.bottom), (box.right, box.bottom)], 'stroke="currentColor"')
    for value, label in _x_ticks(chart, plot.x):
        x = plot.x.place(value)
        yield path("axis", [(x, box.bottom), (x, box.bottom + 5)], 'stroke="currentColor"')
        yield words(x, box.bottom + 18, label, 'class="tick" text-anchor="middle"')
    yield "</g>"
    yield words(MARGIN, box.top - 12, shortened(chart.y_title, WIDTH - 2 * MARGIN))
    x_title = shortened(chart.x_title, box.right - box.left - 70) + (" (log axis)" if chart.is_log_x else "")
    yield words((box.left + box.right) / 2, box.bottom + 36, x_title, 'text-anchor="middle"')


def _bounds(values: Sequence[float], is_log: bool = False) -> tuple[float, float]:
    """The ends of an axis: apart from each other, whatever the values are."""
    if not values:
        return 0.0, 1.0
    low, high = min(values), max(values)
    if high - low > max(1e-10 * max(abs(low), abs(high)), _TINY):
        return low, high
    room = 0.3 if is_log else max(abs(low), abs(high)) / 2
    return (low - room, high + room) if room > _TINY else (low - 1, high + 1)


def _shifts(chart: Chart, x: Axis) -> tuple[float, ...]:
    """How far each series stands beside its place: a few pixels, where whiskers would hide each other."""
    count = len(chart.series)
    if chart.kind == "scatter" or has_bands(chart):
        return (0.0,) * count
    places = sorted({x.place(point.x) for series in chart.series for point in series.points})
    apart = min((right - left for left, right in pairwise(places)), default=INSET)
    gap = min(5.0, min(apart / 2, 2 * INSET - 8) / count)
    return tuple(gap * (index - (count - 1) / 2) for index in range(count))


def _step(span: float, count: int) -> float:
    """The round number that parts a span into about so many."""
    power = 10.0 ** math.floor(math.log10(span / count))
    return next(each * power for each in (1, 2, 2.5, 5, 10) if each * power * 1.001 >= span / count)


def _even(low: float, high: float, count: int) -> Ticks:
    """Round numbers between two bounds, and how they are written."""
    step = _step(high - low, count)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    values = [index * step for index in range(first, last + 1)]
    largest = max((abs(value) for value in values), default=0.0)
    if step >= 1e-6 and largest < 1e7:
        decimals = next(each for each in range(10) if math.isclose(round(step, each), step, rel_tol=1e-3))
        return [(value, f"{value:,.{decimals}f}") for value in values]
    digits = min(max(math.ceil(math.log10(largest / step)) + 2, 2), 17) if largest else 1
    return [(value, f"{value:.{digits}g}") for value in values]


def _powers(axis: Axis, factors: Sequence[int], stride: int = 1) -> Ticks:
    exponents = [each for each in range(math.floor(axis.low), math.ceil(axis.high) + 1) if each % stride == 0]
    values = [factor * 10.0**exponent for exponent in exponents for factor in factors]
    places = [(value, math.log10(value)) for value in values if value]
    return [(value, _power(value)) for value, at in places if axis.low - 1e-9 <= at <= axis.high + 1e-9]


def _power(value: float) -> str:
    if value >= 1e9 or value < 1e-3:
        return f"{value:.0e}".replace("e+", "e")
    return f"{value / 1e6:g}M" if value >= 1e6 else f"{value / 1e3:g}k" if value >= 1e4 else f"{value:,g}"


def _x_ticks(chart: Chart, axis: Axis) -> Ticks:
    """The places of the points where these are few, else round numbers, as many as have room."""
    own = sorted({point.x for series in chart.series for point in series.points})
    if not own:
        return []
    tries: list[Ticks] = []
    if (chart.kind == "lines" and len(own) <= MOST_OWN_TICKS) or len(own) == 1:
        tries.append([(value, number(value)) for value in own])
    if axis.is_log:
        tries += [_powers(axis, (1, 2, 5)), *(_powers(axis, (1,), each) for each in (1, 2, 5, 10, 50, 100))]
    low, high = (10.0**axis.low, 10.0**axis.high) if axis.is_log else (axis.low, axis.high)
    if high - low > _TINY and (not axis.is_log or axis.high - axis.low < 1):
        tries += [_even(low, high, count) for count in (6, 4, 2)]
    tries.append([(value, number(value)) for value in own[:1]])
    return next((each for each in tries if len(each) > 1 and _have_room(axis, each)), tries[-1])


def _have_room(axis: Axis, ticks: Ticks) -> bool:
    spans = [(axis.place(value), width_of(label) / 2 + 4) for value, label in ticks]
    return all(left + room < right - other for (left, room), (right, other) in pairwise(spans))
