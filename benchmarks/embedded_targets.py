"""This file is what the embedded model is to reach, measured, with published figures beside it.

make bench-embedded    # or: python benchmarks/embedded_targets.py --data FOLDER [--only permutation ...]

Every run is kept in runs/embedded/NAME.db and gone on with; the page is docs/explanation/embedded-figures.md.
What is not run stays on the page as it is; benchmarks tell the model that they were run with. With --quick
both are others, beside them: a look at whether everything works.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import embedded
import embedded_edges
import embedded_seeds

from worldline.report.bench_view import table
from worldline.report.charts.model import Chart, Point, Series
from worldline.report.studies import write_page
from worldline.report.studies.parts import Page

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/explanation/embedded-figures.md"


@dataclass(frozen=True, slots=True)
class Target:
    """One thing to reach."""

    name: str
    aim: str
    published: str  # by others, not measured here
    command: str  # what `worldline` is told, or one of the scripts
    quick: str = ""  # besides, to see that it works


CWM_S5 = "one line for each assignment: CWM-32B 0 % at 64 of them, GPT-5 10 % at 128 (read off a chart)"
TARGETS = (
    Target(
        "permutation",
        "S5, grounded actions, state context: no error in 100,000 steps of one program (a loop over ten "
        "lines: at most 60 of its assignments are different questions, those of its counter all are)",
        CWM_S5,
        "bench permutation --rewrite none --set form=loop --set lengths=100000 --set count=1",
        "--set lengths=100",
    ),
    Target(
        "permutation-programs",
        "the same on many programs: no error in 100,000 steps all together",
        CWM_S5,
        "bench permutation --rewrite none --set form=loop --set lengths=1000 --set count=84 --seed 1",
        "--set lengths=50 --set count=3",
    ),
    Target(
        "permutation-free",
        "the same with free actions: the network says which line comes next",
        CWM_S5,
        "bench permutation --rewrite none --actions free --context state --set form=loop "
        "--set lengths=1000 --set count=84 --seed 1",
        "--set lengths=50 --set count=3",
    ),
    Target(
        "permutation-lines",
        "as published: one line for each assignment, lengths 8 to 128, with free and with grounded actions",
        CWM_S5,
        "bench permutation --rewrite none --actions free --actions grounded --context state --set count=10",
        "--set lengths=8 --set count=2",
    ),
    Target(
        "permutation-seeds",
        "smaller networks trained with other seeds, on assignments alone: no error either",
        CWM_S5,
        "benchmarks/embedded_seeds.py",
        "--seeds 1 --iterations 4 --count 2",
    ),
    Target(
        "composition",
        "functions composed five deep: at least 90 % of strings; no difference between strings and the other "
        "families beyond the intervals (of answers, that is; steps of strings are more often wrong, where a "
        "set of texts is walked through in another order than CPython's, which the answer need not show)",
        "CWM-32B: at depth 5 25 % of strings, 100 % of what is no string (functions of their own)",
        "bench composition --set depths=5 --set count=40",
        "--set count=1",
    ),
    Target(
        "horizon",
        "10,000 consecutive right steps of collatz, counter, fibonacci and sorting",
        "a tuned Llama-3.1-8B that predicts one line at a time (arXiv 2503.05703): Collatz 8 of 9, binary "
        "counter 8 of 9, Fibonacci 5 of 5; 14,055 right predictions in a row at most (programs of their own)",
        "bench horizon --set programs=collatz,counter,fibonacci,sorting --set steps=10000 --set count=1",
        "--set steps=100 --set count=1",
    ),
    Target(
        "cruxeval",
        "CRUXEval-O, rewritten to atomic steps: more than 85.1 %, then more than 90.4 %",
        "on all 800 rows CWM-32B 85.1 % (87.7 % in its own report), with rewriting 90.4 % (an upper bound)",
        "bench cruxeval --data DATA/cruxeval.jsonl",
        "--limit 8",
    ),
    Target(
        "everyday",
        "everyday programs, written without looking at the code; its first errors on them have been mended",
        "none known",
        "bench programs --data benchmarks/programs/everyday",
        "--limit 8",
    ),
    Target(
        "corners",
        "programs at the corners of the language, written to break it: right or not sure, never wrong (what "
        "they have shown is mended: two errors, and with `types` four kinds of them)",
        "none known",
        "bench programs --data benchmarks/programs/corners",
        "--limit 8",
    ),
    Target(
        "edges",
        "single statements with values at the edges of what was trained on: never wrong and sure of it",
        "none known",
        "benchmarks/embedded_edges.py --json",
        "--count 2",
    ),
    Target(
        "statements",
        "single statements of held-out generated programs: at least 99.99 % right (one that is done on "
        "paper is several questions)",
        "single steps of CRUXEval's programs, whole state, a tuned Llama-3.1-8B (arXiv 2503.05703): 96.3 % "
        "of lines, 98.8 % of bytecode instructions",
        "benchmarks/embedded.py statements --json --programs 200 --unseen 4000",
        "--programs 4 --unseen 40",
    ),
)
SHOWN = {
    "statements": embedded.shown,
    "edges": embedded_edges.shown,
    "permutation-seeds": embedded_seeds.shown,
}
"""Of those that are scripts of their own: what they have found, as Markdown."""
NAMED = {level: f"{level:g}" for level in (0, 0.5, 0.9, 0.99, 0.995, 0.998, 0.999)}
"""How sure, where there is room for a label."""
CALLED = {"budget": "ended early (not sure, or out of steps)"}
HEAD = ["problems", "mode", "n", "answers right", "every step right", "steps right (median)", "of", "seconds"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--data", default=os.environ.get("WORLDLINE_DATA", ""), help="folder of cruxeval.jsonl"
    )
    parser.add_argument("--only", nargs="*", help="targets; others stay on the page as they are")
    parser.add_argument("--quick", action="store_true", help="a few problems of each")
    parser.add_argument("--runs", type=Path, help="default: runs/embedded, quick: runs/embedded-quick")
    parser.add_argument(
        "-o", "--output", type=Path, help=f"default: {PAGE.name} of the docs, quick: of the runs"
    )
    given = parser.parse_args()
    given.runs = given.runs or ROOT / ("runs/embedded-quick" if given.quick else "runs/embedded")
    given.output = given.output or (given.runs / PAGE.name if given.quick else PAGE)
    given.runs.mkdir(parents=True, exist_ok=True)
    results: dict[str, Any] = {}
    for target in TARGETS:
        if given.only is None or target.name in given.only:
            if "DATA" in target.command and not given.data:
                print(f"{target.name} is left out: no --data", file=sys.stderr)
                continue
            if target.name == "permutation-seeds" and find_spec("torch") is None:
                print(f"{target.name} is left out: pip install 'worldline[learn]'", file=sys.stderr)
                continue
            results[target.name] = json.loads(_run(target, given))
    before = parts(given.output.read_text(encoding="utf-8")) if given.output.is_file() else {}
    write_page(Page("\n".join(_page(results, before)), _charts(results)), given.output)


def _run(target: Target, given: argparse.Namespace) -> str:
    words = target.command.replace("DATA", given.data).split()
    words += target.quick.split() if given.quick else []
    place = given.runs / f"{target.name}.db"
    command = [sys.executable, "-m", "worldline.cli", *words, "-o", str(place), "--json"]
    if target.name in SHOWN:
        kept = ["--runs", str(given.runs)] if target.name == "permutation-seeds" else []
        command = [sys.executable, str(ROOT / words[0]), *words[1:], *kept]
    print(f"{target.name}: {target.command}", file=sys.stderr)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(done.returncode)
    return done.stdout


def parts(page: str) -> dict[str, list[str]]:
    """The lines of each part of a page that was made before, by the target's name."""
    found: dict[str, list[str]] = {}
    for text in page.split("\n## ")[1:]:
        name, *lines = text.rstrip("\n").split("\n")
        found[name] = ["", f"## {name}", *lines]
    return found


