"""This file is long texts as edits or copies of earlier ones: what grows or is shared does not repeat."""

from typing import NamedTuple

EDITED = 24
"""Texts of at least this many characters are stored as edits; shorter ones stay readable in the column."""


class Edit(NamedTuple):
    """How a text is stored.

    If `back` is not 0, it is a copy of the text so many before it. Else it is `head` characters of the last
    text of the same name, `text`, and `tail` characters of that one's end.
    """

    name: str
    back: int
    head: int
    tail: int
    text: str


class Texts:
    """All texts so far, and the last of each name: in its frame, or else in any."""

    def __init__(self) -> None:
        self._in_frame: dict[tuple[int, str], str] = {}
        self._anywhere: dict[str, str] = {}
        self._all: list[str] = []
        self._places: dict[str, int] = {}  # of long texts, for writing

    def edit(self, frame: int, name: str, text: str) -> Edit:
        """The edit that gives `text`, which is now the last one."""
        made = Edit(name, 0, 0, 0, text)
        if len(text) >= EDITED:
            made = self._shortest(name, self._last(frame, name), text)
            self._places[text] = len(self._all)
        self._put(frame, name, text)
        return made

    def whole(self, frame: int, edit: Edit) -> str:
        """The text that an edit gives, which is now the last one."""
        if not 0 <= edit.back <= len(self._all):
            raise TypeError(f"an edit of {edit.name!r} copies a text before the first")
        text = self._all[-edit.back] if edit.back else _edited(self._last(frame, edit.name), edit)
        self._put(frame, edit.name, text)
        return text

    def _shortest(self, name: str, last: str, text: str) -> Edit:
        head = _common(last, text)
        room = min(len(last), len(text)) - head
        tail = _common(last[len(last) - room :][::-1], text[len(text) - room :][::-1])
        place = self._places.get(text)
        if place is not None and head + tail < len(text):
            return Edit(name, len(self._all) - place, 0, 0, "")
        return Edit(name, 0, head, tail, text[head : len(text) - tail])

    def _last(self, frame: int, name: str) -> str:
        last = self._in_frame.get((frame, name))
        return self._anywhere.get(name, "") if last is None else last

    def _put(self, frame: int, name: str, text: str) -> None:
        self._in_frame[frame, name] = self._anywhere[name] = text
        self._all.append(text)


def _edited(last: str, edit: Edit) -> str:
    if not 0 <= edit.head <= len(last) or not 0 <= edit.tail <= len(last):
        raise TypeError(f"an edit of {edit.name!r} keeps more than there was")
    return last[: edit.head] + edit.text + last[len(last) - edit.tail :]


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
