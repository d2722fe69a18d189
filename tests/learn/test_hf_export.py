"""This file is our Transformer as a Llama: what transformers loads gives the logits that ours gives."""

import json
import subprocess
import sys
from dataclasses import asdict, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldline.errors import UserError
from worldline.learn.networks import NETWORKS, Shape, build, parameters

torch = pytest.importorskip("torch", reason="no torch: pip install 'worldline[learn]'")
pytest.importorskip("safetensors", reason="no safetensors: pip install 'worldline[learn]'")
transformers = pytest.importorskip("transformers", reason="no transformers: pip install 'worldline[hf]'")

from worldline.learn.export import to_hugging_face  # noqa: E402
from worldline.learn.training.checkpoints import save_tensors, trained, weights_of  # noqa: E402

torch.set_num_threads(1)
transformers.utils.logging.disable_progress_bar()
transformers.utils.logging.set_verbosity_error()

SHAPE = Shape("transformer", vocabulary=29, width=48, layers=3, heads=4, context=40)
WORDS = [f"w{at:02}" for at in range(SHAPE.vocabulary - 1)] + ["."]


def run_of(folder, shape, seed=0):
    """A run's folder without the training: weights in which no norm is the one it starts as."""
    network = build(shape, seed)
    drawn = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in network.parameters():
            if parameter.dim() < 2:
                parameter.add_(0.5 * torch.randn(parameter.shape, generator=drawn))
    folder.mkdir()
    (folder / "shape.json").write_text(json.dumps(asdict(shape)))
    save_tensors(folder / "best.safetensors", weights_of(network))
    return folder


def loaded(folder, **options):
    return transformers.AutoModelForCausalLM.from_pretrained(folder, local_files_only=True, **options).eval()


def ids_of(shape, rows, tokens, seed):
    drawn = torch.Generator().manual_seed(seed)
    return torch.randint(0, shape.vocabulary, (rows, tokens), generator=drawn)


@st.composite
def shapes(draw):
    heads = draw(st.integers(1, 4))
    context = draw(st.integers(2, 80))
    return Shape(
        network="transformer",
        vocabulary=draw(st.integers(3, 300)),
        width=2 * heads * draw(st.integers(1, 12)),
        layers=draw(st.integers(1, 4)),
        heads=heads,
        context=context,
        hidden=draw(st.sampled_from([0, 1, 24])),
        window=draw(st.sampled_from([0, context])),
        theta=draw(st.sampled_from([10_000.0, 500.0])),
    )


@settings(max_examples=12, deadline=None)
@given(shape=shapes(), seed=st.integers(0, 99), rows=st.integers(1, 4), data=st.data())
def test_the_logits_are_the_same(tmp_path_factory, shape, seed, rows, data):
    place = tmp_path_factory.mktemp("export")
    run = run_of(place / "run", shape, seed)
    to_hugging_face(run, place / "llama")
    ours, theirs = trained(run), loaded(place / "llama")
    assert type(theirs).__name__ == "LlamaForCausalLM"
    assert parameters(theirs) == parameters(ours)
    for tokens in (data.draw(st.integers(1, shape.context)), shape.context):
        ids_BT = ids_of(shape, rows, tokens, seed)
        with torch.no_grad():
            torch.testing.assert_close(theirs(ids_BT).logits, ours(ids_BT), rtol=1e-4, atol=1e-4)
            # a Llama works out its norms and angles in single precision whatever it is
            double = theirs.double()(ids_BT).logits
            torch.testing.assert_close(double, ours.double()(ids_BT), rtol=1e-5, atol=3e-5)
        ours, theirs = ours.float(), theirs.float()


def test_a_real_run_decodes_the_same_text(tmp_path):
    from worldline.learn.training.config import Options, Source, Training
    from worldline.learn.training.trainer import train

    shape = replace(SHAPE, vocabulary=9, width=32, layers=1)
    options = Options(iterations=30, batch=8, warmup=5, folder=str(tmp_path / "run"))
    train(Training(shape, (Source("count", _counting),), options=options), command="worldline train x")
    to_hugging_face(tmp_path / "run", tmp_path / "llama", "model")
    ours, theirs = trained(tmp_path / "run", "model"), loaded(tmp_path / "llama")
    ids_BT = start_BT = torch.tensor([[3, 4, 5], [0, 1, 2]])
    with torch.no_grad():
        while ids_BT.shape[1] < shape.context:
            ids_BT = torch.cat([ids_BT, ours(ids_BT)[:, -1].argmax(-1, keepdim=True)], 1)
        assert theirs.generate(start_BT).tolist() == ids_BT.tolist()
    assert "worldline train x" in (tmp_path / "llama" / "README.md").read_text()


