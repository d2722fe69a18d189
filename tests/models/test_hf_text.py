"""This file is the laws of an answer as it is written: how it falls into tokens changes nothing."""

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from worldline.models.hf_text import Writer

TEXTS = st.text("ab", max_size=12) | st.text("ab\né中😀<|", max_size=24)
STOPS = st.lists(
    st.text("ab", min_size=1, max_size=4) | st.text("a\né中<|", min_size=1, max_size=4), max_size=3
)


def cut_bytes(raw, cuts):
    places = sorted({0, len(raw), *(cut % (len(raw) + 1) for cut in cuts)})
    return [raw[start:end] for start, end in pairwise(places)]


def written(pieces, stops):
    writer = Writer(stops)
    for count, piece in enumerate(pieces):
        done = writer.take(piece, -float(count))
        if done is not None:
            return done
    return writer.ended()


def naive(text, stops):
    """Character by character: the first moment at which the text ends with a stop, the longest of those."""
    for end in range(len(text) + 1):
        for stop in sorted(stops, key=len, reverse=True):
            if text[:end].endswith(stop):
                return text[: end - len(stop)], stop
    return text, ""


@given(text=TEXTS, stops=STOPS, cuts=st.lists(st.integers(0, 99)))
@example(text="abc", stops=["abc", "b"], cuts=[])
@example(text="abc", stops=["b", "ab"], cuts=[1])
def test_the_answer_is_that_of_reading_character_by_character(text, stops, cuts):
    done = written(cut_bytes(text.encode(), cuts), stops)
    assert (done.text, done.stop) == naive(text, stops)


@given(text=TEXTS, stops=STOPS, cuts=st.lists(st.integers(0, 99)))
@example(text="aaa", stops=["aa"], cuts=[1])
@example(text="é", stops=["é"], cuts=[1])
def test_the_tokens_are_the_answer(text, stops, cuts):
    pieces = cut_bytes(text.encode(), cuts)
    done = written(pieces, stops)
    joined = "".join(token.text for token in done.tokens)
    assert joined in (done.text, done.text + done.stop)
    assert [token.logprob for token in done.tokens] == [-float(at) for at in range(len(done.tokens))]
    if not done.stop:
        assert len(done.tokens) == len(pieces)


@given(raw=st.binary(max_size=12), cuts=st.lists(st.integers(0, 99)))
def test_bytes_that_are_no_text_are_shown_as_such(raw, cuts):
    assert written(cut_bytes(raw, cuts), ()).text == raw.decode("utf-8", "replace")


def test_a_stop_that_is_a_token_is_among_the_tokens():
    done = written([b"ab", b"<|frame_sep|>"], ["<|frame_sep|>"])
    assert [token.text for token in done.tokens] == ["ab", "<|frame_sep|>"]


def test_a_token_that_holds_the_beginning_of_a_stop_is_cut():
    done = written(["aé".encode(), "中b".encode()], ["é中"])
    assert (done.text, [token.text for token in done.tokens]) == ("a", ["a"])
