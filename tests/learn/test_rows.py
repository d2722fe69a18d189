"""Rows of questions: what each token sees is what it would see alone."""

import os
import subprocess
import sys
from random import Random

import numpy
import pytest

from worldline.learn.data.rows import WIDTH, Row, batch, drawn_row, row_of, stream
from worldline.learn.training.config import Stage
from worldline.models.embedded import vocabulary
from worldline.models.embedded.questions import Question
from worldline.models.embedded.vocabulary import ANSWER, DOCUMENT, PAD, QUESTION, TOKENS

SHAPE = {"vocabulary": len(TOKENS), "width": 32, "layers": 2, "heads": 2, "context": 512}


def documents(row: list[int]) -> list[list[list[int]]]:
    """Each document: its opening, then its questions."""
    found: list[list[list[int]]] = []
    for token in row:
        if token == DOCUMENT:
            found.append([[]])
        elif token == QUESTION:
            found[-1].append([])
        found[-1][-1].append(token)
    return found


def test_special_tokens_are_those_of_the_network() -> None:
    matching = pytest.importorskip("worldline.learn.networks.matching")
    assert (matching.DOCUMENT, matching.QUESTION) == (vocabulary.DOCUMENT, vocabulary.QUESTION)


def test_a_question_in_a_row_has_the_logits_that_it_has_alone() -> None:
    torch = pytest.importorskip("torch")
    from worldline.learn.networks import Shape, build

    network = build(Shape("matching", **SHAPE), seed=1)
    for seed in range(3):
        row = drawn_row(Random(seed), 0.3)
        together = network(torch.tensor([row.ids]))[0]
        place = 0
        for opening, *questions in documents(row.ids):
            place += len(opening)
            for question in questions:
                alone = network(torch.tensor([[*opening, *question]]))[0]
                torch.testing.assert_close(
                    together[place : place + len(question)], alone[len(opening) :], atol=1e-4, rtol=1e-4
                )
                place += len(question)
        assert place == len(row.ids)


def test_a_row_holds_questions_and_their_answers() -> None:
    row = drawn_row(Random(7), 1.0)
    assert len(row.ids) <= WIDTH
    assert len(row.answers) > 3
    for _, begin, end in row.answers:
        assert row.ids[begin - 1] == ANSWER
        assert row.ids[end - 1] == vocabulary.END
        assert row.weights[begin:end] == [1.0] * (end - begin)


def test_the_questions_of_a_row_are_told_as_they_would_be_asked_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[int, ...]] = []
    ask = Row.ask

    def seen(row: Row, question: Question, answer: list[int]) -> None:
        asked.append(question.prompt)
        ask(row, question, answer)

    monkeypatch.setattr(Row, "ask", seen)
    for rank in range(20):
        asked.clear()
        row = row_of(3, rank, 1.0)
        assert [*row.prompts()] == asked
        made = stream(3, rank, 24, Stage(1.0))
        assert made.ids_BT[: len(row.ids)].tolist() == row.ids[:WIDTH]


def test_a_stream_is_a_function_of_its_arguments() -> None:
    one, other = (stream(5, 2, 8, Stage(0.5), seed=3) for _ in range(2))
    assert (one.ids_BT == other.ids_BT).all()
    assert (one.ids_BT != stream(6, 2, 8, Stage(0.5), seed=3).ids_BT).any()


def test_a_batch_is_the_row_and_what_follows_each_token() -> None:
    row = drawn_row(Random(1), 0.2)
    made = batch(row)
    size = min(len(row.ids), WIDTH)
    assert made.ids_BT[:size].tolist() == row.ids[:size]
    assert made.targets_BT[: size - 1].tolist() == row.ids[1:size]
    assert numpy.all(made.ids_BT[size:] == PAD)
    assert numpy.all(made.weights_BT[size:] == 0)


DIGEST = """
from hashlib import sha256
from random import Random
from worldline.learn.data.programs import program
from worldline.learn.data.rows import drawn_row
rows = [drawn_row(Random(seed), 0.5).ids for seed in range(150)]
print(sha256(repr((rows, [program(number).source for number in range(20)])).encode()).hexdigest())
"""


def test_data_is_the_same_in_every_process() -> None:
    """Whatever order a set of texts has there."""
    told = [
        subprocess.run(
            [sys.executable, "-c", DIGEST],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert told[0] == told[1] != ""