def _counting(iteration, rank, world, stage):
    import numpy

    from worldline.learn.training.config import Batch

    row = (iteration + rank + numpy.arange(13)) % 9
    return Batch(row[:-1], row[1:], numpy.ones(12))


def test_the_tokenizer_reads_names_with_spaces_between_them(tmp_path):
    names = to_hugging_face(run_of(tmp_path / "run", SHAPE), tmp_path / "llama", vocabulary=WORDS, end=".")
    assert sorted(names) == sorted(path.name for path in (tmp_path / "llama").iterdir())
    words = transformers.AutoTokenizer.from_pretrained(tmp_path / "llama", local_files_only=True)
    ids = [28, 0, 27, 3, 11, 1, 28, 28]
    text = " ".join(WORDS[at] for at in ids)
    assert words(text)["input_ids"] == ids
    assert words.decode(ids) == text
    assert len(words) == SHAPE.vocabulary
    assert words.eos_token_id == loaded(tmp_path / "llama").generation_config.eos_token_id == 28
    with pytest.raises(Exception, match="UNK"):
        words("w00 nothing")


def test_decoding_stops_only_at_the_end_that_was_named(tmp_path):
    """A Llama's own default would end a text at token 2."""
    run = run_of(tmp_path / "run", SHAPE)
    to_hugging_face(run, tmp_path / "endless")
    start_BT = ids_of(SHAPE, 1, 1, 0)
    network = loaded(tmp_path / "endless")
    assert network.config.eos_token_id is network.config.bos_token_id is None
    endless = network.generate(start_BT)[0].tolist()
    assert len(endless) == SHAPE.context
    end = endless[5]
    to_hugging_face(run, tmp_path / "ending", vocabulary=WORDS, end=WORDS[end])
    at = endless.index(end, 1)
    assert loaded(tmp_path / "ending").generate(start_BT)[0].tolist() == endless[: at + 1]


@pytest.mark.parametrize("name", sorted(set(NETWORKS) - {"transformer"}))
def test_other_networks_are_refused(tmp_path, name):
    run = run_of(tmp_path / "run", replace(SHAPE, network=name))
    with pytest.raises(UserError, match=f"{name} cannot be written as a Llama") as caught:
        to_hugging_face(run, tmp_path / "llama")
    assert caught.value.hint
    assert not (tmp_path / "llama").exists()


def test_a_window_is_refused(tmp_path):
    with pytest.raises(UserError, match="window of 8"):
        to_hugging_face(run_of(tmp_path / "run", replace(SHAPE, window=8)), tmp_path / "llama")


@pytest.mark.parametrize(
    ("words", "end", "what"),
    [
        (WORDS[1:], None, "28 names for a network of 29"),
        ([*WORDS[1:], "w01"], None, "two tokens are called 'w01'"),
        ([*WORDS[1:], "a b"], None, "'a b' cannot name a token"),
        ([*WORDS[1:], ""], None, "'' cannot name a token"),
        (WORDS, "?", "no token is called '\\?'"),
        (WORDS, "w1", "no token is called 'w1'"),
        ([*WORDS[1:], "w1"], "w1", "'w1' that ends a text would be found in 'w10'"),
        (None, "w1", "which token is 'w1'"),
    ],
)
def test_bad_names_are_refused(tmp_path, words, end, what):
    with pytest.raises(UserError, match=what) as caught:
        to_hugging_face(run_of(tmp_path / "run", SHAPE), tmp_path / "llama", vocabulary=words, end=end)
    assert caught.value.hint
    assert not (tmp_path / "llama").exists()


def test_a_folder_with_something_in_it_is_refused(tmp_path):
    run = run_of(tmp_path / "run", SHAPE)
    with pytest.raises(UserError, match="is there already"):
        to_hugging_face(run, run)


def test_importing_it_loads_no_torch():
    heavy = "{'torch', 'transformers', 'tokenizers'}"
    code = f"import sys, worldline.learn.export; print({heavy} & set(sys.modules))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "set()"
