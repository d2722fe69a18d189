"""This file is how the format `compact` writes single values, names and quoted text, and reads them back.

A value text is written without the space that `repr` puts after `,` and `:` outside of strings, because a
space before a digit or a quote is a token of its own: `{'a': [1, 2]}` becomes `{'a':[1,2]}`. What would not
come back from that, or could be taken for something else, is written as `~` and a Python string: `~'12:30'`.
"""

import re

STRING = r"""(?:'[^'\\]*+(?:\\.[^'\\]*+)*+'|"[^"\\]*+(?:\\.[^"\\]*+)*+")"""
"""The pattern of a Python string, as `repr` writes it."""

_STRINGS = re.compile(f"({STRING})", re.DOTALL)
_SIMPLE_STRINGS = re.compile(r"""(?:[^'"]++|'(?:[^'\\,:]++|\\.)*+'|"(?:[^"\\,:]++|\\.)*+")*+""", re.DOTALL)
_PLAIN = re.compile(rf"(?:[^'\";]++|{STRING})++", re.DOTALL)
_ITEM = re.compile(rf"""(?:[^'";\n]++|{STRING})*+""")
_QUOTED = re.compile(STRING)
_ESCAPE = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|(.))", re.DOTALL)
_SIMPLE = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", "'": "'", '"': '"'}

_NAME = re.compile(rf"[A-Za-z_][A-Za-z0-9_]*+|\.[0-9]++|{STRING}")
_BARE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|\.[0-9]+")


class UnreadableError(ValueError):
    """A stretch of text that says nothing; the message says why."""


def written(text: str) -> str | None:
    """A value text without its optional spaces; None: it must be quoted."""
    if text.isalnum() and text.isascii():
        return text
    tight = without_spaces(text)
    if not _PLAIN.fullmatch(tight) or not tight.isprintable() or tight[0] in "~ " or tight[-1] == " ":
        return None
    return tight if loose(tight) == text and without_spaces(tight) == tight else None


def loose(tight: str) -> str:
    """The value text of what `written` gave."""
    if "," not in tight and ":" not in tight:
        return tight
    if has_simple_strings(tight):
        return _spaced(tight)
    pieces = _STRINGS.split(tight)
    pieces[::2] = map(_spaced, pieces[::2])
    return "".join(pieces)


def has_simple_strings(text: str) -> bool:
    """Whether no string in the text holds a comma or colon: all of them are marks of the value's shape."""
    return _SIMPLE_STRINGS.fullmatch(text) is not None


def _spaced(piece: str) -> str:
    return piece.replace(",", ", ").replace(", )", ",)").replace(":", ": ")


def without_spaces(text: str) -> str:
    """The text without the spaces that `loose` puts back."""
    if ", " not in text and ": " not in text:
        return text
    if has_simple_strings(text):
        return text.replace(", ", ",").replace(": ", ":")
    pieces = _STRINGS.split(text)
    pieces[::2] = [piece.replace(", ", ",").replace(": ", ":") for piece in pieces[::2]]
    return "".join(pieces)


def quoted(text: str) -> str:
    """Any text as a Python string: one line, without characters that files or terminals would change."""
    return repr(text)


def unquoted(shown: str) -> str:
    """The text that `quoted` was given."""
    if not _QUOTED.fullmatch(shown):
        raise UnreadableError(f"{_short(shown)} is not a quoted text")
    return _ESCAPE.sub(_unescaped, shown[1:-1]) if "\\" in shown else shown[1:-1]


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code is None:
        found = _SIMPLE.get(match[4])
        if found is None:
            raise UnreadableError(f"\\{match[4]} is not an escape that a quoted text may have")
        return found
    if int(code, 16) > 0x10FFFF:
        raise UnreadableError(f"{match[0]} is not a character")
    return chr(int(code, 16))


def name_text(name: str) -> str:
    """A name as it is, or quoted if it is none in most languages."""
    return name if _BARE_NAME.fullmatch(name) else quoted(name)


def read_name(item: str) -> tuple[str, str]:
    """The name that `item` begins with, and what follows it."""
    match = _NAME.match(item)
    if match is None:
        raise UnreadableError(f"{_short(item)} does not begin with a name")
    shown = match[0]
    return (unquoted(shown) if shown[0] in "'\"" else shown), item[match.end() :]


def is_bare_name(tight: str) -> bool:
    """Whether a written value could be taken for the name of a variable."""
    return _BARE_NAME.fullmatch(tight) is not None


def items(row: str) -> list[str]:
    """What stands between the `;` that are in no string."""
    if "'" not in row and '"' not in row:
        return row.split(";")
    found, at = [], 0
    while True:
        match = _ITEM.match(row, at)
        end = match.end() if match else at
        found.append(row[at:end])
        if end == len(row):
            return found
        if row[end] != ";":
            raise UnreadableError(f"the string that begins at {_short(row[end:])} has no end")
        at = end + 1


def _short(text: str) -> str:
    return repr(text if len(text) <= 24 else text[:21] + "...")