def _page(results: Mapping[str, Any], before: Mapping[str, list[str]]) -> Iterator[str]:
    yield "# What the embedded model reaches"
    yield ""
    yield (
        "Made by `make bench-embedded` with the weights that ship (95 % intervals in brackets), after `make "
        ".venv/full` and with `WORLDLINE_DATA` as the folder of `cruxeval.jsonl` (`DATA` below, 424 of its "
        "800 rows); without them two parts are not run. "
        "None of these programs was trained on. What is not sure ends a rollout and counts as wrong. "
        "Rows of CRUXEval have shown which kinds of statements the data lacked, and compositions that "
        "rewriting did not handle `*` and `**` in displays and `int(n ** 0.5)`; all were mended, so neither "
        "is an untouched test. "
        "Published figures are others', on their own programs where that is told. Seconds are those of all "
        "problems one after the other, on a shared machine: two processes take half as long."
    )
    for target in TARGETS:
        if target.name not in results:
            yield from before.get(target.name, ())
        else:
            yield from ("", f"## {target.name}", "", f"To reach: {target.aim}.", "")
            yield from (f"Published: {target.published}.", "")
            if target.name in SHOWN:
                yield from (f"`python {target.command}`", "")
                yield from SHOWN[target.name](results[target.name])
                if target.name == "statements":
                    yield from ("", "![Wrong answers by how many are given](sure)")
                continue
            setting = results[target.name]["run"]["setting"]
            stamp = f"model {setting['model']}, data {setting['data']}, seed {setting['seed']}"
            yield from (f"`worldline {target.command}` ({stamp})", "")
            yield from _rows(results[target.name]["summary"])
    yield ""


