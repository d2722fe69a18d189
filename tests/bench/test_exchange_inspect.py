"""Our benchmarks in Inspect: a real run of it, with a model whose replies are given, scored by us."""

import pytest

pytest.importorskip("inspect_ai", reason="the extra `inspect` is not installed")

from inspect_ai import eval as run_eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from worldline.bench.exchange import inspect_task
from worldline.bench.exchange.inspect_task import task_of
from worldline.bench.model import Problem
from worldline.errors import UserError
from worldline.formats.cwm import CWM, stripped
from worldline.record import record
from worldline.record.collect import program_of
from worldline.record.entry import as_marked

ROWS = {
    "text": ("return a.upper()", "'ab'", "'AB'"),
    "number": ("return a + 1", "1", "2"),
    "float": ("return a / 2", "1", "0.5"),
    "raises": ("return a[9]", "'x'", None),
    "wrong data": ("return a * 2", "3", "7"),
    "silent": ("return a", "1", "1"),
}
PROBLEMS = [
    Problem(
        name, program_of({"code": f"def f(a):\n    {code}\n", "input": given}), {"n": len(name)}, expected
    )
    for name, (code, given, expected) in ROWS.items()
]


def ran(task, replies, folder, reasons=()):
    outputs = [ModelOutput.from_content("mockllm/model", reply) for reply in replies]
    for output in outputs:
        output.usage = ModelUsage()  # else Inspect counts tokens, for which it fetches a vocabulary
    for output, reason in zip(outputs, reasons, strict=False):
        output.choices[0].stop_reason = reason
    model = get_model("mockllm/model", custom_outputs=outputs)
    (log,) = run_eval(task, model, log_dir=str(folder), display="none", max_samples=1, max_connections=1)
    assert log.status == "success", log.error
    found = {str(sample.id): sample for sample in log.samples}
    return log, {name: sample.scores["worldline"] for name, sample in found.items()}


def test_answers_are_scored_by_what_python_gives(tmp_path):
    replies = [
        "It is upper-cased: [ANSWER]\n'AB'\n[/ANSWER]",
        "[ANSWER]3[/ANSWER]",
        "[ANSWER]assert f(1) == 5e-1[/ANSWER]",
        "[ANSWER]IndexError('string index out of range')[/ANSWER]",
        "[ANSWER]6[/ANSWER]",
        "I cannot tell",
    ]
    log, scores = ran(
        task_of(PROBLEMS, isolation="process"), replies, tmp_path, ["stop"] * 5 + ["max_tokens"]
    )
    assert {name: score.value for name, score in scores.items()} == {
        **{"text": "C", "number": "I", "float": "C", "raises": "C", "wrong data": "C", "silent": "I"}
    }
    causes = {name: score.metadata["cause"] for name, score in scores.items()}
    assert causes["number"] == "model"
    assert causes["wrong data"] == "dataset"
    assert causes["silent"] == "budget"
    assert causes["text"] == ""
    assert scores["number"].metadata["real"] == "2"
    assert scores["number"].answer == "3"
    assert scores["text"].metadata["isolation"] == "process"
    assert log.results.scores[0].metrics["accuracy"].value == pytest.approx(4 / 6)


def test_traces_are_scored_step_by_step(tmp_path):
    chosen = PROBLEMS[:4]
    truths = [record(as_marked(each.program)).trace for each in chosen]
    texts = [stripped(CWM.encode(truth), truth.program) for truth in truths]
    lucky = texts[1].replace('"2"', '"3"', 1)  # the function's value, but not that of the marked call
    wrong = texts[2].replace('"0.5"', '"0.25"')
    assert (lucky, wrong) != (texts[1], texts[2])
    replies = [*(f"```\n{text}\n```" for text in (texts[0], lucky, wrong)), "no trace at all"]
    _, scores = ran(task_of(chosen, "trace", "process"), replies, tmp_path)
    told = {name: (score.value, score.metadata["verdict"]) for name, score in scores.items()}
    assert told == {
        "text": ("C", "exact"),
        "number": ("C", "diverged"),
        "float": ("I", "diverged"),
        "raises": ("I", "unreadable"),
    }
    right = {name: score.metadata["steps_right"] for name, score in scores.items()}
    steps = {problem.id: len(truth.steps) for problem, truth in zip(chosen, truths, strict=True)}
    assert right["text"] == steps["text"]
    assert 0 < right["float"] < steps["float"]
    assert right["raises"] == 0
    assert scores["float"].metadata["cause"]


def test_a_model_is_asked_for_the_call_and_sees_no_answer(tmp_path):
    task = task_of(PROBLEMS[:1], isolation="process")
    (sample,) = task.dataset
    assert "`f('ab')`" in sample.input
    assert "return a.upper()" in sample.input
    assert "'AB'" not in sample.input
    assert sample.target == "'AB'"


def test_the_task_takes_a_benchmark_by_its_name(tmp_path):
    task = inspect_task.worldline_bench("permutation", limit=2, isolation="process")
    assert len(task.dataset) == 2
    _, scores = ran(task, ["[ANSWER]no[/ANSWER]"] * 2, tmp_path)
    assert [score.value for score in scores.values()] == ["I", "I"]
    assert all(score.metadata["real"] for score in scores.values())


def test_what_cannot_be_asked_is_left_out_or_refused():
    task = task_of([*PROBLEMS, Problem("flawed", None, flaw="why")], isolation="process")
    assert task.metadata["left_out"] == 1
    with pytest.raises(UserError, match="no problem that can be asked"):
        task_of([Problem("flawed", None)])
    with pytest.raises(UserError, match="cannot ask"):
        task_of(PROBLEMS, "poem")
