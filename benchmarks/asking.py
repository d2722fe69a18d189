"""This file is accuracy against questions: a model that asks the real interpreter when it is not sure.

    python benchmarks/asking.py [--programs N] [--seed S] [--markdown OUT.md]

Permutation programs are rolled out with two models that make the same faults: one is less sure where it is
wrong (`blur=1`), the other knows nothing of its faults (`blur=0`). Whenever a step is less probable than the
threshold, the interpreter is asked for it instead. Steps right and questions are shares of all steps;
calibration is that of the model's own steps at threshold 0.
"""

import argparse
from pathlib import Path
from random import Random

from corners import permutation_program

from worldline.diagnose.align import align
from worldline.diagnose.calibration import calibration, outcomes
from worldline.diagnose.prediction import of_trace
from worldline.models.faulty import faulty
from worldline.record import Options, record
from worldline.rollout.options import RolloutOptions
from worldline.rollout.rollout import predict_all
from worldline.trace.model import Trace

LENGTH = 32
THRESHOLDS = (0.0, 0.5, 0.7, 0.9, 0.96, 0.99)
FAULTS = "swapped=0.05,missing=0.05"


def measured(blur: float, truths: list[Trace], seed: int) -> tuple[list[tuple[float, float]], str]:
    """Steps right and questions for each threshold, and the calibration."""
    model = faulty(f"{FAULTS},seed={seed},blur={blur}")
    found, told = [], ""
    for threshold in THRESHOLDS:
        options = RolloutOptions(context="state", ask_below=threshold, max_tokens=10**9)
        rollouts = predict_all([truth.program for truth in truths], model, options, truths)
        steps = sum(len(truth.steps) for truth in truths)
        right = sum(
            pair.is_right
            for truth, rollout in zip(truths, rollouts, strict=True)
            for pair in align(truth, of_trace(rollout.trace)).pairs
        )
        found.append((right / steps, sum(rollout.cost.questions for rollout in rollouts) / steps))
        if not threshold:
            both = zip(truths, rollouts, strict=True)
            scores = calibration([pair for truth, each in both for pair in outcomes(each, truth)])
            told = (
                f"calibration error {scores.error:.3f}, Brier score {scores.brier:.3f}, {scores.count} steps"
            )
    return found, told


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--markdown", type=Path)
    options = parser.parse_args()
    dice = Random(options.seed)
    subjects = [permutation_program(LENGTH, dice) for _ in range(options.programs)]
    truths = [record(subject, Options(max_value=None)).trace for subject in subjects]
    knowing, known = measured(1.0, truths, options.seed)
    blind, unknown = measured(0.0, truths, options.seed)
    lines = [
        "# Asking the interpreter when the model is not sure",
        "",
        f"{options.programs} permutation programs of {LENGTH} assignments, the model `faulty` with {FAULTS}.",
        f"Once it is less sure where it is wrong ({known}), once it is not ({unknown}).",
        "",
        "| ask below | steps right, knowing | questions | steps right, blind | questions |",
        "|---|---|---|---|---|",
    ]
    for threshold, one, other in zip(THRESHOLDS, knowing, blind, strict=True):
        lines.append(f"| {threshold} | {one[0]:.1%} | {one[1]:.1%} | {other[0]:.1%} | {other[1]:.1%} |")
    command = f"python benchmarks/asking.py --programs {options.programs} --seed {options.seed}"
    text = "\n".join([*lines, "", f"Made by `{command} --markdown asking.md`.", ""])
    print(text)
    if options.markdown:
        options.markdown.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
