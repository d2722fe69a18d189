"""This folder is the studies: many trainings side by side, compared, each one command and one page.

`grid.py` says how a study is written down and run; the pages are made in `report/studies`.
"""

from typing import TYPE_CHECKING

from worldline import plugins

if TYPE_CHECKING:
    from worldline.learn.studies.grid import Study

ENTRY_POINTS = "worldline.study"

STUDIES = {
    "reveals": "worldline.learn.studies.reveals:study",
    "strings": "worldline.learn.studies.strings:study",
}
"""Each names a function `(is_quick) -> Study`."""


def study_names() -> list[str]:
    """Every study that may be asked for."""
    return plugins.names(STUDIES, ENTRY_POINTS)


def study_called(name: str, is_quick: bool = False) -> "Study":
    """The study of a name; the quick one only shows that everything works."""
    found: Study = plugins.load(STUDIES, ENTRY_POINTS, name)(is_quick)
    return found
