"""This file is the benchmark `composition`: does nesting calls cost more than the calls themselves?

Small functions that map a type to itself are asked alone (depth 1) and nested up to five deep, either in one
expression or with each call in a line of its own. `expected_by_depth` sets the measured accuracy beside the
product of what the functions reach alone: below it, composing is an extra burden.

Problems are drawn so that every call changes its value; after 40 tries the last draw is taken.

What it does not cover: the product takes errors as independent, and functions nested inside others get values
that are longer and odder than the inputs they are asked alone with. So a small gap says little.
"""

import random
from ast import literal_eval
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from worldline.bench.families import FAMILIES, function, functions, random_input
from worldline.bench.model import Benchmark, Problem, Score, Table
from worldline.diagnose.intervals import Interval, Ratio, wilson
from worldline.errors import UserError
from worldline.record.entry import MARKER
from worldline.rollout.model import Rollout
from worldline.trace.model import Entry, Program, Trace

FORMS = ("nested", "flat")
TRIES = 40


@dataclass(frozen=True, slots=True)
class CompositionSettings:
    """What may be chosen."""

    families: tuple[str, ...] = FAMILIES
    depths: tuple[int, ...] = (1, 2, 3, 4, 5)  # calls in each other
    count: int = 20  # problems a family and depth, beyond depth 1
    atomic: int = 4  # problems a function, at depth 1
    form: tuple[str, ...] = ("nested",)  # "nested", "flat" or both: the same compositions


@dataclass(frozen=True, slots=True)
class Composition:
    """Functions of one family to be called one after the other, and what with."""

    family: str
    functions: tuple[str, ...]  # the innermost first
    value: str  # the input, as Python writes it


@dataclass(frozen=True, slots=True)
class DepthRow:
    """How well compositions of one depth went, beside what their parts let expect."""

    family: str
    form: str
    mode: str
    depth: int
    right: Ratio
    interval: Interval | None  # of the accuracy
    expected: float | None  # mean product of the parts' accuracies at depth 1; None: they were not all asked
    compared: int  # scores that `expected` is the mean of: those whose parts were asked alone

    @property
    def accuracy(self) -> float | None:
        """The share of right answers."""
        return self.right.value

    @property
    def cost(self) -> float | None:
        """What composing takes away beyond the parts; negative: it does better than they let expect."""
        if self.expected is None or self.accuracy is None:
            return None
        return self.expected - self.accuracy


def problems(settings: CompositionSettings, seed: int, isolation: str = "") -> list[Problem]:
    """The problems of a seed; each is drawn by itself, so that other settings do not change it."""
    _check(settings)
    found = []
    for family in dict.fromkeys(settings.families):
        for depth in dict.fromkeys(settings.depths):
            for number, composition in _compositions(settings, family, depth, seed).items():
                found += [_problem(composition, form, number) for form in dict.fromkeys(settings.form)]
    return found


def program_of(composition: Composition, form: str) -> Program:
    """The program that asks a composition: its functions in the order of their file, and a marked main."""
    texts = functions(composition.family)
    used = [text for name, text in texts.items() if name in composition.functions]
    body = _nested(composition) if form == "nested" else _flat(composition)
    main = "\n".join([f"def main(): {MARKER}", *(f"    {line}" for line in body)])
    return Program("\n\n\n".join([*used, main]) + "\n", Entry("function", "main"))


def expected_by_depth(scores: Sequence[Score]) -> list[DepthRow]:
    """For each family, form, mode and depth: the accuracy, and what the parts let expect."""
    alone = _accuracies_alone(scores)
    groups: dict[tuple[str, str, str, int], list[Score]] = defaultdict(list)
    for score in scores:
        groups[*_place(score), int(score.labels["depth"])].append(score)
    return [_row(place, groups[place], alone) for place in sorted(groups)]


def table(scores: Sequence[Score]) -> Table | None:
    """Each depth beside what its parts let expect; None: the parts were not asked alone."""
    head = ("family", "form", "mode", "depth", "n", "right", "by parts", "lost")
    rows = [
        (
            *(row.family, row.form, row.mode, str(row.depth), str(row.right.whole)),
            *(_percent(row.accuracy), _percent(row.expected), _percent(row.cost)),
        )
        for row in expected_by_depth(scores)
        if row.depth > 1 and row.expected is not None
    ]
    if not rows:
        return None
    return Table(
        "Composed, what the accuracies of the parts alone let expect, and the difference", (head, *rows)
    )


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"


