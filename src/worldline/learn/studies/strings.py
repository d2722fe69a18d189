"""This file is the strings study: the embedded model's kind of network on strings, written in several ways.

All arms have the network, the questions and the curriculum in common; `strings_written.py` has what differs.
A row is a string and several questions about it with their answers. There are two budgets of equally many
iterations: at **equal steps** an iteration has about the same number of tokens in all arms, so a shorter way
to write sees more questions. At **equal characters** it has the same rows as that of bytes, so all see the
same questions. The arm `bytes` is the same in both. What learns slowly has an arm that differs from it in
having many more iterations. `bare` is in the sweep only.
"""

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from worldline.learn.networks import Shape
from worldline.learn.studies.grid import Study
from worldline.learn.studies.one_run import trained
from worldline.learn.studies.strings_questions import LONGEST, Question, kinds, on, question
from worldline.learn.studies.strings_scoring import accuracy, questions, right, tally, without_learning
from worldline.learn.studies.strings_written import Writing, plain, writing
from worldline.learn.training.config import Batch, Options, Source, Stage, Training

ROWS = {"bytes": 8, "subwords": 12, "typed": 16, "bare": 19}
"""Rows of an iteration: so many that all have about the same number of tokens (a test counts)."""
QUESTIONS = 6  # about the string of a row
CURRICULUM = ((0.1, 2, 0.0), (0.25, 4, 0.25), (1.0, LONGEST, 0.5))
"""Up to this share of the iterations: characters of a string at most, the share of compositions."""
ASIDE = 0.5
"""What all tokens of a row that are not of an answer weigh together, against all that are."""
NETWORK, WIDTH, LAYERS, HEADS = "matching", 80, 4, 4
ITERATIONS = 7000
TRIED = 1000  # iterations of a run that only chooses the learning rate
EVALUATIONS = 16  # while training
SINGLE, COMPOSED = 50, 10  # test questions for each kind and bucket of lengths
VALIDATED = 16, 4  # the same, of validation


@dataclass(frozen=True, slots=True)
class Arm:
    """What is compared."""

    words: str  # way to write
    budget: str  # that is equal to that of bytes; of bytes as long, if it is longer
    rates: tuple[float, ...] = ()  # of its sweep
    follows: str = ""  # the arm that it is trained longer than, whose rate it has
    times: int = 1  # as many iterations as that one
    is_tried_only: bool = False  # in the sweep


LOW, MIDDLE, HIGH, HIGHEST = 1.5e-3, 3e-3, 6e-3, 1.2e-2
"""Around what was best in a wider sweep of 1,500 iterations; the last where the one before was best here."""
ARMS = {
    "bytes": Arm("bytes", "both", (LOW, MIDDLE, HIGH)),
    "subwords": Arm("subwords", "steps", (LOW, MIDDLE, HIGH, HIGHEST)),
    "typed": Arm("typed", "steps", (MIDDLE, HIGH, HIGHEST)),
    "subwords-chars": Arm("subwords", "characters", (MIDDLE, HIGH, HIGHEST)),
    "typed-chars": Arm("typed", "characters", (MIDDLE, HIGH, HIGHEST)),
    "subwords-long": Arm("subwords", "steps", follows="subwords", times=4),
    "bytes-long": Arm("bytes", "both", follows="bytes", times=4),
    "subwords-chars-long": Arm("subwords", "characters", follows="subwords-chars", times=4),
    "subwords-chars-longest": Arm("subwords", "characters", follows="subwords-chars", times=8),
    "bare": Arm("bare", "steps", (LOW, MIDDLE, HIGH, HIGHEST), is_tried_only=True),
}


def study(is_quick: bool = False) -> Study:
    """All arms; the quick one only shows that everything works."""
    setting: dict[str, Any] = {
        "network": NETWORK,
        "iterations": 16 if is_quick else ITERATIONS,
        "width": 16 if is_quick else WIDTH,
        "layers": 1 if is_quick else LAYERS,
        "heads": HEADS,
        "evaluations": 4 if is_quick else EVALUATIONS,
        "test": [2, 1] if is_quick else [SINGLE, COMPOSED],
        "validation": [2, 1] if is_quick else list(VALIDATED),
    }
    arms = {
        name: {
            **setting,
            "iterations": setting["iterations"] * arm.times,
            "words": arm.words,
            "budget": arm.budget,
            "rows": ROWS["bytes" if arm.budget == "characters" else arm.words],
        }
        for name, arm in ARMS.items()
    }
    return Study(
        "strings",
        f"{__name__}:work",
        arms,
        rates={name: arm.rates[: 2 if is_quick else None] for name, arm in ARMS.items() if arm.rates},
        trial={"iterations": 8 if is_quick else TRIED},
        tried=frozenset(name for name, arm in ARMS.items() if arm.is_tried_only),
        follows={name: arm.follows for name, arm in ARMS.items() if arm.follows},
    )


