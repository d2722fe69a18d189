"""What a trace costs in tokens, `cwm` against `compact`: `make bench-tokens`, with WORLDLINE_DATA set.

Two tables from one run: all rows of cruxeval.jsonl, each recorded through a marked `main`; and the HumanEval
programs of cwm32b_failures.jsonl that CWM-32B could not finish. Only the steps are counted, not the prompt.
"""

import argparse
import json
import os
import platform
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from worldline.formats import compact_write, format
from worldline.formats.compact_frames import Frame, Frames
from worldline.formats.compact_text import loose, without_spaces, written
from worldline.formats.edits import edits
from worldline.record.box import Limits
from worldline.record.collect import program_of
from worldline.record.entry import as_marked
from worldline.record.options import Options
from worldline.record.recording import record
from worldline.tokens import tokenizer
from worldline.tokens.cost import Cost, cost
from worldline.trace.model import Program, Step, Trace

BUDGET = 32_768
MAX_STEPS = 6_000
FORMATS = ("cwm", "compact")


def rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def recorded(programs: list[Program], isolation: str) -> list[Trace]:
    """The traces with all values whole; one step over the limit shows that there are more."""
    options = Options(max_value=None, max_steps=MAX_STEPS + 1)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(record, program, options, Limits(seconds=60), isolation) for program in programs]
        return [job.result().trace for job in jobs]


def compared(traces: list[Trace], tokens) -> dict[str, Cost]:
    """The cost of all traces in each format."""
    return {
        name: sum((cost(tokens, format(name).parts(trace)) for trace in traces), Cost()) for name in FORMATS
    }


class Forgetful(Frames):
    """Does not remember what was just returned or raised."""

    def take(self, step: Step, frame: Frame) -> None:
        super().take(step, frame)
        self.returned = self.raised = None


class Amnesiac(Frames):
    """Does not remember any state."""

    def take(self, step: Step, frame: Frame) -> None:
        super().take(step, frame)
        frame.locals = {}


class Unread(Frames):
    """Has not read the source."""

    def function(self, frame: Frame, file: int, line: int) -> str:
        return frame.function


def spaced(text: str) -> str | None:
    return None if written(text) is None else text


def spaced_edits(name: str, before: str, after: str) -> list[str]:
    return [loose(edit) for edit in edits(name, without_spaces(before), without_spaces(after))]


@contextmanager
def replaced(**names: object) -> Iterator[None]:
    with patch.multiple(compact_write, **names):
        yield


def without_tricks(traces: list[Trace], tokens) -> dict[str, int]:
    """What `compact` would cost without each of its means, all others kept; the text could still be read."""
    means = {
        "edits": {"edits": lambda *_: []},
        "names for values": {"reference": lambda *_: ""},
        "the value just returned": {"Frames": Forgetful},
        "values without spaces": {"written": spaced, "edits": spaced_edits},
        "only what changed": {"Frames": Amnesiac},
        "functions from the source": {"Frames": Unread},
    }
    found = {"": total(traces, tokens)}
    for name, names in means.items():
        with replaced(**names):
            found[name] = total(traces, tokens)
    found["line numbers for source text"] = sum(tokens.count(with_source(trace)) for trace in traces)
    return found


def total(traces: list[Trace], tokens) -> int:
    return sum(tokens.count(format("compact").encode(trace)) for trace in traces)


def with_source(trace: Trace) -> str:
    """The text with the source line in the place of each line number."""
    lines = ["", *trace.program.source.split("\n")]
    parts = format("compact").parts(trace)
    return "".join(lines[int(text)].strip() if kind == "line-number" else text for kind, text in parts)


def cruxeval(data: Path, isolation: str) -> list[Trace]:
    programs = [as_marked(program_of(row)) for row in rows(data / "cruxeval.jsonl")]
    return recorded(programs, isolation)


def unfinished(data: Path, isolation: str, tokens) -> list[dict]:
    """Steps and tokens of the HumanEval programs whose transcripts were cut."""
    chosen = [
        row
        for row in rows(data / "cwm32b_failures.jsonl")
        if row["truncated"] and row["benchmark"] == "humaneval"
    ]
    found = []
    traces = recorded([program_of(row) for row in chosen], isolation)
    for row, trace in zip(chosen, traces, strict=True):
        steps = len(trace.steps)
        is_short = steps <= MAX_STEPS
        kept = replace(trace, steps=trace.steps[:MAX_STEPS])
        counts = {name: tokens.count(format(name).encode(kept)) for name in FORMATS} if is_short else {}
        found.append(
            {"id": row["id"], "steps": steps if is_short else None, "ending": trace.ending.kind, **counts}
        )
    return found


def report(result: dict) -> None:
    crux = result["cruxeval"]
    print(f"tokenizer {result['tokenizer']} {result['vocabulary'][:16]}, Python {result['python']}")
    print(f"\nCRUXEval: {crux['n']} rows, {crux['steps']} steps, isolation {crux['isolation']}")
    for name in FORMATS:
        share = crux[name] / crux["steps"]
        print(f"  {name:8} {crux[name]:8} tokens, {share:5.2f} a step")
    print(f"  cwm / compact: {crux['ratio']:.2f}")
    for name in FORMATS:
        parts = sorted(crux["parts"][name].items(), key=lambda part: -part[1])
        print(f"  {name} by part: " + ", ".join(f"{kind} {count}" for kind, count in parts if count > 99))
    if "without" in result:
        print("\ncompact without one of its means, on CRUXEval:")
        base = result["without"][""]
        for name, count in result["without"].items():
            print(f"  {count:8} {count - base:+8}  {crux['cwm'] / count:.2f}x  {name or '(as it is)'}")
    print(f"\nHumanEval programs that CWM-32B did not finish; the budget is {BUDGET} tokens")
    for row in result["humaneval"]:
        if row["steps"] is None:
            print(f"  {row['id']:18} more than {MAX_STEPS} steps")
            continue
        fits = "fits" if row["compact"] <= BUDGET else "does not fit"
        print(
            f"  {row['id']:18} {row['steps']:6} steps  cwm {row['cwm']:7}  compact {row['compact']:6}  {fits}"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--tokenizer", default="llama3")
    parser.add_argument(
        "--isolation", default="strict", help="of the recorded programs: strict, process, ..."
    )
    parser.add_argument("--without", action="store_true", help="also what each means of `compact` saves")
    options = parser.parse_args()
    if not os.environ.get("WORLDLINE_DATA"):
        print(
            "error: WORLDLINE_DATA is not set\n  hint: name the folder of evaluation data in it",
            file=sys.stderr,
        )
        return 2
    data = Path(os.environ["WORLDLINE_DATA"])
    tokens = tokenizer(options.tokenizer)
    traces = cruxeval(data, options.isolation)
    costs = compared(traces, tokens)
    result = {
        "tokenizer": tokens.name,
        "vocabulary": tokens.vocabulary,
        "python": platform.python_version(),
        "cruxeval": {
            "n": len(traces),
            "steps": sum(len(trace.steps) for trace in traces),
            "isolation": traces[0].origin.isolation,
            **{name: costs[name].total for name in FORMATS},
            "ratio": costs["cwm"].total / costs["compact"].total,
            "parts": {name: dict(costs[name].by_kind) for name in FORMATS},
        },
        "humaneval": unfinished(data, options.isolation, tokens),
        "budget": BUDGET,
    }
    if options.without:
        result["without"] = without_tricks(traces, tokens)
    print(json.dumps(result)) if options.json else report(result)
    return 0


if __name__ == "__main__":
    sys.exit(main())
