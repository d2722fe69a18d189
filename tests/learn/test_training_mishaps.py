"""What goes wrong in training, and what is lost by it: little, and it is told on one line."""

import json
import shutil
from dataclasses import make_dataclass, replace
from functools import partial
from pathlib import Path

import numpy
import pytest
from training_samples import VOCABULARY, counting, made, tiny, torch, train

from worldline.bench.model import changed
from worldline.errors import UserError
from worldline.learn.networks import Shape
from worldline.learn.training import checkpoints, mixture, trainer
from worldline.learn.training.config import Batch, Source, Stage
from worldline.learn.training.processes import Processes
from worldline.learn.training.setting import described


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a run that nothing broke off."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    train(tiny(folder))
    return folder


def test_only_one_command_at_a_time_trains_in_a_folder(tmp_path):
    seen = []

    def watch(record):
        if not seen:
            with pytest.raises(UserError, match="another command works in"):
                train(tiny(tmp_path / "run"))
            seen.append(record)

    train(tiny(tmp_path / "run"), watch=watch)
    lines = (tmp_path / "run" / "log.jsonl").read_text().splitlines()
    assert [json.loads(line)["iteration"] for line in lines] == list(range(1, 13))


def test_a_run_that_has_only_begun_may_be_begun_again(tmp_path, monkeypatch):
    """Nothing is there to lose: the disk was full at once, or a path was wrong."""
    folder = tmp_path / "run"

    def full(path, content):
        path.with_name(f".{path.name}.new").touch()
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(checkpoints, "_replace", full)
        with pytest.raises(OSError, match="No space"):
            train(tiny(folder))
    with pytest.raises(UserError, match="cannot read the weights"):
        train(tiny(folder, start=str(tmp_path / "wrong.safetensors")))
    assert train(tiny(folder)).is_finished


def test_a_score_that_is_no_number_is_never_the_best(tmp_path):
    scores = iter([numpy.nan, 0.04, 0.02, numpy.nan])
    result = train(tiny(tmp_path / "run", evaluate=lambda network, stage: {"right": next(scores)}))
    assert (result.best, result.best_at, result.scores) == (0.04, 6, {"next.right": None})
    told = (tmp_path / "run" / "log.jsonl").read_text()
    assert '"next.right": null' in told
    assert "NaN" not in told


@pytest.mark.parametrize("name", ["model.safetensors", "optimiser.safetensors", "state.json"])
@pytest.mark.parametrize("content", ["", "{}", "null", '{"iteration": 12}'])
def test_a_spoilt_checkpoint_is_removed_and_the_one_before_goes_on(whole, tmp_path, name, content):
    folder = tmp_path / "run"
    shutil.copytree(whole, folder)
    last = checkpoints.latest(folder)
    (last / name).write_text(content)
    with pytest.raises(UserError, match=name) as error:
        train(tiny(folder))
    assert f"remove {last}" in error.value.hint
    shutil.rmtree(last)
    assert train(tiny(folder)).is_finished
    assert made(folder) == made(whole)


