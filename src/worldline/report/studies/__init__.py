"""This folder is the pages of studies: what was compared, in tables and charts, and what follows from it.

Every sentence that states a result is made from the outcomes.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from worldline import plugins
from worldline.learn.studies.grid import Outcome, Study
from worldline.report.charts import svg
from worldline.report.studies.parts import Made, Page

__all__ = ["PAGES", "Made", "Page", "page_of", "write_page"]

ENTRY_POINTS = "worldline.study_pages"

PAGES = {
    "reveals": "worldline.report.studies.reveals:page",
    "strings": "worldline.report.studies.strings:page",
}
"""Each names a function `(study, outcomes, made) -> Page`."""


def page_of(study: Study, outcomes: Sequence[Outcome], made: Made) -> Page:
    """The page of a study."""
    make: Callable[[Study, Sequence[Outcome], Made], Page] = plugins.load(PAGES, ENTRY_POINTS, study.name)
    return make(study, outcomes, made)


def write_page(page: Page, path: Path) -> None:
    """Write a page, and its charts beside it as NAME-PART.svg."""
    files = {part: f"{path.stem}-{part}.svg" for part in page.charts}
    text = page.text
    for part, name in files.items():
        text = text.replace(f"]({part})", f"]({name})")
        path.with_name(name).write_text(svg(page.charts[part], part), encoding="utf-8")
    path.write_text(text, encoding="utf-8")
