"""This file is what a tokenizer is, and the special tokens of the trace formats with their order."""

from collections.abc import Sequence
from typing import Protocol

from worldline.errors import UserError

Piece = str | bytes
"""One token as text, or as bytes where the token is only a part of a character."""

SPECIAL = (
    "<|begin_of_text|>",
    "<|end_of_text|>",
    "<|frame_sep|>",
    "<|action_sep|>",
    "<|return_sep|>",
    "<|call_sep|>",
    "<|line_sep|>",
    "<|exception_sep|>",
    "<|arg_sep|>",
    "<|trace_context_start|>",
)
"""Meta's trace tokens; a vocabulary without ids for them gets new ids at its end, in this order."""


class Tokenizer(Protocol):
    """Text to token ids and back. Law: the pieces of a text, joined, are the text."""

    @property
    def name(self) -> str:
        """What to ask for: the key in `TOKENIZERS` or the name of the entry point."""

    @property
    def vocabulary(self) -> str:
        """The sha256 of the file that defines the vocabulary: counts compare only where it is the same."""

    def encode(self, text: str, *, ordinary: bool = False) -> list[int]:
        """The ids of a text; each name in `SPECIAL` is one id unless `ordinary` asks for plain text."""

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ids, special tokens by name; bytes that are no UTF-8 become U+FFFD."""

    def count(self, text: str, *, ordinary: bool = False) -> int:
        """How many ids `encode` gives."""

    def pieces(self, text: str, *, ordinary: bool = False) -> list[Piece]:
        """The same tokens as what they cover of the text."""


def to_bytes(text: str) -> bytes:
    """UTF-8 that also holds lone surrogates, which a Python string may contain and UTF-8 may not."""
    return text.encode("utf-8", "surrogatepass")


def to_text(raw: bytes) -> str:
    """The inverse of `to_bytes`; what is no UTF-8 at all (ids a model made up) becomes U+FFFD."""
    try:
        return raw.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return raw.decode("utf-8", "replace")


def to_piece(raw: bytes) -> Piece:
    """A token's bytes as text, or unchanged where it holds only a part of a character."""
    try:
        return raw.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return raw


def unknown_id(name: str, number: int) -> UserError:
    """The error for an id that the vocabulary does not have."""
    return UserError(
        f"token id {number} is not in the vocabulary {name!r}", "decode with the tokenizer that encoded"
    )
