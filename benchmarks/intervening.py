"""This file is what rewriting buys two models that fail for known reasons, with what was to be expected.

    python benchmarks/intervening.py CRUXEVAL.jsonl [--rows N] [--seed S] [--markdown OUT.md]

One model fails at what a line hides, one at long texts (`models/faulty.py`). The probability of a fault is
known, so the expected number of exact traces is, too: the sum over problems of the product over steps.
The control is drawn again with another seed, which takes a temperature.
"""

import argparse
from math import prod, sqrt
from pathlib import Path

from worldline.diagnose.rewriting import BASELINE, CONTROL, arms, intervene
from worldline.diagnose.subject import subject
from worldline.models.faulty import Faulty, faulty
from worldline.record.collect import Row, read_rows
from worldline.report.rewriting_view import COLUMNS, cells
from worldline.rewrite import LEVELS, check_level
from worldline.rollout.options import RolloutOptions
from worldline.trace.model import Trace

MODELS = {
    "what a line hides": "hidden=0.03",
    "long texts": "length=0.002",
}


def asked(row: Row, arm: str) -> Trace:
    """What really happens in the program of an arm, as it is asked about."""
    assert row.program is not None
    level = None if arm in (BASELINE, CONTROL) else check_level(arm)
    return subject(row.program, level, "process").real


def expected(rows: list[Row], arm: str, model: Faulty) -> tuple[float, float]:
    """Exact traces in the mean, and their standard deviation."""
    chances = []
    for row in rows:
        trace = asked(row, arm)
        chances.append(prod(1 - model.plan.probability(trace, at) for at in range(len(trace.steps))))
    return sum(chances), sqrt(sum(chance * (1 - chance) for chance in chances))


def table(rows: list[Row], name: str, seed: int) -> list[str]:
    """One model."""
    model = faulty(f"{name},seed={seed}")
    options = RolloutOptions(max_tokens=10**9, temperature=1.0)
    lines = ["| " + " | ".join([*COLUMNS, "exact expected"]) + " |", "|---" * (len(COLUMNS) + 1) + "|"]
    for arm in arms(list(intervene(rows, model, LEVELS, options))):
        mean, deviation = expected(rows, arm.name, model)
        lines.append("| " + " | ".join([*cells(arm), f"{mean:.1f} ± {deviation:.1f}"]) + " |")
    return lines


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cruxeval", type=Path)
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--markdown", type=Path)
    chosen = parser.parse_args()
    rows = list(read_rows(chosen.cruxeval))[: chosen.rows]
    lines = ["# What rewriting buys, where it is known in advance", ""]
    lines += [f"The first {len(rows)} rows of CRUXEval, seed {chosen.seed}; ± is one standard deviation.", ""]
    for why, name in MODELS.items():
        lines += [f"## A model that fails at {why}: `faulty:{name}`", "", *table(rows, name, chosen.seed), ""]
    command = f"python benchmarks/intervening.py cruxeval.jsonl --rows {len(rows)} --seed {chosen.seed}"
    text = "\n".join([*lines, f"Made by `{command} --markdown OUT.md`.", ""])
    print(text)
    if chosen.markdown:
        chosen.markdown.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
