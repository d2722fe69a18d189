"""This file is how a network of the strings study is scored: greedily decoded answers, grouped.

B questions, T tokens. An answer is right if the value that it writes is the right one. `discontinuities` says
how many of an answer's subwords the string does not have.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any

from worldline.learn.studies.strings_questions import BUCKETS, Part, Question, kinds, question
from worldline.learn.studies.strings_written import Value, Writing, writing

LONGEST_WRITTEN = 44  # tokens of an answer; the longest right one has fewer
AT_ONCE = 256
BROKEN = ("0", "1", "2", "3", "4+")
"""How many discontinuities are reported together."""
LONG_ANSWER = 4  # characters: these are reported apart, as short answers are easy whatever their tokens
TRIES = 20  # draws for each question of a set, as none is in it twice


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a set, and where it counts."""

    question: Question
    groups: Mapping[str, str]  # kind of group -> the group it is in


def groups_of(asked: Question) -> dict[str, str]:
    """In which groups a question counts."""
    low, high = next(pair for pair in BUCKETS if len(asked.string) <= pair[1])
    is_composed = len(asked.operations) > 1
    value = asked.value
    operation = "composition" if is_composed else asked.kind
    found = {
        "all": "all",
        "operation": operation,
        "length": f"{low}-{high}",
        "operation_by_length": f"{operation} {low}-{high}",
        "value": type(value).__name__,
        "kind": asked.kind,
    }
    if isinstance(value, str):
        broken = discontinuities(asked)
        found["broken"] = BROKEN[min(broken, len(BROKEN) - 1)]
        if len(value) >= LONG_ANSWER:
            found["broken_long"] = found["broken"]
    return found


def discontinuities(asked: Question) -> int:
    """How many subwords of an answer's string are not taken over whole from the input's.

    A token of the answer is taken over if its characters come from neighbouring places of the input, in their
    order and unchanged, and those are exactly one token there. All others count: what is cut out of a token,
    glued together from several, turned round, or new.
    """
    answer = asked.answer
    if not isinstance(answer.value, str):
        return 0
    words = writing("subwords")
    before = set(_spans(words, asked.string))
    count = 0
    for first, last in _spans(words, answer.value):
        begin = answer.keys[first]
        if begin is None:
            count += 1
            continue
        end = begin + last - first
        is_kept = asked.string[begin:end] == answer.value[first:last]
        is_in_order = answer.keys[first:last] == tuple(range(begin, end))
        count += not ((begin, end) in before and is_kept and is_in_order)
    return count


def _spans(words: Writing, string: str) -> list[tuple[int, int]]:
    """Where each token of a string begins and ends."""
    return list(pairwise([0, *sorted(words.cuts(string)), len(string)]))


@lru_cache(maxsize=4)
def questions(part: Part, single: int, composed: int) -> tuple[Asked, ...]:
    """A set that is the same for everybody: `validation` or `test`. No question is in it twice.

    Args:
        part: one of the two; they share no question.
        single: questions for each operation and bucket of lengths, or as many as there are of short strings.
        composed: questions for each composition and bucket of lengths.
    """
    drawn = random.Random(f"strings {part}")
    found = [
        each
        for is_composed, count in ((False, single), (True, composed))
        for kind in kinds(is_composed)
        for low, high in BUCKETS
        for each in _distinct(partial(question, drawn, kind, low, high, part), count)
    ]
    return tuple(Asked(each, groups_of(each)) for each in found)


def _distinct(draw: Callable[[], Question], count: int) -> Iterable[Question]:
    found: dict[Question, None] = {}
    for _ in range(TRIES * count):
        if len(found) < count:
            found[draw()] = None
    return found


