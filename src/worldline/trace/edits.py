"""This file is long texts as edits of the last text of their name, so that growing values do not repeat."""

from typing import NamedTuple

EDITED = 24
"""Texts of at least this many characters are stored as edits; shorter ones stay readable in the column."""


class Edit(NamedTuple):
    """A text: so many characters of the last one, this, and so many characters of the last one's end."""

    name: str
    head: int
    tail: int
    text: str


class Texts:
    """The last text of each name in its frame; for a name that is new there, its last text in any frame."""

    def __init__(self) -> None:
        self._in_frame: dict[tuple[int, str], str] = {}
        self._anywhere: dict[str, str] = {}

    def edit(self, frame: int, name: str, text: str) -> Edit:
        """The edit that gives `text`, which is now the last one."""
        last = self._last(frame, name)
        self._put(frame, name, text)
        if len(text) < EDITED:
            return Edit(name, 0, 0, text)
        head = _common(last, text)
        room = min(len(last), len(text)) - head
        tail = _common(last[len(last) - room :][::-1], text[len(text) - room :][::-1])
        return Edit(name, head, tail, text[head : len(text) - tail])

    def whole(self, frame: int, edit: Edit) -> str:
        """The text that an edit gives, which is now the last one."""
        last = self._last(frame, edit.name)
        if not 0 <= edit.head <= len(last) or not 0 <= edit.tail <= len(last):
            raise TypeError(f"an edit of {edit.name!r} keeps more than there was")
        text = last[: edit.head] + edit.text + last[len(last) - edit.tail :]
        self._put(frame, edit.name, text)
        return text

    def _last(self, frame: int, name: str) -> str:
        last = self._in_frame.get((frame, name))
        return self._anywhere.get(name, "") if last is None else last

    def _put(self, frame: int, name: str, text: str) -> None:
        self._in_frame[frame, name] = self._anywhere[name] = text


def _common(one: str, other: str) -> int:
    """How many characters two texts begin with alike: halving, as comparing slices is quick."""
    low, high = 0, min(len(one), len(other))
    if one[:high] == other[:high]:
        return high
    while low + 1 < high:
        middle = (low + high) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle
    return low
