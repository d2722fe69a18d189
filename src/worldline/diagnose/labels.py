"""This file is published labels of failures against our causes: a confusion table, and where the two agree.

The labels (`paper_cause`) were made by rules on the source text and name what a program contains; our causes
are of the first step that is wrong. Which of them say the same is our own reading of the labels, in `LABELS`:
`same` are the causes that say what the label says, `compatible` those that may be found at the very step that
the label means (a method that is misjudged gives a wrong string). All else contradicts the label.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Agreement = Literal["same", "compatible", "contradicts", "not comparable"]
AGREEMENTS: tuple[Agreement, ...] = ("same", "compatible", "contradicts", "not comparable")

_HIDDEN = frozenset({"hidden-return", "hidden-composition"})
_PATH = frozenset({"wrong-branch", "hallucinated-line", "lost-iteration"})


@dataclass(frozen=True, slots=True)
class Label:
    """What a published label means in our words."""

    pattern: str  # found in the label, whatever its case
    same: frozenset[str]
    compatible: frozenset[str] = frozenset()


LABELS: Sequence[Label] = (
    Label("truncat", frozenset({"budget"})),
    Label("data.?bug|data.?set|data/extraction", frozenset({"dataset"}), frozenset({"extraction"})),
    Label("extract|scoring", frozenset({"extraction"}), frozenset({"dataset"})),
    Label(
        "method semantics|discontinuity",
        frozenset({"method-semantics"}),
        _HIDDEN | {"string-value", "container-value", "stale", "wrong-branch"},
    ),
    Label("string operation|paren", frozenset({"string-value"}), _HIDDEN | {"method-semantics", "stale"}),
    Label(
        "index|slice",
        frozenset({"string-value", "container-value"}),
        _HIDDEN | {"method-semantics", "arithmetic", "stale"},
    ),
    Label("loop|counter|iteration", frozenset({"lost-iteration"}), _PATH | {"stale", "arithmetic"}),
    Label("arithmetic", frozenset({"arithmetic"}), _HIDDEN | {"container-value", "method-semantics"}),
    Label("composition|nest", _HIDDEN, frozenset({"scope"})),
    Label("membership", frozenset({"method-semantics", "wrong-branch"}), _HIDDEN | {"arithmetic"}),
    Label(
        "counting",
        frozenset({"arithmetic", "method-semantics"}),
        _HIDDEN | {"string-value", "wrong-branch", "lost-iteration"},
    ),
    Label("coercion", frozenset({"method-semantics", "arithmetic"}), _HIDDEN | {"container-value"}),
    Label("state|scope", frozenset({"scope", "stale"})),
)
"""Our reading of the labels. A label that fits none ("Other") says nothing that could be compared."""


def agreement(label: str, cause: str) -> Agreement:
    """Whether a published label and a cause of ours go together.

    Of several labels, with commas between them, the one that fits best counts.
    """
    found = [_agreement(part, cause) for part in label.split(",")]
    return min(found, key=AGREEMENTS.index)


def _agreement(label: str, cause: str) -> Agreement:
    meant = next((each for each in LABELS if re.search(each.pattern, label, re.IGNORECASE)), None)
    if meant is None:
        return "not comparable"
    if cause in meant.same:
        return "same"
    return "compatible" if cause in meant.compatible else "contradicts"


@dataclass(frozen=True)
class Confusion:
    """How often each published label meets each cause of ours."""

    counts: Mapping[tuple[str, str], int]  # (label, cause); pairs that never occur are not there

    @cached_property
    def label_totals(self) -> Mapping[str, int]:
        """Every label with its number of rows, the most frequent first."""
        return _totals((label, count) for (label, _), count in self.counts.items())

    @cached_property
    def cause_totals(self) -> Mapping[str, int]:
        """Every cause with its number of rows, the most frequent first."""
        return _totals((cause, count) for (_, cause), count in self.counts.items())

    @cached_property
    def agreements(self) -> Mapping[Agreement, int]:
        """How many rows agree, in the order of `AGREEMENTS`."""
        found: Counter[Agreement] = Counter()
        for (label, cause), count in self.counts.items():
            found[agreement(label, cause)] += count
        return {each: found[each] for each in AGREEMENTS}

    @property
    def total(self) -> int:
        """The number of rows."""
        return sum(self.counts.values())

    def rows(self) -> list[tuple[str, list[int], int]]:
        """The table: a label, its counts in the order of `cause_totals`, and its total."""
        return [
            (label, [self.counts.get((label, cause), 0) for cause in self.cause_totals], total)
            for label, total in self.label_totals.items()
        ]


def confusion(rows: Iterable[tuple[str, str]]) -> Confusion:
    """The confusion table of (published label, cause of ours), one a failure."""
    return Confusion(dict(Counter(rows)))


def _totals(counted: Iterable[tuple[str, int]]) -> dict[str, int]:
    sums: Counter[str] = Counter()
    for name, count in counted:
        sums[name] += count
    return dict(sorted(sums.items(), key=lambda item: (-item[1], item[0])))
