"""This file is an answer as it is written, token by token: its text, and where a stop ends it.

A stop is looked for in the text, where a special token stands by its name; so a stop may lie inside a token
or reach over several. The answer never contains one.
"""

import codecs
from collections.abc import Sequence
from dataclasses import dataclass

from worldline.models.model import Token


@dataclass(frozen=True, slots=True)
class Written:
    """What was written."""

    text: str  # without the stop
    stop: str  # the stop that came, or nothing
    tokens: tuple[Token, ...]  # their texts, joined, are the text, or the text and the stop if it is a token


class Writer:
    """Takes the bytes of one token after the other.

    Args:
        stops: the texts that end the answer. Of several, the one that is complete first counts, and of those
            complete at the same place the longest.
    """

    def __init__(self, stops: Sequence[str]) -> None:
        self._stops = tuple(stop for stop in stops if stop)
        self._reach = max((len(stop) for stop in self._stops), default=1) - 1
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._tail = ""
        self._length = 0
        self._pieces: list[str] = []  # a character in several tokens belongs to the last of them
        self._logprobs: list[float] = []

    def take(self, raw: bytes, logprob: float) -> Written | None:
        """One more token; the answer, if this token completes a stop."""
        piece = self._decoder.decode(raw)
        self._pieces.append(piece)
        self._logprobs.append(logprob)
        near = self._tail + piece
        found = self._first_stop(near)
        if found is not None:
            start, stop = found
            return self._cut(self._length - len(self._tail) + start, stop, raw)
        self._length += len(piece)
        self._tail = near[max(0, len(near) - self._reach) :]
        return None

    def ended(self) -> Written:
        """The answer as far as it came."""
        rest = self._decoder.decode(b"", final=True)
        if rest and self._pieces:
            self._pieces[-1] += rest
            found = self._first_stop(self._tail + rest)
            if found is not None:
                return self._cut(self._length - len(self._tail) + found[0], found[1], b"")
        tokens = zip(self._pieces, self._logprobs, strict=True)
        return Written("".join(self._pieces), "", tuple(Token(piece, logprob) for piece, logprob in tokens))

    def _first_stop(self, text: str) -> tuple[int, str] | None:
        best: tuple[int, int, str] | None = None
        for stop in self._stops:
            start = text.find(stop)
            if start >= 0 and (best is None or (start + len(stop), start) < best[:2]):
                best = (start + len(stop), start, stop)
        return None if best is None else best[1:]

    def _cut(self, end: int, stop: str, last: bytes) -> Written:
        """The answer up to `end`, where the stop begins; `last` is the token that completed it."""
        is_token = end == self._length and last == stop.encode("utf-8", "surrogatepass")
        text = "".join(self._pieces)[:end]
        tokens, start = [], 0
        for piece, logprob in zip(self._pieces, self._logprobs, strict=True):
            if is_token:
                tokens.append(Token(piece, logprob))
            elif start < end:
                tokens.append(Token(piece[: end - start], logprob))
            start += len(piece)
        return Written(text, stop, tuple(tokens))
