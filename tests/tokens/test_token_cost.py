"""This file is the law of costs: the kinds sum to the total, each token counted where it begins."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldline.errors import UserError
from worldline.tokens import SPECIAL
from worldline.tokens.cost import Cost, Part, cost
from worldline.tokens.vocabulary import to_bytes

KINDS = ["name", "value:str", "value:list", "source", "special", "syntax", "line-number"]
# Long characters fall apart into several tokens; short texts make tokens that reach over several parts.
TEXT = st.one_of(
    st.text(st.characters(), max_size=5),
    st.sampled_from(
        [*SPECIAL, "<|frame", "_sep|>", "", "👩‍👩‍👧", "𓀀", "é", "\ud83d", "berry", "1", "'", '": "', "    "]
    ),
)
PARTS = st.lists(st.builds(Part, st.sampled_from(KINDS), TEXT), max_size=12)


@given(parts=PARTS)
def test_kinds_sum_to_the_total_of_the_joined_text(each_tokenizer, parts):
    found = cost(each_tokenizer, parts)
    text = "".join(part.text for part in parts)
    assert found.total == each_tokenizer.count(text)
    assert sum(found.by_kind.values()) == found.total
    assert sum(found.characters.values()) == len(text)
    assert list(found.by_kind) == list(found.characters) == list(dict.fromkeys(part.kind for part in parts))


@given(parts=PARTS)
def test_a_token_counts_where_its_first_byte_lies(each_tokenizer, parts):
    """The naive twin: write down the kind of every byte, then read it at each token's start."""
    kind_of_byte = [part.kind for part in parts for _ in to_bytes(part.text)]
    expected, offset = Counter(), 0
    for piece in each_tokenizer.pieces("".join(part.text for part in parts)):
        expected[kind_of_byte[offset]] += 1
        offset += len(piece if isinstance(piece, bytes) else to_bytes(piece))
    assert Counter(cost(each_tokenizer, parts).by_kind) == expected


@given(parts=PARTS, cut=st.integers(0, 3))
def test_cutting_a_part_in_two_changes_nothing(each_tokenizer, parts, cut):
    pieces = [Part(kind, half) for kind, text in parts for half in (text[:cut], text[cut:])]
    assert cost(each_tokenizer, pieces) == cost(each_tokenizer, parts)


@given(parts=PARTS)
def test_in_bytes_a_part_costs_its_bytes(byte_tokenizer, parts):
    plain = [part for part in parts if "<|" not in part.text]
    expected = Counter()
    for kind, text in plain:
        expected[kind] += len(to_bytes(text))
    assert Counter(cost(byte_tokenizer, plain).by_kind) == expected


@given(one=PARTS, other=PARTS)
def test_costs_add(each_tokenizer, one, other):
    joined = cost(each_tokenizer, [*one, Part("special", "<|frame_sep|>"), *other])
    separator = cost(each_tokenizer, [Part("special", "<|frame_sep|>")])
    added = cost(each_tokenizer, one) + separator + cost(each_tokenizer, other)
    assert added == joined  # no token reaches over a special one
    assert sum([added], Cost()) == added


def test_a_frame_in_llama3(llama3):
    parts = [
        ("syntax", '"'),
        ("name", "s"),
        ("syntax", '": "'),
        ("value:str", "'strawberry'"),
        ("syntax", '"'),
    ]
    # `"s`, `":`, ` "'` begin in the syntax before name and value; `str`, `aw`, `berry`, `'"` in the value
    assert cost(llama3, parts) == Cost(
        7, {"syntax": 3, "name": 0, "value:str": 4}, {"syntax": 6, "name": 1, "value:str": 12}
    )


def test_a_character_of_several_tokens_stays_in_its_part(llama3):
    found = cost(llama3, [Part("value:str", "𓀀"), Part("syntax", "}"), Part("special", "<|frame_sep|>")])
    assert found.by_kind == {"value:str": 4, "syntax": 1, "special": 1}


def test_no_parts_cost_nothing(each_tokenizer):
    assert cost(each_tokenizer, []) == Cost()
    assert cost(each_tokenizer, [Part("name", "")]) == Cost(0, {"name": 0}, {"name": 0})


def test_a_tokenizer_that_changes_the_text_is_refused(byte_tokenizer):
    class Stripping(type(byte_tokenizer)):
        name = "stripping"

        def pieces(self, text, *, ordinary=False):
            return super().pieces(text.strip(), ordinary=ordinary)

    with pytest.raises(UserError, match=r"'stripping' changes the text \(2 bytes became 1\)"):
        cost(Stripping(), [Part("source", "a ")])
