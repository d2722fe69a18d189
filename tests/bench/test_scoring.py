"""Scores: outcome and process are told apart, budgets follow the truth, and nothing is asked twice."""

import json
from collections import Counter
from dataclasses import replace

import pytest

from worldline.bench.items import item_of, item_record, score_of, score_record
from worldline.bench.model import Item, Mode, Problem, settings_of
from worldline.bench.registry import benchmark, data_hash
from worldline.bench.run import Plan, begun, items_of, problems_of, run, scores_of, traces_of
from worldline.bench.scoring import score_items
from worldline.errors import UserError
from worldline.models.faulty import faulty
from worldline.models.model import Failed
from worldline.models.oracle import Oracle, oracle
from worldline.rollout.options import RolloutOptions
from worldline.tokens import tokenizer
from worldline.trace.model import Entry, Program
from worldline.work.engines import Lost
from worldline.work.store import opened

PERMUTATION = benchmark("permutation")


def plan(model="oracle", *chosen, **more):
    settings = settings_of(PERMUTATION, [*(chosen or ["lengths=4,8", "count=2"])])
    return Plan(PERMUTATION, settings, model, **{"engine": "here", **more})


def items(asked):
    return items_of(asked, problems_of(asked))


def scored(asked, model):
    results = score_items(items(asked), model, asked.benchmark, "process", asked.max_tokens)
    return [score_of(json.loads(json.dumps(result.value))) for result in results]


def test_items_and_scores_survive_json():
    modes = (Mode(RolloutOptions("grounded", 2, "window:3", temperature=0.5), "atomic"), Mode())
    for item in items(plan(modes=modes)):
        assert item_of(json.loads(json.dumps(item_record(item)))) == item
    (score, *_) = scored(plan(), oracle())
    again = score_of(json.loads(json.dumps(score_record(score))))
    assert again == replace(score, table9=again.table9, sureness=again.sureness)


def test_names_of_modes_tell_them_apart():
    every = [
        Mode(RolloutOptions(actions, states, context, reveal), level)
        for actions in ("free", "forced")
        for states in (0, 1, 3)
        for context in ("history", "state")
        for reveal in ("dense", "every:4")
        for level in (None, "strings", "atomic")
    ]
    assert len({mode.name for mode in every}) == len(every)


def test_outcome_and_process_are_two_things():
    """A fault in the middle that is not carried on leaves the answer right and the process wrong."""
    for score in scored(plan(), faulty("off-by-one@4,seed=2")):
        assert score.is_right
        assert not score.is_exact
        assert (score.verdict, score.kind, score.steps_right) == ("diverged", "state", 4)
        assert score.cause
        assert score.why


def test_a_wrong_return_is_a_wrong_answer():
    chosen = benchmark("horizon")
    asked = Plan(chosen, settings_of(chosen, ["programs=fibonacci", "steps=30", "count=1"]), "oracle")
    steps = scored(asked, oracle())[0].steps
    (score,) = scored(asked, faulty(f"wrong-return@{steps - 1},seed=1"))
    assert (score.is_right, score.steps_right, score.kind) == (False, steps - 1, "value")
    assert score.given != score.real


@pytest.mark.parametrize("mode", [Mode(), Mode(RolloutOptions("grounded", context="state"))])
def test_a_budget_that_is_not_given_is_enough_for_any_right_answer(mode):
    assert all(score.is_exact for score in scored(plan(modes=(mode,)), oracle()))
    cut = scored(plan(modes=(mode,), max_tokens=200), oracle())
    assert {score.verdict for score in cut} == {"cut"}
    assert not any(score.is_right for score in cut)
    assert all(score.kind == "budget" and score.cause == "budget" for score in cut)


def test_what_cannot_be_run_counts_as_wrong():
    good = items(plan())[0]
    bad = Item(Problem("bad", None, flaw="it is no program"), Mode(), 0)
    found = list(score_items([bad, good], oracle(), PERMUTATION, "process"))
    flawed = next(score_of(each.value) for each in found if each.key == bad.key)
    assert (flawed.flaw, flawed.is_right, len(found)) == ("it is no program", False, 2)


def test_a_model_that_does_not_answer_has_no_score(tmp_path, monkeypatch):
    """What a broken connection left out is asked again the next time; the rest is not."""
    asked = plan()
    problems = problems_of(asked)
    real_answer = Oracle._answer
    start = problems[0].program.source.splitlines()[-1]
    monkeypatch.setattr(
        Oracle,
        "_answer",
        lambda self, ask: (
            Failed("the line is dead", "try again") if start in ask.prefix else real_answer(self, ask)
        ),
    )
    dead = [item for item in items(asked) if start in item.problem.program.source]
    assert len(dead) == 1
    with begun(asked, problems, tmp_path / "run.db", []) as store:
        found = list(run(asked, items(asked), store))
        lost = [each for each in found if isinstance(each, Lost)]
        assert {each.key for each in lost} == {item.key for item in dead}
        assert all("the line is dead; try again" in each.why for each in lost)
        monkeypatch.setattr(Oracle, "_answer", real_answer)
        assert len(list(run(asked, items(asked), store))) == len(dead)
        assert list(run(asked, items(asked), store)) == []
        assert len(scores_of(store)) == 4


