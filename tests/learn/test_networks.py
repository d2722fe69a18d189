"""This file is the laws that every network keeps: its fast path, its decoding, its weights and its size."""

import json
import subprocess
import sys
from dataclasses import asdict, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldline.errors import UserError
from worldline.learn.networks import NETWORKS, Shape, build, parameters, plain_twin, shape_of_size

torch = pytest.importorskip("torch", reason="no torch: pip install 'worldline[learn]'")
torch.set_num_threads(1)

TIGHT = {"rtol": 1e-9, "atol": 1e-9}
FEW = settings(max_examples=15, deadline=None)
READERS = [name for name in NETWORKS if name != "matching"]  # that one has tests of its own
EVERY = pytest.mark.parametrize("name", READERS)


@st.composite
def shapes(draw, name):
    heads = draw(st.integers(1, 3))
    return Shape(
        network=name,
        vocabulary=draw(st.integers(2, 9)),
        width=2 * heads * draw(st.integers(1, 4)),
        layers=draw(st.integers(1, 3)),
        heads=heads,
        context=16,
        householders=1 if name == "deltanet" else draw(st.integers(1, 3)),
        is_negative=draw(st.booleans()),
        window=draw(st.sampled_from([0, 1, 2, 5])),
        chunk=draw(st.integers(1, 9)),
    )


def double(shape, seed):
    """A network in float64 whose norms and biases are not the ones and zeros that they start as."""
    network = build(shape, seed).double()
    drawn = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in network.parameters():
            if parameter.dim() < 2:
                parameter.add_(0.5 * torch.randn(parameter.shape, generator=drawn))
    return network


def text(shape, rows, tokens, seed):
    drawn = torch.Generator().manual_seed(seed)
    return torch.randint(0, shape.vocabulary, (rows, tokens), generator=drawn)


def gradients(network, ids_BT):
    logits_BTV = network(ids_BT)
    drawn = torch.Generator().manual_seed(5)
    weights_BTV = torch.randn(logits_BTV.shape, generator=drawn, dtype=torch.float64)
    (logits_BTV * weights_BTV).sum().backward()
    return logits_BTV, {name: parameter.grad for name, parameter in network.named_parameters()}


@EVERY
@FEW
@given(data=st.data(), tokens=st.integers(1, 21), rows=st.integers(1, 3), seed=st.integers(0, 99))
def test_the_fast_path_is_the_loop_in_outputs_and_gradients(name, data, tokens, rows, seed):
    shape = data.draw(shapes(name))
    network = double(shape, seed)
    ids_BT = text(shape, rows, tokens, seed)
    fast, fast_gradients = gradients(network, ids_BT)
    plain, plain_gradients = gradients(plain_twin(double(shape, seed)), ids_BT)
    torch.testing.assert_close(fast, plain, **TIGHT)
    assert all(gradient is not None for gradient in plain_gradients.values())
    for parameter, gradient in plain_gradients.items():
        torch.testing.assert_close(fast_gradients[parameter], gradient, rtol=1e-8, atol=1e-8, msg=parameter)


def test_a_network_without_steps_has_no_twin_here():
    with pytest.raises(ValueError, match="no plain twin of a Matching"):
        plain_twin(build(Shape("matching", vocabulary=9, width=8, layers=1, heads=2, context=8)))


@EVERY
@FEW
@given(data=st.data(), tokens=st.integers(1, 21), seed=st.integers(0, 99))
def test_decoding_token_by_token_gives_what_reading_all_at_once_does(name, data, tokens, seed):
    shape = data.draw(shapes(name))
    network = double(shape, seed)
    ids_BT = text(shape, 2, tokens, seed)
    state, logits = network.start(2), []
    with torch.no_grad():
        for token in range(tokens):
            logits_BV, state = network.step(ids_BT[:, token], state)
            logits.append(logits_BV)
        torch.testing.assert_close(torch.stack(logits, 1), network(ids_BT), **TIGHT)


@EVERY
@FEW
@given(data=st.data(), cut=st.integers(1, 12), rest=st.integers(1, 12), seed=st.integers(0, 99))
def test_one_may_read_a_part_and_go_on_twice_from_the_same_state(name, data, cut, rest, seed):
    shape = data.draw(shapes(name))
    network = double(shape, seed)
    ids_BT = text(shape, 2, cut + rest, seed)
    with torch.no_grad():
        whole_BTV = network(ids_BT)
        first_BTV, state = network.read(ids_BT[:, :cut], network.start(2))
        second_BTV, _ = network.read(ids_BT[:, cut:], state)
        again_BTV, _ = network.read(ids_BT[:, cut:], state)
    torch.testing.assert_close(torch.cat([first_BTV, second_BTV], 1), whole_BTV, **TIGHT)
    torch.testing.assert_close(second_BTV, again_BTV, rtol=0, atol=0)


