"""This file is the frame of all networks: embedding, layers of a mixer and a feed-forward part, tied head.

A mixer is what lets a token see those before it: attention or a delta rule. It has `start(batch) -> state`
and `forward(x_BTD, state) -> (y_BTD, state)`; a state is never changed in place: one may go on from it twice.

What decided between learning and not learning in our trials is here: weights drawn with 1/sqrt(fan-in), what
is added to the residual stream divided by sqrt(2 layers), the embedding multiplied by sqrt(width), a tied
head.

Letters: B rows, T tokens, D width, F hidden width, V vocabulary.
"""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from worldline.learn.networks.shape import Shape

State = tuple[Any, ...]
"""What each layer remembers."""

EPSILON = 1e-6


class FeedForward(nn.Module):  # type: ignore[misc]
    """SwiGLU, without biases; the first half of `inner` is the gate."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.inner = nn.Linear(shape.width, 2 * shape.hidden_width, bias=False)
        self.out = nn.Linear(shape.hidden_width, shape.width, bias=False)

    def forward(self, x_BTD: Tensor) -> Tensor:
        """The same for every token by itself."""
        gate_BTF, up_BTF = self.inner(x_BTD).chunk(2, -1)
        return self.out(functional.silu(gate_BTF) * up_BTF)


class Layer(nn.Module):  # type: ignore[misc]
    """A mixer and a feed-forward part, each on a normalised copy of the residual stream."""

    def __init__(self, shape: Shape, mixer: nn.Module) -> None:
        super().__init__()
        self.mixer_norm = nn.RMSNorm(shape.width, eps=EPSILON)
        self.mixer = mixer
        self.forward_norm = nn.RMSNorm(shape.width, eps=EPSILON)
        self.feed_forward = FeedForward(shape)

    def forward(self, x_BTD: Tensor, state: Any) -> tuple[Tensor, Any]:
        """The residual stream after this layer, and what the mixer remembers."""
        mixed_BTD, state = self.mixer(self.mixer_norm(x_BTD), state)
        x_BTD = x_BTD + mixed_BTD
        return x_BTD + self.feed_forward(self.forward_norm(x_BTD)), state


class Decoder(nn.Module):  # type: ignore[misc]
    """A network that reads tokens from left to right.

    Args:
        shape: its sizes.
        mixers: one for each layer.
    """

    def __init__(self, shape: Shape, mixers: Iterable[nn.Module]) -> None:
        super().__init__()
        self.shape = shape
        self.scale = float(shape.width) ** 0.5
        self.embedding = nn.Embedding(shape.vocabulary, shape.width)
        self.layers = nn.ModuleList(Layer(shape, mixer) for mixer in mixers)
        self.norm = nn.RMSNorm(shape.width, eps=EPSILON)

    def forward(self, ids_BT: Tensor) -> Tensor:
        """The logits of the token after each of these: logits_BTV."""
        return self.read(ids_BT, self.start(ids_BT.shape[0]))[0]

    def start(self, batch: int) -> State:
        """What is remembered before the first token."""
        return tuple(layer.mixer.start(batch) for layer in self.layers)

    def read(self, ids_BT: Tensor, state: State) -> tuple[Tensor, State]:
        """Go on from a state by several tokens at once: logits_BTV and the new state."""
        x_BTD, state = self.features(ids_BT, state)
        return self.logits(x_BTD), state

    def step(self, ids_B: Tensor, state: State) -> tuple[Tensor, State]:
        """Go on from a state by one token: logits_BV and the new state."""
        logits_BTV, state = self.read(ids_B[:, None], state)
        return logits_BTV[:, 0], state

    def features(self, ids_BT: Tensor, state: State) -> tuple[Tensor, State]:
        """What `logits` takes, for those who need the logits of some tokens only."""
        x_BTD = self.embedding(ids_BT) * self.scale
        after = []
        for layer, before in zip(self.layers, state, strict=True):
            x_BTD, one = layer(x_BTD, before)
            after.append(one)
        return self.norm(x_BTD), tuple(after)

    def logits(self, x_BTD: Tensor) -> Tensor:
        """The tied head."""
        return functional.linear(x_BTD, self.embedding.weight)


def initialise(network: nn.Module, seed: int) -> None:
    """Draw all weights anew; they depend on the names, the shapes and this seed only, not on torch's."""
    drawn = torch.Generator().manual_seed(seed)
    residual = (2 * network.shape.layers) ** -0.5
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            if parameter.dim() < 2:
                parameter.fill_(0.0 if name.endswith("bias") else 1.0)
                continue
            fan_in = parameter.shape[1]
            is_residual = name.endswith("out.weight")
            spread = fan_in**-0.5 * (residual if is_residual else 1.0)
            parameter.copy_(torch.randn(parameter.shape, generator=drawn) * spread)
