"""This file is the two readings of "teacher forcing", side by side: given lines, given states, both, neither.

    python benchmarks/corners.py [--programs N] [--seed S] [--markdown OUT.md]

Permutation programs (five variables, N simultaneous assignments) are rolled out with the model `faulty`,
which makes each of two faults at every step with a fixed probability: an invented line (of the action) and
two variables swapped (of the state). The share of programs with every step right is shown, with Wilson's 95 %
interval.
"""

import argparse
from pathlib import Path
from random import Random

from worldline.diagnose.divergence import first_divergence
from worldline.diagnose.intervals import Ratio, wilson
from worldline.diagnose.prediction import of_trace
from worldline.models.faulty import faulty
from worldline.record import Options, record
from worldline.rollout.options import RolloutOptions
from worldline.rollout.rollout import predict_all
from worldline.trace.model import Entry, Program

LENGTHS = (8, 16, 32, 64)
RATE = 0.01
NAMES = "abcde"
CORNERS = (("free", 0), ("forced", 0), ("free", 1), ("forced", 1))


def permutation_program(length: int, dice: Random) -> Program:
    """Five variables and `length` permutations of them, one a line."""
    lines = ["def main(): # << START_OF_TRACE", "    a, b, c, d, e = 1, 2, 3, 4, 5"]
    for _ in range(length):
        order = dice.sample(NAMES, len(NAMES))
        lines.append(f"    {', '.join(NAMES)} = {', '.join(order)}")
    return Program("\n".join([*lines, "    return a, b, c, d, e", ""]), Entry("function", "main"))


def measured(length: int, programs: int, seed: int) -> list[Ratio]:
    """How many programs have every step right, in each corner."""
    dice = Random(f"{seed} {length}")
    subjects = [permutation_program(length, dice) for _ in range(programs)]
    truths = [record(subject, Options(max_value=None)).trace for subject in subjects]
    model = faulty(f"invented-line={RATE},swapped={RATE},seed={seed}")
    found = []
    for actions, states in CORNERS:
        options = RolloutOptions(actions, states, context="state", max_tokens=10**9)  # type: ignore[arg-type]
        rollouts = predict_all(subjects, model, options, truths)
        right = [
            first_divergence(truth, of_trace(rollout.trace)) is None
            for truth, rollout in zip(truths, rollouts, strict=True)
        ]
        found.append(Ratio(sum(right), len(right)))
    return found


def page(programs: int, seed: int, rows: list[tuple[int, list[Ratio]]]) -> str:
    """The table as Markdown."""
    head = [
        "assignments",
        *(f"lines {actions}, states {'given' if states else 'free'}" for actions, states in CORNERS),
    ]
    lines = [
        "# Two things are called teacher forcing",
        "",
        "Giving a model the true next *line* and giving it the true *state* are different experiments: the",
        "first takes away errors of the action, the second errors of the state. Papers mean one or the",
        "other, or do not say. Below, the model `faulty` makes an invented line and a swap of two variables,",
        f"each with a probability of {RATE:.0%} a step, on permutation programs of five variables.",
        "Shown is the share of programs with every step right (95 % interval).",
        "",
        "| " + " | ".join(head) + " |",
        "|" + "---|" * len(head),
    ]
    for length, shares in rows:
        lines.append(f"| {length} | " + " | ".join(map(_shown, shares)) + " |")
    command = (
        f"python benchmarks/corners.py --programs {programs} --seed {seed} --markdown teacher-forcing.md"
    )
    lines += [
        "",
        f"Made by `{command}`; {programs} programs a row.",
        "A fault here changes one step and the model comes back at once, so this shows which errors each",
        "kind of forcing removes, not how errors of a real model spread.",
        "",
    ]
    return "\n".join(lines)


def _shown(share: Ratio) -> str:
    bounds = wilson(share)
    value = share.value or 0.0
    return f"{value:.0%}" if bounds is None else f"{value:.0%} ({bounds.low:.0%} to {bounds.high:.0%})"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--markdown", type=Path)
    options = parser.parse_args()
    rows = [(length, measured(length, options.programs, options.seed)) for length in LENGTHS]
    text = page(options.programs, options.seed, rows)
    print(text)
    if options.markdown:
        options.markdown.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
