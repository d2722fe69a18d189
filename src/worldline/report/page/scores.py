"""This file is the scores of a benchmark run on the page: charts, their numbers, and the facts of the run."""

from collections.abc import Sequence

from worldline.report.charts import Chart, rows, svg
from worldline.report.charts.text import escaped

Facts = Sequence[tuple[str, str]]
"""Names and values: model, benchmark, seed, hash of the data, versions, command, isolation."""


def scores_html(charts: Sequence[Chart], facts: Facts) -> str:
    """The section as markup; empty where there is nothing to show."""
    if not charts and not facts:
        return ""
    figures = "".join(_figure(chart, f"chart-{index}") for index, chart in enumerate(charts, 1))
    parts = [
        '\n<section class="scores" aria-labelledby="scores-title">',
        '<h2 id="scores-title">Scores</h2>',
        f'<div class="charts">\n{figures}</div>' if charts else "",
        _facts(facts) if facts else "",
        "</section>\n",
    ]
    return "\n".join(filter(None, parts))


def _figure(chart: Chart, name: str) -> str:
    """A chart and its numbers. The box can be scrolled by keys where the screen is narrow."""
    title = escaped(chart.title)
    return (
        f'<figure class="chart-card"><div class="chart-box" tabindex="0" role="group" aria-label="{title}">\n'
        f"{svg(chart, name)}</div>\n{_numbers(chart)}</figure>\n"
    )


def _numbers(chart: Chart) -> str:
    head, *body = rows(chart)
    heads = "".join(_cell(each, 'th scope="col"') for each in head)
    lines = "\n".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in body)
    return (
        f'<details class="numbers"><summary>The numbers<span class="sr"> of: {escaped(chart.title)}</span>'
        f"</summary>\n<table><thead><tr>{heads}</tr></thead>\n<tbody>\n{lines}\n</tbody></table></details>\n"
    )


def _cell(text: str, tag: str = "td") -> str:
    """A cell; what is short stays in one line."""
    short = ' class="short"' if len(text) < 12 else ""
    return f"<{tag}{short}>{escaped(text)}</{tag[:2]}>"


def _facts(facts: Facts) -> str:
    lines = "\n".join(
        f'<tr><th scope="row">{escaped(name)}</th><td>{escaped(value)}</td></tr>' for name, value in facts
    )
    return (
        '<div class="facts-head"><h3 id="facts-title">How it was run</h3>'
        '<button type="button" class="quiet" id="copy-facts">Copy</button>'
        '<span role="status" id="copied" class="hint"></span></div>\n'
        '<table class="run-facts" id="facts" aria-labelledby="facts-title">'
        f"<tbody>\n{lines}\n</tbody></table>"
    )
