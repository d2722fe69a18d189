"""This file is DeltaProduct: DeltaNet with several steps of the delta rule a token.

The transition of a token is a product of `householders` (I - beta k k^T): n of them reach any permutation of
n + 1 things, where one step reaches a single swap. The steps of all tokens go one after the other through the
chunks of delta_rule.py; only the last step of a token has a query.
"""

from worldline.learn.networks.decoder import Decoder
from worldline.learn.networks.deltanet import Delta
from worldline.learn.networks.shape import Shape


def deltaproduct(shape: Shape) -> Decoder:
    """`shape.householders` steps a token."""
    return Decoder(shape, (Delta(shape) for _ in range(shape.layers)))
