"""The network in numpy: the same numbers as its twin in torch, alone and in a batch; nothing is forgotten."""

import json
from contextlib import suppress
from dataclasses import replace
from importlib import resources
from pathlib import Path
from random import Random

import numpy
import pytest

from worldline.errors import UserError
from worldline.learn.data.statements import asked, scalar
from worldline.models.embedded.network import LONGEST, SHIPPED, load
from worldline.models.embedded.prompts import Handles, UnclearError
from worldline.models.embedded.vocabulary import END, TOKENS

SHAPE = {"vocabulary": len(TOKENS), "width": 32, "layers": 2, "heads": 2, "context": 128}


def prompts(seed: int, count: int) -> list[tuple[int, ...]]:
    """Random statements with random values, as it was trained on."""
    dice = Random(seed)
    found: list[tuple[int, ...]] = []
    while len(found) < count:
        with suppress(UnclearError):
            found.append(asked(scalar(dice), Handles(dice)).prompt)
    return found


def test_logits_are_those_of_the_twin_in_torch(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from worldline.learn.embedding import pack
    from worldline.learn.networks import Shape, build
    from worldline.learn.training.checkpoints import save_tensors, weights_of

    twin = build(Shape("matching", **SHAPE), seed=3)
    with torch.no_grad():
        for parameter in twin.parameters():
            parameter.copy_(parameter.half().float())
    save_tensors(tmp_path / "best.safetensors", weights_of(twin))
    from dataclasses import asdict

    (tmp_path / "shape.json").write_text(json.dumps(asdict(twin.shape)))
    options = {"seed": 3, "iterations": 0, "batch": 1}
    history = [{"command": "worldline train it", "versions": {"torch": "2"}}]
    told = {"setting": {"options": options}, "history": history}
    (tmp_path / "training.json").write_text(json.dumps(told))
    size = pack(tmp_path, tmp_path / "w.npz")
    assert size == (tmp_path / "w.npz").stat().st_size < 10_000_000
    ours = load(str(tmp_path / "w.npz"))
    made = {"weights": "best", "commands": ["worldline train it"], "versions": {"torch": "2"}}
    assert ours.about["made"] == made | options
    few = numpy.random.default_rng(1).integers(5, 25, size=(3, 60))  # so few tokens that many match
    for ids in (few, *(numpy.array([prompt]) for prompt in prompts(3, 9))):
        theirs = twin(torch.as_tensor(ids)).detach().numpy()
        numpy.testing.assert_allclose(ours.logits(ids), theirs, atol=2e-4, rtol=2e-4)


@pytest.mark.parametrize("seed", range(3))
def test_a_batch_is_answered_as_each_alone(seed: int) -> None:
    network = load()
    several = prompts(seed, 9)
    together = network.decoded(several)
    for prompt, (tokens, sure) in zip(several, together, strict=True):
        alone, alone_sure = network.decoded([prompt])[0]
        assert tokens == alone
        assert sure > 0
        assert sure == pytest.approx(alone_sure, rel=1e-3)


def test_decoding_is_the_likeliest_token_of_the_whole_text_and_its_probability_the_product() -> None:
    """Caches change nothing: each token is the best one after all before it, read anew."""
    network = load()
    for prompt in prompts(5, 6):
        tokens, sure = network.decoded([prompt])[0]
        text, product = list(prompt), 1.0
        for token in (*tokens, END):
            logits = network.logits(numpy.array([text]))[0, -1].astype(numpy.float64)
            assert int(logits.argmax()) == token
            shares = numpy.exp(logits - logits.max())
            product *= shares[token] / shares.sum()
            text.append(token)
        assert sure == pytest.approx(product, rel=1e-3)


def test_an_answer_without_an_end_has_no_probability() -> None:
    network = load()
    deaf = replace(network, head=numpy.where(numpy.arange(len(TOKENS)) == END, 0, network.head))
    tokens, sure = deaf.decoded(prompts(1, 1))[0]
    assert (len(tokens), sure) == (LONGEST, 0.0)


def test_weights_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    shipped = (resources.files("worldline.models.embedded") / SHIPPED).read_bytes()
    (tmp_path / "text").write_bytes(b"no weights")
    (tmp_path / "cut").write_bytes(shipped[: len(shipped) // 2])
    numpy.save(tmp_path / "one.npy", numpy.zeros(3))
    about = json.dumps({"tokens": len(TOKENS), "layers": 2, "heads": 2, "theta": 1e4})
    numpy.savez(tmp_path / "empty.npz", about=about)
    numpy.savez(tmp_path / "list.npz", about="[]")
    for name in ("none", "text", "cut", "one.npy", "empty.npz", "list.npz"):
        with pytest.raises(UserError, match="cannot be read"):
            load(str(tmp_path / name))
    numpy.savez(tmp_path / "other.npz", about=json.dumps({"tokens": 3}))
    with pytest.raises(UserError, match="another vocabulary"):
        load(str(tmp_path / "other.npz"))
