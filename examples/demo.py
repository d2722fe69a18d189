"""This file is `make demo`: one small program, its trace, what that costs, and where predictions go wrong."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

SCENES = (
    (
        "Record what a program really does, in a process of its own",
        "worldline record examples/runs.py -o runs/demo.jsonl",
    ),
    ("The trace: each step, and what the step before it changed", "worldline show runs/demo.jsonl --list"),
    ("One step in full, with what the state hides", "worldline show runs/demo.jsonl --at 14 --hidden"),
    (
        "The same trace as Meta's code world model would write it",
        "worldline convert runs/demo.jsonl --to cwm --stripped",
    ),
    ("The same trace in our compact format", "worldline convert runs/demo.jsonl --to compact"),
    ("What both cost a model that has to read them", "worldline tokens runs/demo.jsonl"),
    (
        "Wrong predictions of it, with one fault of a known kind in each",
        "python examples/faults.py runs/demo.jsonl runs/wrong.jsonl runs/wrong.cwm",
    ),
    ("Where one of them leaves reality, and why", "worldline diff runs/demo.jsonl runs/wrong.cwm"),
    (
        "All of them, with a page to look at",
        "worldline diagnose transcripts runs/wrong.jsonl --isolation process --html runs/report.html",
    ),
    (
        "The same program with one operation a line, so that less is hidden",
        "worldline rewrite examples/runs.py --level expressions",
    ),
    (
        "A program that nobody here wrote: two functions of the standard library, and a main that calls them",
        "python examples/library.py runs/shelf.py",
    ),
    (
        "The small model that ships with worldline executes it in atomic steps: where does it leave reality?",
        "worldline diagnose runs/shelf.py",
    ),
    ("What each intervention buys that model", "python examples/ladder.py runs/shelf.py"),
    (
        "A model that hidden operations make fail, and what makes its error disappear",
        "worldline diagnose examples/runs.py --model faulty:hidden=0.1,seed=1",
    ),
    (
        "The same model on a benchmark, with programs as they are and with nothing hidden",
        "worldline bench composition --model faulty:hidden=0.04,seed=1 --set families=integers "
        "--set depths=2,4 --set count=6 --rewrite none --rewrite atomic --isolation process -o runs/bench.db",
    ),
    ("What that bought, problem by problem", "worldline compare runs/bench.db"),
    (
        "Plots, and every trace to step through",
        "worldline report runs/bench.db --html runs/bench.html --isolation process",
    ),
)
DIFFERS = 1  # exit code where two traces are not the same
COMPARING = ("worldline diff", "worldline diagnose examples", "worldline diagnose runs")


def main() -> int:
    """Play the scenes; the first that fails ends the demo."""
    (ROOT / "runs").mkdir(exist_ok=True)
    for title, command in SCENES:
        print(f"\n\033[1m── {title}\033[0m\n\033[2m$ {command}\033[0m", flush=True)
        name, *words = command.split()
        module = ["-m", "worldline.cli"] if name == "worldline" else []
        run = subprocess.run([sys.executable, *module, *words], cwd=ROOT, check=False)
        if run.returncode not in (0, DIFFERS if command.startswith(COMPARING) else 0):
            return run.returncode
    print("\nNext: open runs/report.html or runs/bench.html in a browser and step through both traces,")
    print("or in the terminal:  .venv/bin/worldline show runs/demo.jsonl")
    return 0


if __name__ == "__main__":
    sys.exit(main())
