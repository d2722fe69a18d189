"""The embedded model: `python benchmarks/embedded.py pack FOLDER` and `... statements` (no torch needed).

pack        the weights of a run, as they ship (needs worldline[learn])
statements  single statements of held-out generated programs: errors by operation, whether it is as sure as
            it is right, and what is left when it only answers where it is sure; with --unseen also those
            alone that so many iterations of the recipe do not draw, all of which are drawn again (minutes)
"""

import argparse
import json
import os
from collections import defaultdict
from collections.abc import Collection, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from hashlib import blake2b
from itertools import product
from multiprocessing import get_context
from pathlib import Path

from worldline.cli.progress import counting
from worldline.diagnose.calibration import calibration
from worldline.diagnose.intervals import Ratio, wilson
from worldline.learn.data.held_out import HELD_OUT, path
from worldline.learn.data.rows import row_of
from worldline.learn.training.recipes import recipe
from worldline.models.embedded.network import Network, load
from worldline.report.bench_view import table
from worldline.work.processes import end_with_parent

ROOT = Path(__file__).parents[1]
SHIPPED = ROOT / "src/worldline/models/embedded/weights.npz"
RECIPE = ROOT / "recipes/embedded.py"
PART = 50  # iterations that a worker draws at once
LEVELS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999)


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
    asking.add_argument("--weights", default="", help="a file; default: those that ship")
    asking.add_argument("--workers", type=int, default=2)
    asking.add_argument("--unseen", type=int, default=0, metavar="ITERATIONS")
    asking.add_argument("--json", action="store_true")
    asking.set_defaults(run=statements)
    given = parser.parse_args()
    given.run(given)


def pack(given: argparse.Namespace) -> None:
    from worldline.learn.embedding import pack as packed

    print(f"{given.output}: {packed(given.folder, given.output, given.which):,} bytes")


@dataclass(frozen=True, slots=True)
class Told:
    """What the network has said along the path of a program."""

    steps: int
    is_whole: bool
    unclear: int  # questions without an answer that can be written down
    answers: list[tuple[str, float, bool, int]]  # kind, how sure, whether right, which question


@cache
def network(weights: str) -> Network:
    """Loaded once a process."""
    return load(weights)


def ask(number: int, weights: str) -> Told | None:
    """The statements of one program; None: it cannot be recorded."""
    found = path(number)
    if found is None:
        return None
    told = network(weights).answers([each.question for each in found.asked])
    answers = [
        (each.question.kind, sure, tuple(answer) == each.answer, _number(each.question.prompt))
        for each, (answer, sure) in zip(found.asked, told, strict=True)
    ]
    return Told(found.steps, found.is_whole, found.unclear, answers)


def _number(prompt: Sequence[int]) -> int:
    """The same for the same question in every process."""
    return int.from_bytes(blake2b(repr(tuple(prompt)).encode(), digest_size=8).digest(), "big")


def drawn(first: int, until: int, asked: frozenset[int]) -> set[int]:
    """Which of these questions the recipe draws, to the token, in some of its iterations.

    When a stage of the curriculum began is not kept, so every iteration is drawn at all difficulties.
    """
    training = recipe(str(RECIPE))
    options, found = training.options, set()
    for iteration in range(first, min(first + PART, until)):
        for rank, stage in product(range(options.batch), training.stages):
            row = row_of(iteration, rank, stage.difficulty, options.seed)
            found |= asked & {_number(prompt) for prompt in row.prompts()}
    return found


def _distinct(programs: Sequence[Told], which: Collection[int]) -> list[int]:
    """Of these questions, each counted once: how many are right, and how many there are."""
    alike = {each: is_right for told in programs for *_, is_right, each in told.answers if each in which}
    return [sum(alike.values()), len(alike)]