def work(setting: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """One run: train, then answer the questions of the test."""
    ended = trained(config(setting), folder)
    words = writing(setting["words"])
    asked = questions("test", *setting["test"])
    is_right = right(ended.network, words, asked)
    curve = _curve(folder)
    seen = _seen(setting, words)
    embedding = words.size * setting["width"]
    facts = {**ended.facts, "embedding": embedding, "vocabulary": words.size, **seen}
    return {
        "score": [curve[-1][1], -float(ended.facts["loss"])],
        "curve": curve,
        "facts": facts,
        "test": tally(asked, is_right),
        "answers": "".join("01"[each] for each in is_right),
        "trivial": without_learning(asked),
    }


def config(setting: Mapping[str, Any]) -> Training:
    """The training of a run."""
    words, iterations = setting["words"], setting["iterations"]
    single, composed = setting["validation"]
    stream = partial(rows, words=words, iterations=iterations, seed=setting["seed"])
    return Training(
        network=Shape(
            network=setting["network"],
            vocabulary=writing(words).size,
            width=setting["width"],
            layers=setting["layers"],
            heads=setting["heads"],
            context=512,
        ),
        sources=(Source("questions", stream),),
        evaluations={"validation": partial(accuracy, words=words, single=single, composed=composed)},
        options=Options(
            iterations=iterations,
            batch=setting["rows"],
            learning_rate=setting["learning_rate"],
            warmup=min(100, iterations // 4),
            seed=setting["seed"],
            evaluate_every=max(1, iterations // setting["evaluations"]),
            checkpoint_every=max(1, iterations // 4),
        ),
    )


def rows(  # noqa: PLR0913  # a stream has four
    iteration: int, rank: int, world: int, stage: Stage, *, words: str, iterations: int, seed: int
) -> Batch:
    """One row: a string, then questions and answers, all of whose tokens are to be foretold."""
    made = writing(words)
    asked = _asked(iteration, rank, iterations, seed)
    ids = made.state(asked[0].string)
    is_answer = [False] * len(ids)
    for each in asked:
        ask, answer = made.ask(each), made.answer(each.answer)
        ids = ids + ask + answer
        is_answer += [False] * len(ask) + [True] * len(answer)
    import numpy

    row, told = numpy.array(ids), numpy.array(is_answer[1:])
    aside = ASIDE * told.sum() / (~told).sum()
    return Batch(row[:-1], row[1:], numpy.where(told, 1.0, aside))


def _asked(iteration: int, rank: int, iterations: int, seed: int) -> list[Question]:
    """The questions of a row: the same for all ways to write, as far as they have the same rows."""
    drawn = random.Random(f"{seed} {iteration} {rank}")
    longest, composed = next(
        (length, share)
        for until, length, share in CURRICULUM
        if iteration < until * iterations or until == 1.0
    )
    found = [question(drawn, _kind(drawn, composed), 1, longest)]
    while len(found) < QUESTIONS:
        more = on(drawn, found[0].string, _kind(drawn, composed))
        if more.part == "training":
            found.append(more)
    return found


def _kind(drawn: random.Random, composed: float) -> tuple[str, ...]:
    return drawn.choice(kinds(drawn.random() < composed))


def _curve(folder: Path) -> list[tuple[int, float]]:
    """Validation accuracy by iteration, from the trainer's log."""
    lines = (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()
    told = [json.loads(line) for line in lines]
    return [(each["iteration"], each["scores"]["validation.right"]) for each in told if "scores" in each]


def _seen(setting: Mapping[str, Any], words: Writing) -> dict[str, int]:
    """Tokens and characters of plain text that a run has seen, from one iteration of sixteen."""
    tokens = characters = 0
    every = range(0, setting["iterations"], 16)
    for iteration in every:
        for rank in range(setting["rows"]):
            asked = _asked(iteration, rank, setting["iterations"], setting["seed"])
            tokens += len(words.state(asked[0].string))
            characters += len(plain(asked[0])[0])
            for each in asked:
                tokens += len(words.ask(each)) + len(words.answer(each.answer))
                characters += sum(len(line) for line in plain(each)[1:])
    share = setting["iterations"] / len(every)
    asked_all = setting["iterations"] * setting["rows"] * QUESTIONS
    return {"tokens": round(tokens * share), "characters": round(characters * share), "questions": asked_all}
