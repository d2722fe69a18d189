"""This file is a run as lm-evaluation-harness logs it (version 0.4.13), and answers out of such logs.

Two files go to `FOLDER/MODEL/`, as there: `results_TIME.json` with the aggregated metrics, keyed
"metric,filter", and `samples_TASK_TIME.jsonl` with a line for each problem. All answers to a problem are the
repeats of one request. The metrics of a problem are means over its answers:
  pass@1, pass@5   by the benchmark's own scoring, where it has one (pass@5: of five answers or more)
  value_match      the answer is the value that Python gives
  trace_exact      every step of the trace is right
The filter is called "none"; the answer has been taken out of the text of the trace.

Not covered: `lm_eval_version`, `transformers_version` and `pretty_env_info` are left out, as lm-eval did not
run; the prompt is empty where the problems are not given, because a run does not keep them.
"""

import json
import re
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from math import sqrt
from pathlib import Path
from typing import Any

import worldline
from worldline.bench.exchange.pass_at_k import pass_at_k
from worldline.bench.exchange.runs import Run, by_problem, is_counted
from worldline.bench.model import Problem, Score
from worldline.diagnose.answers import written_answer
from worldline.errors import UserError
from worldline.formats import format

FILTER = "none"
_NO_FILE_NAME = re.compile(r'["<>:/|\\?*\[\]]+')
_SHAPE = "give a samples_TASK_TIME.jsonl that lm-eval wrote with --log_samples"

Row = dict[str, Any]


def write_logs(
    run: Run,
    folder: Path,
    mode: str | None = None,
    problems: Sequence[Problem] = (),
    at: datetime | None = None,
) -> tuple[Path, Path]:
    """Write both files; the results and the samples come back.

    Args:
        run: what is logged.
        folder: what lm-eval calls its output path.
        mode: of the run; None: the only one it has.
        problems: of the benchmark, for their programs and prompts.
        at: when; None: now.
    """
    at = at or datetime.now()
    task, stamp = re.sub(r"\W", "_", run.benchmark), at.isoformat().replace(":", "-")
    rows = samples(run, mode, problems)
    place = folder / file_name(run.model)
    place.mkdir(parents=True, exist_ok=True)
    told, logged = place / f"results_{stamp}.json", place / f"samples_{task}_{stamp}.jsonl"
    with logged.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    aggregated = results(run, rows, task, at)
    told.write_text(json.dumps(aggregated, indent=2), encoding="utf-8")
    return told, logged


def file_name(model: str) -> str:
    """The folder of a model, as lm-eval names it."""
    return _NO_FILE_NAME.sub("__", model)


def samples(run: Run, mode: str | None = None, problems: Sequence[Problem] = ()) -> list[Row]:
    """The lines of the samples file."""
    asked = by_problem(run.scores, mode)
    known = {problem.id: problem for problem in problems}
    ks = [k for k in (1, 5) if k <= min(map(len, asked.values()))]
    is_repeated = any(len(each) > 1 for each in asked.values())
    return [
        _sample(number, each, known.get(name), ks, is_repeated)
        for number, (name, each) in enumerate(asked.items())
    ]


def _sample(
    number: int, scores: Sequence[Score], problem: Problem | None, ks: Sequence[int], is_repeated: bool
) -> Row:
    answers = [score.given or "" for score in scores]
    metrics = _metrics(scores, ks)
    doc, prompt = _doc(scores[0], problem)
    target = str(doc["output"])
    return {
        "doc_id": number,
        "doc": doc,
        "target": target,
        "arguments": {"gen_args_0": {"arg_0": prompt, "arg_1": {"until": [], "mode": scores[0].mode}}},
        "resps": [answers],
        "filtered_resps": [answers] if is_repeated else answers,
        "filter": FILTER,
        "metrics": list(metrics),
        "doc_hash": _hash(json.dumps(doc, indent=2, ensure_ascii=False)),
        "prompt_hash": _hash(prompt),
        "target_hash": _hash(target),
        **metrics,
    }


def _metrics(scores: Sequence[Score], ks: Sequence[int]) -> dict[str, float]:
    n, c = len(scores), sum(map(is_counted, scores))
    return {
        **{f"pass@{k}": pass_at_k(n, c, k) for k in ks},
        "value_match": sum(score.is_right for score in scores) / n,
        "trace_exact": sum(score.is_exact for score in scores) / n,
    }


def _doc(score: Score, problem: Problem | None) -> tuple[Row, str]:
    """What was asked, as far as it is known, and the prompt."""
    truth = score.real if score.expected is None else score.expected
    doc: Row = {"id": score.id, "output": truth or "", "labels": dict(score.labels)}
    program = problem.program if problem else None
    if program is None:
        return doc, ""
    return doc | {"code": program.source, "call": program.entry.text}, format("cwm").prompt(program)


