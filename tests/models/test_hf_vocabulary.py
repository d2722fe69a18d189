"""This file is the laws of a local model's vocabulary: the bytes of a text's ids are the text."""

import pytest
from hf_weights import save_words, transformers
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

from worldline.errors import UserError
from worldline.models.hf_vocabulary import llama3_vocabulary, vocabulary_of
from worldline.tokens import SPECIAL

TEXTS = st.lists(st.one_of(st.text("ab \né中😀<|", max_size=6), st.sampled_from(SPECIAL)), max_size=6).map(
    "".join
)


def byte_level(folder):
    save_words(folder)
    return vocabulary_of(transformers.AutoTokenizer.from_pretrained(folder), [])


def sentence_piece(_, scheme="first"):
    """As Llama 2 has it: a space before the text, bytes for what is not in the vocabulary."""
    names = ["<unk>", *(f"<0x{value:02X}>" for value in range(256)), "▁", "a", "b", "▁a", "ab"]
    vocabulary = {name: at for at, name in enumerate(names)}
    merges = [("▁", "a"), ("a", "b")]
    words = Tokenizer(models.BPE(vocabulary, merges, unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    words.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=scheme, split=False)
    steps = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    words.decoder = decoders.Sequence(steps)
    words.add_special_tokens([AddedToken(name, special=True, normalized=False) for name in SPECIAL])
    return vocabulary_of(transformers.PreTrainedTokenizerFast(tokenizer_object=words), [])


def llama3(_):
    pytest.importorskip("tiktoken", reason="no tiktoken: pip install 'worldline[tokens]'")
    return llama3_vocabulary([128_009])


@pytest.fixture(scope="module", params=[byte_level, sentence_piece, llama3])
def vocabulary(request, tmp_path_factory):
    return request.param(tmp_path_factory.mktemp("words"))


@given(text=TEXTS)
def test_the_bytes_of_what_follows_are_the_text(vocabulary, text):
    assert b"".join(vocabulary.raw[number] for number in vocabulary.follow(text)) == text.encode()


@pytest.mark.parametrize("name", SPECIAL)
def test_a_special_token_is_one_id_with_its_name(vocabulary, name):
    (number,) = vocabulary.follow(name)
    assert vocabulary.raw[number] == name.encode()
    assert (number in vocabulary.ends) == (name == "<|end_of_text|>")


def test_a_tokenizer_that_puts_spaces_behind_special_tokens_cannot_write_traces():
    assert sentence_piece(None).has_trace_tokens
    assert not sentence_piece(None, "always").has_trace_tokens


def test_an_unknown_kind_is_told(tmp_path):
    words = Tokenizer(models.WordLevel({"a": 0}, unk_token="a"))
    words.decoder = decoders.WordPiece()
    with pytest.raises(UserError, match="in an unknown way: WordPiece"):
        vocabulary_of(transformers.PreTrainedTokenizerFast(tokenizer_object=words), [])
