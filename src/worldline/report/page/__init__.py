"""This folder is the report as one HTML file: a set of diagnoses, and each trace to step through."""

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
from worldline.report.page.data import page_data

__all__ = ["page_data", "page_html", "write_page"]

SCRIPTS = (
    *("data.js", "elements.js", "differences.js", "highlight.js", "timeline.js", "address.js"),
    *("overview.js", "list.js", "source.js", "state.js", "explanation.js", "trace.js", "keys.js", "start.js"),
)
STYLES = ("colours.css", "page.css", "overview.css", "trace.css", "panels.css")

_PLACE = re.compile(r"\{\{(\w+)\}\}")
_ACTIVE_IN_HTML = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


def write_page(diagnoses: Sequence[Diagnosis], path: Path, title: str) -> None:
    """Write one HTML file that needs nothing else: no network, no further files."""
    text = page_html(diagnoses, title)
    try:
        path.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        hint = "give a file in a folder that is there and can be written to"
        raise UserError(f"{path} cannot be written: {error.strerror}", hint) from None


def page_html(diagnoses: Sequence[Diagnosis], title: str) -> str:
    """The page as text. All that programs and models wrote is in one block of JSON, which is never run."""
    script = f'(() => {{\n"use strict";\n{_assets(SCRIPTS)}}})();'
    parts = {
        "title": html.escape(title),
        "policy": _policy(script),
        "style": _assets(STYLES),
        "script": script,
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
