"""This file is the writing of reports: where a file cannot be written, that is the user's to know."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from worldline.diagnose.model import Diagnosis
from worldline.errors import UserError


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Say in one line why a file cannot be written."""
    try:
        yield
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}", "give another place") from None


def write_html(diagnoses: Sequence[Diagnosis], path: Path, title: str) -> None:
    """Write the page."""
    from worldline.report.page import write_page

    with writing(path):
        write_page(diagnoses, path, title)
