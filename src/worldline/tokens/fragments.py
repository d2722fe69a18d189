"""This file is how strings fall into tokens, and what one edited character does to the tokens of its string.

A string here is data of a program, so the text of a special token inside it is plain text.

What it does not cover: a string inside a trace may share its first and last token with the quotes and
brackets around it. Hand over the text with its surroundings (`'strawberry'` with the quotes) to see that.
"""

import random
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from worldline.errors import UserError
from worldline.tokens.vocabulary import Piece, Tokenizer

EditKind = Literal["change", "insert", "delete"]
EDIT_KINDS: tuple[EditKind, ...] = get_args(EditKind)

MAX_POSITIONS = 64
MAX_CHARACTERS = 2_000_000  # read for one kind of edit, so that a long string is sampled more thinly
_CLASSES = (string.digits, string.ascii_uppercase, string.ascii_lowercase, string.punctuation + " ")


@dataclass(frozen=True, slots=True)
class Fragmentation:
    """Characters against tokens."""

    characters: int
    tokens: int
    pieces: tuple[Piece, ...]  # one a token; bytes where a token is only a part of a character

    @property
    def shown(self) -> str:
        r"""The pieces with a bar between them, bytes as `\xNN`."""
        return "|".join(_shown(piece) for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class Edit:
    """One edited character and what it did."""

    kind: EditKind
    at: int  # the position in the original string, in characters
    character: str  # what was put there; empty for a deletion
    before: int  # tokens of the original string
    after: int  # tokens of the edited string
    kept: int  # tokens of the original that are still there: common beginning plus common end

    @property
    def lost(self) -> int:
        """Tokens of the original that are gone."""
        return self.before - self.kept


@dataclass(frozen=True, slots=True)
class EditEffect:
    """Edits at several positions of one string."""

    tokens: int  # of the original string
    positions: int  # how many positions were tried
    edits: tuple[Edit, ...]

    @property
    def worst(self) -> Edit | None:
        """The edit after which most tokens are gone or new, the first of equals."""
        return max(self.edits, key=lambda edit: edit.lost + edit.after - edit.kept, default=None)

    @property
    def mean_lost(self) -> float:
        """How many tokens of the original an edit destroys on average."""
        return sum(edit.lost for edit in self.edits) / len(self.edits) if self.edits else 0.0

    @property
    def mean_after(self) -> float:
        """How many tokens the edited string has on average."""
        return sum(edit.after for edit in self.edits) / len(self.edits) if self.edits else 0.0

    def only(self, kind: EditKind) -> "EditEffect":
        """The same, for one kind of edit."""
        edits = tuple(edit for edit in self.edits if edit.kind == kind)
        return EditEffect(self.tokens, len({edit.at for edit in edits}), edits)


def fragments(tokenizer: Tokenizer, text: str) -> Fragmentation:
    """The tokens of a string as what they cover of it."""
    pieces = tuple(tokenizer.pieces(text, ordinary=True))
    return Fragmentation(len(text), len(pieces), pieces)


def edit_effect(
    tokenizer: Tokenizer, text: str, *, at: int | None = None, character: str | None = None, seed: int = 0
) -> EditEffect:
    """What changing, inserting or deleting one character does to the tokens.

    Args:
        tokenizer: whose tokens.
        text: the string.
        at: edit only at this position; at the end of the string that means an insertion. Without it, every
            position, or a fixed random choice of at most `MAX_POSITIONS` (fewer beyond 31,000 characters).
        character: what to write; without it, a character of the same sort as the one there (digit, capital,
            small letter, other). A change to the character that is there already is no edit and left out.
        seed: of the choice of positions and characters.
    """
    if character is not None and len(character) != 1:
        raise UserError(f"{character!r} is not one character", "give exactly one character to write")
    before = tokenizer.encode(text, ordinary=True)
    chosen = _positions(text, at, seed)
    edits = []
    for position in chosen:
        for kind, put, edited in _edited(text, position, character, seed):
            after = tokenizer.encode(edited, ordinary=True)
            edits.append(Edit(kind, position, put, len(before), len(after), _kept(before, after)))
    return EditEffect(len(before), len(chosen), tuple(edits))


def _positions(text: str, at: int | None, seed: int) -> list[int]:
    if at is not None:
        if not 0 <= at <= len(text):
            raise UserError(
                f"position {at} is outside a string of {len(text)} characters",
                f"give one from 0 to {len(text)}",
            )
        return [at]
    most = max(1, min(MAX_POSITIONS, MAX_CHARACTERS // max(1, len(text))))
    if len(text) + 1 <= most:
        return list(range(len(text) + 1))
    return sorted(random.Random(seed).sample(range(len(text) + 1), most))


def _edited(text: str, at: int, character: str | None, seed: int) -> Iterator[tuple[EditKind, str, str]]:
    """The edits possible at a position: (kind, character written, edited text)."""
    # Seeded by position, so that what happens there does not depend on which other positions are tried.
    choose = random.Random(f"{seed}:{at}")
    near = text[min(at, len(text) - 1)] if text else "a"
    alike = _alike(near)
    change = character or choose.choice(alike.replace(near, ""))
    insert = character or choose.choice(alike)
    if at < len(text) and change != near:
        yield "change", change, text[:at] + change + text[at + 1 :]
    yield "insert", insert, text[:at] + insert + text[at:]
    if at < len(text):
        yield "delete", "", text[:at] + text[at + 1 :]


def _alike(character: str) -> str:
    for characters in _CLASSES:
        if character in characters:
            return characters
    return string.ascii_lowercase if character.isalpha() else string.punctuation + " "


def _kept(before: Sequence[int], after: Sequence[int]) -> int:
    """The length of the common beginning plus that of the common end of what remains."""
    shorter = min(len(before), len(after))
    front = 0
    while front < shorter and before[front] == after[front]:
        front += 1
    back = 0
    while back < shorter - front and before[-1 - back] == after[-1 - back]:
        back += 1
    return front + back


def _shown(piece: Piece) -> str:
    return piece if isinstance(piece, str) else "".join(f"\\x{value:02x}" for value in piece)
