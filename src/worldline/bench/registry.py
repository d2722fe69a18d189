"""This file is the list of benchmarks, each loaded when it is first asked for."""

import json
from collections.abc import Sequence
from dataclasses import asdict
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
    told = [
        (each.id, None if each.program is None else asdict(each.program), each.expected) for each in problems
    ]
    return sha256(json.dumps(told).encode()).hexdigest()[:16]
