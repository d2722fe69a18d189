"""This file is a finished run as others are given it: its scores, problem by problem, one mode at a time."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from worldline.bench.items import score_of
from worldline.bench.model import Problem, Score
from worldline.bench.registry import benchmark, data_hash
from worldline.errors import UserError
from worldline.work.store import opened

_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class Run:
    """What a file of a run holds."""

    facts: Mapping[str, Any]  # its setting, versions and command
    scores: tuple[Score, ...]

    @property
    def benchmark(self) -> str:
        """The name of the benchmark; "worldline" where the run does not tell it."""
        return str(self._fact("benchmark") or "worldline")

    @property
    def model(self) -> str:
        """The model that was asked; "unknown" where the run does not tell it."""
        return str(self._fact("model") or "unknown")

    def _fact(self, name: str) -> Any:
        setting = self.facts.get("setting")
        found = setting.get(name) if isinstance(setting, Mapping) else None
        return self.facts.get(name) if found is None else found


def read_run(path: Path) -> Run:
    """The run in a file."""
    with opened(path) as store:
        scores = tuple(_score(kept.result, kept.key, path) for kept in store.items())
        facts = dict(store.facts)
    if not scores:
        raise UserError(f"nothing in {path} is finished yet", "let the run go on: give its command again")
    return Run(facts, scores)


def _score(result: Mapping[str, Any], key: str, path: Path) -> Score:
    try:
        score = score_of(result)
        table9 = {name: (int(part), int(whole)) for name, (part, whole) in score.table9.items()}
        return replace(score, table9=table9, sureness=tuple(map(tuple, score.sureness)))
    except (TypeError, ValueError, AttributeError):
        what = f"the item {key!r} of {path} is no score"
        raise UserError(what, "give the file of a run of `worldline bench`") from None


def problems_of(run: Run) -> Sequence[Problem]:
    """The problems that a run asked, made again; none where that is not possible, or they are other ones."""
    setting = run.facts.get("setting") or {}
    try:
        chosen = benchmark(run.benchmark)
        told = {name: _tuples(value) for name, value in setting["settings"].items()}
        found = chosen.problems(chosen.settings(**told), setting["seed"], setting["isolation"])
    except (UserError, KeyError, TypeError, AttributeError):
        return ()
    return found if data_hash(found) == setting.get("data") else ()


def _tuples(value: Any) -> Any:
    """A setting as it was before it went through JSON."""
    return tuple(value) if isinstance(value, list) else value


def by_problem(scores: Sequence[Score], mode: str | None = None) -> dict[str, list[Score]]:
    """The scores of one mode: the problems in the order of their numbers, each with its seeds in order.

    Args:
        scores: of a run.
        mode: which mode; None: the only one there is.
    """
    modes = sorted({score.mode for score in scores})
    if mode is None and len(modes) > 1:
        raise UserError(f"the run has {len(modes)} modes", f"choose one with --mode: {_listed(modes)}")
    if mode is not None and mode not in modes:
        raise UserError(f"the run has no mode {mode!r}", f"there are: {_listed(modes)}")
    found: dict[str, list[Score]] = {}
    for score in sorted(scores, key=lambda each: (natural(each.id), each.seed)):
        if mode in (None, score.mode):
            found.setdefault(score.id, []).append(score)
    return found


def natural(name: str) -> list[tuple[int, str]]:
    """What names are sorted by, so that sample_2 comes before sample_10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _DIGITS.split(name)]


def is_counted(score: Score) -> bool:
    """Whether an answer counts as right: by the benchmark's own scoring, else by its value."""
    return score.is_right if score.is_right_by_reference is None else score.is_right_by_reference


def _listed(modes: Sequence[str]) -> str:
    return ", ".join(repr(mode) for mode in modes)
