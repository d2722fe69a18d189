"""This file is `make demo`: one small program, its trace, the same as a model reads it, and its cost."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
TRACE = HERE.parent / "runs" / "demo.jsonl"

SCENES = (
    (
        "Record what a program really does, in a process of its own",
        f"record examples/runs.py -o {TRACE.name}",
    ),
    ("The trace: each step, and what the step before it changed", f"show {TRACE.name} --list"),
    ("One step in full, with what the state hides", f"show {TRACE.name} --at 14 --hidden"),
    ("The same trace as Meta's code world model would write it", f"convert {TRACE.name} --to cwm --stripped"),
    ("The same trace in our compact format", f"convert {TRACE.name} --to compact"),
    ("What both cost a model that has to read them", f"tokens {TRACE.name}"),
)


def main() -> int:
    """Play the scenes; the first that fails ends the demo."""
    TRACE.parent.mkdir(exist_ok=True)
    for title, command in SCENES:
        shown = command.replace(TRACE.name, f"runs/{TRACE.name}")
        print(f"\n\033[1m── {title}\033[0m\n\033[2m$ worldline {shown}\033[0m", flush=True)
        words = [str(TRACE) if word == TRACE.name else word for word in command.split()]
        run = subprocess.run([sys.executable, "-m", "worldline.cli", *words], cwd=HERE.parent, check=False)
        if run.returncode:
            return run.returncode
    print("\nNext: step through it yourself with the arrow keys:  .venv/bin/worldline show runs/demo.jsonl")
    return 0


if __name__ == "__main__":
    sys.exit(main())
