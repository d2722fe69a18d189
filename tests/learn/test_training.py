"""Training in one process: to the bit, whatever breaks it off; schedule, decay, stages, refusals."""

import json
import random
import sys
from dataclasses import replace

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from training_samples import SMALL, VOCABULARY, Tiny, counting, made, tiny, torch, train

from worldline.errors import UserError
from worldline.learn.training import checkpoints, mixture
from worldline.learn.training.config import (
    OPTIMISERS,
    Batch,
    Options,
    Source,
    Stage,
    check_processes,
)
from worldline.learn.training.optimisation import learning_rate
from worldline.learn.training.processes import Processes
from worldline.learn.training.randomness import seed_all


class Broken(BaseException):
    """As Ctrl-C: what a stream raises otherwise is an error of the user's code, and told as such."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run that nothing broke off."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    return train(tiny(folder)), folder


@pytest.fixture(scope="module", params=OPTIMISERS)
def optimised(tmp_path_factory, request):
    """The same with each optimiser."""
    folder = tmp_path_factory.mktemp(request.param) / "run"
    return train(tiny(folder, optimiser=request.param)), folder, request.param


def log(folder):
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


@settings(max_examples=8, deadline=None)
@given(breaks=st.lists(st.tuples(st.integers(1, 12), st.booleans()), min_size=1, max_size=3))
def test_a_run_that_is_broken_off_comes_to_the_same_bytes(optimised, tmp_path_factory, breaks):
    whole, expected, optimiser = optimised
    folder = tmp_path_factory.mktemp("broken") / "run"
    for at, is_within in breaks:
        seen = []

        def watch(record, at=at, is_within=is_within):
            if record["iteration"] >= at and not is_within:
                raise Broken

        def stream(*place, at=at, is_within=is_within, seen=seen):
            seen.append(place)
            if is_within and place[0] + 1 >= at and len(seen) % 5 == 0:
                raise Broken
            return counting(*place)

        stream.__module__, stream.__qualname__ = counting.__module__, counting.__qualname__
        try:
            train(tiny(folder, stream, optimiser=optimiser), watch=watch)
        except Broken:
            continue
    result = train(tiny(folder, optimiser=optimiser))
    assert made(folder) == made(expected)
    assert replace(result, folder="") == replace(whole, folder="")


def test_the_bytes_depend_on_the_seed(whole, tmp_path):
    train(tiny(tmp_path / "run", seed=1))
    theirs, ours = made(tmp_path / "run"), made(whole[1])
    assert all(theirs[name] != ours[name] for name in ours)


def test_a_finished_run_is_not_trained_again(whole):
    before = made(whole[1])
    assert train(tiny(whole[1])) == whole[0]
    assert made(whole[1]) == before


def test_evaluation_and_checkpoints_change_no_weight(whole, tmp_path):
    plain = replace(tiny(tmp_path / "run", checkpoint_every=100, evaluate_every=0), evaluations={})
    train(replace(plain, stages=(Stage(0.5),)))
    often = replace(tiny(tmp_path / "often", checkpoint_every=1, evaluate_every=1), stages=(Stage(0.5),))
    train(often)
    weights = [(tmp_path / name / "model.safetensors").read_bytes() for name in ("run", "often")]
    assert weights[0] == weights[1]


def test_generators_are_left_as_they_were(tmp_path):
    def states():
        return random.getstate(), numpy.random.get_state()[1].tolist(), torch.get_rng_state().tolist()

    before = states()
    train(tiny(tmp_path / "run"))
    assert states() == before
    with pytest.raises(UserError):
        train(tiny(tmp_path / "run", seed=7))
    assert states() == before


def test_what_is_in_the_folder(whole):
    folder = whole[1]
    kinds = {path.suffix for path in folder.rglob("*") if path.is_file()}
    assert kinds == {".safetensors", ".json", ".jsonl", ".md", ""}  # nothing pickled; the lock
    assert all(path.stat().st_mode & 0o044 for path in folder.rglob("*.safetensors"))  # others may read them
    assert sorted(path.name for path in (folder / "checkpoints").iterdir()) == ["000000008", "000000012"]
    told = (folder / "README.md").read_text()
    for part in ("training_samples:counting", "torch", "next.right", "12 of 12", '"learning_rate": 0.01'):
        assert part in told
    speeds = [json.loads(line) for line in (folder / "speed.jsonl").read_text().splitlines()]
    assert [each["iteration"] for each in speeds] == list(range(1, 13))
    assert all(each["tokens_per_second"] > 0 for each in speeds)


def test_it_learns(tmp_path):
    config = tiny(
        tmp_path / "run", iterations=150, checkpoint_every=100, evaluate_every=50, learning_rate=0.03
    )
    result = train(replace(config, sources=config.sources[:1]))
    losses = [each["loss"] for each in log(tmp_path / "run")]
    assert losses[0] > 2
    assert result.scores["next.right"] == 1.0
    assert result.stage == 1
    network = Tiny()
    checkpoints.load_weights(network, tmp_path / "run" / "model.safetensors")
    assert network.head.weight is network.words.weight
    ids_BT = torch.arange(VOCABULARY)[None]
    assert (network.eval()(ids_BT).argmax(-1) == (ids_BT + 1) % VOCABULARY).all()


def test_a_stage_is_left_only_when_it_is_mastered(tmp_path):
    scores = iter([0.2, 0.9, 0.1, 0.7, 0.3, 0.8])
    asked = []

    def stream(iteration, rank, world, stage):
        asked.append((iteration, stage.difficulty))
        return counting(iteration, rank, world, stage)

    def evaluate(network, stage):
        return {"score": next(scores)}

    config = replace(
        tiny(tmp_path / "run", stream, evaluate, evaluate_every=2),
        stages=(Stage(0.1, until=0.9), Stage(0.2, until=0.6), Stage(0.3, until=0.1)),
    )
    result = train(config)
    expected = [0.1] * 4 + [0.2] * 4 + [0.3] * 4
    assert set(asked) <= set(enumerate(expected))
    assert [each["stage"] for each in log(tmp_path / "run")] == [0] * 4 + [1] * 4 + [2] * 4
    assert (result.best, result.best_at) == (0.8, 12)  # of the last stage, though 0.9 was more


def test_accumulated_parts_give_the_gradients_of_the_whole(tmp_path):
    exact = {"network": lambda: Tiny(0.0, torch.float64)}
    for parts in (1, 4):
        train(tiny(tmp_path / str(parts), accumulation=parts, **exact))
    one, four = log(tmp_path / "1"), log(tmp_path / "4")
    assert [each["loss"] for each in four] == pytest.approx([each["loss"] for each in one], rel=1e-12)


def test_only_matrices_decay(tmp_path):
    train(tiny(tmp_path / "run", iterations=1, warmup=0, weight_decay=0.5))
    network = Tiny()
    checkpoints.load_weights(network, tmp_path / "run" / "model.safetensors")
    assert torch.equal(network.idle_vector, torch.ones(3))
    assert torch.allclose(network.idle_matrix, torch.full((3, 3), 1 - 0.01 * 0.5))


def test_muon_turns_matrices_and_leaves_the_rest_to_adamw(tmp_path):
    """The change of a matrix is nearly orthogonal, as long as AdamW's would be; embeddings are AdamW's."""
    train(tiny(tmp_path / "run", iterations=1, warmup=0, weight_decay=0.0, optimiser="muon"))
    state = checkpoints.load_optimiser(checkpoints.latest(tmp_path / "run"))
    kinds = {"inner.weight": "momentum_buffer", "words.weight": "exp_avg", "inner.bias": "exp_avg"}
    for name, kind in kinds.items():
        held = {each.partition(".")[0] for each in state if each.endswith(name)}
        assert held & set(kinds.values()) == {kind}
    after = Tiny()
    checkpoints.load_weights(after, tmp_path / "run" / "model.safetensors")
    seed_all(SMALL.seed)
    change = after.inner.weight.detach() - Tiny().inner.weight.detach()
    sizes = torch.linalg.svdvals(change) / (SMALL.learning_rate * 0.2 * 8**0.5)
    assert 0.3 < float(sizes.min()) <= float(sizes.max()) < 1.4


def test_bf16_runs_and_keeps_its_weights_in_fp32(tmp_path):
    seen = set()

    class Watched(Tiny):
        def forward(self, ids_BT):
            logits_BTV = super().forward(ids_BT)
            seen.add((self.training, logits_BTV.dtype))
            return logits_BTV

    train(tiny(tmp_path / "run", network=Watched, precision="bf16", iterations=60))
    assert (True, torch.bfloat16) in seen
    network = Tiny()
    checkpoints.load_weights(network, tmp_path / "run" / "model.safetensors")
    assert network.inner.weight.dtype == torch.float32
    losses = [each["loss"] for each in log(tmp_path / "run")]
    assert losses[-1] < losses[0] / 2


def test_clipping_bounds_the_step(tmp_path):
    """The first moments after one iteration are a tenth of the gradient that was used."""
    train(tiny(tmp_path / "run", iterations=1, clip=0.01))
    state = checkpoints.load_optimiser(checkpoints.latest(tmp_path / "run"))
    moments = [value.flatten() for name, value in state.items() if name.startswith("exp_avg.")]
    assert float(torch.cat(moments).norm()) == pytest.approx(0.01 * 0.1, rel=1e-4)
    assert log(tmp_path / "run")[0]["gradient_norm"] > 0.1


@given(st.integers(1, 500), st.integers(0, 50), st.sampled_from(["cosine", "constant"]), st.floats(0, 1))
def test_the_learning_rate_rises_then_falls(iterations, warmup, schedule, final):
    options = Options(iterations=iterations, warmup=warmup, schedule=schedule, final=final, learning_rate=3.0)
    rates = [learning_rate(options, iteration) for iteration in range(iterations)]
    risen, rest = rates[:warmup], rates[warmup:]
    assert risen == sorted(risen)
    assert rest == sorted(rest, reverse=True)
    assert all(0 < rate <= 3.0 for rate in rates) or final == 0
    if rest:
        assert rest[0] == pytest.approx(3.0)
        low = 3.0 if schedule == "constant" else 3.0 * final
        assert learning_rate(options, iterations) == pytest.approx(low) or iterations == warmup


@given(st.integers(1, 5), st.integers(1, 4), st.integers(1, 6))
def test_processes_share_all_rows_once(world, parts, each):
    rows = world * parts * each
    check_processes(Options(batch=rows, accumulation=parts), world)
    ranges = [found for rank in range(world) for found in Processes(rank, world, None).share(rows, parts)]
    assert [row for found in ranges for row in found] == list(range(rows))
    assert {len(found) for found in ranges} == {each}


@given(st.lists(st.floats(0.1, 9), min_size=1, max_size=4), st.integers(0, 99), st.integers(0, 99))
def test_the_mixture_is_by_weight_and_the_same_for_all(weights, seed, iteration):
    sources = [Source(str(n), counting, weight) for n, weight in enumerate(weights)]
    chosen = mixture.choice(sources, seed, iteration, 2000)
    assert chosen == mixture.choice(sources, seed, iteration, 2000)
    for n, weight in enumerate(weights):
        assert chosen.count(n) / 2000 == pytest.approx(weight / sum(weights), abs=0.08)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=5))
def test_padding_adds_no_weight(lengths):
    rows = [Batch(numpy.ones(n, int), numpy.ones(n, int), numpy.ones(n)) for n in lengths]
    found = mixture.padded([mixture.tensors(row, "x") for row in rows])
    assert found.ids_BT.shape == (len(lengths), max(lengths))
    assert found.weights_BT.sum(1).tolist() == lengths


REFUSED = {
    "another seed": ({"seed": 5}, "another seed"),
    "fewer iterations": ({"iterations": 6}, "another iterations"),
    "schedule": ({"schedule": "linear"}, "no schedule"),
    "optimiser": ({"optimiser": "sgd"}, "no optimiser"),
    "precision": ({"precision": "fp8"}, "no precision"),
    "rows": ({"batch": 9, "accumulation": 2}, "do not divide"),
    "device": ({"device": "gpu"}, "no device"),
    "score": ({"score": "else"}, "no evaluation gives a score 'else'"),
    "folder": ({"folder": ""}, "where shall"),
    "large seed": ({"seed": 2**63}, "too large"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(whole, name):
    changes, told = REFUSED[name]
    before = made(whole[1])
    config = tiny(whole[1])
    with pytest.raises(UserError, match=told):
        train(replace(config, options=replace(config.options, **changes)))
    assert made(whole[1]) == before


def test_a_folder_that_is_in_use_is_refused(whole, tmp_path):
    with pytest.raises(UserError, match="already"):
        train(tiny(whole[1]), resume=False)
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(UserError, match="no run of ours"):
        train(tiny(tmp_path))


def test_an_unknown_score_is_refused_and_the_right_one_goes_on(tmp_path):
    with pytest.raises(UserError, match="no evaluation gives") as error:
        train(tiny(tmp_path / "run", score="next.wrong", checkpoint_every=2))
    assert "next.right" in error.value.hint
    assert checkpoints.latest(tmp_path / "run").name == "000000002"
    train(tiny(tmp_path / "run", score="next.right", checkpoint_every=2))
    train(tiny(tmp_path / "other", score="next.right", checkpoint_every=2))
    assert made(tmp_path / "run") == made(tmp_path / "other")
    with pytest.raises(UserError, match="another score"):
        train(tiny(tmp_path / "run", score="next.spare", checkpoint_every=2))


def test_a_loss_that_is_no_number_stops_the_run_before_the_weights_are_spoilt(tmp_path):
    def stream(iteration, rank, world, stage):
        found = counting(iteration, rank, world, stage)
        bad = found.weights_BT * (numpy.inf if iteration == 6 else 1)
        return replace(found, weights_BT=bad)

    with pytest.raises(UserError, match="iteration 6"):
        train(tiny(tmp_path / "run", stream))
    state = checkpoints.load_state(checkpoints.latest(tmp_path / "run"))
    assert state.iteration == 4


def test_shapes_that_do_not_fit_are_told(tmp_path):
    def stream(iteration, rank, world, stage):
        return replace(counting(iteration, rank, world, stage), weights_BT=numpy.ones(1))

    with pytest.raises(UserError, match="the stream ones gives"):
        train(tiny(tmp_path / "run", stream))


def test_without_torch_the_extra_is_named(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(UserError, match="'torch' is not installed"):
        train(tiny(tmp_path / "run"))


def test_tensorboard_is_written_if_wanted(tmp_path):
    pytest.importorskip("tensorboard", reason="no tensorboard: pip install 'worldline[learn]'")
    train(tiny(tmp_path / "run", tensorboard=True, iterations=3))
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    found = EventAccumulator(str(tmp_path / "run" / "tensorboard"))
    found.Reload()
    assert [each.step for each in found.Scalars("loss")] == [1, 2, 3]
    assert found.Scalars("scores/next.right")


def test_a_run_may_begin_with_the_weights_of_another(whole, tmp_path):
    weights = whole[1] / "model.safetensors"
    train(tiny(tmp_path / "on", start=str(weights), learning_rate=0.0, iterations=1))
    assert (tmp_path / "on" / "model.safetensors").read_bytes() == weights.read_bytes()
    with pytest.raises(UserError, match="cannot read the weights"):
        train(tiny(tmp_path / "off", start=str(tmp_path / "none.safetensors")))
