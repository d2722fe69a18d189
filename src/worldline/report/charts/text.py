"""This file is text in a drawing: escaped, and with about as much room as it needs."""

import html
import re
import unicodedata

WIDTH, HEIGHT = 640, 360
"""A chart is higher only if its names or its note need more rows."""
MARGIN = 16

_NARROW = frozenset(" .,:;'|!ijltfI[]()/-")
_WIDE = frozenset("mw%@<>=+~…&#—–")
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escaped(text: str) -> str:
    """A text that is never markup, without the characters that XML has no way to write."""
    return html.escape(_UNWRITABLE.sub("\ufffd", text))


def words(x: float, y: float, text: str, attributes: str = "") -> str:
    """A text at a place."""
    gap = " " if attributes else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="currentColor"{gap}{attributes}>{escaped(text)}</text>'


def width_of(text: str, size: float = 12) -> float:
    """About how wide a text will be, in the widest of the usual fonts."""
    return size * sum(map(_width, text))


def _width(letter: str) -> float:
    if letter in _NARROW:
        return 0.35
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.05
    return 0.86 if letter in _WIDE or letter.isupper() else 0.63


def shortened(text: str, room: float, size: float = 12) -> str:
    """As much of a text as there is room for."""
    text = " ".join(text.split())
    if width_of(text, size) <= room:
        return text
    while text and width_of(f"{text}…", size) > room:
        text = text[:-1]
    return f"{text}…"


def wrapped(text: str, size: float, room: float) -> list[str]:
    """A text in lines."""
    lines: list[str] = []
    for word in text.split():
        if lines and width_of(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(shortened(word, room, size))
    return lines
