"""This file is the leaderboard: every shipped model on our benchmarks, and published figures beside them.

make leaderboard    # goes on where it was broken off: every run is kept in runs/leaderboard
"""

import argparse
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from worldline.bench.model import Mode, settings_of
from worldline.bench.published import PUBLISHED
from worldline.bench.registry import benchmark
from worldline.bench.run import Plan, begun, items_of, problems_of, run, scores_of
from worldline.bench.summary import summary
from worldline.report.bench_view import shown, table
from worldline.rollout.options import RolloutOptions

MODELS = ("oracle", "faulty:hidden=0.02,length=0.002,seed=1", "faulty:invented-line=0.002,stale=0.005,seed=1")
FREE, GROUNDED = Mode(), Mode(RolloutOptions("grounded", context="state"))
EMBEDDED = Mode(RolloutOptions("grounded", context="state"), "atomic")
"""How the model that ships is asked unless something else is said; it is in these:"""
ITS = ("permutation", "composition", "horizon", "humaneval", "cruxeval")
RUNS = (
    ("permutation", ("count=10",), (FREE, GROUNDED)),
    ("composition", ("families=strings,integers,lists", "atomic=1", "count=10"), (FREE,)),
    ("horizon", ("steps=100,1000", "count=2"), (FREE,)),
    ("halting", ("count=4",), (FREE,)),
    ("probes", ("count=2",), (FREE,)),
    ("humaneval", ("inputs=1",), (FREE,)),
    ("cruxeval", (), (FREE, Mode(rewrite="atomic"))),
)
FIRST = {"cruxeval": 100, "humaneval": 100}
"""Of these, only so many: the first ones."""
SEED = 0
HEAD = ["benchmark", "problems", "model", "mode", "n", "answers right", "every step right"]


def measured(folder: Path, data: str, limit: int | None) -> Iterator[list[str]]:
    """Our own rows."""
    for name, settings, modes in RUNS:
        chosen = [*settings, *([f"data={data}/cruxeval.jsonl"] if name == "cruxeval" else [])]
        if name == "cruxeval" and not data:
            continue
        asked = [(model, modes) for model in MODELS] + [("embedded", (EMBEDDED,))] * (name in ITS)
        for model, its in asked:
            found = benchmark(name)
            most = min(limit or 10**9, FIRST.get(name, 10**9))
            plan = Plan(found, settings_of(found, chosen), model, its, SEED, limit=most)
            problems = problems_of(plan)
            print(f"{name}: {model}", file=sys.stderr)
            place = folder / f"{name}-{re.sub(r'[^a-z0-9.]+', '-', model)}.db"
            with begun(plan, problems, place, ["leaderboard"]) as store:
                for each in run(plan, items_of(plan, problems), store):
                    assert hasattr(each, "is_right"), each
                scores = scores_of(store)
            by = [label for label in found.by if label in ("length", "depth", "steps", "truth")][:1]
            told = summary(scores, by)
            for group in told.groups or told.modes:
                what = ", ".join(f"{key} {value}" for key, value in group.labels.items()) or "all"
                shares = [str(group.right.whole), shown(group.right), shown(group.exact)]
                yield [name, what, f"`{model}`", group.mode, *shares]


def published() -> list[list[str]]:
    """What others have measured."""
    head = ["benchmark", "problems", "model", "n", "answers right", "source", "note"]
    rows = [
        [
            one.benchmark,
            one.problems,
            one.model,
            str(one.count or "?"),
            f"{one.share:.1%}",
            one.source,
            one.note,
        ]
        for one in PUBLISHED
    ]
    return [head, *rows]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--data", default=os.environ.get("WORLDLINE_DATA", ""), help="folder of cruxeval.jsonl"
    )
    parser.add_argument("--limit", type=int, help="only so many problems of each")
    parser.add_argument("--runs", type=Path, default=Path("runs/leaderboard"), help="where runs are kept")
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/leaderboard.md"))
    chosen = parser.parse_args()
    chosen.runs.mkdir(parents=True, exist_ok=True)
    rows = [HEAD, *measured(chosen.runs, chosen.data, chosen.limit)]
    lines = [
        "# Leaderboard",
        "",
        f"Made by `make leaderboard` (seed {SEED}; 95 % intervals in brackets). `embedded` is the model that "
        "ships, in the mode that suits it; what it is not sure of counts as wrong. Two have no weights: "
        "`oracle` is the interpreter itself, which shows that a benchmark can be solved; "
        "`faulty` is the oracle with faults of known kinds and rates, which shows that it can be failed, and "
        "for the reasons that are built in. Of HumanEval and of the file of CRUXEval that was at hand, "
        "the first 100 problems.",
        "",
        "## Measured here",
        "",
        *table(rows),
        "",
        "## Published by others",
        "",
        "Not measured by us, and not always on the same problems: read the notes.",
        "",
        *table(published()),
        "",
    ]
    chosen.output.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
