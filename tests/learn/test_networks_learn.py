"""This file is the proof that every network can be taught: to recite texts that it has seen."""

import pytest

from worldline.learn.networks import NETWORKS, Shape, build

torch = pytest.importorskip("torch", reason="no torch: pip install 'worldline[learn]'")
torch.set_num_threads(1)

ITERATIONS = 320  # half of them are enough for most, but not on every processor
WAYS = [
    pytest.param({"network": name, "is_negative": is_negative, "householders": householders}, id=label)
    for label, name, is_negative, householders in [
        ("transformer", "transformer", True, 1),
        ("deltanet[0,1]", "deltanet", False, 1),
        ("deltanet[-1,1]", "deltanet", True, 1),
        ("deltaproduct", "deltaproduct", True, 2),
        ("hybrid", "hybrid", True, 1),
    ]
]


def texts():
    """Sixteen texts of twelve letters, each told by its first two; what follows them is random."""
    drawn = torch.Generator().manual_seed(0)
    heads = torch.tensor([[first, second] for first in range(4) for second in range(4)])
    return torch.cat([heads, torch.randint(0, 8, (16, 10), generator=drawn)], 1)


def recited(network, ids_BT):
    """The share of letters that are written right, each from those written before."""
    with torch.no_grad():
        state = network.start(len(ids_BT))
        _, state = network.step(ids_BT[:, 0], state)
        logits_BV, state = network.step(ids_BT[:, 1], state)
        written = []
        for _ in range(ids_BT.shape[1] - 2):
            written.append(logits_BV.argmax(-1))
            logits_BV, state = network.step(written[-1], state)
    return (torch.stack(written, 1) == ids_BT[:, 2:]).float().mean().item()


def teach(network, ids_BT, iterations):
    optimiser = torch.optim.AdamW(network.parameters(), lr=5e-3, weight_decay=0.0)
    slower = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.05, iterations)
    for _ in range(iterations):
        logits_BTV = network(ids_BT[:, :-1])[:, 1:]
        loss = torch.nn.functional.cross_entropy(logits_BTV.flatten(0, 1), ids_BT[:, 2:].flatten())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        slower.step()


@pytest.mark.parametrize("way", WAYS)
def test_it_learns_sixteen_texts_by_heart(way):
    network = build(Shape(vocabulary=8, width=32, layers=2, heads=2, context=12, chunk=8, **way))
    assert recited(network, texts()) < 0.4
    teach(network, texts(), ITERATIONS)
    assert recited(network, texts()) == 1.0


def test_every_network_is_taught():
    assert {way.values[0]["network"] for way in WAYS} == set(NETWORKS) - {
        "matching"
    }  # what that one learns is in recipes/embedded.py


def test_a_network_that_sees_only_the_last_letter_does_not_learn_them():
    """So reciting them is a matter of memory: the same network, its attention cut to one letter, cannot."""
    shape = Shape("transformer", 8, 32, 2, 2, 12, window=1)
    network = build(shape)
    teach(network, texts(), ITERATIONS)
    assert recited(network, texts()) < 0.6