def results(run: Run, rows: Sequence[Row], task: str, at: datetime) -> Row:
    """What the results file holds."""
    metrics = list(rows[0]["metrics"])
    mine: Row = {"name": task, "alias": task, "sample_len": len(rows)}
    for metric in metrics:
        each = [float(row[metric]) for row in rows]
        mine |= {f"{metric},{FILTER}": sum(each) / len(each), f"{metric}_stderr,{FILTER}": stderr(each)}
    hashes = "".join(row["doc_hash"] + row["prompt_hash"] + row["target_hash"] for row in rows)
    seeds = sorted({score.seed for score in run.scores})
    return {
        "results": {task: mine},
        "group_subtasks": {task: []},
        "configs": {task: _config(task, metrics, max(len(row["resps"][0]) for row in rows), run)},
        "versions": {task: worldline.__version__},
        "n-shot": {task: 0},
        "higher_is_better": {task: dict.fromkeys(metrics, True)},
        "n-samples": {task: {"original": len(rows), "effective": len(rows)}},
        "config": {
            **{"model": "worldline", "model_args": {"model": run.model}, "batch_size": None},
            **{"batch_sizes": [], "device": None, "use_cache": None, "limit": None, "bootstrap_iters": 0},
            **{"gen_kwargs": None, "random_seed": seeds[0], "numpy_seed": seeds[0]},
            **{"torch_seed": seeds[0], "fewshot_seed": seeds[0]},
        },
        "git_hash": run.facts.get("git_hash"),
        "date": at.timestamp(),
        "upper_git_hash": None,
        "task_hashes": {task: _hash(hashes)},
        **{"model_source": "worldline", "model_name": run.model},
        "model_name_sanitized": file_name(run.model),
        **dict.fromkeys(("system_instruction", "system_instruction_sha", "fewshot_as_multiturn")),
        **dict.fromkeys(("chat_template", "chat_template_sha")),
        "total_evaluation_time_seconds": str(sum(score.seconds for score in run.scores)),
    }


def _config(task: str, metrics: Sequence[str], repeats: int, run: Run) -> Row:
    listed = [{"metric": each, "aggregation": "mean", "higher_is_better": True} for each in metrics]
    return {
        **{"task": task, "output_type": "generate_until", "repeats": repeats, "num_fewshot": 0},
        "metric_list": listed,
        "metadata": {"version": worldline.__version__, "run": dict(run.facts)},
    }


def stderr(values: Sequence[float]) -> float | str:
    """The standard error of a mean, or "N/A" of one value, as lm-eval writes it."""
    n = len(values)
    if n < 2:
        return "N/A"
    mean = sum(values) / n
    return sqrt(sum((value - mean) ** 2 for value in values) / (n - 1)) / sqrt(n)


def read_answers(path: Path, filter: str | None = None) -> dict[str, list[str]]:
    """The answers in a samples file, by problem.

    An answer is what the filter left. Where that is a program that asserts it (lm-eval's own CRUXEval tasks
    do that, and take the quotes off every text on the way), it is read out of the response instead.

    Args:
        path: the file.
        filter: whose lines; None: of the only filter there is.
    """
    rows = _rows(path)
    filters = sorted({str(row.get("filter", FILTER)) for _, row in rows})
    if filter is None and len(filters) > 1:
        raise UserError(f"{path} has {len(filters)} filters", f"choose one: {', '.join(filters)}")
    chosen = [(line, row) for line, row in rows if filter in (None, row.get("filter", FILTER))]
    if not chosen:
        raise UserError(f"{path} has no line of the filter {filter!r}", f"there are: {', '.join(filters)}")
    found: dict[str, list[str]] = {}
    for line, row in chosen:
        found.setdefault(_id(row, f"{path} line {line}"), []).extend(_answers(row, f"{path} line {line}"))
    return found


def _rows(path: Path) -> list[tuple[int, Row]]:
    rows: list[tuple[int, Row]] = []
    number = 0
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                row = json.loads(line) if line.strip() else None
                if row is not None and not isinstance(row, dict):
                    raise UserError(f"{path} line {number} is no object", _SHAPE)
                rows += [(number, row)] if row is not None else []
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}", _SHAPE) from None
    except (ValueError, RecursionError):
        raise UserError(f"{path} line {number} is not JSON", _SHAPE) from None
    return rows


def _id(row: Row, where: str) -> str:
    doc = row.get("doc")
    name = doc.get("id", row.get("doc_id")) if isinstance(doc, dict) else row.get("doc_id")
    if not isinstance(name, str | int):
        raise UserError(f"{where} has neither doc['id'] nor doc_id", _SHAPE)
    return str(name)


def _answers(row: Row, where: str) -> list[str]:
    filtered, raw = _repeats(row, "filtered_resps", where), row.get("resps")
    doc = row.get("doc")
    code = doc.get("code") if isinstance(doc, dict) else None
    is_built = isinstance(code, str) and bool(code) and all(each.startswith(code) for each in filtered)
    if not is_built or raw is None:
        return filtered
    return [_written(each, str(code)) for each in _repeats(row, "resps", where)]


def _repeats(row: Row, key: str, where: str) -> list[str]:
    """The texts of the one request that a problem has."""
    requests = row.get(key)
    if not isinstance(requests, list) or len(requests) != 1:
        raise UserError(f"{where} does not have one request under {key!r}: it was not generated", _SHAPE)
    repeats = requests[0] if isinstance(requests[0], list) else requests
    if not all(isinstance(each, str) for each in repeats):
        raise UserError(f"{where} has something under {key!r} that is no text", _SHAPE)
    return list(repeats)


def _written(response: str, code: str) -> str:
    is_tagged = "[answer]" in response.lower()
    return written_answer(response if is_tagged else f"[ANSWER]{response}[/ANSWER]", code) or ""


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
