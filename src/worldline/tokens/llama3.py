"""This file is the vocabulary of Llama 3, which is also that of Meta's CWM with its trace tokens.

The ranks are read from the installed package `llama-models` (Llama 3 Community License); the ids of the
special tokens are those of CWM.
"""

import hashlib
from binascii import a2b_base64

from worldline.tokens.bpe import BpeTokenizer, packaged_file
from worldline.tokens.vocabulary import SPECIAL

PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
FIRST_SPECIAL = 128_000
_OFFSETS = dict(zip(SPECIAL, (0, 1, 100, 101, 102, 103, 104, 105, 106, 107), strict=True)) | {
    "<|pad|>": 4,
    "<|start_header_id|>": 6,
    "<|end_header_id|>": 7,
    "<|eom_id|>": 8,
    "<|eot_id|>": 9,
    "<|reasoning_thinking_start|>": 120,
    "<|reasoning_thinking_end|>": 121,
}


def llama3() -> BpeTokenizer:
    """128,000 ordinary tokens and 256 special ones, of which those without a use have a reserved name."""
    raw = packaged_file("llama-models", "llama_models/llama3/tokenizer.model")
    words = raw.split()
    ranks = dict(zip(map(a2b_base64, words[::2]), map(int, words[1::2]), strict=True))
    return BpeTokenizer("llama3", hashlib.sha256(raw).hexdigest(), PATTERN, ranks, _special())


def _special() -> dict[str, int]:
    names = {offset: name for name, offset in _OFFSETS.items()}
    return {
        names.get(offset, f"<|reserved_special_token_{offset}|>"): FIRST_SPECIAL + offset
        for offset in range(256)
    }
