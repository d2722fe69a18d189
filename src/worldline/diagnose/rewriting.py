"""This file is what rewriting buys a model: the same problems, as they are and rewritten, and the same again.

Each problem is asked as it is (baseline), once more with another seed and nothing else changed (control), and
once for each level of rewriting. An arm is compared with the baseline problem by problem, those that were
right before included: gains, losses, and McNemar's exact test on the two. The control shows what luck does.

A problem is right if the model comes to the end and returns the real value; exact, if no step is wrong.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import comb
from pathlib import Path

from worldline.diagnose.divergence import first_divergence
from worldline.diagnose.literals import same_value
from worldline.diagnose.prediction import of_trace
from worldline.diagnose.subject import Subject, subject
from worldline.errors import UserError
from worldline.models.model import Model
from worldline.record.collect import Row
from worldline.rewrite import LEVELS, Level, check_level
from worldline.rollout.model import Finished, Rollout
from worldline.rollout.options import RolloutOptions
from worldline.rollout.rollout import predict_all, told

BASELINE, CONTROL = "baseline", "control"
BATCH = 8  # problems that the model is asked about at once


@dataclass(frozen=True, slots=True)
class Outcome:
    """One problem in one arm."""

    id: str
    arm: str  # baseline, control, or a level of rewriting
    is_right: bool
    is_exact: bool
    steps: int  # of the real trace
    spent: int  # tokens that the model wrote
    stop: str
    line: int | None = None  # of the original program, where it first goes wrong
    kind: str = ""  # of that divergence
    problem: str = ""  # why it could not be asked; it counts as wrong


@dataclass(frozen=True, slots=True)
class Arm:
    """An arm against the baseline."""

    name: str
    count: int
    right: int
    exact: int
    gains: int  # wrong at first, right here
    losses: int  # right at first, wrong here
    p: float  # of McNemar's test, exact and two-sided
    spent: int
    steps: int

    @property
    def net(self) -> int:
        """Gains without losses."""
        return self.gains - self.losses


def intervene(
    rows: Sequence[Row],
    model: Model,
    levels: Sequence[Level] = LEVELS,
    options: RolloutOptions | None = None,
    isolation: str = "process",
    done: frozenset[tuple[str, str]] = frozenset(),
) -> Iterator[Outcome]:
    """Ask about every problem in every arm.

    Args:
        rows: the problems.
        model: whom to ask.
        levels: of rewriting.
        options: the mode in which the model is asked.
        isolation: of the box in which the truth is recorded.
        done: problems and arms that are there already.
    """
    options = options or RolloutOptions()
    for start in range(0, len(rows), BATCH):
        some = rows[start : start + BATCH]
        for arm in (BASELINE, CONTROL, *levels):
            asked = replace(options, seed=options.seed + 1) if arm == CONTROL else options
            wanted = [row for row in some if (row.id, arm) not in done]
            cases = [_subject(row, arm, isolation, options.context != "state") for row in wanted]
            sound = [case for case in cases if isinstance(case, Subject)]
            programs, reals = [case.program for case in sound], [case.real for case in sound]
            rollouts = iter(predict_all(programs, model, asked, reals) if sound else [])
            for row, case in zip(wanted, cases, strict=True):
                if isinstance(case, Subject):
                    yield _outcome(row.id, arm, case, next(rollouts))
                else:
                    yield case


def _subject(row: Row, arm: str, isolation: str, is_trimmed: bool) -> Subject | Outcome:
    """A problem, rewritten if the arm says so, with what really happens."""
    if row.program is None:
        return _lost(row.id, arm, row.problem)
    try:
        level = None if arm in (BASELINE, CONTROL) else check_level(arm)
        return subject(row.program, level, isolation, is_trimmed=is_trimmed)
    except UserError as error:
        return _lost(row.id, arm, error.what)


def _lost(name: str, arm: str, problem: str) -> Outcome:
    return Outcome(name, arm, False, False, 0, 0, "", problem=problem)


def _outcome(name: str, arm: str, case: Subject, rollout: Rollout) -> Outcome:
    found = first_divergence(case.real, of_trace(rollout.trace))
    is_over = isinstance(rollout.stop, Finished)
    said, real = rollout.trace.ending.value, case.real.ending.value
    is_right = is_over and said is not None and real is not None and same_value(said, real)
    line = None if found is None else case.original_line(found.frame, found.line)
    return Outcome(
        name,
        arm,
        is_right,
        found is None and is_over,
        len(case.real.steps),
        rollout.cost.spent,
        told(rollout.stop),
        line,
        "" if found is None else found.kind,
    )


def arms(outcomes: Sequence[Outcome]) -> list[Arm]:
    """Each arm against the baseline: that and the control first, then the levels."""
    by_arm: dict[str, dict[str, Outcome]] = {}
    for each in outcomes:
        by_arm.setdefault(each.arm, {})[each.id] = each
    base = by_arm.get(BASELINE, {})
    order = (BASELINE, CONTROL, *LEVELS)
    return [_arm(name, by_arm[name], base) for name in order if name in by_arm]


def _arm(name: str, found: Mapping[str, Outcome], base: Mapping[str, Outcome]) -> Arm:
    both = [(base[key].is_right, each.is_right) for key, each in found.items() if key in base]
    gains, losses = both.count((False, True)), both.count((True, False))
    every = found.values()
    return Arm(
        name,
        len(found),
        sum(each.is_right for each in every),
        sum(each.is_exact for each in every),
        gains,
        losses,
        mcnemar(gains, losses),
        sum(each.spent for each in every),
        sum(each.steps for each in every),
    )


def mcnemar(gains: int, losses: int) -> float:
    """The probability of so uneven a split or a more uneven one, if gains and losses were equally likely."""
    count = gains + losses
    tail = sum(comb(count, k) for k in range(min(gains, losses) + 1))
    return min(1.0, float(2 * tail / 2**count))


def read_outcomes(path: Path, setting: Mapping[str, object]) -> list[Outcome]:
    """What an earlier run has written; a last line that was cut is taken away, so that more can be added."""
    text = path.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    found = []
    for number, line in enumerate(whole.splitlines(), 1):
        try:
            record = json.loads(line)
            is_same = record.pop("setting") == json.loads(json.dumps(setting))
            found.append(Outcome(**record))
        except (ValueError, TypeError, KeyError, AttributeError):
            raise UserError(f"{path} line {number} is no outcome", "give another file for -o") from None
        if not is_same:
            hint = "give another file for -o, or the same model and options as before"
            raise UserError(f"{path} line {number} is of a run with another setting", hint)
    if whole != text:
        path.write_text(whole, encoding="utf-8")
    return found


def outcome_line(outcome: Outcome, setting: Mapping[str, object]) -> str:
    """An outcome as a JSON line, with the setting in which it came about."""
    return json.dumps({**asdict(outcome), "setting": setting})
