"""This file is the laws of the delta rule: its chunks, its eigenvalues, and what more steps a token add."""

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldline.learn.networks import Shape, build

torch = pytest.importorskip("torch", reason="no torch: pip install 'worldline[learn]'")
torch.set_num_threads(1)

from worldline.learn.networks.delta_rule import delta_chunks, delta_loop  # noqa: E402

TIGHT = {"rtol": 1e-9, "atol": 1e-9}
FEW = settings(max_examples=40, deadline=None)
SIZES = st.tuples(
    st.integers(1, 2), st.integers(1, 3), st.integers(1, 23), st.integers(1, 4), st.integers(1, 6)
)


def drawn(sizes, seed, largest=2.0):
    """Query, keys, values, rates and a memory to start from."""
    rows, heads, tokens, steps, width = sizes
    source = torch.Generator().manual_seed(seed)

    def normal(*shape):
        return torch.randn(*shape, generator=source, dtype=torch.float64)

    k_BHTNE = torch.nn.functional.normalize(normal(rows, heads, tokens, steps, width), dim=-1)
    beta_BHTN = largest * torch.sigmoid(2 * normal(rows, heads, tokens, steps))
    v_BHTNE, q_BHTE = normal(rows, heads, tokens, steps, width), normal(rows, heads, tokens, width)
    return [q_BHTE, k_BHTNE, v_BHTNE, beta_BHTN, normal(rows, heads, width, width)]


@FEW
@given(sizes=SIZES, chunk=st.integers(1, 30), seed=st.integers(0, 999))
def test_chunks_are_the_loop_in_reads_memory_and_gradients(sizes, chunk, seed):
    results = []
    for rule in (delta_loop, lambda *parts: delta_chunks(*parts, chunk)):
        parts = [part.requires_grad_() for part in drawn(sizes, seed)]
        read, state = rule(*parts)
        loss = (read * read.detach().sin()).sum() + (state * state.detach().cos()).sum()
        results.append([read, state, *torch.autograd.grad(loss, parts)])
    for plain, fast in zip(*results, strict=True):
        torch.testing.assert_close(fast, plain, **TIGHT)


@pytest.mark.parametrize("chunk", [16, 64, 128])
def test_chunks_stay_exact_in_float32_where_one_key_repeats_at_the_largest_rate(chunk):
    """The worst case for an inverse by powers: every key the same, every step a reflection."""
    q, k, v, beta, state = (part.float() for part in drawn((1, 1, 128, 1, 4), 0))
    k, beta = k[:, :, :1].expand_as(k).contiguous(), torch.full_like(beta, 2.0)
    read, after = delta_chunks(q, k, v, beta, state, chunk)
    wanted, wanted_after = delta_loop(*(part.double() for part in (q, k, v, beta, state)))
    torch.testing.assert_close(read.double(), wanted, rtol=1e-3, atol=1e-3)
    torch.testing.assert_close(after.double(), wanted_after, rtol=1e-3, atol=1e-3)


@FEW
@given(sizes=SIZES, seed=st.integers(0, 999))
def test_several_steps_a_token_are_as_many_tokens_of_which_the_last_is_read(sizes, seed):
    rows, heads, tokens, steps, width = sizes
    q, k, v, beta, state = drawn(sizes, seed)
    read, after = delta_chunks(q, k, v, beta, state, 8)
    longer = (x.reshape(rows, heads, tokens * steps, 1, width) for x in (k, v))
    rates = beta.reshape(rows, heads, tokens * steps, 1)
    flat, flat_after = delta_chunks(q.repeat_interleave(steps, 2), *longer, rates, state, 8)
    torch.testing.assert_close(flat[:, :, steps - 1 :: steps], read, **TIGHT)
    torch.testing.assert_close(flat_after, after, **TIGHT)


@FEW
@given(sizes=SIZES, seed=st.integers(0, 999))
def test_a_rate_of_two_reflects_and_twice_gives_back_what_was_there(sizes, seed):
    rows, heads, _, _, width = sizes
    q, k, v, beta, state = drawn((rows, heads, 2, 1, width), seed)
    k[:, :, 1] = k[:, :, 0]
    beta, v = torch.full_like(beta, 2.0), torch.zeros_like(v)
    _, once = delta_chunks(q[:, :, :1], k[:, :, :1], v[:, :, :1], beta[:, :, :1], state, 8)
    _, twice = delta_chunks(q, k, v, beta, state, 8)
    key_BH1E = k[:, :, 0]
    torch.testing.assert_close(key_BH1E @ once, -(key_BH1E @ state), **TIGHT)
    torch.testing.assert_close(once.norm(), state.norm(), **TIGHT)
    torch.testing.assert_close(twice, state, **TIGHT)


@FEW
@given(sizes=SIZES, seed=st.integers(0, 999))
def test_a_rate_of_one_replaces_what_is_under_the_key_and_one_of_zero_changes_nothing(sizes, seed):
    rows, heads, _, _, width = sizes
    q, k, v, beta, state = drawn((rows, heads, 1, 1, width), seed)
    read, _ = delta_chunks(k[:, :, :, 0], k, v, torch.ones_like(beta), state, 8)
    torch.testing.assert_close(read, v[:, :, :, 0], **TIGHT)
    _, after = delta_chunks(q, k, v, torch.zeros_like(beta), state, 8)
    assert torch.equal(after, state)


