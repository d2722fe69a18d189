"""This file is `make bench-align`: time and memory of laying two long traces side by side.

    python benchmarks/align.py

The prediction leaves two steps out of every thousand, so that the way back has to be found each time.
"""

import time
import tracemalloc
from dataclasses import replace

from worldline.diagnose.align import align
from worldline.diagnose.prediction import of_trace
from worldline.trace.model import Ending, Entry, Origin, Program, Step, Trace

SIZES = (50_000, 100_000, 200_000)


def traces(size: int) -> tuple[Trace, Trace]:
    """A trace of a loop, and the same with steps left out."""
    program = Program("x = 0\nwhile True:\n    x += 1\n", Entry("script"))
    steps = [Step("line", 2 + number % 2, {"x": str(number // 2)}) for number in range(size)]
    real = Trace(program, tuple(steps), Ending("returned"), Origin("recorded", "benchmark"))
    return real, replace(real, steps=tuple(step for number, step in enumerate(steps) if number % 1000 > 1))


def main() -> None:
    """Measure and print."""
    print(f"{'steps':>8} {'seconds':>8} {'MB':>7} {'right':>8}")
    for size in SIZES:
        real, predicted = traces(size)
        started = time.perf_counter()
        pairs = align(real, of_trace(predicted)).pairs
        seconds = time.perf_counter() - started
        tracemalloc.start()
        align(real, of_trace(predicted))
        peak = tracemalloc.get_traced_memory()[1] / 1e6
        tracemalloc.stop()
        print(f"{size:>8} {seconds:>8.2f} {peak:>7.1f} {sum(pair.is_right for pair in pairs):>8}")


if __name__ == "__main__":
    main()
