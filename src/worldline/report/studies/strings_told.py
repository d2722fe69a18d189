"""This file is what the results of the strings study come to in words."""

from collections.abc import Mapping, Sequence
from math import log2
from statistics import fmean
from typing import Any

from worldline.learn.studies.grid import Outcome, Study, chosen, sweep
from worldline.learn.studies.strings import ARMS
from worldline.learn.studies.strings_scoring import BROKEN, LONG_ANSWER
from worldline.report.studies.parts import spread

Results = dict[str, list[Mapping[str, Any]]]
"""Arm -> the result of each seed that has one."""

_SHORTER = {
    "bytes": "bytes",
    "subwords": "subwords",
    "typed": "typed",
    "subwords-chars": "subwords, equal characters",
    "typed-chars": "typed, equal characters",
}
LABELS = _SHORTER | {
    name: f"{_SHORTER[arm.follows]}, {arm.times} times as long" for name, arm in ARMS.items() if arm.follows
}
STILL = 0.02  # of accuracy
CONVERGED = f"""\
Gain of validation accuracy in the last quarter of the iterations, every token of an answer foretold after the
true ones before it; for longer runs also what they have gained over the next shorter ones in the share of
right answers of the test (means over the seeds). Converged is a longest run that has gained, or lost, less
than {STILL} by each doubling of its iterations since then (on average: four times as many are two doublings),
and a shorter one that gains, or loses, less than {STILL} by all the further iterations. Where there are no
longer runs it is what has gained less than {STILL} in the last quarter with every seed, which a plateau does
too. The last quarter alone says little of longer training: the learning rate falls there, and that by itself
makes answers better.
"""
FEW, MANY = BROKEN[:2], BROKEN[3:]  # subwords that the input does not have
LEAST, MOST = 0.3, 0.95
"""Between these a share of right answers can fall and rise, so that a difference says something."""


def share(result: Mapping[str, Any], kind: str, groups: Sequence[str]) -> float | None:
    """The share that is right in these groups together; None: there is no such question."""
    counts = [result["test"][kind][group] for group in groups if group in result["test"].get(kind, {})]
    total = sum(each[1] for each in counts)
    return sum(each[0] for each in counts) / total if total else None


def shares(results: Sequence[Mapping[str, Any]], kind: str, *groups: str) -> list[float]:
    """The same for each seed."""
    return [each for each in (share(result, kind, groups) for result in results) if each is not None]


