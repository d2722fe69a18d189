"""This file is one answer in the making: what it has been asked, where it stands, and when it is done."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from worldline.models.hf_choices import Node, chosen
from worldline.models.hf_text import Writer, Written
from worldline.models.hf_vocabulary import Vocabulary
from worldline.models.model import Ask, Completion, Finish, Token


@dataclass(slots=True, eq=False)
class Row:
    """An answer in the making."""

    index: int  # of its ask
    ask: Ask
    ids: list[int]  # the prompt, then what was written
    prompt: int  # tokens of the prompt
    room: int  # tokens it may write
    writer: Writer
    random: random.Random
    node: Node | None = None  # where it stands in the tree of its choices
    path: list[Token] = field(default_factory=list)  # what it wrote, if it has choices
    done: Completion | None = None

    def take(self, number: int, logprob: float, vocabulary: Vocabulary) -> None:
        """One more token."""
        self.ids.append(number)
        raw = vocabulary.raw.get(number, b"")
        if self.node is not None:
            self._walk(number, logprob, vocabulary.raw)
            return
        if number in vocabulary.ends and raw.decode("utf-8", "replace") not in self.ask.stops:
            self._finish("end", self.writer.ended())
            return
        written = self.writer.take(raw, logprob)
        if written is not None:
            self._finish("stop", written)
        elif self.spent >= self.room:
            self._finish("length", self.writer.ended())

    @property
    def spent(self) -> int:
        """Tokens written."""
        return len(self.ids) - self.prompt

    def choose(self, logprobs: list[float]) -> int | None:
        """The next token of a row with choices; None: its text is complete."""
        if self.node is None:
            raise ValueError("a row without choices has nothing to choose from")
        uniform = self.random.random() if self.ask.temperature > 0 else 0.0
        number = chosen(self.node, logprobs, self.ask.temperature, uniform)
        if number is None:
            self.complete_choice()
        return number

    def complete_choice(self) -> None:
        """The text that is complete here is the answer."""
        path = self.node.path if self.node is not None else None
        if path is None:
            raise ValueError("no choice is complete here")
        finish: Finish = "stop" if path.stop else "end"
        self.done = Completion(path.choice, finish, path.stop, tuple(self.path), self.prompt, self.spent)

    def _walk(self, number: int, logprob: float, raw: Mapping[int, bytes]) -> None:
        node = self.node.children[number] if self.node is not None else Node()
        self.node = node
        self.path.append(Token(raw.get(number, b"").decode("utf-8", "replace"), logprob))
        if node.path is not None and not node.children:
            self.complete_choice()

    def _finish(self, finish: Finish, written: Written) -> None:
        # The last bytes of a cut answer may complete a stop: U+FFFD is text like any other.
        ended: Finish = "stop" if written.stop else finish
        self.done = Completion(written.text, ended, written.stop, written.tokens, self.prompt, self.spent)
