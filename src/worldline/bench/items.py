"""This file is items and scores as JSON, for stores and workers."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from worldline.bench.model import Item, Mode, Problem, Score
from worldline.rollout.options import RolloutOptions
from worldline.trace.jsonl import program_of


def item_record(item: Item) -> dict[str, Any]:
    """An item as JSON."""
    options = asdict(item.mode.options)
    return {
        "problem": asdict(item.problem),
        "options": options,
        "rewrite": item.mode.rewrite,
        "seed": item.seed,
    }


def item_of(record: Mapping[str, Any]) -> Item:
    """The item of a record."""
    told = dict(record["problem"])
    program = None if told["program"] is None else program_of(told["program"])
    problem = Problem(**{**told, "program": program})
    return Item(problem, Mode(RolloutOptions(**record["options"]), record["rewrite"]), record["seed"])


def score_record(score: Score) -> dict[str, Any]:
    """A score as JSON."""
    return asdict(score)


def score_of(record: Mapping[str, Any]) -> Score:
    """The score of a record; what a later version has added is left out."""
    known = {field.name for field in fields(Score)}
    return Score(**{name: value for name, value in record.items() if name in known})
