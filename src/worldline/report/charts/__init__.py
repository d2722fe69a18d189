"""This folder is the charts: what one shows, and how it becomes an SVG that needs nothing else.

The colours are plain attributes that look right on white in any viewer, with classes by which the style of
the page (`page/assets/scores.css`) puts its own in their place. No script, no font, no link.
"""

from worldline.report.charts.axes import axes, plot_of
from worldline.report.charts.marks import legend, marks
from worldline.report.charts.model import Chart, Point, Series, check, described, number, rows
from worldline.report.charts.text import HEIGHT, MARGIN, WIDTH, escaped, words, wrapped

__all__ = ["Chart", "Point", "Series", "described", "number", "rows", "svg"]

LEAST_PLOT = 200
FONTS = "system-ui, -apple-system, Segoe UI, Roboto, Noto Sans, DejaVu Sans, sans-serif"


def svg(chart: Chart, name: str = "chart") -> str:
    """The chart as SVG; `name` tells it from others in the same page.

    Raises:
        UserError: a value is no number, is too large to be drawn, or is not above zero on a log axis.
    """
    check(chart)
    room = WIDTH - 2 * MARGIN
    titles, notes = wrapped(chart.title, 16.5, room), wrapped(chart.note, 11.5, room)
    keys, key_rows = legend(chart, 12 + 20 * len(titles))
    top = 12 + 20 * (len(titles) + key_rows) + 30
    below = 48 + (8 + 16 * len(notes) if notes else 0)
    height = max(HEIGHT, top + LEAST_PLOT + below)
    plot = plot_of(chart, top, height - below)
    label = escaped(name)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" role="img" aria-labelledby="{label}-title" '
        f'aria-describedby="{label}-desc" color="#1e2329" font-size="12" font-family="{FONTS}">',
        f'<title id="{label}-title">{escaped(chart.title) or "Chart"}</title>',
        f'<desc id="{label}-desc">{escaped(described(chart))}</desc>',
        f'<rect class="paper" width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        *(
            words(MARGIN, 26 + 20 * row, line, 'font-size="15" font-weight="600"')
            for row, line in enumerate(titles)
        ),
        *keys,
        *axes(chart, plot),
        *marks(chart, plot, key_rows > 0),
        '<g class="soft" color="#586170" font-size="11.5">',
        *(words(MARGIN, height - 10 - 16 * row, line) for row, line in enumerate(reversed(notes))),
        "</g>",
        "</svg>\n",
    ]
    return "\n".join(parts)
