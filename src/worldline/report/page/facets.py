"""This file is what a set is sorted by: the bars of the overview, each of which filters the list."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, get_args

from worldline.diagnose.model import CAUSES, Diagnosis, Kind, Verdict
from worldline.report.page.operation import operation_of
from worldline.trace.value import raised, type_of

STEP_BOUNDS = (0, 5, 10, 20, 50, 100, 200, 500, 1000, 5000)
TOKEN_BOUNDS = (0, 250, 500, 1000, 2000, 4000, 8000, 16000, 32000)
MOST_LABELS = 30
"""A label with more different values than this is a text, not a class."""


@dataclass(frozen=True, slots=True)
class Facet:
    """One group of bars."""

    key: str  # in the page's address
    title: str
    value_of: Callable[[Diagnosis], str]  # empty: the trace is in none of its bars
    order: tuple[str, ...] | None = None  # None: the most frequent first
    notes: dict[str, str] | None = None  # a bar's name -> what it means


def facets(diagnoses: Sequence[Diagnosis]) -> list[Facet]:
    """All groups of bars for a set, with the labels that others gave it."""
    return [
        Facet("verdict", "Verdict", lambda each: each.verdict, get_args(Verdict)),
        Facet("cause", "Cause", lambda each: each.cause.name if each.cause else "", None, dict(CAUSES)),
        Facet("kind", "Kind of the first divergence", _kind, get_args(Kind)),
        Facet("first", "First divergence, by step", _first, names(STEP_BOUNDS)),
        Facet("type", "Type of the wrong value", wrong_type),
        Facet("operation", "Operation that went wrong", operation_of),
        Facet("tokens", "Tokens spent", _tokens, names(TOKEN_BOUNDS)),
        Facet("fault", "Whose fault it is", lambda each: each.fault),
        *(_label(key) for key in _label_keys(diagnoses)),
    ]


def facet_data(facet: Facet, diagnoses: Sequence[Diagnosis]) -> tuple[dict[str, Any], list[int]]:
    """A group of bars for the page, and for each diagnosis the number of its bar or -1."""
    values = [facet.value_of(each) for each in diagnoses]
    counts = Counter(value for value in values if value)
    ranked = [value for value, _ in counts.most_common()]
    shown = ranked if facet.order is None else [value for value in facet.order if value in counts]
    number = {value: index for index, value in enumerate(shown)}
    notes = facet.notes or {}
    bars = [[value, notes.get(value, "")] for value in shown]
    return {"key": facet.key, "title": facet.title, "bars": bars}, [number.get(value, -1) for value in values]


def binned(count: int, bounds: Sequence[int]) -> str:
    """The name of the bin that a number falls into."""
    return names(bounds)[bisect_right(bounds, count) - 1]


def names(bounds: Sequence[int]) -> tuple[str, ...]:
    """`0–4`, `5–9`, ..., `5,000 or more`."""
    inner = [f"{low:,}–{high - 1:,}" for low, high in pairwise(bounds)]
    return (*inner, f"{bounds[-1]:,} or more")


def wrong_type(diagnosis: Diagnosis) -> str:
    """The type of the first value that is wrong; empty where no value is."""
    found = diagnosis.divergence
    if found is None:
        return ""
    if found.variables:
        return found.variables[0].type
    if found.kind == "value" and found.expected is not None:
        return type_of(raised(found.expected))
    return ""


def _kind(diagnosis: Diagnosis) -> str:
    return diagnosis.divergence.kind if diagnosis.divergence else ""


def _first(diagnosis: Diagnosis) -> str:
    return binned(diagnosis.divergence.frame, STEP_BOUNDS) if diagnosis.divergence else ""


def _tokens(diagnosis: Diagnosis) -> str:
    return "" if diagnosis.tokens is None else binned(diagnosis.tokens, TOKEN_BOUNDS)


def _label(key: str) -> Facet:
    return Facet(f"label-{key}", f"Label: {key}", lambda each: each.labels.get(key, ""))


def _label_keys(diagnoses: Sequence[Diagnosis]) -> list[str]:
    seen: dict[str, set[str]] = {}
    for diagnosis in diagnoses:
        for key, value in diagnosis.labels.items():
            seen.setdefault(key, set()).add(value)
    return [key for key, values in seen.items() if len(values) <= MOST_LABELS]
