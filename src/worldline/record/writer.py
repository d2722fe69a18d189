"""This file is what a function that writes one type of value has to write with."""

from collections.abc import Callable, Iterable
from typing import Any, Protocol


class Writer(Protocol):
    """The value being written: see `values.text`."""

    def put(self, piece: str) -> None:
        """Add text."""

    def write(self, value: object) -> None:
        """Add the text of a value."""

    def string(self, value: str | bytes | bytearray) -> None:
        """Add the text of a string."""

    def some(self, values: Iterable[Any]) -> list[Any]:
        """The first values, as many as have room, taken at once: other threads may change them."""

    def items(self, before: str, values: Iterable[object], after: str) -> None:
        """Add the texts of several values."""

    def pairs(self, before: str, pairs: Iterable[tuple[object, object]], after: str) -> None:
        """Add the texts of keys and values."""

    def apart(self, values: Iterable[object]) -> list[str]:
        """The texts of several values, not added yet; it is a cut here if there is no room for all."""


Write = Callable[[Writer, Any], None]
