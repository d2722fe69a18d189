"""This file is the nouns of a chart, and what it says in words and as a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from worldline.errors import UserError

LARGEST = 1e300
"""What lies further from zero is refused: the ends of an axis must not overflow."""


@dataclass(frozen=True, slots=True)
class Point:
    """One value, and its 95 % interval."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """Points that belong together."""

    name: str
    points: Sequence[Point]


@dataclass(frozen=True, slots=True)
class Chart:
    """What is drawn. The y axis holds `y_range` and every value: nothing is cut off."""

    title: str
    x_title: str
    y_title: str
    series: Sequence[Series]
    is_log_x: bool = False  # then every x must be above zero
    y_range: tuple[float, float] | None = None  # None: as the values need it
    kind: Literal["lines", "scatter"] = "lines"
    note: str = ""  # below the chart


def check(chart: Chart) -> None:
    """Refuse what has no place on the axes."""
    where = f"the chart {chart.title!r}"
    for series in chart.series:
        for point in series.points:
            for value in (point.x, point.y, point.low, point.high):
                if value is not None and not abs(value) <= LARGEST:
                    hint = "leave the point out, or give it a number"
                    raise UserError(f"{where}, series {series.name!r}: {value} cannot be drawn", hint)
            if chart.is_log_x and point.x <= 0:
                what = f"{where}, series {series.name!r}: x = {number(point.x)} has no place on a log axis"
                raise UserError(what, "leave the point out, or draw it with is_log_x=False")
    if chart.y_range is not None and not all(abs(bound) <= LARGEST for bound in chart.y_range):
        raise UserError(f"{where}: the range {chart.y_range} cannot be drawn", "give two finite numbers")


def described(chart: Chart) -> str:
    """The chart in a few sentences."""
    drawn = {"lines": "Lines", "scatter": "Points"}[chart.kind]
    axis = " on a log axis" if chart.is_log_x else ""
    told = [f"{drawn}: {chart.y_title} by {chart.x_title}{axis}."]
    for series in chart.series:
        if series.points:
            ends = [series.points[0], series.points[-1]][: len(series.points)]
            values = " to ".join(f"{number(end.y)} at {number(end.x)}" for end in ends)
            told.append(f"{series.name or 'The points'}: {values}.")
    return " ".join(told)


def rows(chart: Chart) -> list[tuple[str, ...]]:
    """The numbers as a table, its head first; what no point has gets no column."""
    points = [(series.name, point) for series in chart.series for point in series.points]
    columns = {
        "series": [name for name, _ in points],
        "label": [point.label for _, point in points],
        "x": [number(point.x) for _, point in points],
        "y": [number(point.y) for _, point in points],
        "95 % from": [number(point.low) for _, point in points],
        "95 % to": [number(point.high) for _, point in points],
    }
    kept = [name for name, cells in columns.items() if name in ("x", "y") or any(cells)]
    titles = {"x": chart.x_title or "x", "y": chart.y_title or "y"}
    return [
        tuple(titles.get(name, name) for name in kept),
        *zip(*(columns[name] for name in kept), strict=True),
    ]


def number(value: float | None) -> str:
    """A number to be read: three digits or more, and none for nothing."""
    if value is None:
        return ""
    size = abs(value)
    if value == round(value) and size < 1e15:
        return f"{value:,.0f}"
    if size >= 1e9 or size < 0.01:
        return f"{value:.4g}"
    return f"{value:,.1f}" if size >= 100 else f"{value:.3f}"
