"""This file is what token ids stand for as text, where a token may be only a part of a character."""

from collections.abc import Sequence

from worldline.tokens import Tokenizer


def characters(ids: Sequence[int], tokenizer: Tokenizer) -> list[tuple[list[int], str]]:
    """The ids with their text, those together that make whole characters. The texts, joined, are the text."""
    groups: list[tuple[list[int], str]] = []
    pending: list[int] = []
    for number in ids:
        pending.append(number)
        text = tokenizer.decode(pending)
        if not text.endswith("\ufffd"):
            groups.append((pending, text))
            pending = []
    return [*groups, (pending, tokenizer.decode(pending))] if pending else groups


def token_texts(ids: Sequence[int], tokenizer: Tokenizer) -> list[str]:
    """A text for every id: that of a character in parts stands at its first id."""
    return [text for group, whole in characters(ids, tokenizer) for text in [whole, *[""] * (len(group) - 1)]]
