"""This file is the laws of fragmentation and of single edits, and the examples the literature gives."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldline.errors import UserError
from worldline.tokens.fragments import EDIT_KINDS, MAX_POSITIONS, edit_effect, fragments
from worldline.tokens.vocabulary import to_bytes

ALPHABET = string.ascii_lowercase
STRINGS = st.text(st.characters(), max_size=12) | st.text("ab1 '中é", max_size=12)
ASCII = st.text(st.characters(codec="ascii"), max_size=20)


def applied(text, edit):
    """The edited string, from what the edit says about itself."""
    end = edit.at if edit.kind == "insert" else edit.at + 1
    return text[: edit.at] + edit.character + text[end:]


def common_ends(one, other):
    """The naive twin of `kept`: try every length of beginning and end."""
    shorter = min(len(one), len(other))
    front = max(n for n in range(shorter + 1) if one[:n] == other[:n])
    back = max(n for n in range(shorter - front + 1) if one[len(one) - n :] == other[len(other) - n :])
    return front + back


@given(text=STRINGS)
def test_fragments_are_the_string(each_tokenizer, text):
    found = fragments(each_tokenizer, text)
    raw = [piece if isinstance(piece, bytes) else to_bytes(piece) for piece in found.pieces]
    assert b"".join(raw) == to_bytes(text)
    assert (found.characters, found.tokens) == (len(text), len(found.pieces))


@given(text=STRINGS, seed=st.integers(0, 3))
def test_an_edit_says_what_it_did(each_tokenizer, text, seed):
    effect = edit_effect(each_tokenizer, text, seed=seed)
    before = each_tokenizer.encode(text, ordinary=True)
    assert effect.positions == len(text) + 1
    assert effect.tokens == len(before)
    for edit in effect.edits:
        edited = applied(text, edit)
        after = each_tokenizer.encode(edited, ordinary=True)
        assert edited != text
        assert (edit.before, edit.after, edit.kept) == (len(before), len(after), common_ends(before, after))
        assert 0 <= edit.lost <= edit.before
    assert [len(effect.only(kind).edits) for kind in EDIT_KINDS] == [len(text), len(text) + 1, len(text)]


@given(text=STRINGS, seed=st.integers(0, 3))
def test_one_position_is_the_same_alone_and_among_all(each_tokenizer, text, seed):
    everywhere = edit_effect(each_tokenizer, text, seed=seed)
    alone = [edit_effect(each_tokenizer, text, at=at, seed=seed) for at in range(len(text) + 1)]
    assert everywhere.edits == tuple(edit for effect in alone for edit in effect.edits)


@given(text=ASCII)
def test_in_bytes_an_edit_touches_one_token(byte_tokenizer, text):
    for edit in edit_effect(byte_tokenizer, text).edits:
        gone_and_new = {"change": (1, 1), "insert": (0, 1), "delete": (1, 0)}[edit.kind]
        assert (edit.lost, edit.after - edit.kept) == gone_and_new


@given(text=STRINGS)
def test_worst_and_mean(each_tokenizer, text):
    effect = edit_effect(each_tokenizer, text)
    touched = [edit.lost + edit.after - edit.kept for edit in effect.edits]
    worst = effect.worst
    assert worst.lost + worst.after - worst.kept == max(touched)
    assert effect.mean_lost == pytest.approx(sum(edit.lost for edit in effect.edits) / len(effect.edits))
    assert effect.mean_after == pytest.approx(sum(edit.after for edit in effect.edits) / len(effect.edits))


def test_a_long_string_is_sampled_the_same_way_each_time(each_tokenizer):
    text = ALPHABET * 40
    effect = edit_effect(each_tokenizer, text, seed=1)
    assert effect.positions == MAX_POSITIONS == len({edit.at for edit in effect.edits})
    assert effect == edit_effect(each_tokenizer, text, seed=1)
    assert effect != edit_effect(each_tokenizer, text, seed=2)
    assert 1 <= edit_effect(each_tokenizer, ALPHABET * 10_000).positions < 10


def test_the_alphabet_is_one_token_until_it_is_edited(llama3):
    """A published example says 1 token, 5 after a changed letter, 7 after a space; true of some positions."""
    assert fragments(llama3, ALPHABET).tokens == 1
    changed = {
        edit.after
        for letter in ALPHABET
        for edit in edit_effect(llama3, ALPHABET, character=letter).only("change").edits
    }
    spaced = {edit.after for edit in edit_effect(llama3, ALPHABET, character=" ").only("insert").edits}
    assert (min(changed), max(changed)) == (3, 7)
    assert (min(spaced), max(spaced)) == (2, 7)


def test_the_separator_falls_apart_between_letters(llama3):
    assert fragments(llama3, "-.").tokens == 1
    assert fragments(llama3, "a-.-.b").tokens == 5


def test_shown(llama3):
    assert fragments(llama3, "'strawberry'").shown == "'s|tr|aw|berry|'"
    assert fragments(llama3, "a👩").shown == r"a|\xf0\x9f|\x91|\xa9"


def test_special_tokens_in_a_string_are_text(each_tokenizer):
    assert fragments(each_tokenizer, "<|frame_sep|>").tokens > 1


def test_the_character_may_be_chosen(byte_tokenizer):
    effect = edit_effect(byte_tokenizer, "abc", at=1, character="X")
    assert [applied("abc", edit) for edit in effect.edits] == ["aXc", "aXbc", "ac"]
    same = edit_effect(byte_tokenizer, "abc", at=1, character="b")
    assert [edit.kind for edit in same.edits] == ["insert", "delete"]


def test_the_ends_of_a_string(each_tokenizer):
    assert [edit.kind for edit in edit_effect(each_tokenizer, "ab", at=2).edits] == ["insert"]
    empty = edit_effect(each_tokenizer, "")
    assert [(edit.kind, edit.before, edit.after) for edit in empty.edits] == [("insert", 0, 1)]
    assert empty.only("delete").worst is None
    assert empty.only("delete").mean_lost == 0


@pytest.mark.parametrize("at", [-1, 4])
def test_a_position_outside_is_named(byte_tokenizer, at):
    with pytest.raises(UserError, match=f"position {at} is outside a string of 3 characters"):
        edit_effect(byte_tokenizer, "abc", at=at)


@pytest.mark.parametrize("character", ["", "ab"])
def test_one_character_is_one(byte_tokenizer, character):
    with pytest.raises(UserError, match="is not one character"):
        edit_effect(byte_tokenizer, "abc", character=character)
