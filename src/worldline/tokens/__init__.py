"""This file is the list of tokenizers: text to token ids and back, each loaded when it is first asked for."""

from functools import cache

from worldline import plugins
from worldline.tokens.vocabulary import SPECIAL, Piece, Tokenizer

__all__ = ["ENTRY_POINTS", "SPECIAL", "TOKENIZERS", "Piece", "Tokenizer", "tokenizer", "tokenizer_names"]

ENTRY_POINTS = "worldline.tokenizers"

TOKENIZERS = {
    "bytes": "worldline.tokens.byte_level:ByteTokenizer",
    "llama3": "worldline.tokens.llama3:llama3",
    "gpt2": "worldline.tokens.gpt2:gpt2",
}
"""Each names something that is called without arguments and gives a `Tokenizer`."""


@cache
def tokenizer(name: str) -> Tokenizer:
    """The tokenizer called `name`, loaded once (about a quarter of a second for Llama 3)."""
    loaded: Tokenizer = plugins.load(TOKENIZERS, ENTRY_POINTS, name)()
    return loaded


def tokenizer_names() -> list[str]:
    """Every tokenizer that may be asked for; one whose package is missing says so when it is loaded."""
    return plugins.names(TOKENIZERS, ENTRY_POINTS)