@EVERY
@FEW
@given(data=st.data(), tokens=st.integers(2, 21), seed=st.integers(0, 99))
def test_a_later_token_changes_no_earlier_logit(name, data, tokens, seed):
    shape = data.draw(shapes(name))
    at = data.draw(st.integers(1, tokens - 1))
    network = double(shape, seed)
    ids_BT = text(shape, 1, tokens, seed)
    other_BT = ids_BT.clone()
    other_BT[:, at] = (other_BT[:, at] + 1) % shape.vocabulary
    with torch.no_grad():
        one, other = network(ids_BT), network(other_BT)
    torch.testing.assert_close(one[:, :at], other[:, :at], rtol=1e-12, atol=1e-12)
    assert not torch.allclose(one[:, at], other[:, at], rtol=1e-9, atol=1e-9)


@EVERY
def test_an_earlier_token_is_seen(name):
    """A network that only looks at the last token keeps the law above as well."""
    network = double(Shape(name, 7, 16, 2, 2, 16), 0)
    ids_BT = text(network.shape, 1, 12, 0)
    other_BT = ids_BT.clone()
    other_BT[:, 0] = (other_BT[:, 0] + 1) % 7
    assert not torch.allclose(network(ids_BT)[:, -1], network(other_BT)[:, -1], rtol=1e-6, atol=1e-6)


@FEW
@given(
    width=st.integers(1, 8), position=st.integers(0, 500), shift=st.integers(0, 500), seed=st.integers(0, 99)
)
def test_turning_keeps_lengths_and_only_the_distance_counts(width, position, shift, seed):
    from worldline.learn.networks.attention import angles, turn

    drawn = torch.Generator().manual_seed(seed)
    x_TE = torch.randn(9, 2 * width, generator=drawn, dtype=torch.float64)
    here, there = (turn(x_TE, angles(at, 9, x_TE, 10_000.0)) for at in (position, position + shift))
    torch.testing.assert_close(here.norm(dim=-1), x_TE.norm(dim=-1), **TIGHT)
    torch.testing.assert_close(here @ here.mT, there @ there.mT, **TIGHT)
    assert not torch.allclose(here @ here.mT, x_TE @ x_TE.mT)


def test_a_window_forgets_what_is_outside_of_it():
    network = double(Shape("transformer", 7, 16, 1, 2, 16, window=3), 0)
    ids_BT = text(network.shape, 1, 12, 0)
    other_BT = ids_BT.clone()
    other_BT[:, 4] = (other_BT[:, 4] + 1) % 7
    is_same = (network(ids_BT) - network(other_BT)).abs().amax(-1)[0] < 1e-12
    assert is_same.tolist() == [True] * 4 + [False] * 3 + [True] * 5


@pytest.mark.parametrize(("name", "window"), [("deltanet", 0), ("deltaproduct", 0), ("hybrid", 6)])
def test_decoding_takes_constant_memory(name, window):
    network = build(Shape(name, 7, 16, 4, 2, 16, window=window))

    def size(state):
        if isinstance(state, torch.Tensor):
            return state.numel()
        return sum(size(part) for part in state) if isinstance(state, tuple) else 0

    with torch.no_grad():
        _, short = network.read(text(network.shape, 1, 10, 0), network.start(1))
        _, long = network.read(text(network.shape, 1, 300, 0), network.start(1))
    assert size(short) == size(long) > 0


@EVERY
def test_the_same_seed_gives_the_same_weights_whatever_torch_has_drawn(name):
    shape = Shape(name, 11, 24, 2, 2, 16)
    torch.manual_seed(1)
    one, before = build(shape, 3).state_dict(), torch.random.get_rng_state()
    torch.manual_seed(2)
    same, other = build(shape, 3).state_dict(), build(shape, 4).state_dict()
    torch.manual_seed(1)
    assert torch.equal(before, torch.random.get_rng_state())
    assert all(torch.equal(one[key], same[key]) for key in one)
    assert not torch.equal(one["embedding.weight"], other["embedding.weight"])


