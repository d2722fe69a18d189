"""This file is what a rollout costs beside the model: tokens a request by context, and our own time a step.

    python benchmarks/rollout.py [--most STEPS] [--svg OUT.svg]

The oracle is asked for the trace of a loop over five variables. With the context `state`, the largest prompt
of any request is shown; with `history`, prompt and answer of the one request for the whole trace, which is
what has to fit into a model's context. Time a step is our own: that spent inside the model is taken off.
"""

import argparse
import math
import time
from collections.abc import Sequence
from pathlib import Path

from worldline.models.model import Ask, Completion, Failed
from worldline.models.oracle import Oracle
from worldline.rollout.options import RolloutOptions
from worldline.rollout.rollout import predict
from worldline.tokens import tokenizer
from worldline.trace.model import Entry, Program

SIZES = (100, 1_000, 10_000, 100_000)
STEPS_A_ROUND = 3


class Timed(Oracle):
    """The oracle, with the time that it takes."""

    seconds = 0.0

    def complete(self, asks: Sequence[Ask]) -> list[Completion | Failed]:
        """Answer, and look at the clock."""
        started = time.perf_counter()
        found = super().complete(asks)
        Timed.seconds += time.perf_counter() - started
        return found


def program(steps: int) -> Program:
    """A loop that takes about so many steps."""
    source = (
        "def main(): # << START_OF_TRACE\n    a, b, c, d, e = 1, 2, 3, 4, 5\n"
        f"    for i in range({steps // STEPS_A_ROUND}):\n        a, b = b, a\n        c, d, e = e, c, d\n"
        "    return a, b, c, d, e\n"
    )
    return Program(source, Entry("function", "main"))


def measured(steps: int) -> dict[str, float]:
    """One size."""
    model = Timed(tokenizer("bytes"))
    subject = program(steps)
    predict(subject, model, RolloutOptions(context="state", max_steps=1))  # records the truth
    whole = predict(subject, model, RolloutOptions(max_tokens=1 << 62))
    Timed.seconds, started = 0.0, time.perf_counter()
    state = predict(subject, model, RolloutOptions(context="state", max_tokens=1 << 62, max_steps=1 << 62))
    spent = time.perf_counter() - started - Timed.seconds
    count = len(state.trace.steps)
    return {
        "steps": count,
        "history": whole.cost.peak + whole.cost.spent,
        "state": state.cost.peak,
        "milliseconds": spent / count * 1000,
    }


def plot(rows: list[dict[str, float]]) -> str:
    """Both contexts by steps, on logarithmic scales."""
    width, height, left, bottom = 560, 340, 70, 40

    def x(steps: float) -> float:
        return left + (math.log10(steps) - 2) / 3.1 * (width - left - 90)

    def y(tokens: float) -> float:
        return height - bottom - (math.log10(tokens) - 2) / 5.5 * (height - bottom - 20)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="12">'
    ]
    parts.append(f'<rect width="{width}" height="{height}" fill="white"/>')
    for power in range(2, 8):
        parts.append(
            f'<text x="{left - 8}" y="{y(10**power) + 4:.0f}" text-anchor="end">{10**power:,}</text>'
        )
        parts.append(f'<path d="M{left} {y(10**power):.1f}H{width - 90}" stroke="#ddd"/>')
    for power in range(2, 6):
        parts.append(
            f'<text x="{x(10**power):.0f}" y="{height - 20}" text-anchor="middle">{10**power:,}</text>'
        )
    for name, colour in (("history", "#c2352b"), ("state", "#1f5fbf")):
        points = " ".join(f"{x(row['steps']):.1f},{y(row[name]):.1f}" for row in rows)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        last = rows[-1]
        parts.append(
            f'<text x="{x(last["steps"]) + 8:.0f}" y="{y(last[name]) + 4:.0f}" fill="{colour}">{name}</text>'
        )
    parts.append(f'<text x="{left}" y="14">tokens (bytes) that must fit into a request</text>')
    parts.append(
        f'<text x="{width // 2 - 20}" y="{height - 4}" text-anchor="middle">steps of the trace</text></svg>'
    )
    return "\n".join(parts) + "\n"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most", type=int, default=SIZES[-1])
    parser.add_argument("--svg", type=Path)
    options = parser.parse_args()
    rows = []
    print(f"{'steps':>8} {'history':>12} {'state':>8} {'ms a step':>10}")
    for size in SIZES:
        if size <= options.most:
            rows.append(measured(size))
            row = rows[-1]
            sizes = f"{row['steps']:>8.0f} {row['history']:>12.0f} {row['state']:>8.0f}"
            print(f"{sizes} {row['milliseconds']:>10.3f}", flush=True)
    if options.svg:
        options.svg.write_text(plot(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
