"""This file is what stands in a chart for its values: markers, lines, intervals and names.

Series are told apart by colour, by the shape of the marker and by the dashes of the line.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from worldline.report.charts.axes import Box, Plot, has_bands, path, plot_of
from worldline.report.charts.model import Chart, Point, Series, number
from worldline.report.charts.text import HEIGHT, MARGIN, WIDTH, escaped, shortened, width_of, words

COLOURS = ("#0b62b0", "#b85500", "#00795c", "#a8357c", "#5b4bb5", "#7a5c00")
MARKERS = (
    "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z",  # circle
    "M-4 -4h8v8h-8z",  # square
    "M0 -5.2L5 3.8H-5z",  # triangle
    "M0 -5.8L5.8 0L0 5.8L-5.8 0z",  # diamond
    "M0 5.2L5 -3.8H-5z",  # triangle on its tip
    "M-1.8 -5.2h3.6v3.4h3.4v3.6h-3.4v3.4h-3.6v-3.4h-3.4v-3.6h3.4z",  # plus
    "M-5 -4.5L0 -1.2L5 -4.5V4.5L0 1.2L-5 4.5z",  # bow tie
)
DASHES = ("", "7 3", "2 3", "9 3 2 3")

_WAYS = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (-1, -1), (-1, 1))
_FAR = (0, 12, 26, 42, 60)
_LONGEST_LABEL = 250
MOST_LABELS = 30
"""Names beside points; more would hide each other. Those left out are in the table and under the pointer."""


@dataclass(frozen=True, slots=True)
class _Spot:
    """A point at its place."""

    index: int  # of its series
    point: Point
    x: float
    y: float
    ends: tuple[float, ...]  # of its interval, from below
    label: str


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a name stands."""

    spot: _Spot
    text: str
    box: Box
    is_good: bool  # close by, and nothing is hidden


def legend(chart: Chart, top: float) -> tuple[list[str], int]:
    """The names beside their marks, and how many rows that takes; none where points are named themselves."""
    is_alone = chart.kind == "scatter" and len(chart.series) == 1
    named = [(at, each) for at, each in enumerate(chart.series) if each.name.strip()]
    if is_alone or (all(_is_direct(chart, each) for _, each in named) and _names_fit(chart, top)):
        return [], 0
    parts: list[str] = []
    x, row = float(MARGIN), 0
    for index, series in named:
        name = shortened(series.name, WIDTH - 2 * MARGIN - 36)
        wide = 36 + width_of(name)
        if x > MARGIN and x + wide > WIDTH - MARGIN:
            x, row = float(MARGIN), row + 1
        y = top + 12 + 20 * row
        parts.append(_group(index))
        if chart.kind == "lines":
            parts.append(path("line", [(x, y), (x + 26, y)], _stroke(index)))
        parts += [_marker(index, x + 13, y, "sample"), "</g>", words(x + 32, y + 4, name)]
        x += wide + 16
    return parts, row + 1


def marks(chart: Chart, plot: Plot, has_legend: bool) -> Iterator[str]:
    """All values: intervals at the bottom, names on top."""
    spots = _spots(chart, plot, has_legend)
    everything = [spot for each in spots for spot in each]
    if not everything:
        middle = (plot.box.left + plot.box.right) / 2, (plot.box.top + plot.box.bottom) / 2
        yield words(*middle, "no values", 'text-anchor="middle"')
    for index, each in enumerate(spots):
        yield _group(index)
        is_band = has_bands(chart) and len(each) > 1 and all(len(spot.ends) == 2 for spot in each)
        yield from [_band(each)] if is_band else (_whisker(spot) for spot in each if spot.ends)
        yield "</g>"
    for index, each in enumerate(spots):
        yield _group(index)
        if chart.kind == "lines" and len(each) > 1:
            yield path("line", [(spot.x, spot.y) for spot in each], _stroke(index))
        yield from (_marker(index, spot.x, spot.y, "point", _told(chart, spot)) for spot in each)
        yield "</g>"
    yield from _labels(everything, plot)


def _spots(chart: Chart, plot: Plot, has_legend: bool) -> list[list[_Spot]]:
    """The points of each series. What the legend says is not said again."""
    found = []
    for index, series in enumerate(chart.series):
        is_direct = _is_direct(chart, series)
        name = "" if has_legend else series.name
        found.append([_spot(plot, index, each, name if is_direct else each.label) for each in series.points])
    return found


def _spot(plot: Plot, index: int, point: Point, label: str) -> _Spot:
    bounds = sorted(each for each in (point.low, point.high) if each is not None)
    if len(bounds) == 1:
        bounds = sorted([*bounds, point.y])
    x = plot.x.place(point.x) + plot.shifts[index]
    return _Spot(index, point, x, plot.y.place(point.y), tuple(map(plot.y.place, bounds)), label)


def _names_fit(chart: Chart, top: float) -> bool:
    """Whether every point can be named close by, in a plot of about the size it will have."""
    plot = plot_of(chart, top + 30, HEIGHT - 60)
    spots = [spot for each in _spots(chart, plot, has_legend=False) for spot in each]
    return all(place.is_good for place in _places(spots, plot.box)) and len(spots) <= MOST_LABELS


