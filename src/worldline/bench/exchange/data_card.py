"""This file is the card of a data set of traces: what the Hub reads at its top, what people read below."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import worldline
from worldline.errors import UserError
from worldline.trace.model import Trace

TAGS = ("worldline", "code", "execution-traces", "code-world-model")
_LICENSE = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+-]*")
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


@dataclass(frozen=True, slots=True)
class Facts:
    """What a card tells, counted trace by trace."""

    command: str
    license: str
    rows: int = 0
    steps: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    pythons: Counter[str] = field(default_factory=Counter)
    recorders: Counter[str] = field(default_factory=Counter)
    levels: Counter[str] = field(default_factory=Counter)

    def with_trace(self, trace: Trace) -> "Facts":
        """The facts with one more trace."""
        origin = trace.origin
        return Facts(
            command=self.command,
            license=self.license,
            rows=self.rows + 1,
            steps=self.steps + len(trace.steps),
            endings=self.endings + Counter([trace.ending.kind]),
            pythons=self.pythons + Counter([origin.python]),
            recorders=self.recorders + Counter([origin.by]),
            levels=self.levels + Counter([origin.isolation]),
        )


def check_license(name: str) -> None:
    """Refuse what cannot be the name of a license."""
    if name and not _LICENSE.fullmatch(name):
        raise UserError(
            f"{name!r} is no name of a license", "write it as the Hub does: mit, apache-2.0, cc-by-4.0"
        )


def size_category(rows: int) -> str:
    """How the Hub calls so many rows."""
    return next((name for limit, name in _SIZES if rows < limit), "n>1M")


def card(facts: Facts, columns: Mapping[str, str], left_out: int) -> str:
    """The text of README.md: a header in YAML, of which JSON is a part, and the facts."""
    header = {
        "license": facts.license or "unknown",
        "pretty_name": f"{facts.rows} recorded Python executions",
        "tags": list(TAGS),
        "size_categories": [size_category(facts.rows)],
        "configs": [
            {"config_name": "default", "data_files": [{"split": "train", "path": "data/train-*.parquet"}]}
        ],
    }
    listed = "\n".join(f"{key}: {json.dumps(value)}" for key, value in header.items())
    table = "\n".join(f"| `{name}` | {about} |" for name, about in columns.items())
    command = f"\n```\n{facts.command}\n```\n" if facts.command else ""
    return f"""---
{listed}
---

# Recorded executions

{facts.rows} programs, run and recorded step by step: {facts.steps} steps.
How they ended: {_told(facts.endings)}.
Rows of the collection that have no trace and are left out: {left_out}.

| column | what it is |
|---|---|
{table}

## How they were recorded

By {_told(facts.recorders)}, under Python {_told(facts.pythons)}, each in a process of its own; isolation:
{_told(facts.levels)}. A state is the one before its line runs, with the value texts that `repr` gives.
Written by Worldline {worldline.__version__}.
{command}
The license says what may be done with the traces; they contain the programs, whose own license stays.

## Reading it

```python
from worldline.bench.exchange.datasets import read_dataset

for name, trace in read_dataset("THIS_FOLDER_OR_ITS_HUB_ID"):
    print(name, len(trace.steps), trace.ending)
```

or, for the columns alone, `datasets.load_dataset("THIS_FOLDER_OR_ITS_HUB_ID", split="train")`.
"""


def _told(counts: Counter[str]) -> str:
    """What was counted, the most frequent first; of one kind only its name."""
    if len(counts) == 1:
        return next(iter(counts)) or "unknown"
    return ", ".join(f"{name or 'unknown'} ({count})" for name, count in counts.most_common())
