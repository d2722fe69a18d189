"""This file is the tokenizer without a vocabulary: one token a byte, so that no edit moves a boundary."""

import hashlib
import re
from collections.abc import Sequence

from worldline.tokens.vocabulary import SPECIAL, Piece, to_bytes, to_piece, to_text, unknown_id

_TABLE = [*(bytes([value]) for value in range(256)), *(name.encode() for name in SPECIAL)]
_IDS = {name: 256 + index for index, name in enumerate(SPECIAL)}
_SPECIAL = re.compile("(" + "|".join(map(re.escape, SPECIAL)) + ")")


class ByteTokenizer:
    """UTF-8 bytes as ids 0-255; the special tokens are 256 and up, in the order of `SPECIAL`."""

    name = "bytes"
    vocabulary = hashlib.sha256(b"".join(_TABLE)).hexdigest()

    def encode(self, text: str, *, ordinary: bool = False) -> list[int]:
        """The bytes of the text, each special token one id."""
        if ordinary or "<|" not in text:
            return list(to_bytes(text))
        ids: list[int] = []
        for span in _SPECIAL.split(text):
            known = _IDS.get(span)
            if known is None:
                ids.extend(to_bytes(span))
            else:
                ids.append(known)
        return ids

    def decode(self, ids: Sequence[int]) -> str:
        """The text of the bytes."""
        for number in ids:
            if not 0 <= number < len(_TABLE):
                raise unknown_id(self.name, number)
        return to_text(b"".join([_TABLE[number] for number in ids]))

    def count(self, text: str, *, ordinary: bool = False) -> int:
        """The number of bytes, each special token counted once."""
        return len(self.encode(text, ordinary=ordinary))

    def pieces(self, text: str, *, ordinary: bool = False) -> list[Piece]:
        """Characters where one byte is a character, else single bytes."""
        return [to_piece(_TABLE[number]) for number in self.encode(text, ordinary=ordinary)]