def _is_direct(chart: Chart, series: Series) -> bool:
    """Whether the series is named where its only point is."""
    if chart.kind != "scatter" or len(series.points) != 1:
        return False
    return series.points[0].label.strip() in ("", series.name.strip())


def _group(index: int) -> str:
    """The start of all that belongs to a series: what is in it is drawn in its colour."""
    colour = index % len(COLOURS)
    return f'<g class="colour-{colour}" color="{COLOURS[colour]}">'


def _stroke(index: int) -> str:
    dash = DASHES[index % len(DASHES)]
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'stroke="currentColor" stroke-width="2" stroke-linejoin="round"{dashes}'


def _marker(index: int, x: float, y: float, kind: str, told: str = "") -> str:
    inner = f"><title>{escaped(told)}</title></path>" if told else "/>"
    place = f'transform="translate({x:.1f} {y:.1f})" d="{MARKERS[index % len(MARKERS)]}"'
    return f'<path class="{kind}" {place} fill="currentColor" stroke="#ffffff"{inner}'


def _told(chart: Chart, spot: _Spot) -> str:
    """What is shown when the pointer rests on a marker."""
    point = spot.point
    name = ", ".join(filter(None, dict.fromkeys((chart.series[spot.index].name, point.label))))
    sure = [number(each) for each in (point.low, point.high) if each is not None]
    interval = f" (95 %: {' to '.join(sure)})" if len(sure) == 2 else ""
    return f"{name}: {number(point.y)} at {number(point.x)}{interval}".removeprefix(": ")


def _band(spots: list[_Spot]) -> str:
    outline = [(spot.x, spot.ends[0]) for spot in spots] + [(spot.x, spot.ends[1]) for spot in spots[::-1]]
    line = "L".join(f"{x:.1f} {y:.1f}" for x, y in outline)
    return f'<path class="interval" d="M{line}z" fill="currentColor" fill-opacity="0.13"/>'


def _whisker(spot: _Spot) -> str:
    x, low, high = spot.x, *spot.ends
    caps = "".join(f"M{x - 3.5:.1f} {y:.1f}h7" for y in (low, high))
    line = f"M{x:.1f} {low:.1f}V{high:.1f}{caps}"
    return f'<path class="interval" d="{line}" fill="none" stroke="currentColor" stroke-opacity="0.65"/>'


def _labels(spots: list[_Spot], plot: Plot) -> Iterator[str]:
    """Each name where it hides least; a thin line leads to one that is further away."""
    for place in _places(spots, plot.box):
        spot, box = place.spot, place.box
        near = min(max(spot.x, box.left), box.right), min(max(spot.y, box.top), box.bottom)
        if abs(near[0] - spot.x) + abs(near[1] - spot.y) > 20:
            leader = path("leader", [(spot.x, spot.y), near], 'stroke="currentColor" stroke-opacity="0.6"')
            yield f"{_group(spot.index)}{leader}</g>"
        x, anchor = _anchored(spot, box)
        yield words(x, box.bottom - 4, place.text, f'class="label" text-anchor="{anchor}"')


def _places(spots: list[_Spot], room: Box) -> Iterator[_Place]:
    taken = [Box(spot.x - 6, spot.y - 6, spot.x + 6, spot.y + 6) for spot in spots]
    taken += [Box(spot.x - 3, spot.ends[1], spot.x + 3, spot.ends[0]) for spot in spots if spot.ends]
    named = [(spot, text) for spot in spots if (text := shortened(spot.label, _LONGEST_LABEL))]
    for spot, text in named[:MOST_LABELS]:
        place = _free(spot, text, taken, room)
        taken.append(place.box)
        yield place


def _anchored(spot: _Spot, box: Box) -> tuple[float, str]:
    """Where a name is held: at the side of its point, as its width is only about right."""
    if box.left >= spot.x:
        return box.left, "start"
    return (box.right, "end") if box.right <= spot.x else ((box.left + box.right) / 2, "middle")


def _free(spot: _Spot, text: str, taken: list[Box], room: Box) -> _Place:
    """The nearest place where nothing is hidden, else the one that hides least and sticks out least."""
    wide = width_of(text)
    best, least = _beside(spot, wide, _WAYS[0], 0), math.inf
    for far in _FAR:
        for way in _WAYS:
            box = _beside(spot, wide, way, far)
            outside = (box.right - box.left) * (box.bottom - box.top) - box.overlap(room)
            cost = 2 * outside + sum(map(box.overlap, taken))
            if cost < least - 0.1:
                best, least = box, cost
        if least < 1:
            return _Place(spot, text, best, is_good=far == _FAR[0])
    return _Place(spot, text, best, is_good=False)


def _beside(spot: _Spot, wide: float, way: tuple[int, int], far: float) -> Box:
    x = spot.x + way[0] * (9 + wide / 2 + far)
    y = spot.y + way[1] * (16 + far)
    return Box(x - wide / 2, y - 8, x + wide / 2, y + 8)
