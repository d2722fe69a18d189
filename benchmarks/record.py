"""This file is `make bench-record`: what recording costs, against naive tracing and other tools, in one run.

    python benchmarks/record.py [--repeat N] [--json]

Every contestant runs in turn, `repeat` times over, in this process; the best time of each counts. Ours
includes writing the lines of the trace to memory. Naive is `sys.settrace` with the `repr` of all locals at
every event, kept in a list. On `held_list`, whose list of a million items naive writes out at every event,
naive runs fewer rounds and is compared a step; the values are not cut (`max_value=None`) anywhere.
"""

import argparse
import io
import json
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from worldline.record.engine import core, record_function
from worldline.record.options import Options

HERE = Path(__file__).parent / "programs"
TARGETS = {"int_loops": 20, "strings_lists": 20, "calls": 10, "held_list": 100}
OPTIONS = {"max_value": None, "max_steps": 10**8, "max_bytes": 1 << 31}
NAIVE_ROUNDS = 4  # of held_list
ROUNDS = 20_000  # of held_list, where only what a step costs is asked

Main = Callable[..., object]


def load(name: str) -> tuple[Main, str]:
    """The program's `main` and its source."""
    path = HERE / f"{name}.py"
    source = path.read_text()
    namespace: dict = {"__name__": name}
    exec(compile(source, str(path), "exec"), namespace)
    return namespace["main"], source


def naive(main: Main, args: tuple) -> int:
    """`settrace` and `repr` of all locals, kept."""
    filename = main.__code__.co_filename
    kept = []

    def trace(frame, event, arg):
        if frame.f_code.co_filename != filename:
            return None
        state = {name: repr(value) for name, value in frame.f_locals.items()}
        kept.append((event, frame.f_lineno, state, repr(arg) if event == "return" else None))
        return trace

    sys.settrace(trace)
    try:
        main(*args)
    finally:
        sys.settrace(None)
    return len(kept)


def no_op(main: Main, args: tuple) -> int:
    """A trace function that does nothing: the floor of anything written in Python."""

    def trace(frame, event, arg):
        return trace

    sys.settrace(trace)
    try:
        main(*args)
    finally:
        sys.settrace(None)
    return 0


def untraced(main: Main, args: tuple) -> int:
    """The program by itself."""
    main(*args)
    return 0


def ours(engine: str, source: str) -> Callable[[Main, tuple], int]:
    """Our recorder, the C core or its twin."""

    def run(main: Main, args: tuple) -> int:
        return len(record_function(main, *args, source=source, options=Options(engine=engine, **OPTIONS)))

    return run


def pysnooper(main: Main, args: tuple) -> int:
    """PySnooper, writing to memory."""
    import pysnooper

    pysnooper.snoop(io.StringIO(), depth=100, max_variable_length=None, color=False)(main)(*args)
    return 0


def hunter(main: Main, args: tuple) -> int:
    """hunter's VarsPrinter over all variables of the line, writing to memory."""
    import hunter

    def action(event):
        {name: repr(value) for name, value in event.locals.items()}

    with hunter.trace(filename=main.__code__.co_filename, action=action):
        main(*args)
    return 0


def contestants(name: str, source: str) -> dict[str, Callable[[Main, tuple], int]]:
    """Who takes part; a package that is not installed is left out by name."""
    found = {"untraced": untraced, "no-op tracer": no_op, "naive": naive}
    if core() is not None:
        found["worldline, C core"] = ours("c", source)
    found["worldline, twin"] = ours("python", source)
    if name != "held_list":
        for package, run in (("pysnooper", pysnooper), ("hunter", hunter)):
            if find_spec(package):
                found[package] = run
            else:
                print(f"{package} is not installed: pip install 'worldline[bench]'", file=sys.stderr)
    return found


def arguments(name: str, who: str) -> tuple:
    """Those who write out every value at every event get fewer rounds of the large list."""
    return (1_000_000, NAIVE_ROUNDS) if name == "held_list" and who in ("naive", "worldline, twin") else ()


def measure(name: str, repeat: int) -> list[dict]:
    """Best times of all, alternating."""
    main, source = load(name)
    runs = contestants(name, source)
    best = dict.fromkeys(runs, float("inf"))
    steps = {who: naive_steps(main, arguments(name, who)) for who in runs}
    for turn in range(repeat):
        for who, run in runs.items():
            if turn > 1 and who in ("pysnooper", "hunter", "worldline, twin"):
                continue  # slow and not what is asked: twice is enough
            started = time.perf_counter()
            run(main, arguments(name, who))
            best[who] = min(best[who], time.perf_counter() - started)
    base = best["naive"] / steps["naive"]
    return [
        {
            "program": name,
            "who": who,
            "steps": steps[who],
            "milliseconds": round(best[who] * 1000, 2),
            "nanoseconds_a_step": round(best[who] / steps[who] * 1e9),
            "times_naive": round(base / (best[who] / steps[who]), 2),
        }
        for who in runs
    ]


def naive_steps(main: Main, args: tuple) -> int:
    """How many events there are, counted without looking at any value."""
    filename = main.__code__.co_filename
    count = 0

    def trace(frame, event, arg):
        nonlocal count
        if frame.f_code.co_filename != filename:
            return None
        count += 1
        return trace

    sys.settrace(trace)
    try:
        main(*args)
    finally:
        sys.settrace(None)
    return count


def growth(repeat: int) -> list[dict]:
    """The C core's cost a step while lists of growing size are held; the making of the list is left out."""
    main, source = load("held_list")
    found = []
    for size in (1_000, 10_000, 100_000, 1_000_000):
        long, short = float("inf"), float("inf")
        for _ in range(repeat):
            for rounds in (ROUNDS, 0):
                started = time.perf_counter()
                ours("c", source)(main, (size, rounds))
                spent = time.perf_counter() - started
                long, short = (min(long, spent), short) if rounds else (long, min(short, spent))
        steps = naive_steps(main, (1, ROUNDS)) - naive_steps(main, (1, 0))
        found.append({"items_held": size, "nanoseconds_a_step": round((long - short) / steps * 1e9)})
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = [row for name in TARGETS for row in measure(name, options.repeat)]
    held = growth(options.repeat) if core() is not None else []
    if options.json:
        print(
            json.dumps(
                {"python": sys.version.split()[0], "repeat": options.repeat, "rows": rows, "held": held}
            )
        )
        return
    print(
        f"CPython {sys.version.split()[0]}, best of {options.repeat}, one process; x naive: higher is faster"
    )
    for row in rows:
        goal = f"   (goal: {TARGETS[row['program']]}x)" if row["who"] == "worldline, C core" else ""
        print(
            f"{row['program']:14} {row['who']:18} {row['steps']:>8} steps {row['milliseconds']:>10.2f} ms "
            f"{row['nanoseconds_a_step']:>10} ns a step {row['times_naive']:>9.2f} x naive{goal}"
        )
    print("\nC core, while a list is held that does not change:")
    for row in held:
        print(f"  {row['items_held']:>9} items: {row['nanoseconds_a_step']:>6} ns a step")


if __name__ == "__main__":
    main()