def clearly(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether every seed of one is above every seed of the other."""
    return bool(one) and bool(other) and min(one) > max(other)


def order(ranked: Sequence[str], scores: Mapping[str, Sequence[float]]) -> str:
    """Which are clearly apart, in words; what follows from neighbours is not told twice."""
    told = []
    for at, one in enumerate(ranked):
        is_open = False
        for other, before in zip(ranked[at + 1 :], ranked[at:], strict=False):
            is_open |= not clearly(scores[before], scores[other])
            is_next = before == one
            if clearly(scores[one], scores[other]) and (is_next or is_open):
                told.append(f"{one} is clearly ahead of {other}")
            elif is_next:
                told.append(f"between {one} and {other} it is open")
    return (", ".join(told) + ".").capitalize() if told else ""


def failures_told(found: Results) -> str:
    """Which part of the failures are string values, against the part of the questions that have one."""
    told = []
    for arm, results in found.items():
        pairs = [pair for pair in map(_failures, results) if pair is not None]
        if not pairs:
            told.append(f"{LABELS[arm]}: no failures.")
            continue
        failed, asked = [pair[0] for pair in pairs], pairs[0][1]
        word = "as often as their share, within the seeds"
        if min(failed) > asked:
            word = "more often than their share"
        elif max(failed) < asked:
            word = "less often than their share"
        told.append(f"{LABELS[arm]}: {spread(failed)} of the failures are strings, {word} ({asked:.3f}).")
    return "\n".join(f"- {each}" for each in told)


def _failures(result: Mapping[str, Any]) -> tuple[float, float] | None:
    """The share of strings among failures and among questions."""
    values = result["test"]["value"]
    right, asked = values["str"]
    failed = sum(each[1] - each[0] for each in values.values())
    return ((asked - right) / failed, asked / sum(each[1] for each in values.values())) if failed else None


def broken_told(found: Results, where: str, arms: Sequence[str]) -> str:
    """Whether subwords fall further behind bytes where tokens are other, on the same questions.

    Args:
        found: all results.
        where: what the two arms have in common, in words.
        arms: of bytes, of subwords.
    """
    pairs = [[shares(found.get(arm, []), "broken_long", *groups) for arm in arms] for groups in (FEW, MANY)]
    few, many = ([one - other for one, other in zip(*pair, strict=False)] for pair in pairs)
    told = (
        f"Answers of {LONG_ANSWER} characters and more, {where}: bytes are ahead of subwords by "
        f"{spread(few)} where at most {len(FEW) - 1} token is other, and by {spread(many)} where "
        f"{len(BROKEN) - len(MANY)} or more are."
    )
    means = [fmean(each) for pair in pairs for each in pair if each]
    if not means or min(means) < LEAST or max(means) > MOST:
        words = "One of these is so near to none or to all right that the difference says little."
    elif max((*few, *many), default=0.0) < 0:
        words = "So subwords are ahead of bytes whether their tokens are other or not."
    elif clearly(many, few):
        words = "So other tokens cost subwords more than the difficulty of these questions costs bytes."
    elif clearly(few, many):
        words = "So other tokens do not explain it: the difference shrinks."
    else:
        words = "So this study does not decide whether other tokens are what costs subwords."
    return f"{told} {words}"


def lengths(arm: str) -> list[str]:
    """The arms that are this one trained for shorter or longer, itself among them: the shortest first."""
    shortest = ARMS[arm].follows or arm
    longer = [name for name, each in ARMS.items() if each.follows == shortest]
    return sorted([shortest, *longer], key=lambda name: ARMS[name].times)


def is_converged(found: Results, arm: str) -> bool:
    """Whether training it for longer gives little more; without longer runs: whether its last quarter did."""
    last = [each for each in lengths(arm) if found.get(each)][-1:]
    if last and last != [arm] and found.get(arm):
        return abs(_right(found, last[0]) - _right(found, arm)) < STILL
    gain = gained_by_doubling(found, arm)
    if gain is not None:
        return abs(gain) < STILL
    results = found.get(arm, [])
    return bool(results) and all(late_gain(result["curve"]) < STILL for result in results)


def gained_by_doubling(found: Results, arm: str) -> float | None:
    """How many more answers it gets right than the next shorter run; None: there are not both."""
    shorter = [each for each in lengths(arm) if found.get(each) and ARMS[each].times < ARMS[arm].times]
    if not shorter or not found.get(arm):
        return None
    doublings = log2(ARMS[arm].times / ARMS[shorter[-1]].times)
    return (_right(found, arm) - _right(found, shorter[-1])) / doublings


def _right(found: Results, arm: str) -> float:
    return fmean(shares(found[arm], "all", "all"))


def converged_told(found: Results) -> str:
    """What each arm gained by training longer and in the last quarter, and whether it has converged."""
    told = []
    for arm, results in found.items():
        gains = [late_gain(result["curve"]) for result in results]
        if gains:
            word = "converged" if is_converged(found, arm) else "not converged"
            if max(shares(results, "all", "all")) <= _guessed(results[0]):
                word = "but it has learnt no more than a guess is worth"
            ends = spread([result["curve"][-1][1] for result in results])
            gain = gained_by_doubling(found, arm)
            more = "" if gain is None else f"; {gain:+.3f} by each doubling"
            told.append(f"- {LABELS[arm]}: {spread(gains, '+.3f')} to {ends}{more}: {word}.")
    return CONVERGED + "\n" + "\n".join(told)


def _guessed(result: Mapping[str, Any]) -> float:
    right, asked = result["trivial"]["all"]["all"]
    return float(right / asked)


def late_gain(curve: Sequence[Sequence[float]]) -> float:
    """The last accuracy less the one at three quarters of the iterations, or just before."""
    last = curve[-1]
    before = [right for iteration, right in curve if iteration <= 0.75 * last[0]]
    return last[1] - (before[-1] if before else 0.0)


def tried_told(study: Study, outcomes: Sequence[Outcome]) -> str:
    """What the places in answers are worth: typed with and without them, in the sweep."""
    best = chosen(study, outcomes)
    tried = [arm for arm in ("typed", "bare", "bytes") if arm in best]
    found = {arm: sweep(study, outcomes, arm)[best[arm]].result for arm in tried}
    told = [f"{arm} {share(each, 'all', ['all']):.3f}" for arm, each in found.items() if each is not None]
    return (
        f"Test questions right at the chosen one of these short runs, one seed: {', '.join(told)}. At equal "
        "steps: without the places a question is shorter, so bare sees more of them than typed."
    )
