"""This file is the claim about permutations with several seeds: small networks trained apart, real rollouts.

python benchmarks/embedded_seeds.py [--seeds 3] [--runs runs/embedded]    # needs worldline[learn]

Each network is trained by `recipes/embedded.py:permutation` with a seed of its own (minutes), then rolled
out on programs of S5 that none was trained on. Trainings and rollouts are kept, and gone on with.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from worldline.report.bench_view import table

ROOT = Path(__file__).parents[1]
BENCH = "bench permutation --rewrite none --set lengths=128 --seed 7"
COUNT = 90


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--iterations", type=int, default=400)
    parser.add_argument("--count", type=int, default=COUNT, help="programs of 128 assignments")
    parser.add_argument("--runs", type=Path, default=ROOT / "runs/embedded")
    given = parser.parse_args()
    print(json.dumps([rolled_out(seed, given) for seed in range(given.seeds)]))


def rolled_out(seed: int, given: argparse.Namespace) -> dict[str, Any]:
    """Train with a seed, then see how far it gets."""
    folder, weights = given.runs / f"permutation-seed{seed}", given.runs / f"permutation-seed{seed}.npz"
    changes = ["--set", f"seed={seed}", "--set", f"iterations={given.iterations}"]
    recipe = f"{ROOT / 'recipes/embedded.py'}:permutation"
    told = json.loads(_worldline("train", recipe, *changes, "-o", str(folder), "--json"))
    packing = [sys.executable, str(ROOT / "benchmarks/embedded.py"), "pack", str(folder), "-o", str(weights)]
    subprocess.run([*packing, "--which", "model"], stdout=sys.stderr, check=True)
    words = [*BENCH.split(), "--set", f"count={given.count}", "--model", f"embedded:{weights}"]
    place = given.runs / f"permutation-seed{seed}.db"
    found = json.loads(_worldline(*words, "-o", str(place), "--json"))["summary"]
    exact = found["modes"][0]["exact"]
    steps = sum(each["count"] for each in found["calibration"].values())
    sizes = {name: told[name] for name in ("parameters", "iteration")}
    return {"seed": seed, **sizes, "exact": exact["part"], "programs": exact["whole"], "steps": steps}


def _worldline(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "worldline.cli", *words], stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        sys.exit(done.returncode)
    return done.stdout


def shown(found: Sequence[Mapping[str, Any]]) -> list[str]:
    """As Markdown."""
    rows = [["seed", "parameters", "iterations", "programs right in every step", "of", "steps"]]
    for each in found:
        counts = (each[name] for name in ("parameters", "iteration", "exact", "programs", "steps"))
        rows.append([str(each["seed"]), *(f"{count:,}" for count in counts)])
    return table(rows)


if __name__ == "__main__":
    main()
