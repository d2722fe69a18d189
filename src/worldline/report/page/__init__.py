"""This folder is the report as one HTML file: a set of diagnoses, and each trace to step through.

A page about a benchmark run has its scores on top: charts, and the facts by which it can be run again.
"""

import base64
import hashlib
import html
import json
import re
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from worldline.diagnose.model import Diagnosis
from worldline.errors import UserError
from worldline.report.charts import Chart
from worldline.report.page.data import page_data
from worldline.report.page.scores import Facts, scores_html

__all__ = ["page_data", "page_html", "write_page"]

SCRIPTS = (
    *("data.js", "elements.js", "differences.js", "highlight.js", "timeline.js", "address.js"),
    *("overview.js", "list.js", "source.js", "state.js", "explanation.js", "trace.js", "keys.js", "start.js"),
)
SCORES_SCRIPTS = ("scores.js",)
STYLES = ("colours.css", "page.css", "overview.css", "trace.css", "panels.css")
SCORES_STYLES = ("scores.css",)

_PLACE = re.compile(r"\{\{(\w+)\}\}")
_ACTIVE_IN_HTML = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


def write_page(
    diagnoses: Sequence[Diagnosis], path: Path, title: str, charts: Sequence[Chart] = (), facts: Facts = ()
) -> None:
    """Write one HTML file that needs nothing else: no network, no further files."""
    text = page_html(diagnoses, title, charts, facts)
    try:
        path.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        hint = "give a file in a folder that is there and can be written to"
        raise UserError(f"{path} cannot be written: {error.strerror}", hint) from None


def page_html(
    diagnoses: Sequence[Diagnosis], title: str, charts: Sequence[Chart] = (), facts: Facts = ()
) -> str:
    """The page as text.

    All that programs and models wrote is in one block of JSON, which is never run; the names in charts and
    facts are markup's text, escaped. Without either, the page has nothing of the scores.
    """
    scores = scores_html(charts, facts)
    script = _assets((*SCRIPTS, *(SCORES_SCRIPTS if scores else ())))
    script = f'(() => {{\n"use strict";\n{script}}})();'
    parts = {
        "title": html.escape(title),
        "policy": _policy(script),
        "style": _assets((*STYLES, *(SCORES_STYLES if scores else ()))),
        "script": script,
        "scores": scores,
        "data": embedded(page_data(diagnoses, title)),
    }
    return _PLACE.sub(lambda match: parts[match[1]], _assets(("page.html",)))


def embedded(data: Any) -> str:
    """JSON in ASCII in which nothing can end the block it stands in."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return re.sub("[<>&]", lambda match: _ACTIVE_IN_HTML[match[0]], text)


def _policy(script: str) -> str:
    """What the browser may do: run this script and nothing else, load nothing."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        "base-uri 'none'; form-action 'none'"
    )


def _assets(names: Sequence[str]) -> str:
    folder = files(__name__) / "assets"
    return "".join((folder / name).read_text(encoding="utf-8") for name in names)
