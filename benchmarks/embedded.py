"""The embedded model: `python benchmarks/embedded.py pack FOLDER` and `... statements` (no torch needed).

pack        the weights of a run, as they ship (needs worldline[learn])
statements  single statements of held-out generated programs: errors by operation, whether it is as sure as
            it is right, and what is left when it only answers where it is sure
"""

import argparse
import json
import time
from collections import defaultdict
from pathlib import Path

from worldline.diagnose.calibration import calibration
from worldline.diagnose.intervals import Ratio, wilson
from worldline.learn.data.held_out import HELD_OUT, paths
from worldline.models.embedded.network import load

SHIPPED = Path(__file__).parents[1] / "src/worldline/models/embedded/weights.npz"
LEVELS = (0.0, 0.5, 0.9, 0.99, 0.999)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    packing = verbs.add_parser("pack")
    packing.add_argument("folder", type=Path)
    packing.add_argument("--which", default="best")
    packing.add_argument("-o", "--output", type=Path, default=SHIPPED)
    packing.set_defaults(run=pack)
    asking = verbs.add_parser("statements")
    asking.add_argument("--programs", type=int, default=100)
    asking.add_argument("--first", type=int, default=HELD_OUT)
    asking.add_argument("--weights", default="")
    asking.add_argument("--json", action="store_true")
    asking.set_defaults(run=statements)
    given = parser.parse_args()
    given.run(given)


def pack(given: argparse.Namespace) -> None:
    from worldline.learn.embedding import pack as packed

    print(f"{given.output}: {packed(given.folder, given.output, given.which):,} bytes")


def statements(given: argparse.Namespace) -> None:
    network = load(given.weights)
    right: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    outcomes: list[tuple[float, bool]] = []
    whole = steps = programs = 0
    seconds = 0.0
    for each in paths(given.programs, given.first):
        programs += 1
        whole += each.is_whole
        steps += each.steps
        begun = time.perf_counter()
        told = network.answers([asked.question for asked in each.asked])
        seconds += time.perf_counter() - begun
        for asked, (answer, sure) in zip(each.asked, told, strict=True):
            is_right = tuple(answer) == asked.answer
            right[asked.question.kind][0] += is_right
            right[asked.question.kind][1] += 1
            outcomes.append((sure, is_right))
    total, good = len(outcomes), sum(is_right for _, is_right in outcomes)
    measured = calibration(outcomes)
    found = {
        "programs": programs,
        "whole": whole,
        "steps": steps,
        "statements": total,
        "right": good,
        "first": given.first,
        "kinds": {kind: counts for kind, counts in sorted(right.items())},
        "calibration_error": measured.error,
        "selective": [[level, *_kept(outcomes, level)] for level in LEVELS],
        "seconds": round(seconds, 1),
    }
    print(json.dumps(found) if given.json else _told(found))


def _kept(outcomes: list[tuple[float, bool]], level: float) -> tuple[int, int]:
    kept = [is_right for sure, is_right in outcomes if sure >= level]
    return len(kept), sum(kept)


def _told(found: dict) -> str:
    interval = wilson(Ratio(found["right"], found["statements"]))
    low, high = (interval.low, interval.high) if interval else (0.0, 1.0)
    lines = [
        f"{found['programs']} programs (from number {found['first']}), {found['steps']:,} steps; "
        f"{found['whole']} can be asked about to their end",
        f"{found['right']:,} of {found['statements']:,} statements right: "
        f"{found['right'] / found['statements']:.5%} ({low:.4%} to {high:.4%}); "
        f"calibration error {found['calibration_error']:.4f}; {found['seconds']} s",
        "",
        "| operation | statements | wrong |",
        "|---|---|---|",
    ]
    lines += [f"| {kind} | {count:,} | {count - good:,} |" for kind, (good, count) in found["kinds"].items()]
    lines += ["", "| sure to | answers | right |", "|---|---|---|"]
    lines += [
        f"| {level} | {count:,} | {good / max(count, 1):.5%} |" for level, count, good in found["selective"]
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
