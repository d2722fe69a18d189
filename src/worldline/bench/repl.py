"""This file is permutations as transcripts of a session, in which the state is shown now and then.

    >>> a, b, c = 1, 2, 3
    >>> a, b, c = b, a, c
    >>> a, b, c
    (2, 1, 3)

The model writes each line that shows the state. What it wrote stays in the transcript, right or wrong, unless
the mode forces states: then the true line does. Any model that goes on with a text can be asked.
"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain
from random import Random

from worldline.bench.model import Item, Label, Problem, Score
from worldline.models.model import Ask, Completion, Failed, Model
from worldline.record import Options, record
from worldline.trace.model import Entry, Program

SHOWN_TOKENS = 64  # of one shown state


def session(names: str, lines: Sequence[str], spacing: int, name: str, dice: Random) -> Problem:
    """A session of so many assignments that shows its state after every `spacing` of them, and at the end."""
    values = dice.sample(range(1, 10), len(names)) if len(names) < 10 else range(1, len(names) + 1)
    first = f"{', '.join(names)} = {', '.join(map(str, values))}"
    parts = [list(lines[start : start + spacing]) for start in range(0, len(lines), spacing)]
    parts[0] = [first, *parts[0]]
    labels: dict[str, Label] = {"length": len(lines), "form": "repl", "spacing": spacing}
    return Problem(name, None, labels, facts={"parts": parts, "shown": ", ".join(names)})


@dataclass(slots=True)
class _Session:
    """A session on its way."""

    item: Item
    truth: Sequence[str]
    text: str = ""
    said: list[str] = field(default_factory=list)
    spent: int = 0
    peak: int = 0
    failed: Failed | None = None

    def ask(self) -> Ask:
        facts = self.item.problem.facts
        commands = [*facts["parts"][len(self.said)], facts["shown"]]
        self.text += "".join(f">>> {command}\n" for command in commands)
        options = self.item.mode.options
        return Ask(self.text, ("\n",), SHOWN_TOKENS, (), options.temperature, self.item.seed)

    def take(self, answer: Completion | Failed) -> None:
        if isinstance(answer, Failed):
            self.failed = answer
            return
        said = answer.text.strip()
        is_forced = bool(self.item.mode.options.states)
        self.text += f"{self.truth[len(self.said)] if is_forced else said}\n"
        self.said.append(said)
        self.spent += answer.spent
        self.peak = max(self.peak, answer.asked)

    @property
    def is_over(self) -> bool:
        return self.failed is not None or len(self.said) == len(self.truth)


def talk(items: Sequence[Item], model: Model, isolation: str) -> Iterator[Score | Failed]:
    """Play sessions, all of them at once."""
    sessions = [_Session(item, truth_of(item.problem, isolation)) for item in items]
    while open_ones := [each for each in sessions if not each.is_over]:
        answers = model.complete([each.ask() for each in open_ones])
        for each, answer in zip(open_ones, answers, strict=True):
            each.take(answer)
    for each in sessions:
        yield each.failed if each.failed is not None else _score(each, isolation)


def truth_of(problem: Problem, isolation: str) -> list[str]:
    """What Python shows, each time."""
    shown = problem.facts["shown"]
    lines = chain.from_iterable([*part, f"shown.append(repr(({shown})))"] for part in problem.facts["parts"])
    body = "\n".join(f"    {line}" for line in lines)
    program = Program(f"def main():\n    shown = []\n{body}\n    return shown\n", Entry("call", "main()"))
    ending = record(program, Options(engine="none", max_value=None), isolation=isolation).ending
    found: list[str] = ast.literal_eval(ending.value or "[]")
    return found


def _score(played: _Session, isolation: str) -> Score:
    item, problem = played.item, played.item.problem
    right = [_plain(said) == _plain(true) for said, true in zip(played.said, played.truth, strict=True)]
    sizes = [len(part) for part in problem.facts["parts"]]
    sizes[0] -= 1
    reached = [0, *accumulate(sizes)]
    first = right.index(False) if False in right else len(right)
    return Score(
        problem.id,
        item.mode.name,
        item.seed,
        problem.labels,
        is_right=right[-1],
        is_exact=all(right),
        steps=reached[-1],
        steps_right=reached[first],
        given=played.said[-1],
        real=played.truth[-1],
        spent=played.spent,
        asks=len(played.said),
        peak=played.peak,
        stop="the session has ended",
        isolation=isolation,
        asked=item.problem.asked,
    )


def _plain(text: str) -> str:
    return text.replace(" ", "").strip("()")