def test_traces_are_kept_with_their_scores(tmp_path):
    asked = plan("faulty:off-by-one@4,seed=2", modes=(Mode(RolloutOptions(reveal="every:2")), Mode()))
    problems = problems_of(asked)
    with begun(asked, problems, tmp_path / "run.db", []) as store:
        list(run(asked, items(asked), store))
        for key in sorted(store.keys()):
            real, predicted = traces_of(store, key)
            assert len(real.steps) == len(predicted.steps)
            assert (real.origin.kind, predicted.origin.kind) == ("recorded", "predicted")


def test_a_run_goes_on_with_more_of_the_same(tmp_path):
    """Other limits, seeds and modes are no other setting."""
    problems = problems_of(plan())
    path = tmp_path / "run.db"
    counts = []
    for more in ({"limit": 1}, {"limit": 3}, {}, {"modes": (Mode(), Mode(RolloutOptions("forced")))}):
        asked = plan(**more)
        with begun(asked, problems, path, ["first"]) as store:
            counts.append(len(list(run(asked, items(asked), store))))
    assert counts == [1, 2, 1, 4]
    with opened(path) as store:
        assert Counter(each.mode for each in scores_of(store)) == {"free": 4, "forced": 4}
        setting = store.facts["setting"]
        assert (setting["benchmark"], setting["model"], setting["seed"]) == ("permutation", "oracle", 0)
        assert [each["modes"] for each in store.facts["history"]] == [["free"], ["free", "forced"]]
    other = plan("faulty:stale=0.1")
    with pytest.raises(UserError, match="another model"), begun(other, problems, path, []):
        pass


def test_samples_have_seeds_of_their_own(tmp_path):
    hot = Mode(RolloutOptions(temperature=1.0))
    asked = plan("faulty:stale=0.3", "lengths=8", "count=3", modes=(hot,), samples=4)
    with begun(asked, problems_of(asked), tmp_path / "run.db", []) as store:
        found = list(run(asked, items(asked), store))
    assert Counter(each.seed for each in found) == dict.fromkeys(range(4), 3)
    assert len({each.steps_right for each in found}) > 1


def test_tokens_are_the_models_own():
    asked = plan("oracle", "lengths=8", "count=1")
    by_bytes, by_words = (scored(asked, Oracle(tokenizer(name)))[0].spent for name in ("bytes", "gpt2"))
    assert by_words < by_bytes


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("    while True:\n        pass\n", "'steps'"),
        ("    import os\n    os._exit(3)\n", "'crashed'"),
        ("    raise SystemExit(0)\n", "'exited'"),
        ("    return '<|frame_sep|>'\n", "special token"),
    ],
)
def test_a_program_without_an_answer_is_a_flaw_and_told(body, said):
    source = f"def main():  # << START_OF_TRACE\n    x = 1\n{body}"
    item = Item(Problem("p", Program(source, Entry("function", "main"))), Mode(), 0)
    small = replace(PERMUTATION, max_steps=500)
    (result,) = score_items([item], oracle(), small, "process")
    score = score_of(result.value)
    assert not score.is_right
    assert said in score.flaw


def test_what_would_not_be_what_it_looks_like_is_refused(tmp_path):
    hot = (Mode(RolloutOptions(temperature=0.5)),)
    for bad, why in (
        (plan(samples=2), "all samples are one"),
        (plan("answers:x.json", samples=2), "are not asked for"),
        (plan("answers:x.json", modes=hot), "are not asked for"),
    ):
        with pytest.raises(UserError, match=why), begun(bad, problems_of(plan()), tmp_path / "run.db", []):
            pass
    dense = benchmark("halting")
    asked = Plan(dense, dense.settings(), "oracle", (Mode(RolloutOptions(reveal="every:4")),))
    with pytest.raises(UserError, match="all that a trace shows"), begun(asked, (), tmp_path / "run.db", []):
        pass


def test_the_hash_of_the_data_tells_every_change():
    one = Problem("a", None, facts={"code": "x + 1"})
    others = [
        replace(one, id="b"),
        replace(one, facts={"code": "x - 1"}),
        replace(one, expected="1"),
        replace(one, program=Program("x = 1", Entry("script"))),
    ]
    assert len({data_hash([each]) for each in (one, *others)}) == 5


class Reader(Oracle):
    """An oracle that remembers what it was asked."""

    def complete(self, asks):
        READ.extend(ask.prefix for ask in asks)
        return super().complete(asks)


READ: list[str] = []


@pytest.mark.parametrize(("context", "is_whole"), [("state", True), ("history", False)])
def test_with_state_context_microcode_is_not_cut_to_what_the_truth_needs(context, is_whole):
    source = "def f(text):\n    return text.upper() if text else text.lower()\n"
    problem = Problem("case", Program(source, Entry("call", "f('x')")))
    item = Item(problem, Mode(RolloutOptions("grounded", context=context), "atomic"), 0)
    READ.clear()
    (result,) = score_items([item], Reader(tokenizer("bytes")), PERMUTATION, "process", 100_000)
    assert score_of(result.value).is_right
    assert all("def str_upper(" in prefix for prefix in READ)
    assert all(("def str_lower(" in prefix) is is_whole for prefix in READ)