def _compositions(
    settings: CompositionSettings, family: str, depth: int, seed: int
) -> Mapping[str, Composition]:
    """The compositions of a family and depth, each with its number."""
    if depth == 1:
        names = [
            (name, f"{name}/{number}") for name in functions(family) for number in range(settings.atomic)
        ]
        return {number: _drawn(family, 1, number, seed, name) for name, number in names}
    numbers = [f"{number:03}" for number in range(settings.count)]
    return {number: _drawn(family, depth, number, seed) for number in numbers}


def _drawn(family: str, depth: int, number: str, seed: int, name: str = "") -> Composition:
    """One composition, drawn until every call of it changes its value."""
    dice = random.Random(f"composition {seed} {family} {depth} {number}")
    for _ in range(TRIES):
        names = (name,) if name else tuple(dice.sample(list(functions(family)), depth))
        found = Composition(family, names, random_input(family, dice))
        if _changes_throughout(found):
            break
    return found


def _changes_throughout(composition: Composition) -> bool:
    value = literal_eval(composition.value)
    for name in composition.functions:
        before, value = value, function(composition.family, name)(value)
        if repr(before) == repr(value):
            return False
    return True


def _problem(composition: Composition, form: str, number: str) -> Problem:
    depth = len(composition.functions)
    return Problem(
        f"{composition.family}/{depth}/{form}/{number}",
        program_of(composition, form),
        {"family": composition.family, "depth": depth, "form": form},
        facts={"functions": list(composition.functions)},
    )


def _nested(composition: Composition) -> list[str]:
    text = composition.value
    for name in composition.functions:
        text = f"{name}({text})"
    return [f"return {text}"]


def _flat(composition: Composition) -> list[str]:
    lines = []
    text = composition.value
    for number, name in enumerate(composition.functions, 1):
        lines.append(f"v{number} = {name}({text})")
        text = f"v{number}"
    return [*lines, f"return {text}"]


def _check(settings: CompositionSettings) -> None:
    for name in settings.form:
        if name not in FORMS:
            raise UserError(f"no form called {name!r}", f"there are: {', '.join(FORMS)}; or form=nested,flat")
    for family in settings.families:
        most = len(functions(family))
        for depth in settings.depths:
            if not 1 <= depth <= most:
                hint = f"{family} has {most} functions, each called once: give depths from 1 to {most}"
                raise UserError(f"no composition has the depth {depth}", hint)


def _rescored(score: Score, problem: Problem, rollout: Rollout, real: Trace) -> Score:
    """With the functions of the problem: `expected_by_depth` needs them."""
    return replace(score, facts={**score.facts, "functions": problem.facts["functions"]})


def _place(score: Score) -> tuple[str, str, str]:
    return str(score.labels["family"]), str(score.labels["form"]), score.mode


def _functions_of(score: Score) -> Sequence[str]:
    """The innermost first; () if the score does not tell them: what could not be asked at all."""
    if score.labels["depth"] == 1:
        return (score.id.split("/")[3],)
    return tuple(score.facts.get("functions", ()))


def _accuracies_alone(scores: Sequence[Score]) -> dict[tuple[str, str, str, str], float]:
    """How often each function is right at depth 1, by family, form, mode and name."""
    outcomes: dict[tuple[str, str, str, str], list[bool]] = defaultdict(list)
    for score in scores:
        if score.labels["depth"] == 1:
            outcomes[*_place(score), _functions_of(score)[0]].append(score.is_right)
    return {key: sum(each) / len(each) for key, each in outcomes.items()}


def _row(
    place: tuple[str, str, str, int],
    scores: Sequence[Score],
    alone: Mapping[tuple[str, str, str, str], float],
) -> DepthRow:
    right = Ratio(sum(score.is_right for score in scores), len(scores))
    products = []
    for score in scores:
        parts = [alone.get((*place[:3], name)) for name in _functions_of(score)]
        if parts and None not in parts:
            products.append(prod(part for part in parts if part is not None))
    expected = sum(products) / len(products) if products else None
    return DepthRow(*place, right, wilson(right), expected, len(products))


COMPOSITION = Benchmark(
    name="composition",
    about="Small functions alone and nested up to five deep: does composing cost more than its parts?",
    settings=CompositionSettings,
    problems=problems,
    by=("depth", "family", "form"),
    table=table,
    rescore=_rescored,
)
