"""The network in numpy: the same numbers as its twin in torch, alone and in a batch; nothing is forgotten."""

from pathlib import Path
from random import Random

import numpy
import pytest

from worldline.errors import UserError
from worldline.models.embedded.network import Network, load, network_of
from worldline.models.embedded.vocabulary import END, TOKENS

SHAPE = {"vocabulary": len(TOKENS), "width": 32, "layers": 2, "heads": 2, "context": 128}


def drawn(seed: int) -> Network:
    """Random weights, as numpy alone can make them."""
    dice = numpy.random.default_rng(seed)
    width, hidden = 32, 88

    def matrix(*shape: int) -> numpy.ndarray:
        return dice.normal(size=shape) / shape[-1] ** 0.5

    weights = {"embedding.weight": matrix(len(TOKENS), width), "norm.weight": numpy.ones(width)}
    weights |= {"before.weight": matrix(width, width), "earlier.weight": matrix(width, width)}
    for number in range(2):
        name = f"layers.{number}"
        weights[f"{name}.mixer_norm.weight"] = numpy.ones(width)
        weights[f"{name}.mixer.inner.weight"] = matrix(3 * width, width)
        weights[f"{name}.mixer.out.weight"] = matrix(width, width)
        weights[f"{name}.first_out.weight"] = matrix(width, width)
        weights[f"{name}.last_out.weight"] = matrix(width, width)
        weights[f"{name}.forward_norm.weight"] = numpy.ones(width)
        weights[f"{name}.feed_forward.inner.weight"] = matrix(2 * hidden, width)
        weights[f"{name}.feed_forward.out.weight"] = matrix(width, hidden)
    return network_of(weights, {"layers": 2, "heads": 2, "theta": 10_000.0})


def prompts(seed: int, count: int) -> list[tuple[int, ...]]:
    dice = Random(seed)
    return [tuple(dice.choices(range(5, len(TOKENS)), k=dice.randrange(3, 40))) for _ in range(count)]


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
    import json
    from dataclasses import asdict

    (tmp_path / "shape.json").write_text(json.dumps(asdict(twin.shape)))
    size = pack(tmp_path, tmp_path / "w.npz")
    assert size == (tmp_path / "w.npz").stat().st_size < 10_000_000
    ours = load(str(tmp_path / "w.npz"))
    ids = numpy.random.default_rng(1).integers(5, 25, size=(3, 60))  # few, so that many match
    theirs = twin(torch.as_tensor(ids)).detach().numpy()
    numpy.testing.assert_allclose(ours.logits(ids), theirs, atol=2e-4, rtol=2e-4)


@pytest.mark.parametrize("seed", range(3))
def test_a_batch_is_answered_as_each_alone(seed: int) -> None:
    network = drawn(seed)
    asked = prompts(seed, 9)
    together = network.decoded(asked)
    for prompt, (tokens, sure) in zip(asked, together, strict=True):
        alone, alone_sure = network.decoded([prompt])[0]
        assert tokens == alone
        assert sure == pytest.approx(alone_sure, rel=1e-3, abs=1e-9)


def test_decoding_is_the_likeliest_token_of_the_whole_text() -> None:
    """Caches change nothing: each token is the best one after all before it, read anew."""
    network = drawn(7)
    for prompt in prompts(5, 3):
        tokens, _ = network.decoded([prompt])[0]
        text = list(prompt)
        for token in tokens[:25]:
            assert int(network.logits(numpy.array([text]))[0, -1].argmax()) == token
            text.append(token)
        if len(tokens) < 25:
            assert int(network.logits(numpy.array([text]))[0, -1].argmax()) == END


def test_the_probability_is_the_product_over_its_tokens() -> None:
    network = drawn(11)
    found = [(prompt, told) for prompt in prompts(3, 40) if (told := network.decoded([prompt])[0])[1] > 0]
    for prompt, (tokens, sure) in found[:5]:
        text, product = list(prompt), 1.0
        for token in (*tokens, END):
            logits = network.logits(numpy.array([text]))[0, -1].astype(numpy.float64)
            shares = numpy.exp(logits - logits.max())
            product *= shares[token] / shares.sum()
            text.append(token)
        assert sure == pytest.approx(product, rel=1e-3)


def test_weights_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        load(str(tmp_path / "none.npz"))
    (tmp_path / "bad.npz").write_bytes(b"no weights")
    with pytest.raises(UserError, match="cannot be read"):
        load(str(tmp_path / "bad.npz"))