def values(network: Any, words: Writing, asked: Sequence[Question]) -> list[Value]:
    """What a network answers, decoded greedily, one token after the other."""
    prompts = [words.state(each.string) + words.ask(each) for each in asked]
    places = sorted(range(len(prompts)), key=lambda at: len(prompts[at]))
    found: list[Value] = [None] * len(prompts)
    for begin in range(0, len(places), AT_ONCE):
        part = places[begin : begin + AT_ONCE]
        for at, ids in zip(part, _decoded(network, [prompts[at] for at in part], words.end), strict=True):
            found[at] = words.read(ids)
    return found


def _decoded(network: Any, prompts: Sequence[list[int]], end: int) -> list[list[int]]:
    """The answers to prompts, each up to its end.

    All that is open is read again for each token: the network has no memory to go on from.
    """
    import torch

    written: list[list[int]] = [[] for _ in prompts]
    is_open = list(range(len(prompts)))
    while is_open:
        rows = [prompts[at] + written[at] for at in is_open]
        longest = max(map(len, rows))
        ids_BT = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
        with torch.no_grad():
            logits_BTV = network(ids_BT)
        for place, at in enumerate(is_open):
            written[at].append(int(logits_BTV[place, len(rows[place]) - 1].argmax()))
        is_open = [at for at in is_open if written[at][-1] != end and len(written[at]) < LONGEST_WRITTEN]
    return written


def tally(asked: Sequence[Asked], is_right: Sequence[bool]) -> dict[str, dict[str, list[int]]]:
    """Kind of group -> group -> [right, all]."""
    found: dict[str, dict[str, list[int]]] = {}
    for each, right in zip(asked, is_right, strict=True):
        for kind, group in each.groups.items():
            counts = found.setdefault(kind, {}).setdefault(group, [0, 0])
            counts[0] += right
            counts[1] += 1
    return found


def right(network: Any, words: Writing, asked: Sequence[Asked]) -> list[bool]:
    """Which questions are answered right."""
    told = values(network, words, [each.question for each in asked])
    return [_is(value, each.question.value) for value, each in zip(told, asked, strict=True)]


def without_learning(asked: Sequence[Asked]) -> dict[str, dict[str, list[int]]]:
    """What two trivial answers come to: the string as it is, and for an int the most frequent of its kind."""
    frequent: dict[str, dict[Value, int]] = defaultdict(lambda: defaultdict(int))
    for each in asked:
        frequent[each.question.kind][each.question.value] += 1

    def guess(each: Asked) -> Value:
        seen = frequent[each.question.kind]
        return each.question.string if each.groups["value"] == "str" else max(seen, key=lambda one: seen[one])

    return tally(asked, [_is(guess(each), each.question.value) for each in asked])


def _is(given: Value, real: str | int) -> bool:
    return type(given) is type(real) and given == real


def foretold(network: Any, words: Writing, asked: Sequence[Asked]) -> list[bool]:
    """Whether each token of an answer is the likeliest after the true ones before it.

    Much cheaper than decoding, and nearly the same: an answer that is written in another way than ours (other
    subwords, other places) is decoded to the right value all the same.
    """
    import torch

    found: list[bool] = []
    for begin in range(0, len(asked), AT_ONCE):
        part = [each.question for each in asked[begin : begin + AT_ONCE]]
        asks = [words.state(each.string) + words.ask(each) for each in part]
        answers = [words.answer(each.answer) for each in part]
        rows = [ask + answer for ask, answer in zip(asks, answers, strict=True)]
        longest = max(map(len, rows))
        ids_BT = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
        with torch.no_grad():
            chosen = network(ids_BT[:, :-1]).argmax(-1).tolist()
        ends = ((len(ask), len(row)) for ask, row in zip(asks, rows, strict=True))
        found += [
            written[first - 1 : last - 1] == row[first:last]
            for written, row, (first, last) in zip(chosen, rows, ends, strict=True)
        ]
    return found


def accuracy(network: Any, stage: Any, *, words: str, single: int, composed: int) -> dict[str, float]:
    """The evaluation while training: the share of validation questions whose answers are foretold."""
    told = foretold(network, writing(words), questions("validation", single, composed))
    return {"right": sum(told) / len(told)}
