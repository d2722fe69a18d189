"""`worldline export`: what is written for other tools, and what is refused."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from test_predict_cli import worldline

from bench.exchange_scores import made, run_file
from worldline.bench.exchange import lm_eval_logs
from worldline.bench.exchange.cruxeval_files import read_answers
from worldline.bench.exchange.datasets import read_dataset
from worldline.bench.exchange.runs import problems_of, read_run
from worldline.bench.model import settings_of
from worldline.bench.registry import benchmark, data_hash

SCORES = [made(f"sample_{n}", s, n == s, given=f"{n}-{s}") for n in range(3) for s in range(2)]
ANSWERS = {f"sample_{n}": [f"{n}-0", f"{n}-1"] for n in range(3)}


def test_a_trained_transformer_as_a_llama(tmp_path):
    pytest.importorskip("torch", reason="no torch: pip install 'worldline[learn]'")
    recipe = f"{Path(__file__).parents[2] / 'recipes' / 'example.py'}:copying"
    few = [word for each in ("iterations=2", "batch=2", "length=4") for word in ("--set", each)]
    assert worldline("train", recipe, *few, "-o", tmp_path / "run").returncode == 0
    told = worldline("export", tmp_path / "run", "--to", "llama", "-o", tmp_path / "llama", "--json")
    assert told.returncode == 0, told.stderr
    found = json.loads(told.stdout)
    assert (found["to"], found["rows"]) == ("llama", 1)
    assert json.loads((tmp_path / "llama" / "config.json").read_text())["model_type"] == "llama"
    assert all(Path(each).is_file() for each in found["files"])
    again = worldline("export", tmp_path / "run", "--to", "llama", "-o", tmp_path / "llama")
    assert (again.returncode, "is there already" in again.stderr) == (2, True)
    other = worldline("export", tmp_path / "run", "--to", "llama", "-o", tmp_path / "b", "--weights", "worst")
    assert (other.returncode, "take those called: best, model" in other.stderr) == (2, True)
    none = worldline("export", tmp_path, "--to", "llama", "-o", tmp_path / "c")
    assert (none.returncode, "has no shape.json" in none.stderr) == (2, True)


@pytest.fixture
def run(tmp_path):
    return run_file(tmp_path / "run.db", SCORES)


@pytest.mark.parametrize("to", ["cruxeval", "cruxeval-scored"])
def test_a_run_as_files_of_cruxeval(run, tmp_path, to):
    told = worldline("export", run, "--to", to, "-o", tmp_path / "out.json", "--json")
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout) == {"to": to, "rows": 3, "files": [str(tmp_path / "out.json")]}
    assert "3 problems" in told.stderr
    assert read_answers(tmp_path / "out.json") == ANSWERS
    assert json.loads((tmp_path / "out.json").read_text()).get("pass_at_1") == (
        pytest.approx(100 / 3) if to == "cruxeval-scored" else None
    )


def test_a_run_as_logs_of_lm_eval(run, tmp_path):
    told = worldline("export", run, "--to", "lm-eval", "-o", tmp_path / "logs")
    assert (told.returncode, told.stdout) == (0, "")
    (samples,) = (tmp_path / "logs").glob("*/samples_cruxeval_*.jsonl")
    (results,) = (tmp_path / "logs").glob("*/results_*.json")
    assert lm_eval_logs.read_answers(samples) == ANSWERS
    assert json.loads(results.read_text())["results"]["cruxeval"]["sample_len"] == 3


def test_the_logs_of_a_run_of_the_bench_have_its_prompts(tmp_path):
    """The problems are not kept in the run: they are made again from its setting."""
    chosen = benchmark("permutation")
    settings = settings_of(chosen, [])
    problems = chosen.problems(settings, 3)
    facts = {"benchmark": "permutation", "settings": asdict(settings), "seed": 3, "isolation": "process"}
    facts["data"] = data_hash(problems)
    name = problems[0].id
    run = read_run(run_file(tmp_path / "run.db", [made(name, 3, True)], {"setting": facts}))
    (row,) = lm_eval_logs.samples(run, None, problems_of(run))
    assert row["doc"]["code"] == problems[0].program.source
    assert row["arguments"]["gen_args_0"]["arg_0"]
    other = read_run(run_file(tmp_path / "b.db", [made(name, 3, True)], {"setting": {**facts, "data": "x"}}))
    assert problems_of(other) == ()


def test_traces_as_a_data_set(tmp_path):
    rows = [{"id": f"r{n}", "code": "def f(a):\n    return a + 1\n", "input": str(n)} for n in range(3)]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    made_them = worldline(
        "collect", tmp_path / "rows.jsonl", "-o", tmp_path / "traces", "--isolation", "process"
    )
    assert made_them.returncode == 0
    out = tmp_path / "set"
    told = worldline(
        "export", tmp_path / "traces", "--to", "dataset", "-o", out, "--license", "mit", "--json"
    )
    assert told.returncode == 0, told.stderr
    parquet = out / "data" / "train-00000-of-00001.parquet"
    assert json.loads(told.stdout)["files"] == [str(out / "README.md"), str(parquet)]
    assert [(name, trace.ending.value) for name, trace in read_dataset(out)] == [
        ("r0", "1"),
        ("r1", "2"),
        ("r2", "3"),
    ]
    card = (out / "README.md").read_text()
    assert "worldline export traces --to dataset -o set --license mit" in card
    assert str(tmp_path) not in card


@pytest.mark.parametrize(
    ("source", "to", "output", "what"),
    [
        ("run.db", "csv", "out", "nothing is called 'csv'"),
        ("run.db", "dataset", "out", "is no folder of traces"),
        (".", "cruxeval", "out", "is a folder, not a run"),
        (".", "dataset", "out", "has no index.jsonl"),
        ("none.db", "lm-eval", "out", "there is no run"),
        ("run.db", "cruxeval", "no/where/out.json", "cannot be written"),
    ],
)
def test_what_cannot_be_exported_is_one_line_and_exit_code_2(run, tmp_path, source, to, output, what):
    told = worldline("export", source, "--to", to, "-o", output, cwd=tmp_path)
    assert told.returncode == 2
    assert what in told.stderr
    assert "hint:" in told.stderr
    assert "Traceback" not in told.stderr
    assert not (tmp_path / "out").exists()
