"""This file is how sure a model was, read off the log-probabilities of its tokens."""

import json
import math
from collections.abc import Sequence

from worldline.formats.cwm_tokens import ACTION, ARGUMENT, FRAME
from worldline.models.model import Token
from worldline.rollout.model import Sureness


def of_frame(text: str, tokens: Sequence[Token]) -> Sureness:
    """How sure a model was of a frame that it wrote in one go (without the token that ends it)."""
    if probability(tokens) is None or "".join(token.text for token in tokens) != text:
        return Sureness()
    action = text.find(ACTION)
    opened = text.find("{")
    if 0 <= opened < action:
        state = (opened, action)
        source = _between(tokens, 0, opened) + _between(tokens, action + len(ACTION), len(text))
    else:
        value = text.find(ARGUMENT, action)
        state = (value + len(ARGUMENT), len(text)) if value >= 0 else (len(text), len(text))
        source = _between(tokens, 0, action) + _between(tokens, action + len(ACTION), max(value, action))
    start, end = state
    variables = {
        name: math.exp(_between(tokens, start + one, start + other))
        for name, one, other in (_spans(text[start:end]) if text[start:end].startswith("{") else [])
    }
    return Sureness(math.exp(source), math.exp(_between(tokens, start, end)), variables)


def of_frames(text: str, tokens: Sequence[Token]) -> list[Sureness]:
    """The same for each frame of a whole trace."""
    if probability(tokens) is None or "".join(token.text for token in tokens) != text:
        return []
    found: list[Sureness] = []
    frame: list[Token] = []
    for token in tokens:
        if token.text == FRAME:
            found.append(of_frame("".join(each.text for each in frame), frame))
            frame = []
        else:
            frame.append(token)
    if frame:
        found.append(of_frame("".join(each.text for each in frame), frame))
    return found


def _between(tokens: Sequence[Token], start: int, end: int) -> float:
    """The log-probability of the tokens that stand between two places of their text, or across them."""
    at, total = 0, 0.0
    for token in tokens:
        if at < end and at + len(token.text) > start:
            total += token.logprob or 0.0
        at += len(token.text)
    return total


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
    return {name: math.exp(_between(tokens, start, end)) for name, start, end in _spans(text)}


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
