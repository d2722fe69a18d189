"""This file is the vocabulary of a local model: text to its ids, and the bytes of each id.

It is read from the tokenizer in the model's folder. Bytes, and not text, because a token may hold a part of a
character only.
"""

import json
from binascii import a2b_base64
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from worldline.errors import UserError
from worldline.tokens import SPECIAL, tokenizer
from worldline.tokens.bpe import packaged_file
from worldline.tokens.llama3 import FIRST_SPECIAL
from worldline.tokens.vocabulary import to_bytes

LLAMA3_SIZE = 128_256
ANCHOR = "\n"
PROBE = SPECIAL[2] + "a b" + SPECIAL[3] + " a"  # older tokenizers put a space behind special tokens


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the decoding needs to know about tokens."""

    encode: Callable[[str], list[int]]  # a text from its beginning; a special token's name is its one id
    follow: Callable[[str], list[int]]  # a text that follows another
    raw: Mapping[int, bytes]  # of each id; a special token's is its name
    begin: int | None  # the id that begins a text
    ends: frozenset[int]  # the ids that end one
    has_trace_tokens: bool  # and text beside them stays as it is


def llama3_vocabulary(ends: Iterable[int]) -> Vocabulary:
    """Our own Llama 3 vocabulary, which is also that of CWM."""
    ours = tokenizer("llama3")
    words = packaged_file("llama-models", "llama_models/llama3/tokenizer.model").split()
    raw = {int(number): a2b_base64(word) for word, number in zip(words[::2], words[1::2], strict=True)}
    raw |= {number: ours.decode([number]).encode() for number in range(FIRST_SPECIAL, LLAMA3_SIZE)}
    return Vocabulary(
        ours.encode, ours.encode, raw, FIRST_SPECIAL, frozenset([*ends, FIRST_SPECIAL + 1]), True
    )


def vocabulary_of(loaded: Any, ends: Iterable[int]) -> Vocabulary:
    """The vocabulary of a tokenizer that transformers has loaded.

    Args:
        loaded: the tokenizer.
        ends: the ids that end a text, as the model's configuration says.
    """
    backend = getattr(loaded, "backend_tokenizer", None)
    if backend is None:
        raise UserError(
            f"the tokenizer {type(loaded).__name__} has no tokenizer.json",
            "save it once as a fast tokenizer (tokenizer.json) into the model's folder",
        )
    description = json.loads(backend.to_str())
    to_raw = _reader(description)
    added: dict[str, int] = loaded.get_added_vocab()
    raw = {number: to_raw(name) for name, number in loaded.get_vocab().items()}
    raw |= {number: to_bytes(name) for name, number in added.items()}
    ended = {*ends, loaded.eos_token_id, added.get(SPECIAL[1])} - {None}

    def encode(text: str) -> list[int]:
        ids: list[int] = loaded(text, add_special_tokens=False, verbose=False)["input_ids"]
        return ids

    def follow(text: str) -> list[int]:
        return _without_anchor(encode, text)

    return Vocabulary(
        encode,
        encode if _is_byte_level(description) else follow,
        raw,
        loaded.bos_token_id,
        frozenset(ended),
        all(name in added for name in SPECIAL)
        and b"".join(raw[at] for at in follow(PROBE)) == PROBE.encode(),
    )


def _reader(description: Mapping[str, Any]) -> Callable[[str], bytes]:
    """How the names of ordinary tokens are to be read, from the tokenizer's own decoder."""
    kinds = _decoder_kinds(description)
    if _is_byte_level(description):
        letters = _byte_letters()
        return lambda name: bytes([letters[letter] for letter in name if letter in letters])
    if kinds & {"Metaspace", "ByteFallback"}:
        return _sentence_piece
    raise UserError(
        f"the tokenizer writes its tokens in an unknown way: {', '.join(sorted(kinds)) or 'none'}",
        "byte-level (GPT-2, Llama 3, CWM, Qwen) and SentencePiece tokenizers are known",
    )


def _decoder_kinds(description: Mapping[str, Any]) -> set[str]:
    decoder = description.get("decoder") or {}
    return {step["type"] for step in decoder.get("decoders", [decoder]) if "type" in step}


def _is_byte_level(description: Mapping[str, Any]) -> bool:
    return "ByteLevel" in _decoder_kinds(description)


def _without_anchor(encode: Callable[[str], list[int]], text: str) -> list[int]:
    """The ids of a text that begins nothing: SentencePiece would put a space before it."""
    anchor = encode(ANCHOR)
    ids = encode(ANCHOR + text)
    return ids[len(anchor) :] if ids[: len(anchor)] == anchor else encode(text)


def _sentence_piece(name: str) -> bytes:
    if len(name) == 6 and name.startswith("<0x") and name.endswith(">"):
        return bytes([int(name[3:5], 16)])
    return to_bytes(name.replace("▁", " "))


def _byte_letters() -> dict[str, int]:
    """The letter that stands for each byte: itself where it is visible, else one from U+0100 on."""
    visible = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = [value for value in range(256) if value not in visible]
    return {chr(value): value for value in visible} | {
        chr(256 + at): value for at, value in enumerate(hidden)
    }
