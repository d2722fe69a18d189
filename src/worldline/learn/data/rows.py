"""This file is questions as rows of tokens: documents side by side, each a container and its questions.

    document BLOCK question WORDS OPERANDS answer ANSWER end question ... document ...

A question sees its own document's block and itself, nothing else of its row (learn/networks/matching.py): as
if it had been asked alone, which is how the embedded model is asked later.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy

from worldline.learn.data.containers import holding
from worldline.learn.data.functions import function, line_asked
from worldline.learn.data.statements import asked, scalar
from worldline.learn.training.config import Batch, Stage
from worldline.models.embedded.lines import LONGEST
from worldline.models.embedded.prompts import Handles, UnclearError
from worldline.models.embedded.questions import Question
from worldline.models.embedded.vocabulary import ANSWER, DOCUMENT, PAD, QUESTION

WIDTH = 320
QUESTIONS = 8  # about one container
OTHERS = 0.15  # weight of a token that is no answer
SHARE = 0.22  # of the documents that look into a container: they hold several questions each
LINES = 0.06  # of the documents that are the lines of a function
SLOW = ("line",)  # learnt last, at whatever length: no reason to keep containers short
ROOM = 24  # tokens that are worth another document


@dataclass(slots=True)
class Row:
    """Tokens, and where the answers are in them."""

    ids: list[int] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    answers: list[tuple[str, int, int]] = field(default_factory=list)  # kind, begin, end

    def room(self, width: int) -> int:
        """Tokens that are left."""
        return width - len(self.ids)

    def put(self, tokens: tuple[int, ...]) -> None:
        """Tokens that are no answer."""
        self.ids += tokens
        self.weights += [OTHERS] * len(tokens)

    def prompts(self) -> Iterator[tuple[int, ...]]:
        """Each question as it would be asked alone: its document, then itself."""
        for _, begin, _ in self.answers:
            document = _last(self.ids, DOCUMENT, begin)
            container = self.ids[document : self.ids.index(QUESTION, document)]
            yield (*container, *self.ids[_last(self.ids, QUESTION, begin) : begin])

    def ask(self, question: Question, answer: list[int]) -> None:
        """A question and its answer."""
        self.put((QUESTION, *question.asked, ANSWER))
        begin = len(self.ids)
        self.ids += answer
        self.weights += [1.0] * len(answer)
        self.answers.append((question.kind, begin, len(self.ids)))


def _last(ids: Sequence[int], token: int, before: int) -> int:
    """The last place of a token before another place."""
    return next(at for at in range(before - 1, -1, -1) if ids[at] == token)


def drawn_row(dice: Random, difficulty: float, width: int = WIDTH, only: Sequence[str] = ()) -> Row:
    """A row of random statements; `only` of some families that look into no container."""
    row = Row()
    tries = 0
    while row.room(width) > ROOM and tries < 200:
        tries += 1
        drawn = 1.0 if only else dice.random()
        if drawn < SHARE:
            contained(row, dice, width, difficulty)
        elif drawn < SHARE + LINES:
            lined(row, dice, width, difficulty)
        else:
            plain(row, dice, width, only)
    return row


def plain(row: Row, dice: Random, width: int, only: Sequence[str] = ()) -> None:
    """One question without a container."""
    try:
        question = asked(scalar(dice, only), Handles(dice))
        answer = question.right()
    except UnclearError:
        return
    if len(question.prompt) + len(answer) <= row.room(width):
        row.put((DOCUMENT, *question.container))
        row.ask(question, answer)


def contained(row: Row, dice: Random, width: int, difficulty: float) -> None:
    """Several questions about one container."""
    held = holding(dice, difficulty)
    handles = Handles(dice)
    _fill(row, width, lambda: asked(held.sample(dice), handles))


def lined(row: Row, dice: Random, width: int, difficulty: float) -> None:
    """Several questions about the lines of one function."""
    read = function(dice, min(max(5, round(LONGEST * difficulty * dice.random())), row.room(width) // 3 - 10))
    _fill(row, width, lambda: line_asked(dice, read))


def _fill(row: Row, width: int, ask: Callable[[], Question]) -> None:
    begun: tuple[int, ...] | None = None
    for _ in range(QUESTIONS):
        try:
            question = ask()
            answer = question.right()
        except UnclearError:
            continue
        if begun is None:
            if len(question.prompt) + len(answer) > row.room(width):
                return
            row.put((DOCUMENT, *question.container))
            begun = question.container
        if question.container == begun and len(question.asked) + len(answer) + 2 <= row.room(width):
            row.ask(question, answer)


def batch(row: Row, width: int = WIDTH) -> Batch:
    """A row to learn from, of the full width."""
    ids = numpy.full(width + 1, PAD, dtype=numpy.int64)
    weights = numpy.zeros(width + 1, dtype=numpy.float32)
    ids[: len(row.ids)] = row.ids
    weights[: len(row.ids)] = row.weights
    return Batch(ids[:-1], ids[1:], weights[1:])


def stream(
    iteration: int, rank: int, world: int, stage: Stage, *, seed: int = 0, only: Sequence[str] = ()
) -> Batch:
    """Random statements, for ever."""
    return batch(row_of(iteration, rank, stage.difficulty, seed, only))


def row_of(iteration: int, rank: int, difficulty: float, seed: int = 0, only: Sequence[str] = ()) -> Row:
    """One row of the stream, before it is filled up."""
    return drawn_row(Random(f"{seed} {iteration} {rank}"), difficulty, only=only)


def exactness(
    network: Any, stage: Stage, *, rows: int = 64, seed: int = 1_000_003, only: Sequence[str] = ()
) -> dict[str, float]:
    """The share of answers without an error, each token after the true ones: all, and of each kind."""
    import torch

    made = [
        drawn_row(Random(f"held out {seed} {number}"), stage.difficulty, only=only) for number in range(rows)
    ]
    right: dict[str, list[bool]] = {}
    for begin in range(0, rows, 16):
        part = made[begin : begin + 16]
        batches = [batch(row) for row in part]
        ids_BT = torch.as_tensor(numpy.stack([each.ids_BT for each in batches]))
        device = next(network.parameters()).device
        best_BT = network(ids_BT.to(device)).argmax(-1).cpu().numpy()
        for row, best_T, each in zip(part, best_BT, batches, strict=True):
            is_right = best_T == each.targets_BT
            for kind, first, last in row.answers:
                right.setdefault(kind, []).append(bool(is_right[first - 1 : last - 1].all()))
    found = {f"kind {kind}": sum(each) / len(each) for kind, each in sorted(right.items())}
    everything = [each for several in right.values() for each in several]
    quick = [each for kind, several in right.items() for each in several if kind not in SLOW]
    return {
        "quick": sum(quick) / max(len(quick), 1),
        "exact": sum(everything) / len(everything),
        "worst": min(found.values()),
        **found,
    }
