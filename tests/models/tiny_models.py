"""This file is two tiny models for tests of servers: one has real probabilities, one has written answers."""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache

from worldline.models.model import Ask, Can, Completion, Failed, Token
from worldline.tokens.byte_level import ByteTokenizer

TRACE = (
    "<|begin_of_text|><|trace_context_start|>def main():  # << START_OF_TRACE\n    return len('ab') * 21\n"
    "<|frame_sep|><|call_sep|>{}<|action_sep|>def main():  # << START_OF_TRACE\n"
    "<|frame_sep|><|line_sep|>{}<|action_sep|>    return len('ab') * 21\n"
    "<|frame_sep|><|return_sep|><|action_sep|>    return len('ab') * 21\n<|arg_sep|>\"42\"<|frame_sep|>"
    "<|end_of_text|>"
)
END = "<|end_of_text|>"


@cache
def _learnt(text: str, order: int) -> dict[tuple[int, ...], Counter[int]]:
    """What follows what, and how often."""
    seen: dict[tuple[int, ...], Counter[int]] = defaultdict(Counter)
    ids = ByteTokenizer().encode(text)
    for at in range(1, len(ids)):
        for size in range(order + 1):
            seen[tuple(ids[max(0, at - size) : at])][ids[at]] += 1
    return seen


class BytePairs:
    """A model of the bytes that follow others, learnt from one trace; any byte may come, if rarely."""

    name = "tiny:bytes"
    order = 40

    def __init__(self, can: Can | None = None, text: str = TRACE) -> None:
        self.can = can or Can(logprobs=True, scoring=True, choices=True, seeds=True, context=4000)
        self.batches: list[int] = []
        self._tokens = ByteTokenizer()
        self._seen = _learnt(text, self.order)
        self._logprobs: dict[tuple[int, ...], list[float]] = {}

    def logprobs(self, before: Sequence[int]) -> list[float]:
        """Of every byte and special token as the next."""
        sizes = range(min(self.order, len(before)), 0, -1)
        contexts = (tuple(before[len(before) - size :]) for size in sizes)
        known = next((context for context in contexts if context in self._seen), ())
        if known not in self._logprobs:
            counts = self._seen[known]
            total = sum(counts.values())
            rows = [math.log(0.9 * counts[number] / total + 0.1 / 266) for number in range(266)]
            self._logprobs[known] = rows
        return self._logprobs[known]

    def complete(self, asks: Sequence[Ask]) -> list[Completion | Failed]:
        self.batches.append(len(asks))
        return [self._chosen(ask) if ask.choices else self._written(ask) for ask in asks]

    def score(self, asks: Sequence[Ask]) -> list[tuple[float, ...] | Failed]:
        return [
            tuple(
                sum(token.logprob for token in self._read(ask.prefix, choice + "".join(ask.stops[:1])))
                for choice in ask.choices
            )
            for ask in asks
        ]

    def count(self, text: str) -> int:
        return self._tokens.count(text)

    def _read(self, prefix: str, text: str) -> list[Token]:
        before, tokens = self._tokens.encode(prefix), []
        for number in self._tokens.encode(text):
            tokens.append(Token(self._tokens.decode([number]), self.logprobs(before)[number]))
            before.append(number)
        return tokens

    def _chosen(self, ask: Ask) -> Completion:
        scores = self.score([ask])[0]
        text = ask.choices[scores.index(max(scores))]
        tokens = self._read(ask.prefix, text)
        return Completion(text, "end", tokens=tuple(tokens), asked=self.count(ask.prefix), spent=len(tokens))

    def _written(self, ask: Ask) -> Completion:
        before = self._tokens.encode(ask.prefix)
        asked, chance = len(before), random.Random(ask.seed)
        tokens: list[Token] = []
        while len(tokens) < ask.max_tokens:
            logprobs = self.logprobs(before)
            number = self._drawn(logprobs, ask.temperature, chance)
            before.append(number)
            tokens.append(Token(self._tokens.decode([number]), logprobs[number]))
            text = "".join(token.text for token in tokens)
            stop = next((stop for stop in ask.stops if text.endswith(stop)), "")
            if stop or text.endswith(END):
                ended = "stop" if stop else "end"
                text = text.removesuffix(stop or END)
                kept = tokens if stop else tokens[:-1]
                return Completion(text, ended, stop, tuple(kept), asked, len(kept))
        return Completion(
            "".join(token.text for token in tokens), "length", "", tuple(tokens), asked, len(tokens)
        )

    def _drawn(self, logprobs: list[float], temperature: float, chance: random.Random) -> int:
        if temperature == 0:
            return logprobs.index(max(logprobs))
        weights = [math.exp(logprob / temperature) for logprob in logprobs]
        # a byte that begins a longer character would not come back as the text it is
        return chance.choices([*range(128), *range(256, 266)], weights[:128] + weights[256:])[0]


class Written:
    """A model that has its answers, by the end of the prefix; without one it has failed."""

    name = "tiny:written"

    def __init__(self, answers: dict[str, Completion | Failed], can: Can | None = None) -> None:
        self.can = can or Can()
        self.asks: list[Ask] = []
        self._answers = answers

    def complete(self, asks: Sequence[Ask]) -> list[Completion | Failed]:
        self.asks += asks
        return [self._answer(ask) for ask in asks]

    def _answer(self, ask: Ask) -> Completion | Failed:
        for end, answer in self._answers.items():
            if ask.prefix.endswith(end):
                return answer
        return Failed("nothing is written for this", "write it")

    def score(self, asks: Sequence[Ask]) -> list[tuple[float, ...] | Failed]:
        raise NotImplementedError

    def count(self, text: str) -> int:
        return ByteTokenizer().count(text)
