"""This file is how an answer is held to given texts: their tokens as a tree that is walked while decoding.

A tree of token ids, and not a grammar: there are as many paths as texts, it costs microseconds to build where
a grammar over 128,000 tokens costs milliseconds, and what is decoded has the very tokens that scoring the
text has. What it does not cover: a text in other tokens than those the tokenizer gives it.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from worldline.models.model import Ask


@dataclass(frozen=True, slots=True)
class Path:
    """One text that may be written, with the stop after it."""

    choice: str
    stop: str
    ids: tuple[int, ...]


@dataclass(slots=True)
class Node:
    """A place in the tree."""

    children: dict[int, "Node"] = field(default_factory=dict)
    path: Path | None = None  # the text that is complete here


def paths(ask: Ask, encode: Callable[[str], list[int]]) -> list[Path]:
    """Every choice with every stop; a stop that begins with another never comes, and is left out."""
    stops = [stop for stop in dict.fromkeys(ask.stops) if not _is_hidden(stop, ask.stops)] or [""]
    return [
        Path(choice, stop, tuple(encode(choice + stop)))
        for choice in dict.fromkeys(ask.choices)
        for stop in stops
    ]


def tree(found: Sequence[Path]) -> Node:
    """The tree of the paths; of two with the same tokens the first counts."""
    root = Node()
    for path in found:
        node = root
        for number in path.ids:
            node = node.children.setdefault(number, Node())
        node.path = node.path or path
    return root


def chosen(node: Node, logprobs: Sequence[float], temperature: float, uniform: float) -> int | None:
    """The child that is taken, or None: the text ends here.

    Where a text is complete and another goes on, ending has the probability that is left by going on.

    Args:
        node: where we are.
        logprobs: of each child, in order, before anything is ruled out.
        temperature: 0 takes the likeliest.
        uniform: a random number from 0 to 1.
    """
    options: list[int | None] = list(node.children)
    weights = list(logprobs)
    if node.path is not None:
        options.append(None)
        weights.append(math.log(max(1 - sum(map(math.exp, logprobs)), 1e-300)))
    best = max(weights)
    if temperature <= 0 or not math.isfinite(best):
        return options[weights.index(best)]
    scaled = [math.exp((weight - best) / temperature) for weight in weights]
    left = uniform * sum(scaled)
    for option, weight in zip(options, scaled, strict=True):
        left -= weight
        if left < 0:
            return option
    return options[scaled.index(max(scaled))]


def _is_hidden(stop: str, stops: Sequence[str]) -> bool:
    return not stop or any(other and other != stop and stop.startswith(other) for other in stops)
