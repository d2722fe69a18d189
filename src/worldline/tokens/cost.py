"""This file is what a text costs in tokens, by part: names, values by type, source text, and the rest."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from worldline.errors import UserError
from worldline.tokens.vocabulary import Tokenizer, to_bytes


class Part(NamedTuple):
    """A stretch of a formatted trace; the parts of a trace, joined, are its text."""

    kind: str  # "name", "value:str", "value:list", "source", "special", "syntax", "line-number", ...
    text: str


@dataclass(frozen=True, slots=True)
class Cost:
    """Tokens in all and by kind of part; costs of several texts may be added."""

    total: int = 0
    by_kind: Mapping[str, int] = field(default_factory=dict)  # sums to `total`, kinds in order of appearance
    characters: Mapping[str, int] = field(default_factory=dict)  # the same kinds, counted in characters

    def __add__(self, other: "Cost") -> "Cost":
        """The cost of two separate texts."""
        return Cost(
            self.total + other.total,
            _added(self.by_kind, other.by_kind),
            _added(self.characters, other.characters),
        )


def cost(tokenizer: Tokenizer, parts: Iterable[tuple[str, str]]) -> Cost:
    """What the joined parts cost.

    The text is tokenised as a whole, as a model would read it. A token that reaches over the border between
    two parts belongs to the part where it begins, so a part may cost no token at all, and the kinds always
    sum to the total. The name of a special token is that token wherever it stands, even in a program's value.

    Args:
        tokenizer: whose tokens.
        parts: `Part`s, or plain pairs of kind and text.
    """
    listed = list(parts)
    kinds = [kind for kind, _ in listed]
    characters = dict.fromkeys(kinds, 0)
    ends, end = [], 0
    for kind, text in listed:
        characters[kind] += len(text)
        end += len(to_bytes(text))
        ends.append(end)
    starts = _starts(tokenizer, "".join([text for _, text in listed]), end)
    by_kind = dict.fromkeys(kinds, 0)
    index = 0
    for start in starts:
        while start >= ends[index]:
            index += 1
        by_kind[kinds[index]] += 1
    return Cost(len(starts), by_kind, characters)


def _starts(tokenizer: Tokenizer, text: str, size: int) -> Sequence[int]:
    """The byte at which each token begins."""
    starts, offset = [], 0
    for piece in tokenizer.pieces(text):
        starts.append(offset)
        offset += len(piece if isinstance(piece, bytes) else to_bytes(piece))
    if offset != size:
        raise UserError(
            f"the tokenizer {tokenizer.name!r} changes the text ({size} bytes became {offset})",
            "its cost by part cannot be told; use its count alone",
        )
    return starts


def _added(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {kind: one.get(kind, 0) + other.get(kind, 0) for kind in [*one, *other]}
