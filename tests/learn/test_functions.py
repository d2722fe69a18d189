"""Random functions of which only the lines count: each can be read, and asked about."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldline.learn.data.functions import NAME, function, line_asked
from worldline.models.embedded.lines import LONGEST, next_line
from worldline.models.embedded.outcomes import Stopped, Value
from worldline.models.embedded.program import source
from worldline.models.embedded.prompts import UnclearError
from worldline.models.embedded.vocabulary import shown

TEXT = '''\
def main(n=0):  # << START_OF_TRACE
    """With a text,

    else: of several lines.
    """
    # first
    while n:

        def half(k):
            return k // 2
        if n > 3:
            n = half(n)
        elif n:  # last
            raise ValueError
        else:
            break
    return n
'''


@given(st.integers(0, 2**32), st.integers(1, LONGEST))
def test_every_function_can_be_asked_about(seed: int, longest: int) -> None:
    dice = Random(seed)
    read = function(dice, longest)
    question = line_asked(dice, read)
    told = question.read(question.right()[:-1])
    assert isinstance(told, Value | Stopped)
    if isinstance(told, Value):
        assert told.value in read.nodes
    assert read.text.count("\n") <= LONGEST


@pytest.mark.parametrize(
    ("number", "branch", "following"),
    [(7, True, 9), (7, False, 17), (9, None, 11), (11, False, 13), (12, None, 7), (16, None, 17)],
)
def test_the_next_line_is_cpythons(number: int, branch: bool | None, following: int) -> None:
    question = next_line(source(TEXT), NAME, number, branch)
    assert question.read(question.right()[:-1]) == Value(following)


def test_a_function_is_shown_by_the_kinds_and_depths_of_its_lines() -> None:
    told = shown(next_line(source(TEXT), NAME, 7, True).container).split()
    lines = list(zip(told[1:-2:3], told[2:-2:3], strict=True))
    nothing = ("none", "d0")
    assert lines[:7] == [("function", "d0"), *[nothing] * 5, ("while", "d1")]
    assert lines[7:] == [
        *(nothing, ("function", "d2"), ("return", "d3"), ("if", "d2"), ("statement", "d3")),
        *(("elif", "d2"), ("raise", "d3"), ("else", "d2"), ("break", "d3"), ("return", "d1")),
    ]


@pytest.mark.parametrize(
    "body", ["try:\n        n = 1\n    except ValueError:\n        pass", "n = (\n        n)"]
)
def test_other_lines_are_not_clear(body: str) -> None:
    read = source(f"def main(n=0):  # << START_OF_TRACE\n    {body}\n    return n\n")
    with pytest.raises(UnclearError):
        next_line(read, NAME, 2, None)