@pytest.mark.parametrize(("is_negative", "lowest"), [(True, -1.0), (False, 0.0)])
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 999), strength=st.sampled_from([0.1, 1.0, 10.0]))
def test_eigenvalues_are_in_their_range_and_use_all_of_it(is_negative, lowest, seed, strength):
    shape = Shape("deltaproduct", 9, 16, 1, 2, 16, householders=2, is_negative=is_negative)
    mixer = build(shape, seed).double().layers[0].mixer
    x_BTD = strength * torch.randn(2, 40, 16, generator=torch.Generator().manual_seed(seed)).double()
    q_BHTE, k_BHTNE, _, beta_BHTN = mixer.questions(x_BTD)
    outer = k_BHTNE[..., :, None] * k_BHTNE[..., None, :]
    found = torch.linalg.eigvalsh(torch.eye(8) - beta_BHTN[..., None, None] * outer)
    assert found.min() >= lowest - 1e-9
    assert found.max() <= 1 + 1e-9
    torch.testing.assert_close(q_BHTE.norm(dim=-1), torch.ones(2, 2, 40).double(), **TIGHT)
    if strength == 10.0:
        assert found.min() < lowest + 0.1


def test_swaps_are_reflections_so_a_thousand_of_them_are_tracked():
    """One step swaps two of five things: the key is their difference, the rate 2."""
    source = random.Random(0)
    held, keys = list(range(5)), []
    for _ in range(1000):
        one, other = source.sample(range(5), 2)
        held[one], held[other] = held[other], held[one]
        key = torch.zeros(5, dtype=torch.float64)
        key[one], key[other] = 2**-0.5, -(2**-0.5)
        keys.append(key)
    assert track(torch.stack(keys)[:, None]) == held


@pytest.mark.parametrize("wanted", [(1, 2, 3, 4, 0), (4, 0, 3, 1, 2), (0, 1, 2, 3, 4), (1, 0, 3, 4, 2)])
def test_four_steps_reach_any_permutation_of_five(wanted):
    held, keys = list(range(5)), []
    for at in range(4):
        other = held.index(wanted[at])
        held[at], held[other] = held[other], held[at]
        key = torch.zeros(5, dtype=torch.float64)
        if at != other:
            key[at], key[other] = 2**-0.5, -(2**-0.5)
        keys.append(key)
    assert track(torch.stack(keys)[None]) == list(wanted) == held


def track(k_TNE):
    """Which thing is where after reflections, by the chunk form with the identity as memory."""
    k_BHTNE = k_TNE[None, None]
    nothing, twos = torch.zeros_like(k_BHTNE), torch.full(k_BHTNE.shape[:-1], 2.0, dtype=torch.float64)
    start_BHEE = torch.eye(5, dtype=torch.float64)[None, None]
    _, state = delta_chunks(k_BHTNE[:, :, :, 0], k_BHTNE, nothing, twos, start_BHEE, 32)
    assert state.sum().item() == pytest.approx(5)
    return state[0, 0].argmax(-1).tolist()


@pytest.mark.parametrize("tokens", [1, 7, 40])
def test_a_deltaproduct_of_one_step_is_a_deltanet(tokens):
    one = build(Shape("deltanet", 9, 16, 2, 2, 16, chunk=8), 3).double()
    other = build(Shape("deltaproduct", 9, 16, 2, 2, 16, chunk=8), 4).double()
    ids_BT = torch.randint(0, 9, (2, tokens), generator=torch.Generator().manual_seed(0))
    assert not torch.allclose(one(ids_BT), other(ids_BT))
    other.load_state_dict(one.state_dict())
    torch.testing.assert_close(one(ids_BT), other(ids_BT), **TIGHT)


@pytest.mark.parametrize("is_last", [True, False])
def test_a_deltaproduct_whose_other_step_has_no_rate_is_a_deltanet(is_last):
    single = build(Shape("deltanet", 9, 16, 2, 2, 16, chunk=8), 3).double()
    double = build(Shape("deltaproduct", 9, 16, 2, 2, 16, chunk=8, householders=2), 4).double()
    weights = dict(double.state_dict())
    for name, weight in single.state_dict().items():
        if ".mixer.inner" in name:
            q, k, v = weight.chunk(3)
            _, noise_k, noise_v = weights[name].split([16, 32, 32])
            pairs = [(noise_k[:16], k), (noise_v[:16], v)]
            weight = torch.cat([q, *itertools.chain(*(pair if is_last else pair[::-1] for pair in pairs))])
        if ".mixer.rate" in name:
            off = torch.full_like(weight, -1e4) if name.endswith("bias") else torch.zeros_like(weight)
            weight = torch.cat([off, weight] if is_last else [weight, off])
        weights[name] = weight
    double.load_state_dict(weights)
    ids_BT = torch.randint(0, 9, (2, 21), generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(double(ids_BT), single(ids_BT), **TIGHT)
