"""This file is CRUXEval's own two files: what a model answered (`generations`), and how that was scored.

A file of generations is `{"sample_0": ["answer", ...], ...}`, one text for each time the model was asked. A
scored file has those as `raw_generations`, for each text whether it is right as `raw_scored_generations`, and
`pass_at_1` and `pass_at_5` in percent. An answer that a model did not give is the empty text.

Not covered: the published scorer wants all 800 samples, so it refuses the generations of a run with --limit.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from worldline.bench.exchange.pass_at_k import mean_pass_at_k
from worldline.bench.exchange.runs import by_problem, is_counted
from worldline.bench.model import Score
from worldline.errors import UserError

_SHAPE = 'it must be {"sample_0": ["answer", ...], ...}, or a scored file with "raw_generations"'


def generations(scores: Sequence[Score], mode: str | None = None) -> dict[str, list[str]]:
    """What a model answered: for each problem one text per seed, in order."""
    return {name: [each.given or "" for each in asked] for name, asked in by_problem(scores, mode).items()}


def scored(scores: Sequence[Score], mode: str | None = None) -> dict[str, Any]:
    """The answers and how they were scored.

    `pass_at_5` is there only where every problem was asked five times or more: from fewer it cannot be told.
    """
    marks = {name: [is_counted(each) for each in asked] for name, asked in by_problem(scores, mode).items()}
    counts = [(len(each), sum(each)) for each in marks.values()]
    if not counts:
        raise UserError("there is nothing to score", "give a run in which something is finished")
    fewest = min(n for n, _ in counts)
    return {
        "raw_generations": generations(scores, mode),
        "raw_scored_generations": marks,
        **{f"pass_at_{k}": 100 * mean_pass_at_k(counts, k) for k in (1, 5) if k <= fewest},
    }


def write(content: Mapping[str, Any], path: Path) -> None:
    """Write either file."""
    path.write_text(json.dumps(content) + "\n", encoding="utf-8")


def read_answers(path: Path) -> dict[str, list[str]]:
    """The answers in a file of generations or in a scored file, by problem."""
    content = _json(path)
    where = str(path)
    if isinstance(content, dict) and "raw_generations" in content:
        content, where = content["raw_generations"], f"{path} under 'raw_generations'"
    if not isinstance(content, dict):
        raise UserError(f"{where} is no object but {_kind(content)}", _SHAPE)
    for name, answers in content.items():
        if not isinstance(answers, list):
            raise UserError(f"{where}: {name!r} has no list of answers but {_kind(answers)}", _SHAPE)
        for at, answer in enumerate(answers):
            if not isinstance(answer, str):
                raise UserError(f"{where}: answer {at} of {name!r} is no text but {_kind(answer)}", _SHAPE)
    return content


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}", "give a file of answers") from None
    except json.JSONDecodeError as error:
        raise UserError(f"{path} line {error.lineno} is not JSON: {error.msg}", _SHAPE) from None
    except (UnicodeDecodeError, RecursionError):
        raise UserError(f"{path} is not JSON", _SHAPE) from None


def _kind(value: Any) -> str:
    """What JSON calls a value."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    names = ((dict, "an object"), (list, "a list"), (str, "a text"))
    return next((name for kind, name in names if isinstance(value, kind)), "a number")
