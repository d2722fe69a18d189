"""Edits: which one is written for what a program does to a value, and what is no edit."""

from collections import Counter, defaultdict, deque

import pytest

from worldline.formats.compact_text import UnreadableError, written
from worldline.formats.edits import apply, edits

LONG = "the quick brown fox jumps over the lazy dog"


class Shown(str):
    """The text of an object that is not there."""

    __slots__ = ()
    __repr__ = str.__str__


def between(before: object, after: object) -> str:
    texts = [written(repr(value)) for value in (before, after)]
    assert None not in texts
    return ";".join(edits("x", *texts))


@pytest.mark.parametrize(
    ("before", "after", "edit"),
    [
        ([1, 2], [1, 2, 3], "x+3"),
        ([1], [1, 2, 3], "x+2,3"),
        ([], [[1, 2]], "x+[1,2]"),
        ([1, 2, 3], [1, 2], "x[:-1]"),
        ([1, 2, 3, 4], [3, 4], "x[2:]"),
        ([1, 2, 3, 4], [1, 2, 4], "x-[2]"),
        ([1, 2, 3, 4, 5, 6], [1, 2, 5, 6], "x-[2:4]"),
        ([1000, 2000, 3000], [1000, 7, 3000], "x[1]=7"),
        ([1000, 2000, 3000], [1000, 7, 2000, 3000], "x[1:1]=7"),
        ([1000, 2000, 3000], [5, 1000, 2000, 3000], "x[0:0]=5"),
        ([5, 1000, 2000, 3000, 4000, 4], [4, 1000, 2000, 3000, 4000, 5], "x[0]=4;x[5]=5"),
        ([[0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 9, 0]], "x[1][1]=9"),
        (["a", ["b"]], ["a", ["b", "c, d"]], "x[1]+'c, d'"),
        ((1000, [1]), (1000, [1, 2]), "x[1]+2"),
        ({"a": 1}, {"a": 1, "b": 2}, "x['b']=2"),
        ({"a": 1, "b": 1000, "c": 3}, {"a": 1, "b": 2, "c": 3}, "x['b']=2"),
        ({"a": 1, "b": 2, "c": 3}, {"a": 1, "c": 3}, "x-['b']"),
        ({"a": [1], "b": [2]}, {"a": [1], "b": [2, 3]}, "x['b']+3"),
        ({(1, 2): 1, 3: 1000}, {(1, 2): 5, 3: 1000}, "x[(1,2)]=5"),
        ({1, 2, 30}, {1, 2, 30, 31}, "x+31"),
        ({1, 2, 30}, {1, 30}, "x-[2]"),
        ({1, 2, 30}, {1, 2, 4, 30}, "x[2:2]=4"),
        (deque([1, 2]), deque([1, 2, 3]), "x+3"),
        (deque([1, 2], maxlen=9), deque([2], maxlen=9), "x[1:]"),
        (defaultdict(list, a=[1]), defaultdict(list, a=[1, 2]), "x['a']+2"),
        (Counter(aab=2, b=1), Counter(aab=3, b=1), "x['aab']=3"),
        (Shown("OrderedDict([('a', 1)])"), Shown("OrderedDict([('a', 1), ('b', 2)])"), "x+('b',2)"),  # 3.11
        (Shown("<Point x=1, y=[2]>"), Shown("<Point x=1, y=[2, 3]>"), "x.y+3"),
        (Shown("<Point x=1000, y=2000>"), Shown("<Point x=1000, y=3>"), "x.y=3"),
        (Shown("<Point x=1>"), Shown("<Point x=1, y=2>"), "x.y=2"),
        (Shown("Point(x=1000, y=2000)"), Shown("Point(x=7, y=2000)"), "x.x=7"),
        ("ab", "abc", "x+'c'"),
        (LONG, LONG[4:], "x[4:]"),
        (LONG, LONG[:-5], "x[:-5]"),
        (LONG, LONG[:4] + LONG[20:], "x-[4:20]"),
        (LONG, LONG.replace("quick", "slow"), "x[4:9]='slow'"),
        ("a\nb\té", "\té", "x[3:]"),
        (b"ab", b"abc", "x+b'c'"),
    ],
    ids=str,
)
def test_the_edit_that_is_written(before, after, edit):
    assert between(before, after) == edit


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (1, 2),
        ([1], (1, 2)),
        ("a", [1]),
        ("it is", "it's"),  # the quotes change
        ((1,), (1, 2)),
        ([1, 2, 3], [7, 8, 9]),
        ("abcdef", "abXdef"),  # counting characters is not worth it
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    ],
    ids=str,
)
def test_what_is_better_written_whole(before, after):
    assert between(before, after) == ""


@pytest.mark.parametrize(
    ("before", "edit"),
    [
        ("[1,2]", ""),
        ("[1,2]", "*3"),
        ("[1,2]", "+"),
        ("[1,2]", "[2]=3"),
        ("[1,2]", "[x]=3"),
        ("[1,2]", "[0]="),
        ("[1,2]", "[0"),
        ("[1,2]", "-[0]=3"),
        ("[1,2]", "-[5]"),
        ("[1,2]", ".x=1"),
        ("[1,2]", "[0:1]+3"),
        ("[1,2]", "[0]+3"),
        ("(1,2)", "+3"),
        ("(1,2)", "[0:1]"),
        ("{'a':1}", "['b']+1"),
        ("'ab'", "+c"),
        ("'ab'", '+"c"'),
        ("'ab'", "[0]='c'"),
        ("5", "+1"),
        ("<P x=1>", ".y+1"),
    ],
)
def test_an_edit_that_does_not_fit_is_told(before, edit):
    with pytest.raises(UnreadableError):
        apply(before, edit)