def _rows(summary: Mapping[str, Any]) -> Iterator[str]:
    rows = [HEAD]
    for group in [*summary["modes"], *summary["groups"]]:
        what = ", ".join(f"{key} {value}" for key, value in group["labels"].items()) or "all"
        rows.append(
            [
                what,
                group["mode"],
                str(group["right"]["whole"]),
                _share(group["right"]),
                _share(group["exact"]),
                f"{group['steps_right']:,.0f}",
                f"{group['steps']:,.0f}",
                f"{group['seconds']:,.0f}",
            ]
        )
    yield from table(rows)
    seconds = {group["mode"]: group["seconds"] for group in summary["modes"]}
    for mode, found in summary["calibration"].items():
        yield ""
        pace = 1000 * seconds[mode] / max(found["count"], 1)
        told = f"{found['count']:,} steps, error {found['error']:.4f}, Brier {found['brier']:.5f}"
        yield f"Calibration ({mode}): {told}. 1,000 steps take {pace:.1f} s."
    for mode, causes in summary["causes"].items():
        if causes:
            yield ""
            told = ", ".join(f"{CALLED.get(name, name)} {count}" for name, count in causes.items())
            yield f"Causes of the first errors ({mode}): {told}."


def _charts(results: Mapping[str, Any]) -> dict[str, Chart]:
    """The selective accuracy of single statements."""
    if "statements" not in results:
        return {}
    whole = results["statements"]["statements"]
    points = [
        Point(100 * count / whole, 100_000 * (count - right) / count, label=NAMED.get(level, ""))
        for level, count, right in results["statements"]["selective"]
        if count
    ]
    chart = Chart(
        title="Wrong answers, if only those are given that it is sure of",
        x_title="statements answered, %",
        y_title="wrong of 100,000 answers",
        series=[Series("the embedded model", points)],
        y_range=(0, 5),
        note=f"{whole:,} single statements of held-out programs; at each point: sure to at least",
    )
    return {"sure": chart}


def _share(share: Mapping[str, Any]) -> str:
    interval = share["interval"] or {"low": 0, "high": 1}
    return f"{share['part']} of {share['whole']} [{100 * interval['low']:.1f}, {100 * interval['high']:.1f}]"


if __name__ == "__main__":
    main()
