"""The network that looks where the same token stood before: its fast path is what a plain loop gives."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldline.errors import UserError
from worldline.learn.networks import Shape, build
from worldline.models.embedded.vocabulary import IDS

torch = pytest.importorskip("torch", reason="no torch: pip install 'worldline[learn]'")
torch.set_num_threads(1)

SHAPE = Shape("matching", vocabulary=9, width=8, layers=2, heads=2, context=64)
DOCUMENT, QUESTION = IDS["document"], IDS["question"]


def plain(network, ids):
    """One document with at most one question, token by token: logits_TV."""
    embedded = [network.embedding.weight[token] * network.scale for token in ids]
    x = []
    for at, own in enumerate(embedded):
        before = network.before.weight @ embedded[at - 1] if at > 0 else 0
        earlier = network.earlier.weight @ embedded[at - 2] if at > 1 else 0
        x.append(own + before + earlier)
    for layer in network.layers:
        normed = [layer.mixer_norm(each) for each in x]
        heads, width = layer.mixer.heads, SHAPE.head_width
        parts = [(layer.mixer.inner.weight @ each).reshape(3, heads, width) for each in normed]
        after = []
        for at in range(len(ids)):
            gathered = []
            for head in range(heads):
                q = turned(parts[at][0, head], at)
                scores = torch.stack([q @ turned(parts[j][1, head], j) for j in range(at + 1)]) / width**0.5
                weights = torch.softmax(scores, 0)
                gathered.append(sum(weights[j] * parts[j][2, head] for j in range(at + 1)))
            y = x[at] + layer.mixer.out.weight @ torch.cat(gathered)
            same = [j for j in range(at) if ids[j] == ids[at]]
            if same:
                y = y + layer.first_out.weight @ normed[same[0]] + layer.last_out.weight @ normed[same[-1]]
            after.append(y + layer.feed_forward(layer.forward_norm(y)))
        x = after
    return torch.stack([network.embedding.weight @ network.norm(each) for each in x])


def turned(x, position):
    width = x.shape[0]
    speed = SHAPE.theta ** (-torch.arange(0, width, 2, dtype=torch.float32) / width)
    angle = (position * speed).repeat(2).to(x.dtype)
    one, other = x.chunk(2)
    return x * angle.cos() + torch.cat([-other, one]) * angle.sin()


TOKENS = st.lists(st.integers(3, 8), min_size=1, max_size=5)


@given(st.lists(st.tuples(TOKENS, st.lists(TOKENS, max_size=3)), min_size=1, max_size=2), st.integers(0, 3))
@settings(max_examples=10, deadline=None)
def test_the_fast_path_is_the_plain_loop(documents, seed):
    """Outputs and gradients, of rows whose questions are read with their opening alone in the plain loop."""
    network = build(SHAPE, seed).double()
    row, parts = [], []
    for opening, questions in documents:
        opened = [DOCUMENT, *opening]
        row += opened
        parts.append(plain(network, opened))
        for question in questions:
            row += [QUESTION, *question]
            parts.append(plain(network, [*opened, QUESTION, *question])[len(opened) :])
    fast = network(torch.tensor([row]))[0]
    slow = torch.cat(parts)
    torch.testing.assert_close(fast, slow, atol=1e-6, rtol=1e-6)  # the angles are worked out in float32
    weights = torch.linspace(-1, 1, fast.numel(), dtype=torch.float64).reshape(fast.shape)
    parameters = list(network.parameters())
    wanted = torch.autograd.grad((slow * weights).sum(), parameters, allow_unused=True)
    found = torch.autograd.grad((fast * weights).sum(), parameters)
    for one, other in zip(found, wanted, strict=True):  # what a short text does not use is None
        other = torch.zeros_like(one) if other is None else other
        torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-5)


def test_no_token_sees_what_comes_after_it():
    network = build(SHAPE, 1)
    ids = torch.tensor([[1, 5, 3, 2, 5, 6, 2, 5, 3, 7]])
    changed = ids.clone()
    changed[0, -1] = 4
    torch.testing.assert_close(network(ids)[:, :-1], network(changed)[:, :-1])


def test_a_window_is_refused() -> None:
    with pytest.raises(UserError, match="no window"):
        build(replace(SHAPE, window=4))
