"""This file is the list of benchmarks, each loaded when it is first asked for."""

from collections.abc import Sequence
from hashlib import sha256

from worldline import plugins
from worldline.bench.model import Benchmark, Problem

ENTRY_POINTS = "worldline.benchmarks"
BENCHMARKS = {
    "permutation": "worldline.bench.permutation:PERMUTATION",
    "composition": "worldline.bench.composition:COMPOSITION",
    "cruxeval": "worldline.bench.cruxeval:CRUXEVAL",
    "humaneval": "worldline.bench.humaneval:HUMANEVAL",
    "horizon": "worldline.bench.horizon:HORIZON",
    "halting": "worldline.bench.halting:HALTING",
    "probes": "worldline.bench.probes:PROBES",
    "programs": "worldline.bench.programs:PROGRAMS",
}
"""Each names a `Benchmark`."""


def benchmark(name: str) -> Benchmark:
    """The benchmark of that name."""
    found: Benchmark = plugins.load(BENCHMARKS, ENTRY_POINTS, name)
    return found


def benchmark_names() -> list[str]:
    """Every benchmark that may be asked for."""
    return plugins.names(BENCHMARKS, ENTRY_POINTS)


def data_hash(problems: Sequence[Problem]) -> str:
    """What tells one set of problems from another: of everything that is asked and expected."""
    return sha256(" ".join(each.asked for each in problems).encode()).hexdigest()[:16]
