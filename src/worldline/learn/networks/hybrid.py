"""This file is the hybrid: layers of DeltaNet and of attention in turn, the delta rule first.

The delta rule keeps track of a state, attention looks things up; with `shape.window` decoding takes constant
memory.
`shape.householders` above 1 makes the delta layers those of DeltaProduct.
"""

from worldline.learn.networks.attention import Attention
from worldline.learn.networks.decoder import Decoder
from worldline.learn.networks.deltanet import Delta
from worldline.learn.networks.shape import Shape


def hybrid(shape: Shape) -> Decoder:
    """Layers 0, 2, ... follow the delta rule, layers 1, 3, ... attend."""
    return Decoder(shape, (Attention(shape) if at % 2 else Delta(shape) for at in range(shape.layers)))
