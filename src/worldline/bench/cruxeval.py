"""This file is the benchmark `cruxeval`: what a function returns, or which input makes it return a value.

Rows are `{"id", "code", "input", "output"}`, the function is `f`: a file of the user's, or the Hub's
`cruxeval-org/cruxeval` (`data=hub`). Output prediction asks for the trace of the call; input prediction asks
in words, since a trace needs an input, and so only of models that answer in words.

Two scores: by value (what Python gives, compared as a value) and by reference, as the benchmark's own scripts
do it: `assert OUTPUT == ANSWER`, run after the code; an answer that calls `f` is refused. Where the two
differ is told.
"""

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from worldline.bench.exchange.hub import fetched
from worldline.bench.model import Benchmark, Item, Label, Problem, Score
from worldline.errors import UserError
from worldline.models.model import Ask, Completion, Failed, Model
from worldline.record import Limits, Options, record
from worldline.record.collect import program_of
from worldline.trace.model import Entry, Program

HUB = "cruxeval-org/cruxeval"
TASKS = ("output", "input")
SECONDS = 3.0  # as the reference gives a program
FIELDS = ("id", "code", "input", "output")
ANSWER_TOKENS = 1024
_ANSWER = re.compile(r"\[ANSWER\](.*?)(?:\[/ANSWER\]|\Z)", re.DOTALL)
_CALL = re.compile(r"^\s*(?:assert\s+)?f\((.*)\)\s*(?:==.*)?$", re.DOTALL)
QUESTION = """\
Here is a Python function and a value that one call of it returned. Find arguments for which it returns \
exactly that value; there may be several, any will do. Write the call between [ANSWER] and [/ANSWER].

```python
def f(n):
    return n + [4]
```
f(??) == [1, 4]

[ANSWER]f([1])[/ANSWER]

```python
{code}
```
f(??) == {output}

[ANSWER]"""


@dataclass(frozen=True, slots=True)
class Settings:
    """What may be set."""

    data: str = ""  # a JSONL file, or "hub"
    task: str = "output"


def problems(settings: Settings, seed: int, isolation: str = "") -> Sequence[Problem]:
    """One problem a row."""
    if settings.task not in TASKS:
        raise UserError(f"there is no task {settings.task!r}", f"there are: {', '.join(TASKS)}")
    make = output_problem if settings.task == "output" else input_problem
    return [make(row) for row in rows(settings.data)]


def rows(data: str) -> list[dict[str, str]]:
    """The rows of a file, or of the Hub."""
    if not data:
        hint = "give a file of rows with --data FILE, or --data hub"
        raise UserError("the benchmark cruxeval needs its data", hint)
    found = _from_hub() if data == "hub" else _from_file(Path(data))
    for number, row in enumerate(found, 1):
        missing = [name for name in FIELDS if not isinstance(row.get(name), str)]
        if missing:
            raise UserError(f"{data} row {number} has no {missing[0]!r}", f"rows have {', '.join(FIELDS)}")
    return found


def _from_file(path: Path) -> list[dict[str, str]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path} cannot be read: {error}", "give a JSONL file in UTF-8") from None
    found = []
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line) if line.strip() else None
        except ValueError:
            raise UserError(f"{path} line {number} is not JSON", "give a JSONL file") from None
        if row is not None and not isinstance(row, dict):
            raise UserError(f"{path} line {number} is not a JSON object", "give a JSONL file")
        found += [row] if row is not None else []
    return found


def _from_hub() -> list[dict[str, str]]:
    folder = fetched(HUB, "*.jsonl")
    found = sorted(folder.rglob("*.jsonl"))
    if not found:
        raise UserError(f"the Hub's {HUB} holds no JSONL file", "give a file with --data FILE")
    return _from_file(found[0])


def output_problem(row: Mapping[str, str]) -> Problem:
    """What does it return?"""
    labels: dict[str, Label] = {"type": _kind(row["output"])}
    try:
        program = program_of(dict(row), f"{row['id']}.py")
    except UserError as error:
        return Problem(row["id"], None, labels, row["output"], flaw=error.what)
    return Problem(row["id"], program, labels, row["output"], {"code": row["code"]})


def input_problem(row: Mapping[str, str]) -> Problem:
    """Which arguments make it return that?"""
    labels: dict[str, Label] = {"type": _kind(row["output"])}
    return Problem(row["id"], None, labels, row["output"], {"code": row["code"]})


def _kind(text: str) -> str:
    """Whether an answer is a string, as half of them are."""
    return "str" if text[:1] in "'\"" else "other"


def judged(score: Score, problem: Problem) -> bool:
    """The reference's own scoring."""
    if score.given is None or problem.expected is None:
        return False
    if problem.program is None:  # which input?
        assertion = f"assert f({score.given}) == {problem.expected}"
        return _holds(problem.facts["code"], assertion, score.isolation)
    is_call = re.search(r"\bf\(", score.given) is not None
    assertion = f"assert {problem.expected} == {score.given}"
    return not is_call and _holds(problem.facts["code"], assertion, score.isolation)


def _holds(code: str, assertion: str, isolation: str) -> bool:
    """Whether a program with an assertion at its end comes to its end, in the box."""
    program = Program(f"{code}\n{assertion}\n", Entry("script"), "assertion.py")
    try:
        ending = record(program, Options(engine="none"), Limits(seconds=SECONDS), isolation).ending
    except UserError:  # the answer is no Python
        return False
    return bool(ending.kind == "returned")


def talk(items: Sequence[Item], model: Model, isolation: str) -> Iterator[Score | Failed]:
    """Input prediction: ask in words, and run the function on what is answered."""
    asks = [
        Ask(
            QUESTION.format(code=item.problem.facts["code"].strip(), output=item.problem.expected),
            ("[/ANSWER]",),
            ANSWER_TOKENS,
            temperature=item.mode.options.temperature,
            seed=item.seed,
        )
        for item in items
    ]
    for item, answer in zip(items, model.complete(asks), strict=True):
        yield answer if isinstance(answer, Failed) else _scored(item, answer, isolation)


def _scored(item: Item, answer: Completion, isolation: str) -> Score:
    score = Score(
        item.problem.id,
        item.mode.name,
        item.seed,
        item.problem.labels,
        False,
        False,
        given=arguments(answer.text),
        expected=item.problem.expected,
        spent=answer.spent,
        asks=1,
        peak=answer.asked,
        stop=answer.finish,
        isolation=isolation,
        asked=item.problem.asked,
    )
    by_reference = judged(score, item.problem)
    return replace(
        score, is_right=by_reference and is_one_call(score.given or ""), is_right_by_reference=by_reference
    )


def is_one_call(given: str) -> bool:
    """Whether arguments are arguments and nothing else: `5) or f(6` asks another question."""
    try:
        tree = ast.parse(f"f({given}\n)", mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return isinstance(tree.body, ast.Call) and isinstance(tree.body.func, ast.Name)


def arguments(text: str) -> str | None:
    """The arguments that an answer in words names; None: it names none."""
    marked = _ANSWER.search(text)
    said = (marked[1] if marked else text.split("[/ANSWER]")[0]).strip().strip("`").strip()
    call = _CALL.match(said)
    found = call[1].strip() if call else said
    return found or None


CRUXEVAL = Benchmark(
    "cruxeval",
    "what short functions return (output), or which input makes them return it (input)",
    Settings,
    problems,
    by=("type",),
    judge=judged,
    talk=talk,
)