def test_a_lost_log_and_a_lost_card_stop_nothing(whole, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(whole, folder)
    (folder / "log.jsonl").unlink()
    (folder / "README.md").unlink()
    assert train(tiny(folder)).is_finished
    assert (folder / "log.jsonl").read_bytes() == b""
    assert "12 of 12" in (folder / "README.md").read_text()


def test_errors_of_the_users_code_are_told_with_their_place(tmp_path):
    def stream(iteration, rank, world, stage):
        if (iteration, rank) == (2, 5):
            raise KeyError("a\nb")
        return counting(iteration, rank, world, stage)

    def evaluate(network, stage):
        raise ZeroDivisionError("x")

    place = r"\(.*test_training_mishaps.py line \d+\)"
    told = rf"the stream (ones|twos), iteration 2, row 5: KeyError: 'a\\nb' {place}"
    with pytest.raises(UserError, match=told):
        train(tiny(tmp_path / "stream", stream))
    with pytest.raises(UserError, match="the evaluation next after 3 iterations: ZeroDivisionError: x"):
        train(tiny(tmp_path / "evaluation", evaluate=evaluate))


@pytest.mark.parametrize("token", [-1, VOCABULARY])
def test_a_token_that_there_is_not_is_told(tmp_path, token):
    def stream(iteration, rank, world, stage):
        return Batch(numpy.array([0, 1]), numpy.array([1, token]), numpy.ones(2))

    shape = Shape("transformer", vocabulary=VOCABULARY, width=8, layers=1, heads=2, context=8)
    config = replace(tiny(tmp_path / "run", network=shape), sources=(Source("ones", stream),))
    with pytest.raises(UserError, match=f"the stream ones, iteration 0, row 0: token {token} among targets"):
        train(config)


def test_values_of_a_setting_are_told_apart():
    pairs = [(numpy.int64(1), numpy.int64(3)), (Path("x"), Path("y")), ({1, 2}, {1, 3}), (b"a", b"b")]
    pairs += [(torch.float32, torch.float64), ("one".join, "other".join), (1, None), ([1], [2])]
    for one, other in pairs:
        assert described(partial(counting, by=one)) != described(partial(counting, by=other))
        assert described(one) == described(one) == json.loads(json.dumps(described(one)))


def test_what_another_setting_has_left_is_not_taken_for_this_one(tmp_path):
    """A run that was stopped before its first checkpoint may already have been scored."""
    folder = tmp_path / "run"
    shape = Shape("transformer", vocabulary=VOCABULARY, width=8, layers=1, heads=2, context=16)

    def ended(record):
        if record["iteration"] == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(tiny(folder, network=shape, checkpoint_every=9, evaluate_every=1), watch=ended)
    assert (folder / "best.safetensors").exists()
    other = tiny(folder, seed=99, checkpoint_every=9, network=shape)
    train(replace(other, evaluations={}, stages=other.stages[1:]))
    with pytest.raises(UserError, match=r"has no best.safetensors"):
        checkpoints.trained(folder)
    found = checkpoints.trained(folder, "model").state_dict()
    alone = tiny(tmp_path / "alone", seed=99, checkpoint_every=9, network=shape)
    train(replace(alone, evaluations={}, stages=alone.stages[1:]))
    for name, tensor in checkpoints.trained(tmp_path / "alone", "model").state_dict().items():
        assert torch.equal(tensor, found[name])


def test_a_finished_run_whose_checkpoints_are_gone_is_not_begun_otherwise(whole, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(whole, folder)
    shutil.rmtree(folder / "checkpoints")
    with pytest.raises(UserError, match="a run with another seed"):
        train(tiny(folder, seed=99))
    assert (folder / "best.safetensors").read_bytes() == (whole / "best.safetensors").read_bytes()


def test_processes_that_see_other_folders_are_refused(tmp_path):
    class Apart(Processes):
        def take_from_first(self, values):
            values.fill_(8.0)

        def add_up(self, values):
            pass

    run = trainer._Run(tiny(tmp_path / "run"), Apart(1, 2, torch.device("cpu")), "")
    run._check_folder(tmp_path / "000000008")
    with pytest.raises(UserError, match="process 1 sees iteration 4, the first one 8"):
        run._check_folder(tmp_path / "000000004")
    with pytest.raises(UserError, match="process 1 sees iteration 0"):
        run._check_folder(None)


MADE_WRONG = {
    "sources": ({"sources": Source("ones", counting)}, "sources of a Training must be a tuple of Sources"),
    "stages": ({"stages": Stage()}, "stages of a Training must be a tuple of Stages"),
    "no sources": ({"sources": ()}, "nothing to learn from"),
    "weights": ({"sources": (Source("ones", counting, -1),)}, "weights below 0: ones"),
    "name": ({"network": "transformer"}, "is a Shape, or a callable"),
    "network": ({"network": lambda: 1 / 0}, "the network: ZeroDivisionError"),
    "tuple": ({"sources": (Source("ones", lambda *place: (1, 2)),)}, "the stream ones, iteration 0, row 0: "),
    "no scores": ({"evaluations": {"next": lambda network, stage: {}}}, "the evaluations give no score"),
    "scores": ({"evaluations": {"next": lambda network, stage: None}}, "the evaluation next gives None"),
}


@pytest.mark.parametrize("name", MADE_WRONG)
def test_recipes_that_are_made_wrongly_are_told(tmp_path, name):
    changes, told = MADE_WRONG[name]
    with pytest.raises(UserError, match=told):
        train(replace(tiny(tmp_path / "run"), **changes))


@pytest.mark.parametrize("text", ["-5", "0.5", "nan", "inf", "-inf"])
def test_settings_below_zero_are_for_those_that_are(text):
    Own = make_dataclass("Own", [("shift", float, -3.0), ("size", float, 8.0)])
    if text in ("-5", "0.5"):
        assert changed("it", Own(), [f"shift={text}"]).shift == float(text)
    else:
        with pytest.raises(UserError, match="shift is no number"):
            changed("it", Own(), [f"shift={text}"])
    if text != "0.5":
        with pytest.raises(UserError, match="size is no number"):
            changed("it", Own(), [f"size={text}"])


def test_the_mixture_says_nothing_about_the_data_of_a_stream():
    """Numpy pads short seeds with zeros, so a generator of the mixture's could also be that of a row."""
    half = [Source("one", counting), Source("two", counting)]
    for iteration in range(50):
        own = numpy.random.default_rng([0, iteration]).choice(2, size=64, p=[0.5, 0.5]).tolist()
        assert mixture.choice(half, 0, iteration, 64) != own
