"""This file is the evidence for causes: how likely each one is, and characters against tokens of strings."""

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from worldline.diagnose.model import Cause
from worldline.errors import UserError
from worldline.tokens import Tokenizer, tokenizer


@dataclass(frozen=True, slots=True)
class Found:
    """A cause that fits, and how well."""

    name: str
    weight: float
    why: str


def weighed(found: Iterable[Found]) -> tuple[Cause, ...]:
    """The causes, likeliest first, each once; their weights make 1."""
    best: dict[str, Found] = {}
    for each in found:
        if each.name not in best or best[each.name].weight < each.weight:
            best[each.name] = each
    total = sum(each.weight for each in best.values())
    ordered = sorted(best.values(), key=lambda each: -each.weight)
    return tuple(Cause(each.name, each.why, round(each.weight / total, 3)) for each in ordered)


def string_evidence(expected: str, predicted: str) -> str:
    """Characters against tokens of a string as it is and as it was predicted."""
    return f"it has {_size(expected)}, the predicted one {_size(predicted)}"


@cache
def vocabulary() -> Tokenizer | None:
    """The Llama-3 vocabulary, if its extra is installed."""
    try:
        return tokenizer("llama3")
    except UserError:
        return None


def _size(text: str) -> str:
    try:
        value = ast.literal_eval(text)
        characters = len(value) if isinstance(value, str | bytes) else len(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        characters = len(text)
    known = vocabulary()
    size = f"{characters} characters"
    return size if known is None else f"{size} in {known.count(text, ordinary=True)} tokens"
