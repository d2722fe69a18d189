"""This file is how sure a model was, read off the log-probabilities of its tokens."""

import json
import math
from collections.abc import Sequence

from worldline.models.model import Token


def probability(tokens: Sequence[Token]) -> float | None:
    """Of all tokens together; None if one of them has none."""
    found = [token.logprob for token in tokens]
    if not found or any(each is None for each in found):
        return None
    return math.exp(sum(each for each in found if each is not None))


def by_variable(text: str, tokens: Sequence[Token]) -> dict[str, float]:
    """The probability of each variable's value in a state as it was written.

    A token that stands across the border of a value counts for it, so that the product may be less than that
    of the whole.
    """
    if probability(tokens) is None or "".join(token.text for token in tokens) != text:
        return {}
    found: dict[str, float] = {}
    for name, start, end in _spans(text):
        at, total = 0, 0.0
        for token in tokens:
            if at < end and at + len(token.text) > start:
                total += token.logprob or 0.0
            at += len(token.text)
        found[name] = math.exp(total)
    return found


def _spans(text: str) -> list[tuple[str, int, int]]:
    """Where the value of each name stands in a JSON object of strings."""
    decoder = json.JSONDecoder()
    found, at = [], 1
    try:
        while at < len(text):
            at = text.index('"', at)
            name, at = decoder.raw_decode(text, at)
            start = text.index('"', at)
            _, at = decoder.raw_decode(text, start)
            found.append((str(name), start, at))
    except ValueError:
        pass
    return found
