"""This file is how work grows with workers: the same recordings and oracle rollouts by one and by two.

make bench-scaling
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from worldline.bench.model import Mode, settings_of
from worldline.bench.registry import benchmark
from worldline.bench.run import Plan, begun, items_of, problems_of, run
from worldline.record.box import Limits
from worldline.record.collect import Row, collect
from worldline.record.options import Options
from worldline.rollout.options import RolloutOptions
from worldline.work.engines import Hands

RECORDED, ASKED = 64, 32


def recording(jobs: int) -> float:
    """Seconds for recording programs of some 10,000 steps."""
    found = benchmark("horizon")
    settings = settings_of(found, ["steps=10000", f"count={-(-RECORDED // 6)}"])
    rows = [Row(each.id, each.program) for each in found.problems(settings, 0)][:RECORDED]
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        done = list(collect(rows, Path(folder), Options(), Limits(), "process", Hands("processes", jobs)))
        seconds = time.perf_counter() - started
    assert [each.verdict for each in done] == ["returned"] * len(rows)
    return seconds


def rollouts(jobs: int) -> float:
    """Seconds for rolling out programs of a thousand steps with the oracle."""
    found = benchmark("permutation")
    settings = settings_of(found, ["lengths=1000", "form=loop", f"count={ASKED}"])
    mode = Mode(RolloutOptions("grounded", context="state"))
    plan = Plan(found, settings, "oracle", (mode,), engine="processes", jobs=jobs)
    problems = problems_of(plan)
    with (
        tempfile.TemporaryDirectory() as folder,
        begun(plan, problems, Path(folder) / "run.db", []) as store,
    ):
        started = time.perf_counter()
        done = list(run(plan, items_of(plan, problems), store))
        seconds = time.perf_counter() - started
    assert all(each.is_exact for each in done)
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    kinds: dict[str, Callable[[int], float]] = {"recording": recording, "oracle rollouts": rollouts}
    print(f"best of {chosen.rounds}, one and two workers in turn; {os.cpu_count()} cores")
    for name, work in kinds.items():
        pairs = [(work(1), work(2)) for _ in range(chosen.rounds)]
        one, two = (min(each) for each in zip(*pairs, strict=True))
        print(f"{name}: {one:.1f} s by one worker, {two:.1f} s by two: {one / two:.2f} times as fast")


if __name__ == "__main__":
    main()