def statements(given: argparse.Namespace) -> None:
    numbers = range(given.first, given.first + given.programs)
    programs: list[Told] = []
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # of each worker
    spawning = get_context("spawn")
    with ProcessPoolExecutor(given.workers, spawning, end_with_parent) as pool, counting() as bar:
        task = bar.add_task("programs", total=given.programs)
        for each in pool.map(partial(ask, weights=given.weights), numbers):
            programs += [] if each is None else [each]
            bar.advance(task)
        found = measured(programs) | {"first": given.first, "drawn": given.programs}
        if given.unseen:
            asked = frozenset(which for each in programs for *_, which in each.answers)
            parts = range(0, given.unseen, PART)
            task, seen = bar.add_task("what was drawn in training", total=len(parts)), set()
            for each in pool.map(partial(drawn, until=given.unseen, asked=asked), parts):
                seen |= each
                bar.advance(task)
            found["unseen"] = _distinct(programs, asked - seen)
    print(json.dumps(found) if given.json else "\n".join(shown(found)))


def measured(programs: Sequence[Told]) -> dict:
    """All of them together, as plain JSON."""
    outcomes = [(sure, is_right) for each in programs for _, sure, is_right, _ in each.answers]
    different = {which for each in programs for *_, which in each.answers}
    kinds: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for kind, _, is_right, _ in (answer for each in programs for answer in each.answers):
        kinds[kind][0] += is_right
        kinds[kind][1] += 1
    return {
        "programs": len(programs),
        "whole": sum(each.is_whole for each in programs),
        "steps": sum(each.steps for each in programs),
        "statements": len(outcomes),
        "right": sum(is_right for _, is_right in outcomes),
        "distinct": _distinct(programs, different),
        "unclear": sum(each.unclear for each in programs),
        "kinds": dict(sorted(kinds.items())),
        "calibration_error": calibration(outcomes).error,
        "selective": [[level, *_kept(outcomes, level)] for level in LEVELS],
    }


def _kept(outcomes: list[tuple[float, bool]], level: float) -> tuple[int, int]:
    kept = [is_right for sure, is_right in outcomes if sure >= level]
    return len(kept), sum(kept)


def shown(found: dict) -> list[str]:
    """As Markdown."""
    different = found["distinct"][1]
    new = []
    if "unseen" in found:
        seen = different - found["unseen"][1]
        told = f"{seen:,} of these are among what the recipe as it stands draws (to the token, at any of its "
        told += f"difficulties). **Of the others {_told(found['unseen'])}"
        new = ["", told]
    share = found["right"] / max(found["statements"], 1)
    kinds = [[kind, f"{count:,}", f"{count - good:,}"] for kind, (good, count) in found["kinds"].items()]
    levels = [
        [f"{level:g}", f"{count:,}", f"{count - good:,}", f"{good / max(count, 1):.4%}"]
        for level, count, good in found["selective"]
    ]
    return [
        f"{found['programs']} programs that can be recorded, of {found['drawn']} "
        f"from number {found['first']} on; {found['steps']:,} steps; "
        f"{found['whole']} can be asked about to their end; {found['unclear']:,} questions whose answer "
        "cannot be written down are not among these.",
        "",
        f"**{found['right']:,} of {found['statements']:,} questions right: {share:.4%}**"
        f"; calibration error {found['calibration_error']:.5f}. Many are asked again and again: "
        f"**of the different ones {_told(found['distinct'])}",
        *new,
        "",
        *table([["operation", "questions", "wrong"], *kinds]),
        "",
        "If it only answers where it is sure:",
        "",
        *table([["sure to at least", "answers", "wrong", "right"], *levels]),
    ]


def _told(pair: Sequence[int]) -> str:
    """How many of how many, with the interval."""
    good, count = pair
    interval = wilson(Ratio(good, count))
    low, high = (interval.low, interval.high) if interval else (0.0, 1.0)
    return f"{good:,} of {count:,} are right: {good / max(count, 1):.4%}** [{low:.4%}, {high:.4%}]."


if __name__ == "__main__":
    main()