@EVERY
def test_weights_start_as_large_as_they_should(name):
    network = build(Shape(name, 300, 96, 3, 4, 16))
    spread = {key: weight.std().item() for key, weight in network.named_parameters() if weight.dim() == 2}
    for key, found in spread.items():
        fan_in = network.get_parameter(key).shape[1]
        wanted = fan_in**-0.5 * (6**-0.5 if key.endswith("out.weight") else 1)
        assert found == pytest.approx(wanted, rel=0.15), key
    assert sum(key.endswith("out.weight") for key in spread) == 6
    seen_BTD = network.embedding(text(network.shape, 4, 32, 0)) * network.scale
    assert seen_BTD.square().mean().item() == pytest.approx(1, rel=0.1)


@pytest.mark.parametrize("size", [30_000, 100_000, 1_000_000])
@pytest.mark.parametrize("householders", [1, 4])
@EVERY
def test_a_shape_of_a_size_has_it_within_two_percent(name, householders, size):
    if name == "deltanet":
        householders = 1
    like = Shape("transformer", 40, 8, 4, 4, 256, householders=householders)
    shape = shape_of_size(name, size, like)
    assert abs(parameters(build(shape)) - size) <= 0.02 * size
    assert (shape.network, shape.vocabulary, shape.layers, shape.heads) == (name, 40, 4, 4)
    assert 1 < shape.hidden / shape.width < 8


def test_a_size_that_is_too_small_is_refused():
    with pytest.raises(UserError, match="the smallest has"):
        shape_of_size("transformer", 100, Shape("transformer", 40, 8, 4, 4, 256))


def test_the_parameters_of_a_transformer_are_those_one_counts_by_hand():
    shape = Shape("transformer", 10, 8, 2, 2, 16, hidden=5)
    assert parameters(build(shape)) == 10 * 8 + 2 * (4 * 8 * 8 + 3 * 8 * 5 + 2 * 8) + 8


def test_the_scale_of_the_embedding_folds_into_the_weights():
    network = double(Shape("transformer", 11, 24, 2, 2, 16), 1)
    folded = double(network.shape, 1)
    with torch.no_grad():
        folded.embedding.weight.mul_(24**0.5)
        folded.norm.weight.div_(24**0.5)
    folded.scale = 1.0
    ids_BT = text(network.shape, 2, 9, 0)
    torch.testing.assert_close(folded(ids_BT), network(ids_BT), **TIGHT)


@EVERY
def test_it_runs_in_bf16_and_under_autocast(name):
    shape = Shape(name, 11, 32, 2, 2, 16, householders=1 if name == "deltanet" else 2, chunk=8)
    network, half = build(shape), build(shape).bfloat16()
    ids_BT = text(shape, 2, 21, 0)
    wanted = network(ids_BT)
    with torch.autocast("cpu", torch.bfloat16):
        mixed = network(ids_BT)
    for found in (mixed, half(ids_BT)):
        found.float().sum().backward()
        assert (found.float() - wanted).abs().max() < 0.15 * wanted.abs().max()


@given(name=st.sampled_from(list(NETWORKS)), data=st.data())
def test_a_shape_survives_json(name, data):
    shape = data.draw(shapes(name))
    assert Shape(**json.loads(json.dumps(asdict(shape)))) == shape


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"width": 9}, "even width"),
        ({"width": 10, "heads": 4}, "even width"),
        ({"layers": 0}, "layers is 0"),
        ({"window": -1}, "window is -1"),
    ],
)
def test_a_shape_that_makes_no_network_is_refused(change, told):
    with pytest.raises(UserError, match=told):
        replace(Shape("transformer", 10, 8, 2, 2, 16), **change)


def test_a_network_nobody_knows_is_refused():
    with pytest.raises(UserError, match="no network called 'deltnet'") as refused:
        build(Shape("deltnet", 10, 8, 2, 2, 16))
    assert "did you mean 'deltanet'" in refused.value.hint


def test_a_deltanet_takes_one_step_a_token():
    with pytest.raises(UserError, match="3 householders"):
        build(Shape("deltanet", 10, 8, 2, 2, 16, householders=3))


def test_naming_networks_and_shapes_does_not_load_torch():
    program = (
        "import sys; from worldline.learn.networks import Shape, network_names; "
        "Shape('hybrid', 9, 8, 1, 1, 8); print(*network_names(), 'torch' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == [*NETWORKS, "False"]
