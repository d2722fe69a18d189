"""This folder is the sequence models: one small file each, all with the same way to read and to decode.

`network(ids_BT)` gives logits_BTV; `matching` does no more. `network.start(batch)` gives a state,
`network.step(ids_B, state)` goes on by one token and `network.read(ids_BT, state)` by several. A state is
never changed in place.
Only `build` and those after it need torch; `Shape` and `NETWORKS` do not.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from worldline import plugins
from worldline.errors import UserError, missing_extra
from worldline.learn.networks.shape import Shape

if TYPE_CHECKING:
    from torch import nn

__all__ = ["NETWORKS", "Shape", "build", "network_names", "parameters", "plain_twin", "shape_of_size"]

ENTRY_POINTS = "worldline.networks"

NETWORKS = {
    "transformer": "worldline.learn.networks.transformer:transformer",
    "deltanet": "worldline.learn.networks.deltanet:deltanet",
    "deltaproduct": "worldline.learn.networks.deltaproduct:deltaproduct",
    "hybrid": "worldline.learn.networks.hybrid:hybrid",
    "matching": "worldline.learn.networks.matching:matching",
}
"""Each names a function from a `Shape` to a torch module like `Decoder`; its weights are drawn by `build`."""


def network_names() -> list[str]:
    """Every network that may be asked for."""
    return plugins.names(NETWORKS, ENTRY_POINTS)


def build(shape: Shape, seed: int = 0) -> "nn.Module":
    """The network of a shape, with weights that depend on the shape and the seed only."""
    network = _empty(shape).to_empty(device="cpu")
    from worldline.learn.networks.decoder import initialise

    initialise(network, seed)
    return network


def parameters(network: "nn.Module") -> int:
    """How many numbers are learnt; a tied head counts once."""
    return sum(parameter.numel() for parameter in network.parameters())


def plain_twin(network: "nn.Module") -> "nn.Module":
    """A copy with the same weights in which every fast path is the plain loop that defines it.

    Not of `matching`, whose loop is in its test: it reads documents apart, not rows.
    """
    from copy import deepcopy

    if not hasattr(network, "step"):
        raise ValueError(f"no plain twin of a {type(network).__name__}, which has no step")
    twin = deepcopy(network)
    for module in twin.modules():
        if hasattr(module, "is_plain"):
            module.is_plain = True
    return twin


def shape_of_size(network: str, size: int, like: Shape) -> Shape:
    """The shape of a network with about `size` parameters; what is not a width is as in `like`.

    The width is the largest that fits with a feed-forward part of 8/3, then that part takes what is left.
    """
    unit = 2 * like.heads
    fits = replace(like, network=network, width=unit, hidden=0)
    if _size(fits) > size:
        raise UserError(
            f"no {network} of {size} parameters: the smallest has {_size(fits)}",
            "take fewer layers or heads, or a larger size",
        )
    low, high = 1, size // unit  # in units of width: the first fits, the second does not (or only just)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _size(replace(fits, width=middle * unit)) <= size else (low, middle)
    shape = replace(fits, width=low * unit)
    shape = replace(shape, hidden=shape.hidden_width)
    return replace(
        shape, hidden=shape.hidden + round((size - _size(shape)) / (3 * shape.width * shape.layers))
    )


def _size(shape: Shape) -> int:
    return parameters(_empty(shape))


def _empty(shape: Shape) -> "nn.Module":
    """The network without any memory for its weights."""
    try:
        import torch
    except ImportError:
        raise missing_extra("torch", "learn") from None
    make = plugins.load(NETWORKS, ENTRY_POINTS, shape.network)
    with torch.device("meta"):
        return make(shape)
